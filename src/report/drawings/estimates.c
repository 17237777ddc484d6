#include "report/drawings/estimates.h"

#include "base/memory/mem.h"
#include "base/value/decimal.h"
#include "base/value/figure.h"
#include "record/kinds.h"
#include "report/doc/catalog.h"
#include "report/drawings/costs.h"
#include "report/drawings/strip.h"

enum { LINES = 10, BAR_HEIGHT = 18, ROW_HEIGHT = 24, NAME_WIDTH = 160, AXIS_WIDTH = 1000 };

/* --- times */

static const struct {
	int64_t ns;
	const char *name;
} units[] = { { 1000, "us" }, { 1000000, "ms" }, { 1000000000, "s" } };

/* Three digits, or all before the point: "158", "15.8", "1.58". */
static struct str in_unit(struct arena *arena, int64_t ns, int64_t unit)
{
	CLEANUP(buf_clear) struct buf text = BUF_UNLIMITED;
	unsigned places = ns >= 100 * unit ? 0 : ns >= 10 * unit ? 1 : 2;
	int64_t step = unit / (const int64_t[]){ 1, 10, 100 }[places];

	decimal_put(&text, (ns + step / 2) / step, places);
	return arena_keep(arena, buf_str(&text));
}

struct str estimate_span(struct arena *arena, struct time_range time)
{
	size_t at = time.hi_ns >= units[2].ns * 10 ? 2 : time.hi_ns >= units[1].ns ? 1 : 0;
	struct str lo = in_unit(arena, time.lo_ns, units[at].ns), hi = in_unit(arena, time.hi_ns, units[at].ns);

	if (str_eq(lo, hi))
		return arena_printf(arena, "%.*s %s", STR_ARG(hi), units[at].name);
	return arena_printf(arena, "%.*s-%.*s %s", STR_ARG(lo), STR_ARG(hi), units[at].name);
}

struct str estimate_time(struct arena *arena, int64_t ns)
{
	return estimate_span(arena, (struct time_range){ ns, ns, ns });
}

/* --- sentences */

struct message estimate_say(struct arena *arena, const struct result_estimate *estimate)
{
	if (estimate->refused.id)
		return estimate->refused;
	return *MESSAGE(arena,
		estimate->assumed.len ? "estimate.total-assumed"
		: estimate->range     ? "estimate.total-range"
				      : "estimate.total",
		BLANK("chips", estimate->chips), BLANK("types", estimate->assumed),
		BLANK("time", estimate_span(arena, estimate->time)), NUMBER("steps", estimate->steps));
}

static size_t say_beside(struct arena *arena, const struct result_estimate *estimate, struct message *ret)
{
	double launches = (double)estimate->launches;
	const struct time_range launching = { figure_round(LAUNCH_LO_NS * launches), 0,
		figure_round(LAUNCH_HI_NS * launches) };
	const struct {
		bool holds;
		const char *id;
		struct message_blank blanks[3]; /* the last is empty */
	} all[] = {
		{ estimate->bound_ns > estimate->time.middle_ns / 100, "estimate.bound",
			{ BLANK("time", estimate_time(arena, estimate->bound_ns)) } },
		{ estimate->aicpu_calls, "estimate.aicpu", { NUMBER("calls", estimate->aicpu_calls) } },
		{ true, estimate->host_decides ? "estimate.host-decides" : "estimate.device-decides",
			{ NUMBER("launches", estimate->launches), BLANK("time", estimate_span(arena, launching)) } },
		{ estimate->communication_ns, "estimate.communication",
			{ BLANK("time", estimate_time(arena, estimate->communication_ns)) } },
		{ estimate->fallback_bytes, estimate->fallback_ns ? "estimate.fallback" : "estimate.fallback-bytes",
			{ BLANK("bytes", costs_bytes(arena, estimate->fallback_bytes, 1)),
				BLANK("time", estimate_time(arena, estimate->fallback_ns)) } },
		{ estimate->source.len, "estimate.scaled",
			{ BLANK("chip", estimate->source), BLANK("time", estimate_span(arena, estimate->scaled)) } },
		{ estimate->left_out.len, "estimate.left-out", { BLANK("chips", estimate->left_out) } },
		{ estimate->assumed.len, "estimate.assumed", { BLANK("types", estimate->assumed) } },
	};
	size_t count = 0;

	for (size_t i = 0; i < ARRAY_SIZE(all); i++) {
		if (all[i].holds)
			ret[count++] = message_with(arena, all[i].id, all[i].blanks);
	}
	return count;
}

