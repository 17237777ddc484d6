/* What would help, what the CPU and compiling cost, and where in the program it happens. */
#include <inttypes.h>
#include <stdlib.h>

#include "base/mem.h"
#include "report/costs.h"
#include "report/sections.h"

/* --- the way to ready */

static void put_names(struct doc *doc, const struct result_fix *fix, const char *dots)
{
	for (size_t i = 0; i < fix->operator_count; i++) {
		doc_text(doc, i ? STR(", ") : STR(""));
		doc_text(doc, fix->operators[i]);
	}
	if (fix->operator_total > fix->operator_count)
		doc_printf(doc, ", %s +%" PRIu64, dots, fix->operator_total - fix->operator_count);
}

static bool lifts_many(const struct result_fix *fix)
{
	return fix->kind == FIX_RELEASE || fix->kind == FIX_PACKAGE;
}

static void put_lifted(struct doc *doc, const struct result_fix *fix)
{
	CLEANUP(buf_clear) struct buf names = BUF_UNLIMITED;
	struct message message = message_of("fix.lifts");

	for (size_t i = 0; i < fix->operator_count; i++)
		buf_printf(&names, "%s%.*s", i ? ", " : "", STR_ARG(fix->operators[i]));
	if (fix->operator_total > fix->operator_count)
		buf_printf(&names, ", ... +%" PRIu64, fix->operator_total - fix->operator_count);
	message_add(&message, "names", buf_str(&names));
	doc_say(doc, BLOCK_UNDER, &message);
}

/* Three figures that both forms of the table end in. */
static void put_figures(
	struct doc *doc, struct result_interval readiness, struct result_interval coverage, uint64_t blockers)
{
	doc_cell_interval(doc, readiness);
	doc_cell_interval(doc, coverage);
	doc_cell_number(doc, blockers);
}

/* What is left on the AI CPU, where the step changes that. */
static void put_fix_aicpu(struct doc *doc, const struct result_fix *fix, struct result_interval before)
{
	struct message message = message_of("fix.aicpu");

	if (fix->aicpu.lo_ppm == before.lo_ppm && fix->aicpu.hi_ppm == before.hi_ppm)
		return;
	message_add(&message, "before", doc_interval_of(doc, before));
	message_add(&message, "after", doc_interval_of(doc, fix->aicpu));
	doc_say(doc, doc_is(doc, DOC_TEXT) ? BLOCK_UNDER : BLOCK_LINE_SOFT, &message);
}

/* On the AI CPU before the step. */
static struct result_interval aicpu_before(const struct result_target *target, size_t fix)
{
	return fix ? target->fixes[fix - 1].aicpu : target->where.aicpu;
}

static void put_fix_line(struct doc *doc, const struct result_target *target, size_t number)
{
	const struct result_fix *fix = &target->fixes[number - 1];

	doc_row(doc);
	doc_cell(doc);
	doc_printf(doc, "%3zu. %.*s %.*s (%.*s)", number,
		STR_ARG(doc_word_of(doc, "fix", word_for(&fix_words, fix->kind))), STR_ARG(fix->what),
		STR_ARG(doc_word_of(doc, "effort", word_for(&effort_words, fix->effort))));
	doc_close(doc);
	put_figures(doc, fix->readiness, fix->coverage, fix->blockers);
	if (lifts_many(fix))
		put_lifted(doc, fix);
	put_fix_aicpu(doc, fix, aicpu_before(target, number - 1));
	doc_close(doc);
}

static void put_fix_row(struct doc *doc, const struct result_target *target, size_t number)
{
	const struct result_fix *fix = &target->fixes[number - 1];

	doc_row(doc);
	doc_cell_number(doc, number);
	doc_cell(doc);
	doc_printf(doc, "%.*s ", STR_ARG(doc_word_of(doc, "fix", word_for(&fix_words, fix->kind))));
	doc_styled(doc, SPAN_NAME, fix->what);
	if (fix->operator_total && lifts_many(fix)) {
		doc_open(doc, BLOCK_LINE_SOFT);
		put_names(doc, fix, "\xe2\x80\xa6");
		doc_close(doc);
	}
	put_fix_aicpu(doc, fix, aicpu_before(target, number - 1));
	doc_close(doc);
	doc_cell_text(doc, doc_word_of(doc, "effort", word_for(&effort_words, fix->effort)));
	put_figures(doc, fix->readiness, fix->coverage, fix->blockers);
	doc_close(doc);
}

