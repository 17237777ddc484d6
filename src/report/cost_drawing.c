/* What a step costs on the CPU and on the AI CPU, and what the targets compile, as drawings with a table. */
#include <inttypes.h>

#include "report/costs.h"
#include "report/drawing.h"
#include "report/page_sections.h"

enum { BAR_WIDTH = 1160, BAR_HEIGHT = 24, ROW_HEIGHT = 30, NAME_WIDTH = 260, WHOLE_PPM = 1000000 };

/* --- the CPU and the AI CPU */

enum { COPYING, ON_HOST, ON_AICPU, MAYBE_AICPU, PARTS };

static const struct {
	const char *id, *css;
} looks[PARTS] = {
	[COPYING] = { "cost.copy-part", "w-copy" },
	[ON_HOST] = { "cost.host-part", "w-host" },
	[ON_AICPU] = { "where.aicpu", "w-aicpu" },
	[MAYBE_AICPU] = { "cost.aicpu-maybe", "w-maybe" },
};

/* Of one step, in ns; returns the sum. */
static int64_t measure_parts(const struct result *result, const struct result_target *target, int64_t ret[PARTS])
{
	const struct result_fallback *host = target->host_transfers;
	struct result_interval aicpu = target->where.aicpu;
	int64_t steps = (int64_t)result->cost.steps, sum = 0;

	ret[COPYING] = host ? host->copy_ns / steps : 0;
	ret[ON_HOST] = host ? host->host_ns / steps : 0;
	ret[ON_AICPU] = (int64_t)((__int128)result->cost.step_ns * aicpu.lo_ppm / WHOLE_PPM);
	ret[MAYBE_AICPU] = (int64_t)((__int128)result->cost.step_ns * (aicpu.hi_ppm - aicpu.lo_ppm) / WHOLE_PPM);
	for (int i = 0; i < PARTS; i++)
		sum += ret[i] > 0 ? ret[i] : 0;
	return sum;
}

static void draw_parts(struct doc *doc, const struct result_target *target, const int64_t parts[PARTS], int64_t sum)
{
	struct svg_shape *shapes = arena_alloc(&doc->arena, PARTS * sizeof(shapes[0]));
	struct message label = message_of("cost.bar");
	int64_t before = 0;
	size_t count = 0;

	for (int i = 0; i < PARTS; i++) {
		int64_t x = (int64_t)((__int128)before * BAR_WIDTH / sum);
		struct str text;

		if (parts[i] <= 0)
			continue;
		before += parts[i];
		text = doc_format_of(doc, "%.*s %.*s", STR_ARG(doc_label_of(doc, looks[i].id)),
			STR_ARG(costs_ms(&doc->arena, parts[i], 1)));
		shapes[count++] = (struct svg_shape){ .x = x,
			.width = (int64_t)((__int128)before * BAR_WIDTH / sum) - x,
			.height = BAR_HEIGHT,
			.css = str_from(looks[i].css),
			.title = text,
			.text = text };
	}
	message_add(&label, "target", target->id);
	doc_svg(doc, &(struct svg){ .css = "costs",
			     .width = BAR_WIDTH,
			     .height = BAR_HEIGHT,
			     .label = doc_message_of(doc, &label),
			     .shapes = shapes,
			     .count = count });
}

static void put_parts(struct doc *doc, const struct result *result, const int64_t parts[PARTS])
{
	static const struct doc_column columns[] = {
		{ .label = "cost.part" },
		{ .label = "cost.per-step", .number = true },
		{ .label = "cost.of-step", .number = true },
	};

	doc_open(doc, BLOCK_MORE);
	doc_say_label(doc, BLOCK_SUMMARY, "step.table");
	doc_table(doc, &(struct doc_table){ .columns = columns, .count = sizeof(columns) / sizeof(columns[0]) });
	for (int i = 0; i < PARTS; i++) {
		if (parts[i] <= 0)
			continue;
		doc_row(doc);
		doc_cell_text(doc, doc_label_of(doc, looks[i].id));
		doc_cell_text(doc, costs_ms(&doc->arena, parts[i], 1));
		doc_cell(doc);
		if (result->cost.step_ns > 0)
			doc_percent(doc, (int64_t)((__int128)parts[i] * WHOLE_PPM / result->cost.step_ns));
		doc_close(doc);
		doc_close(doc);
	}
	doc_close(doc);
	doc_close(doc);
}

