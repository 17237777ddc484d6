/* Costs of a step on the CPU and on the AI CPU, and compilations of the targets, as drawings with a table. */

#include "report/drawings/cost_drawing.h"

#include "base/memory/mem.h"
#include "report/drawings/costs.h"
#include "report/drawings/strip.h"

enum { BAR_WIDTH = 1160, BAR_HEIGHT = 24, ROW_HEIGHT = 30, NAME_WIDTH = 260 };

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
	struct strip strip = { .doc = doc, .width = BAR_WIDTH, .total = sum };
	int64_t before = 0;

	strip_room(&strip, PARTS);
	for (int i = 0; i < PARTS; i++) {
		struct svg_shape *shape;

		if (parts[i] <= 0)
			continue;
		shape = strip_cell(&strip, before, before + parts[i], 0, BAR_HEIGHT);
		before += parts[i];
		shape->css = str_from(looks[i].css);
		shape->title = shape->text = doc_format_of(doc, "%.*s %.*s", STR_ARG(doc_label_of(doc, looks[i].id)),
			STR_ARG(costs_ms(&doc->arena, parts[i], 1)));
	}
	strip_draw(&strip, "costs", BAR_HEIGHT, doc_text_with(doc, "cost.bar", BLANK("target", target->id)));
}

static void put_parts(struct doc *doc, const struct result *result, const int64_t parts[PARTS])
{
	static const struct doc_column columns[] = {
		{ .label = "cost.part" },
		{ .label = "cost.per-step", .number = true },
		{ .label = "cost.of-step", .number = true },
	};

	doc_more(doc_in(doc, DOC_HTML), "step.table");
	doc_table(doc, &(struct doc_table){ .columns = columns, .count = ARRAY_SIZE(columns) });
	for (int i = 0; i < PARTS; i++) {
		if (parts[i] <= 0)
			continue;
		doc_row(doc);
		doc_cell_text(doc, doc_label_of(doc, looks[i].id));
		doc_cell_text(doc, costs_ms(&doc->arena, parts[i], 1));
		doc_cell(doc);
		if (result->cost.step_ns > 0)
			doc_percent(doc, (int64_t)((__int128)parts[i] * WHOLE_PPM / result->cost.step_ns));
	}
	doc_table_end(doc);
	doc_close(doc);
}