static void put_fix_lines(struct doc *doc, const struct result_target *target, bool first)
{
	static const struct doc_column columns[] = {
		{ .label = "fix.title", .fit = COLUMN_SPILL },
		{ .label = "report.on-device", .gap = 1, .width = 12, .number = true },
		{ .label = "report.at-all", .gap = 1, .width = 12, .number = true },
		{ .label = "report.blockers", .gap = 1, .width = 8, .number = true },
	};
	enum { SHORT_FIXES = 5 };
	size_t shown = doc_shown(doc, target->fix_count, SHORT_FIXES);

	doc_table(doc, &(struct doc_table){ .columns = columns, .count = ARRAY_SIZE(columns), .bare = !first });
	doc_row(doc);
	doc_cell_text(doc, target->id);
	put_figures(doc, target->readiness.time, target->coverage.time, target_blockers(target));
	doc_close(doc);
	for (size_t i = 0; i < shown; i++)
		put_fix_line(doc, target, i + 1);
	doc_close(doc);
	doc_say_more(doc, "fix.more", target->fix_count - shown);
	if (target->fixes_left)
		doc_say_count(doc, BLOCK_PARAGRAPH, "fix.left", target->fixes_left);
}

static void put_fix_table(struct doc *doc, const struct result_target *target)
{
	static const struct doc_column columns[] = {
		{ .label = "fix.number", .number = true },
		{ .label = "fix.what" },
		{ .label = "fix.effort" },
		{ .label = "report.on-device", .number = true },
		{ .label = "report.at-all", .number = true },
		{ .label = "report.blockers", .number = true },
	};

	doc_open(doc, BLOCK_MORE);
	doc_attribute(doc, "open", STR(""));
	doc_open(doc, BLOCK_SUMMARY);
	doc_styled(doc, SPAN_NAME, target->id);
	doc_close(doc);
	doc_figure(doc, curve_put, target);
	doc_table(doc, &(struct doc_table){ .columns = columns, .count = ARRAY_SIZE(columns) });
	for (size_t i = 0; i < target->fix_count; i++)
		put_fix_row(doc, target, i + 1);
	doc_close(doc);
	if (target->fixes_left)
		doc_say_count(doc, BLOCK_SOFT, "fix.left", target->fixes_left);
	doc_close(doc);
}

static void put_fixes(struct doc *doc, const struct result *result)
{
	bool page = !doc_is(doc, DOC_TEXT), any = false;

	doc_section(doc, page ? "fix.title" : NULL);
	for (size_t i = 0; i < result->target_count; i++) {
		const struct result_target *target = &result->targets[i];

		if (!target->fix_count)
			continue;
		if (page)
			put_fix_table(doc, target);
		else
			put_fix_lines(doc, target, !any);
		any = true;
	}
	if (any)
		doc_say_label(doc, BLOCK_SOFT, "fix.about");
	doc_close(doc);
}

/* --- on the CPU, and compiling */

static void put_sentences(struct doc *doc, struct str target, const struct message *lines, size_t count)
{
	doc_open(doc, BLOCK_PARAGRAPH);
	doc_styled(doc, SPAN_STRONG_NAME, target);
	doc_close(doc);
	doc_open(doc, BLOCK_NOTES);
	for (size_t i = 0; i < count; i++)
		doc_say(doc, BLOCK_SENTENCE, &lines[i]);
	doc_close(doc);
}

static void put_host_transfer_line(struct doc *doc, const struct result_host_transfer *item, uint64_t steps)
{
	struct message message = message_of("cost.operator");

	message_add(&message, "operator", item->operator_name);
	message_add(&message, "time", costs_ms(&doc->arena, item->copy_ns + item->host_ns, steps));
	message_add_number(&message, &doc->arena, "calls", (int64_t)item->calls);
	message_add(&message, "out", costs_bytes(&doc->arena, item->bytes_to_host, steps));
	message_add(&message, "back", costs_bytes(&doc->arena, item->bytes_to_device, steps));
	doc_say(doc, BLOCK_SUBITEM, &message);
}

static void put_host_transfer_row(struct doc *doc, const struct result_host_transfer *item, uint64_t steps)
{
	doc_row(doc);
	doc_cell_text(doc, item->operator_name);
	doc_cell_number(doc, item->calls);
	doc_cell_text(doc, costs_bytes(&doc->arena, item->bytes_to_host, steps));
	doc_cell_text(doc, costs_bytes(&doc->arena, item->bytes_to_device, steps));
	doc_cell_text(doc, costs_ms(&doc->arena, item->copy_ns, steps));
	doc_cell_text(doc, costs_ms(&doc->arena, item->host_ns, steps));
	doc_close(doc);
}

