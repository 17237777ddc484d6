/* What a step costs on the CPU and on the AI CPU, and what the targets compile, as drawings with a table. */

#include "report/drawings/cost_drawing.h"

#include "base/memory/mem.h"
#include "report/drawings/costs.h"
#include "report/drawings/drawing.h"

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
	struct svg_shape *shapes = arena_alloc(&doc->arena, PARTS * sizeof(shapes[0]));
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
		shapes[count++] = (struct svg_shape){ x, 0, (int64_t)((__int128)before * BAR_WIDTH / sum) - x,
			BAR_HEIGHT, str_from(looks[i].css), text, text };
	}
	doc_svg(doc, &(struct svg){ "costs", BAR_WIDTH, BAR_HEIGHT,
			     doc_text_with(doc, "cost.bar", BLANK("target", target->id)), shapes, count });
}

static void put_parts(struct doc *doc, const struct result *result, const int64_t parts[PARTS])
{
	static const struct doc_column columns[] = {
		{ .label = "cost.part" },
		{ .label = "cost.per-step", .number = true },
		{ .label = "cost.of-step", .number = true },
	};

	doc_more(doc, "step.table");
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

/* --- when a step goes to the host */

enum { LINE_Y = 20, LINE_HEIGHT = 18, LEAST_MARK = 2 };

/* Over the turns from first to last, which a report may give in any order. */
static struct svg_shape turns_shape(const struct result_timeline *timeline, uint64_t first, uint64_t last)
{
	int64_t turns = (int64_t)timeline->turns, from = (int64_t)first - 1, to = (int64_t)last, x, end;

	from = from < 0 ? 0 : from < turns ? from : turns;
	to = to < from ? from : to < turns ? to : turns;
	x = (int64_t)((__int128)from * BAR_WIDTH / turns);
	end = (int64_t)((__int128)to * BAR_WIDTH / turns);
	return (struct svg_shape){ .x = x, .width = end - x < LEAST_MARK ? LEAST_MARK : end - x };
}

static void put_visits(struct doc *doc, const struct result_timeline *timeline)
{
	static const struct doc_column columns[] = {
		{ .label = "report.operator", .css = "name" },
		{ .label = "cost.from-turn", .number = true },
		{ .label = "cost.to-turn", .number = true },
	};

	doc_more(doc, "step.table");
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
	struct svg_shape *shapes;
	struct message label;
	size_t count = 0;

	if (!doc_is(doc, DOC_HTML) || !timeline || !timeline->turns)
		return;
	shapes = arena_alloc(&doc->arena, (timeline->visit_count + 2) * sizeof(shapes[0]));
	shapes[count++] = (struct svg_shape){ 0, LINE_Y, BAR_WIDTH, LINE_HEIGHT, .css = STR("device") };
	if (timeline->longest.last > timeline->longest.first) {
		struct svg_shape *longest = &shapes[count++];

		*longest = turns_shape(timeline, timeline->longest.first, timeline->longest.last);
		longest->height = LINE_Y;
		longest->css = STR("longest");
		longest->text = doc_label_of(doc, "cost.longest");
		longest->title = doc_text_with(doc, "cost.ping-pong", NUMBER("first", timeline->longest.first),
			NUMBER("last", timeline->longest.last));
	}
	for (size_t i = 0; i < timeline->visit_count; i++) {
		const struct result_visit *visit = &timeline->visits[i];
		struct svg_shape *shape = &shapes[count++];

		*shape = turns_shape(timeline, visit->first, visit->last);
		shape->y = LINE_Y;
		shape->height = LINE_HEIGHT;
		shape->css = STR("visit");
		shape->title = doc_text_with(doc, "cost.visit", BLANK("operator", visit->operator_name),
			NUMBER("first", visit->first), NUMBER("last", visit->last));
	}
	label = *MESSAGE(
		&doc->arena, "cost.timeline", BLANK("target", target->id), NUMBER("operators", timeline->turns));
	doc_say(doc, BLOCK_SOFT, &label);
	doc_svg(doc, &(struct svg){
			     "timeline", BAR_WIDTH, LINE_Y + LINE_HEIGHT, doc_message_of(doc, &label), shapes, count });
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

static struct str stall_text(struct doc *doc, const struct result_compiling *compiling)
{
	return doc_text_with(doc, compiling->at_least ? "cost.stalls-at-least" : "cost.stalls",
		NUMBER("compiles", compiling->compiles), NUMBER("first", compiling->first),
		NUMBER("lo", compiling->stall_lo_ms / 1000), NUMBER("hi", (compiling->stall_hi_ms + 999) / 1000));
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

	shapes[0] = (struct svg_shape){ 0, y, NAME_WIDTH, ROW_HEIGHT, STR("label"), target->id, target->id };
	shapes[1] = (struct svg_shape){ NAME_WIDTH, y, middle, BAR_HEIGHT, STR("heat-5"), text };
	shapes[2] = (struct svg_shape){ NAME_WIDTH + middle, y, end - middle, BAR_HEIGHT, STR("heat-2"), text };
	shapes[3] = (struct svg_shape){ NAME_WIDTH, y, room, BAR_HEIGHT, STR("label"), .text = text };
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
	doc_svg(doc, &(struct svg){ "steps compiles", BAR_WIDTH, (int64_t)rows * ROW_HEIGHT,
			     doc_label_of(doc, "cost.compiling"), shapes, 4 * rows });
}