static struct message say_heaviest(struct doc *doc, const struct result_estimate *estimate)
{
	CLEANUP(buf_clear) struct buf text = BUF_UNLIMITED;

	for (size_t i = 0; i < estimate->operator_count; i++) {
		const struct result_estimate_part *part = &estimate->operators[i];

		buf_printf(&text, "%s%.*s ", i ? ", " : "", STR_ARG(part->name));
		if (part->at_least)
			buf_printf(&text, "%.*s ", STR_ARG(doc_label_of(doc, "estimate.at-least")));
		buf_add(&text, estimate_span(&doc->arena, part->time));
	}
	return *MESSAGE(&doc->arena, "estimate.heaviest", COPY("operators", buf_str(&text)));
}

/* --- tables and drawings */

static void put_table(struct doc *doc, const struct result_estimate *estimate)
{
	static const struct doc_column columns[] = {
		{ .label = "estimate.work", .css = "name" },
		{ .label = "cost.calls", .number = true },
		{ .label = "estimate.middle", .number = true },
		{ .label = "estimate.range", .number = true },
		{ .label = "estimate.note" },
	};

	doc_more(doc_in(doc, DOC_HTML), "step.table");
	doc_table(doc, &(struct doc_table){ .columns = columns, .count = ARRAY_SIZE(columns) });
	for (size_t i = 0; i < estimate->class_count + estimate->operator_count; i++) {
		bool class = i < estimate->class_count;
		const struct result_estimate_part *part = class ? &estimate->classes[i]
								: &estimate->operators[i - estimate->class_count];

		doc_row(doc);
		doc_cell_text(doc, class ? doc_word_of(doc, "work", part->name) : part->name);
		doc_cell_number(doc, part->calls);
		doc_cell_text(doc, estimate_time(&doc->arena, part->time.middle_ns));
		doc_cell_text(doc, estimate_span(&doc->arena, part->time));
		doc_cell_text(doc, part->at_least ? doc_label_of(doc, "estimate.at-least") : STR(""));
	}
	doc_table_end(doc);
	doc_close(doc);
}

/* A bar up to the middle, over it the interval. */
static void add_class(struct strip *strip, const struct result_estimate_part *part, int64_t y)
{
	struct str name = doc_word_of(strip->doc, "work", part->name);
	struct svg_shape *shape;

	strip_name(strip, y, BAR_HEIGHT, name);
	shape = strip_cell(strip, 0, part->time.middle_ns, y, BAR_HEIGHT);
	shape->css = part->at_least ? STR("heat-2") : STR("heat-5");
	shape->title = doc_format_of(strip->doc, "%.*s %.*s (%.*s)", STR_ARG(name),
		STR_ARG(estimate_time(&strip->doc->arena, part->time.middle_ns)),
		STR_ARG(estimate_span(&strip->doc->arena, part->time)));
	shape = strip_cell(strip, part->time.lo_ns, part->time.hi_ns, y + BAR_HEIGHT / 3, BAR_HEIGHT / 3);
	shape->css = STR("span");
}

static void draw_classes(struct doc *doc, const struct result_estimate *estimate, struct str label)
{
	enum { VISIBLE = 200 }; /* a part of the axis */
	struct strip strip = { .doc = doc, .left = NAME_WIDTH, .width = AXIS_WIDTH };
	size_t drawn = 0;

	if (!doc_is(doc, DOC_HTML))
		return;
	for (size_t i = 0; i < estimate->class_count; i++) {
		const struct time_range *time = &estimate->classes[i].time;

		if (time->lo_ns < 0 || time->lo_ns > time->middle_ns || time->middle_ns > time->hi_ns)
			return; /* a report that another program wrote */
		strip.total = time->hi_ns > strip.total ? time->hi_ns : strip.total;
	}
	if (!strip.total)
		return;
	strip_room(&strip, estimate->class_count * 3);
	for (size_t i = 0; i < estimate->class_count; i++) {
		if (estimate->classes[i].time.hi_ns >= strip.total / VISIBLE) /* the table has the others */
			add_class(&strip, &estimate->classes[i], (int64_t)drawn++ * ROW_HEIGHT);
	}
	strip_draw(&strip, "estimate", (int64_t)drawn * ROW_HEIGHT, label);
	doc_say_label(doc, BLOCK_SOFT, "estimate.legend");
}

/* --- the section */

