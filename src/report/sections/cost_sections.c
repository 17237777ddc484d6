/* Costs of the CPU and of compiling. */

#include "report/sections/parts.h"

#include "base/memory/mem.h"
#include "report/drawings/cost_drawing.h"
#include "report/drawings/costs.h"
#include "report/sections/place_section.h"

static void put_sentences(struct doc *doc, const struct message *lines, size_t count)
{
	doc_open(doc, BLOCK_NOTES);
	doc_say_each(doc, BLOCK_SENTENCE, lines, count);
	doc_close(doc);
}

static void put_host_transfer_items(struct doc *doc, const struct result_fallback *host_transfers, uint64_t steps)
{
	static const struct doc_column columns[] = {
		{ .label = "report.operator", .css = "name" },
		{ .label = "cost.calls", .number = true },
		{ .label = "cost.to-host", .number = true },
		{ .label = "cost.to-device", .number = true },
		{ .label = "cost.copy-time", .number = true },
		{ .label = "cost.host-time", .number = true },
	};
	enum { SHORT = 3 };
	size_t shown = doc_shown(doc, host_transfers->item_count, SHORT);

	doc_table(doc_in(doc, DOC_HTML), &(struct doc_table){ .columns = columns, .count = ARRAY_SIZE(columns) });
	for (size_t i = 0; i < shown; i++) {
		const struct result_host_transfer *item = &host_transfers->items[i];

		doc_row(doc);
		doc_cell_text(doc, item->operator_name);
		doc_cell_number(doc, item->calls);
		doc_cell_text(doc, costs_bytes(&doc->arena, item->bytes_to_host, steps));
		doc_cell_text(doc, costs_bytes(&doc->arena, item->bytes_to_device, steps));
		doc_cell_text(doc, costs_ms(&doc->arena, item->copy_ns, steps));
		doc_cell_text(doc, costs_ms(&doc->arena, item->host_ns, steps));
	}
	doc_table_end(doc);
	doc_open(doc_in(doc, DOC_PLAIN), BLOCK_LIST);
	for (size_t i = 0; i < shown; i++) {
		const struct result_host_transfer *item = &host_transfers->items[i];

		doc_say_with(doc, BLOCK_SUBITEM, "cost.operator", BLANK("operator", item->operator_name),
			BLANK("time", costs_ms(&doc->arena, item->copy_ns + item->host_ns, steps)),
			NUMBER("calls", item->calls),
			BLANK("out", costs_bytes(&doc->arena, item->bytes_to_host, steps)),
			BLANK("back", costs_bytes(&doc->arena, item->bytes_to_device, steps)));
	}
	doc_close(doc);
}

static void put_host_transfers(struct doc *doc, const struct result *result)
{
	doc_section_headed(doc, DOC_HTML, "cost.slow", "cost.host-transfers");
	for (size_t i = 0; i < result->target_count; i++) {
		const struct result_target *target = &result->targets[i];
		struct message lines[COST_LINES];
		size_t count = costs_say_host_transfers(result, target, &doc->arena, lines);

		bool drawn = costs_draw(doc, result, target); /* below its name */

		if (count)
			doc_say_styled(
				doc_in(doc, drawn ? DOC_PLAIN : 0), BLOCK_PARAGRAPH, SPAN_STRONG_NAME, target->id);
		if (!count)
			continue;
		put_sentences(doc, lines, count);
		visits_draw(doc, target);
		put_host_transfer_items(doc, target->host_transfers, result->cost.steps);
	}
	doc_close(doc);
}

void compiling_build(struct doc *doc, const struct result *result)
{
	const struct result_cost *cost = &result->cost;

	doc_section(doc, "cost.compiling");
	compiling_draw(doc, result);
	for (size_t i = 0; i < result->target_count; i++) {
		struct message lines[COST_LINES];
		size_t count = costs_say_compiling(&result->targets[i], &doc->arena, lines);

		if (!count)
			continue;
		doc_say_styled(doc, BLOCK_PARAGRAPH, SPAN_STRONG_NAME, result->targets[i].id);
		put_sentences(doc, lines, count);
	}
	if (cost->graphs_known && cost->graphs > 1)
		doc_say_with(doc, BLOCK_PARAGRAPH, "cost.graphs", NUMBER("graphs", cost->graphs));
	doc_close(doc);
}

void costs_build(struct doc *doc, const struct result *result)
{
	fixes_build(doc, result);
	put_host_transfers(doc, result);
	compiling_build(doc, result);
	places_build(doc, result);
}
