/* Every release in a row: how ready each is, its verdict, and what blocks where. */
#include "base/mem.h"
#include "report/drawing.h"
#include "report/survey_parts.h"

enum {
	ROWS = 14,
	NAME_WIDTH = 260,
	RELEASES_WIDTH = 900,
	GAP = 14,
	BAR_HEIGHT = 60,
	ROW_HEIGHT = 18,
	CELL_HEIGHT = 16,
	AXIS_HEIGHT = 20,
	HEAD_ROWS = 1, /* of verdicts */
	WHOLE_PPM = 1000000
};

/* What a cell shows, as its height, so that colour does not say it alone. */
enum cell_state { CELL_FINE, CELL_LIMITED, CELL_STOPS, CELL_UNKNOWN };

static const struct {
	const char *css, *id;
	int64_t height;
} looks[] = {
	[CELL_FINE] = { "fine", "releases.fine", 3 },
	[CELL_LIMITED] = { "limited", "releases.limited", 9 },
	[CELL_STOPS] = { "stops", "releases.stops", CELL_HEIGHT },
	[CELL_UNKNOWN] = { "unknown", "releases.unknown", CELL_HEIGHT },
};

struct release_drawing {
	struct doc *doc;
	const struct survey *survey;
	struct survey_blocked *blocked;
	size_t rows;
	struct svg_shape *shapes;
	size_t count;
};

static bool same_target(const struct survey *survey, size_t a, size_t b)
{
	return survey->releases[a].target.release->target == survey->releases[b].target.release->target;
}

/* Left edge of the column of a release, pushed by `columns` further; a gap lies between two targets. */
static int64_t column_x(const struct release_drawing *drawing, size_t release, size_t columns)
{
	const struct survey *survey = drawing->survey;

	return NAME_WIDTH + (same_target(survey, 0, release) ? 0 : GAP) +
	       (RELEASES_WIDTH - GAP) * (int64_t)(release + columns) / (int64_t)survey->count;
}

/* Over the columns from one release to before another of the same target. */
static struct svg_shape *add_shape(struct release_drawing *drawing, size_t from, size_t to, int64_t y)
{
	struct svg_shape *shape = &drawing->shapes[drawing->count++];

	*shape = (struct svg_shape){ .x = column_x(drawing, from, 0), .y = y };
	shape->width = column_x(drawing, to - 1, 1) - shape->x - 1;
	return shape;
}

static void add_label(struct release_drawing *drawing, int64_t y, struct str text)
{
	drawing->shapes[drawing->count++] = (struct svg_shape){
		.y = y, .width = NAME_WIDTH, .height = CELL_HEIGHT, .css = STR("label"), .title = text, .text = text
	};
}

static int compare_items(const void *a, const void *b)
{
	uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;

	return (left > right) - (left < right);
}

static bool set_has(const struct survey_set *set, uint32_t op)
{
	return set->count && bsearch(&op, set->items, set->count, sizeof(op), compare_items);
}

static enum cell_state verdict_state(const struct survey_release *release)
{
	static const enum cell_state states[] = {
		[VERDICT_READY] = CELL_FINE,
		[VERDICT_WARNINGS] = CELL_LIMITED,
		[VERDICT_INCONCLUSIVE] = CELL_UNKNOWN,
		[VERDICT_BLOCKED] = CELL_STOPS,
	};

	return states[release->figures.verdict];
}

/* Of row 0 the verdict, of the others that of an operator. */
static enum cell_state state_at(const struct release_drawing *drawing, size_t row, size_t release)
{
	const struct survey_release *at = &drawing->survey->releases[release];
	uint32_t op = row ? drawing->blocked[row - HEAD_ROWS].op : 0;

	return row < HEAD_ROWS              ? verdict_state(at)
	       : set_has(&at->blockers, op) ? CELL_STOPS
	       : set_has(&at->unknown, op)  ? CELL_UNKNOWN
	       : set_has(&at->doubts, op)   ? CELL_LIMITED
					    : CELL_FINE;
}

/* "aten::isin: does not run, npu@v2.1.0-3.0.0 to npu@v2.1.0-7.2.0" */
static struct str run_title(
	struct release_drawing *drawing, struct str name, enum cell_state state, const size_t run[2])
{
	const struct survey_release *releases = drawing->survey->releases;
	struct message message = message_of(run[1] - run[0] > 1 ? "releases.span" : "releases.one");

	message_add(&message, "name", name);
	message_add(&message, "state", doc_label_of(drawing->doc, looks[state].id));
	message_add(&message, "first", str_from(releases[run[0]].target.id));
	message_add(&message, "last", str_from(releases[run[1] - 1].target.id));
	return doc_message_of(drawing->doc, &message);
}