static void put_host_transfer_items(struct doc *doc, const struct result_fallback *host_transfers, uint64_t steps)
{
	static const struct doc_column columns[] = {
		{ .label = "report.operator", .css = "name" },
		{ .label = "report.calls", .number = true },
		{ .label = "cost.to-host", .number = true },
		{ .label = "cost.to-device", .number = true },
		{ .label = "cost.copy-time", .number = true },
		{ .label = "cost.host-time", .number = true },
	};
	enum { SHORT = 3 };
	size_t shown = doc_shown(doc, host_transfers->item_count, SHORT);
	bool page = doc_is(doc, DOC_HTML);

	if (page)
		doc_table(doc, &(struct doc_table){ .columns = columns, .count = ARRAY_SIZE(columns) });
	else
		doc_open(doc, BLOCK_LIST);
	for (size_t i = 0; i < shown; i++)
		(page ? put_host_transfer_row : put_host_transfer_line)(doc, &host_transfers->items[i], steps);
	doc_close(doc);
}

static void put_host_transfers(struct doc *doc, const struct result *result)
{
	doc_section(doc, "cost.crossings");
	for (size_t i = 0; i < result->target_count; i++) {
		const struct result_target *target = &result->targets[i];
		struct message lines[COST_LINES];
		size_t count = costs_say_host_transfers(result, target, &doc->arena, lines);

		if (!count)
			continue;
		put_sentences(doc, target->id, lines, count);
		put_host_transfer_items(doc, target->host_transfers, result->cost.steps);
	}
	doc_close(doc);
}

static void put_compiling(struct doc *doc, const struct result *result)
{
	const struct result_cost *cost = &result->cost;

	doc_section(doc, "cost.compiling");
	for (size_t i = 0; i < result->target_count; i++) {
		struct message lines[COST_LINES];
		size_t count = costs_say_compiling(&result->targets[i], &doc->arena, lines);

		if (count)
			put_sentences(doc, result->targets[i].id, lines, count);
	}
	if (cost->graphs_known && cost->graphs > 1) {
		struct message graphs = message_of("cost.graphs");

		message_add_number(&graphs, &doc->arena, "graphs", (int64_t)cost->graphs);
		doc_say(doc, BLOCK_PARAGRAPH, &graphs);
	}
	doc_close(doc);
}

/* --- places: on a page the tree, else those with most that is not certain to run on the device */

enum { PLACE_COLUMNS = 13, SHORT_PLACES = 12, PLACE_TARGETS = 2 };

static void put_place_row(struct doc *doc, const struct result_place *place, size_t targets)
{
	doc_row(doc);
	doc_cell_text(doc, doc_percent_of(doc, place->share_ppm));
	for (size_t i = 0; i < targets; i++) {
		const struct result_place_target *target = &place->targets[i];

		doc_cell(doc);
		doc_percent(doc, place->share_ppm - target->device_lo_ppm);
		if (target->blockers)
			doc_printf(doc, " (%" PRIu64 ")", target->blockers);
		doc_close(doc);
	}
	doc_cell_text(doc, place->path);
	doc_close(doc);
}

/* The least that a place must have off the device to be among so many. */
static int64_t place_threshold(const struct result *result, size_t most)
{
	int64_t *off = mem_zalloc((most + 1) * sizeof(off[0])), least;

	for (size_t i = 0; i < result->places.count; i++) {
		int64_t mine = costs_off_device(&result->places.items[i], result->target_count);
		size_t at = most;

		for (; at > 0 && off[at - 1] < mine; at--)
			off[at] = off[at - 1];
		off[at] = at < most ? mine : off[at];
	}
	least = off[most - 1];
	free(off);
	return least > 0 ? least : 1;
}

static void open_place_table(struct doc *doc, const struct result *result, size_t targets)
{
	struct doc_column *columns = arena_alloc(&doc->arena, (targets + 2) * sizeof(columns[0]));

	columns[0] = (struct doc_column){ .label = "report.share", .width = SHARE_COLUMNS, .number = true };
	for (size_t i = 0; i < targets; i++)
		columns[i + 1] = (struct doc_column){
			.title = result->targets[i].id, .gap = 1, .width = PLACE_COLUMNS, .number = true
		};
	columns[targets + 1] = (struct doc_column){ .title = doc_word_of(
							    doc, "place", word_for(&place_words, result->places.kind)),
		.gap = 2,
		.fit = COLUMN_WRAP };
	doc_table(doc, &(struct doc_table){ .columns = columns, .count = targets + 2 });
}