bool costs_draw(struct doc *doc, const struct result *result, const struct result_target *target)
{
	int64_t parts[PARTS], sum = measure_parts(result, target, parts);

	if (!sum)
		return false;
	doc_open(doc_in(doc, DOC_HTML), BLOCK_PARAGRAPH);
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

/* --- when a step goes to the host */

enum { LINE_Y = 20, LINE_HEIGHT = 18, LEAST_MARK = 2 };

/* Over the turns from first to last, which a report may give in any order. */
static struct svg_shape *add_turns(struct strip *strip, uint64_t first, uint64_t last, int64_t y, int64_t height)
{
	int64_t from = (int64_t)first - 1, to = (int64_t)last;
	struct svg_shape *shape;

	from = from < 0 ? 0 : from < strip->total ? from : strip->total;
	to = to < from ? from : to < strip->total ? to : strip->total;
	shape = strip_cell(strip, from, to, y, height);
	shape->width = shape->width < LEAST_MARK ? LEAST_MARK : shape->width;
	return shape;
}

static void put_visits(struct doc *doc, const struct result_timeline *timeline)
{
	static const struct doc_column columns[] = {
		{ .label = "report.operator", .css = "name" },
		{ .label = "cost.from-turn", .number = true },
		{ .label = "cost.to-turn", .number = true },
	};

	doc_more(doc_in(doc, DOC_HTML), "step.table");
	doc_table(doc, &(struct doc_table){ .columns = columns, .count = ARRAY_SIZE(columns) });
	for (size_t i = 0; i < timeline->visit_count; i++) {
		doc_row(doc);
		doc_cell_text(doc, timeline->visits[i].operator_name);
		doc_cell_number(doc, timeline->visits[i].first);
		doc_cell_number(doc, timeline->visits[i].last);
	}
	doc_table_end(doc);
	if (timeline->left_out)
		doc_say_count(doc, BLOCK_SOFT, "cost.more-visits", timeline->left_out);
	doc_close(doc);
}

void visits_draw(struct doc *doc, const struct result_target *target)
{
	const struct result_timeline *timeline = target->host_transfers->timeline;
	struct strip strip = { .doc = doc, .width = BAR_WIDTH };
	struct message label;
	struct svg_shape *shape;

	if (!timeline || !timeline->turns)
		return;
	strip.total = (int64_t)timeline->turns;
	strip_room(&strip, timeline->visit_count + 2);
	strip_cell(&strip, 0, strip.total, LINE_Y, LINE_HEIGHT)->css = STR("device");
	if (timeline->longest.last > timeline->longest.first) {
		shape = add_turns(&strip, timeline->longest.first, timeline->longest.last, 0, LINE_Y);
		shape->css = STR("longest");
		shape->text = doc_label_of(doc, "cost.longest");
		shape->title = doc_text_with(doc, "cost.ping-pong", NUMBER("first", timeline->longest.first),
			NUMBER("last", timeline->longest.last));
	}
	for (size_t i = 0; i < timeline->visit_count; i++) {
		const struct result_visit *visit = &timeline->visits[i];

		shape = add_turns(&strip, visit->first, visit->last, LINE_Y, LINE_HEIGHT);
		shape->css = STR("visit");
		shape->title = doc_text_with(doc, "cost.visit", BLANK("operator", visit->operator_name),
			NUMBER("first", visit->first), NUMBER("last", visit->last));
	}
	label = *MESSAGE(
		&doc->arena, "cost.timeline", BLANK("target", target->id), NUMBER("operators", timeline->turns));
	doc_say(doc_in(doc, DOC_HTML), BLOCK_SOFT, &label);
	strip_draw(&strip, "timeline", LINE_Y + LINE_HEIGHT, doc_message_of(doc, &label));
	put_visits(doc, timeline);
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

/* A name, compiles of the first step, those of later ones, and what they come to in words below. */
static void add_row(struct strip *strip, const struct result_target *target, int64_t y)
{
	const struct result_compiling *compiling = target->compiling;
	struct str text = doc_text_with(strip->doc, compiling->at_least ? "cost.stalls-at-least" : "cost.stalls",
		NUMBER("compiles", compiling->compiles), NUMBER("first", compiling->first),
		NUMBER("lo", compiling->stall_lo_ms / 1000), NUMBER("hi", (compiling->stall_hi_ms + 999) / 1000));
	int64_t all = (int64_t)compiling->compiles,
		first = compiling->first < compiling->compiles ? (int64_t)compiling->first : all;
	struct svg_shape *shape;

	strip_name(strip, y, ROW_HEIGHT, target->id);
	shape = strip_cell(strip, 0, first, y, BAR_HEIGHT);
	shape->css = STR("heat-5");
	shape->title = text;
	shape = strip_cell(strip, first, all, y, BAR_HEIGHT);
	shape->css = STR("heat-2");
	shape->title = text;
	shape = strip_cell(strip, 0, strip->total, y, BAR_HEIGHT);
	shape->css = STR("label");
	shape->text = text;
}

void compiling_draw(struct doc *doc, const struct result *result)
{
	size_t rows, at = 0;
	struct strip strip = { .doc = doc,
		.left = NAME_WIDTH,
		.width = BAR_WIDTH - NAME_WIDTH,
		.total = (int64_t)most_compiles(result, &rows) };

	if (!rows)
		return;
	strip_room(&strip, 4 * rows);
	for (size_t i = 0; i < result->target_count; i++) {
		const struct result_target *target = &result->targets[i];

		if (target->compiling && target->compiling->compiles)
			add_row(&strip, target, (int64_t)at++ * ROW_HEIGHT);
	}
	strip_draw(&strip, "steps compiles", (int64_t)rows * ROW_HEIGHT, doc_label_of(doc, "cost.compiling"));
}