/* Releases in a row on which nothing changes are one shape. */
static void add_row(struct release_drawing *drawing, size_t row, struct str name)
{
	const struct survey *survey = drawing->survey;
	int64_t y = BAR_HEIGHT + 4 + (int64_t)row * ROW_HEIGHT;
	size_t run[2];

	add_label(drawing, y, name);
	for (run[0] = 0; run[0] < survey->count; run[0] = run[1]) {
		enum cell_state state = state_at(drawing, row, run[0]);
		struct svg_shape *shape;

		for (run[1] = run[0] + 1; run[1] < survey->count && same_target(survey, run[0], run[1]) &&
					  state_at(drawing, row, run[1]) == state;)
			run[1]++;
		shape = add_shape(drawing, run[0], run[1], y + CELL_HEIGHT - looks[state].height);
		shape->height = looks[state].height;
		shape->css = str_from(looks[state].css);
		shape->title = run_title(drawing, name, state, run);
	}
}

/* As high as the share that certainly runs on the device. */
static void add_bar(struct release_drawing *drawing, size_t at)
{
	const struct survey_release *release = &drawing->survey->releases[at];
	int64_t height = BAR_HEIGHT * release->figures.readiness.time.lo_ppm / WHOLE_PPM;
	struct svg_shape *shape = add_shape(drawing, at, at + 1, BAR_HEIGHT - height);
	struct message title = message_of("releases.bar");

	message_add(&title, "release", str_from(release->target.id));
	message_add(&title, "share", doc_interval_of(drawing->doc, release->figures.readiness.time));
	message_add(&title, "verdict", word_for(&verdict_words, release->figures.verdict));
	message_add_number(&title, &drawing->doc->arena, "blockers", (int64_t)release->blockers.count);
	shape->height = height;
	shape->css = str_from(looks[verdict_state(release)].css);
	shape->title = doc_message_of(drawing->doc, &title);
}

/* "2.7" of "2.7.1" */
static struct str minor_of(struct str torch)
{
	size_t first = str_find(torch, STR(".")),
	       second = first == STR_NONE ? STR_NONE : str_find(str_skip(torch, first + 1), STR("."));

	return second == STR_NONE ? torch : str_sub(torch, 0, first + 1 + second);
}

static void add_axis(struct release_drawing *drawing)
{
	const struct survey *survey = drawing->survey;

	for (size_t from = 0, to; from < survey->count; from = to) {
		const struct release *release = survey->releases[from].target.release;
		struct str minor = minor_of(release->torch);
		struct svg_shape *shape;

		for (to = from + 1; to < survey->count && same_target(survey, from, to) &&
				    str_eq(minor_of(survey->releases[to].target.release->torch), minor);)
			to++;
		shape = add_shape(
			drawing, from, to, BAR_HEIGHT + 4 + (int64_t)(drawing->rows + HEAD_ROWS) * ROW_HEIGHT);
		shape->height = AXIS_HEIGHT;
		shape->css = STR("axis");
		shape->title = doc_format_of(
			drawing->doc, "%.*s, PyTorch %.*s", STR_ARG(target_kind_name(release->target)), STR_ARG(minor));
		shape->text = minor;
	}
}

void releases_draw(struct doc *doc, const struct survey *survey)
{
	size_t blocked_count;
	CLEANUP(mem_release) struct survey_blocked *blocked = survey_list_blocked(survey, true, &blocked_count);
	struct release_drawing drawing = {
		.doc = doc, .survey = survey, .blocked = blocked, .rows = blocked_count < ROWS ? blocked_count : ROWS
	};

	if (!doc_is(doc, DOC_HTML) || !survey->count)
		return;
	/* at most a bar, a piece of the axis and a cell in each row for a release, and the names of the rows */
	drawing.shapes = arena_alloc(&doc->arena,
		((survey->count + 1) * (drawing.rows + HEAD_ROWS) + 2 * survey->count) * sizeof(drawing.shapes[0]));
	for (size_t i = 0; i < survey->count; i++)
		add_bar(&drawing, i);
	add_row(&drawing, 0, doc_label_of(doc, "report.verdict"));
	for (size_t i = 0; i < drawing.rows; i++)
		add_row(&drawing, HEAD_ROWS + i, survey->operators[blocked[i].op].name);
	add_axis(&drawing);
	doc_svg(doc, &(struct svg){ .css = "map releases",
			     .width = NAME_WIDTH + RELEASES_WIDTH,
			     .height = BAR_HEIGHT + 4 + (int64_t)(drawing.rows + HEAD_ROWS) * ROW_HEIGHT + AXIS_HEIGHT,
			     .label = doc_label_of(doc, "releases.label"),
			     .shapes = drawing.shapes,
			     .count = drawing.count });
	doc_say_label(doc, BLOCK_SOFT, "releases.about");
}