static void put_target(struct doc *doc, const struct result_target *target)
{
	const struct result_estimate *estimate = target->estimate;
	struct message lines[LINES] = { estimate_say(&doc->arena, estimate) };
	size_t count = 1;

	if (!estimate->refused.id) {
		lines[count++] = say_heaviest(doc, estimate);
		count += say_beside(&doc->arena, estimate, lines + count);
	}
	doc_say_styled(doc, BLOCK_PARAGRAPH, SPAN_STRONG_NAME, target->id);
	doc_open(doc, BLOCK_NOTES);
	doc_say_each(doc, BLOCK_SENTENCE, lines, count);
	doc_close(doc);
	if (estimate->refused.id)
		return;
	draw_classes(doc, estimate, doc_message_of(doc, &lines[0]));
	put_table(doc, estimate);
}

void estimate_lines_build(struct doc *doc, const struct result *result)
{
	doc_open(doc, BLOCK_LIST);
	for (size_t i = 0; i < result->target_count; i++) {
		const struct result_estimate *estimate = result->targets[i].estimate;

		if (estimate && !estimate->refused.id)
			doc_say_with(doc, BLOCK_ITEM, estimate->assumed.len ? "estimate.line-assumed" : "estimate.line",
				BLANK("target", result->targets[i].id), BLANK("types", estimate->assumed),
				BLANK("time", estimate_span(&doc->arena, estimate->time)),
				NUMBER("steps", estimate->steps));
	}
	doc_close(doc);
}

void estimates_build(struct doc *doc, const struct result *result)
{
	doc_section(doc, "estimate.title");
	for (size_t i = 0; i < result->target_count; i++) {
		if (result->targets[i].estimate)
			put_target(doc, &result->targets[i]);
	}
	doc_close(doc);
}

/* --- as a table */

struct estimate_row {
	struct str target, chips, kind;
	struct result_estimate_part part;
	struct str note;
};

static const struct field fields[] = {
	{ "target", &kind_text, AT(estimate_row, target) },
	{ "chips", &kind_text, AT(estimate_row, chips) },
	{ "part", &kind_text, AT(estimate_row, kind) },
	{ "name", &kind_text, AT(estimate_row, part.name) },
	{ "calls", &kind_count, AT(estimate_row, part.calls) },
	{ "lo_us", &kind_milli, AT(estimate_row, part.time.lo_ns) },
	{ "middle_us", &kind_milli, AT(estimate_row, part.time.middle_ns) },
	{ "hi_us", &kind_milli, AT(estimate_row, part.time.hi_ns) },
	{ "at_least", &kind_bool, AT(estimate_row, part.at_least) },
	{ "note", &kind_text, AT(estimate_row, note) },
	{ 0 },
};
static const struct record row_record = { sizeof(struct estimate_row), fields };

const struct sheet_shape estimate_shape = { "estimate.title", &row_record, .list = "estimates",
	.widths = (const unsigned char[]){ 26, 12, 9, 34, 7, 13, 13, 13, 9, 40 }, .capitals = true };

static void put_target_rows(struct sheet *sheet, const struct result_target *target)
{
	CLEANUP(buf_clear) struct buf note = BUF_UNLIMITED;
	CLEANUP(arena_clear) struct arena arena = ARENA_INIT(ARENA_UNLIMITED);
	const struct result_estimate *estimate = target->estimate;
	const struct result_estimate_part total = { STR(""), estimate->launches, estimate->time,
		estimate->bound_ns > 0 },
					  scaled = { estimate->source, estimate->launches, estimate->scaled, false };
	const struct {
		struct str kind;
		const struct result_estimate_part *parts;
		size_t count;
	} lists[] = {
		{ estimate->refused.id ? STR("refused") : STR("total"), &total, 1 },
		{ STR("scaled"), &scaled, estimate->source.len > 0 },
		{ STR("class"), estimate->classes, estimate->class_count },
		{ STR("operator"), estimate->operators, estimate->operator_count },
	};

	if (estimate->refused.id)
		catalog_put(&note, LANG_EN, &estimate->refused);
	else if (estimate->assumed.len)
		catalog_put(&note, LANG_EN, MESSAGE(&arena, "estimate.assumed", BLANK("types", estimate->assumed)));
	for (size_t i = 0; i < ARRAY_SIZE(lists); i++) {
		for (size_t k = 0; k < lists[i].count; k++)
			sheet_row(sheet, &(struct estimate_row){ target->id, estimate->chips, lists[i].kind,
						 lists[i].parts[k], i ? STR("") : buf_str(&note) });
	}
}

void estimate_put_rows(const void *answer, struct sheet *sheet)
{
	const struct result *result = answer;

	for (size_t i = 0; i < result->target_count; i++) {
		if (result->targets[i].estimate)
			put_target_rows(sheet, &result->targets[i]);
	}
}