bool costs_draw(struct doc *doc, const struct result *result, const struct result_target *target)
{
	int64_t parts[PARTS], sum = measure_parts(result, target, parts);

	if (!doc_is(doc, DOC_HTML) || !sum)
		return false;
	doc_open(doc, BLOCK_PARAGRAPH);
	doc_styled(doc, SPAN_STRONG_NAME, target->id);
	doc_text(doc, STR(" "));
	if (parts[MAYBE_AICPU] > 0)
		doc_printf(doc, "%.*s-",
			STR_ARG(str_chop(costs_ms(&doc->arena, sum - parts[MAYBE_AICPU], 1), strlen(" ms"))));
	doc_printf(doc, "%.*s", STR_ARG(costs_ms(&doc->arena, sum, 1)));
	doc_close(doc);
	draw_parts(doc, target, parts, sum);
	put_parts(doc, result, parts);
	return true;
}

/* --- compiling */

static uint64_t most_compiles(const struct result *result, size_t *ret_count)
{
	uint64_t most = 0;

	*ret_count = 0;
	for (size_t i = 0; i < result->target_count; i++) {
		const struct result_compiling *compiling = result->targets[i].compiling;

		if (!compiling || !compiling->compiles)
			continue;
		++*ret_count;
		most = compiling->compiles > most ? compiling->compiles : most;
	}
	return most;
}

static struct str stall_text(struct doc *doc, const struct result_compiling *compiling)
{
	struct message text = message_of(compiling->at_least ? "cost.stalls-at-least" : "cost.stalls");

	message_add_number(&text, &doc->arena, "compiles", (int64_t)compiling->compiles);
	message_add_number(&text, &doc->arena, "first", (int64_t)compiling->first);
	message_add(&text, "lo", doc_format_of(doc, "%" PRId64, compiling->stall_lo_ms / 1000));
	message_add(&text, "hi", doc_format_of(doc, "%" PRId64, (compiling->stall_hi_ms + 999) / 1000));
	return doc_message_of(doc, &text);
}

/* A name, compiles of the first step, those of later ones, and what they come to in words below. */
static void add_row(
	struct doc *doc, struct svg_shape shapes[4], const struct result_target *target, int64_t y, uint64_t most)
{
	const struct result_compiling *compiling = target->compiling;
	struct str text = stall_text(doc, compiling);
	uint64_t first = compiling->first < compiling->compiles ? compiling->first : compiling->compiles;
	int64_t room = BAR_WIDTH - NAME_WIDTH, middle = (int64_t)((unsigned __int128)first * (uint64_t)room / most),
		end = (int64_t)((unsigned __int128)compiling->compiles * (uint64_t)room / most);

	shapes[0] = (struct svg_shape){ .y = y,
		.width = NAME_WIDTH,
		.height = ROW_HEIGHT,
		.css = STR("label"),
		.title = target->id,
		.text = target->id };
	shapes[1] = (struct svg_shape){
		.x = NAME_WIDTH, .y = y, .width = middle, .height = BAR_HEIGHT, .css = STR("heat-5"), .title = text
	};
	shapes[2] = (struct svg_shape){ .x = NAME_WIDTH + middle,
		.y = y,
		.width = end - middle,
		.height = BAR_HEIGHT,
		.css = STR("heat-2"),
		.title = text };
	shapes[3] = (struct svg_shape){
		.x = NAME_WIDTH, .y = y, .width = room, .height = BAR_HEIGHT, .css = STR("label"), .text = text
	};
}

void compiling_draw(struct doc *doc, const struct result *result)
{
	size_t rows, at = 0;
	uint64_t most = most_compiles(result, &rows);
	struct svg_shape *shapes = arena_alloc(&doc->arena, (4 * rows + 1) * sizeof(shapes[0]));

	if (!doc_is(doc, DOC_HTML) || !rows)
		return;
	for (size_t i = 0; i < result->target_count; i++) {
		const struct result_target *target = &result->targets[i];

		if (target->compiling && target->compiling->compiles) {
			add_row(doc, &shapes[4 * at], target, (int64_t)at * ROW_HEIGHT, most);
			at++;
		}
	}
	doc_svg(doc, &(struct svg){ .css = "steps compiles",
			     .width = BAR_WIDTH,
			     .height = (int64_t)rows * ROW_HEIGHT,
			     .label = doc_label_of(doc, "cost.compiling"),
			     .shapes = shapes,
			     .count = 4 * rows });
}