static bool put_place_rows(struct doc *doc, const struct result *result)
{
	size_t targets = result->target_count < PLACE_TARGETS ? result->target_count : PLACE_TARGETS, shown = 0;
	int64_t least = doc->options.all ? 1 : place_threshold(result, SHORT_PLACES);

	for (size_t i = 0; i < result->places.count; i++) {
		if (costs_off_device(&result->places.items[i], result->target_count) < least ||
			(shown == SHORT_PLACES && !doc->options.all))
			continue;
		if (!shown++)
			open_place_table(doc, result, targets);
		put_place_row(doc, &result->places.items[i], targets);
	}
	if (shown)
		doc_close(doc);
	return shown;
}

/* The last part of a module path; a line of source whole. */
static struct str last_part(const struct result_place *place)
{
	size_t at = place->path.len;

	while (at && place->path.ptr[at - 1] != '/')
		at--;
	return place->depth ? str_skip(place->path, at) : place->path;
}

static void put_place_line(struct doc *doc, const struct result *result, const struct result_place *place)
{
	doc_percent(doc, place->share_ppm);
	doc_text(doc, STR(" "));
	doc_styled(doc, SPAN_NAME, last_part(place));
	for (size_t i = 0; i < result->target_count; i++) {
		const struct result_place_target *target = &place->targets[i];
		int64_t off = place->share_ppm - target->device_lo_ppm;
		struct str text = doc_percent_of(doc, off);

		if (off <= 0 && !target->blockers)
			continue;
		doc_printf(doc, " \xc2\xb7 %.*s ", STR_ARG(result->targets[i].id));
		if (target->blockers)
			text = doc_format_of(doc, "%.*s (%" PRIu64 ")", STR_ARG(text), target->blockers);
		doc_tag_text(doc, SET_STATUS, target->blockers ? STR("unsupported") : STR("cpu-fallback"), text);
	}
}

static void close_places(struct doc *doc, uint32_t *open, uint32_t depth)
{
	for (; *open > depth; --*open) {
		doc_close(doc);
		doc_close(doc);
	}
}

/* Each place behind its parent: those with something inside can be opened. Deeper ones than MOST_NESTED stand in one
   level. */
static void put_place_tree(struct doc *doc, const struct result *result)
{
	enum { SHOWN_OPEN = 2, MOST_NESTED = 100 }; /* levels */
	uint32_t open = 0;                          /* details that are open */

	for (size_t i = 0; i < result->places.count; i++) {
		const struct result_place *place = &result->places.items[i];
		uint32_t next = i + 1 < result->places.count ? result->places.items[i + 1].depth : 0;
		bool holds = next > place->depth && open < MOST_NESTED;

		close_places(doc, &open, place->depth);
		doc_open(doc, holds ? BLOCK_PLACE : BLOCK_PLACE_LEAF);
		if (holds && place->depth < SHOWN_OPEN)
			doc_attribute(doc, "open", STR(""));
		if (holds)
			doc_open(doc, BLOCK_SUMMARY);
		put_place_line(doc, result, place);
		doc_close(doc);
		if (holds)
			doc_open(doc, BLOCK_INSET);
		open += holds;
	}
	close_places(doc, &open, 0);
}

static void put_places(struct doc *doc, const struct result *result)
{
	bool shown = true;

	if (!result->places.count)
		return;
	doc_section(doc, result->places.kind == PLACES_MODULES ? "place.title" : "place.title-source");
	if (doc_is(doc, DOC_HTML))
		doc_say_label(doc, BLOCK_SOFT, "place.about");
	if (doc_is(doc, DOC_HTML))
		put_place_tree(doc, result);
	else
		shown = put_place_rows(doc, result);
	if (!doc_is(doc, DOC_HTML))
		doc_say_label(doc, BLOCK_SOFT, shown ? "place.about" : "place.fine");
	doc_close(doc);
}

void costs_build(struct doc *doc, const struct result *result)
{
	put_fixes(doc, result);
	put_host_transfers(doc, result);
	put_compiling(doc, result);
	put_places(doc, result);
}
