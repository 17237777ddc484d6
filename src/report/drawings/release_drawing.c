/* Every release in a row: its readiness, verdict and blockers. */
#include "report/drawings/release_drawing.h"

#include "assess/model/words.h"
#include "report/drawings/strip.h"

enum {
	ROWS = 14,
	MOST_RELEASES = 400, /* a report may come from any source */
	NAME_WIDTH = 260,
	RELEASES_WIDTH = 900,
	GAP = 14,
	MARK_WIDTH = 20,
	MARK_HEIGHT = 18,
	PANEL_HEIGHT = 18, /* of the panels' names */
	BAR_HEIGHT = 60,
	BARS_END = PANEL_HEIGHT + MARK_HEIGHT + BAR_HEIGHT,
	TOP_HEIGHT = BARS_END + 4,
	ROW_HEIGHT = 18,
	CELL_HEIGHT = 16,
	AXIS_HEIGHT = 20,
	HEAD_ROWS = 1 /* of verdicts */
};

/* The height of a cell, so that colour is not its only sign. */
enum cell_state { CELL_FINE, CELL_LIMITED, CELL_HOST, CELL_STOPS, CELL_UNKNOWN };

static const struct {
	const char *css, *id;
	int64_t height;
} looks[] = {
	[CELL_FINE] = { "fine", "releases.fine", 3 },
	[CELL_LIMITED] = { "limited", "releases.limited", 9 },
	[CELL_HOST] = { "limited", "releases.host", 9 },
	[CELL_STOPS] = { "stops", "releases.stops", CELL_HEIGHT },
	[CELL_UNKNOWN] = { "unknown", "releases.unknown", CELL_HEIGHT },
};

struct release_drawing {
	struct doc *doc;
	const struct result_releases *releases;
	enum cell_state *states; /* a row of releases for the verdicts, then one for each operator */
	size_t rows;             /* of operators */
	int64_t marks_y;
	struct strip strip; /* over the releases, with a gap between two targets */
};

static bool same_target(const struct result_releases *releases, size_t a, size_t b)
{
	return str_eq(releases->items[a].target, releases->items[b].target);
}

static struct strip strip_over(struct doc *doc, const struct result_releases *releases, int64_t left)
{
	struct strip strip = { .doc = doc,
		.left = left,
		.width = RELEASES_WIDTH,
		.total = (int64_t)releases->count,
		.between = 1,
		.gap = GAP };

	while (strip.gap_from < strip.total && same_target(releases, 0, (size_t)strip.gap_from))
		strip.gap_from++;
	return strip;
}

/* Over the columns from one release to before another of the same target. */
static struct svg_shape *add_shape(struct release_drawing *drawing, const size_t run[2], int64_t y, int64_t height)
{
	return strip_cell(&drawing->strip, (int64_t)run[0], (int64_t)run[1], y, height);
}

static enum cell_state verdict_state(const struct result_release *release)
{
	static const enum cell_state states[] = {
		[VERDICT_READY] = CELL_FINE,
		[VERDICT_WARNINGS] = CELL_LIMITED,
		[VERDICT_INCONCLUSIVE] = CELL_UNKNOWN,
		[VERDICT_BLOCKED] = CELL_STOPS,
	};

	return states[release->verdict];
}

static size_t position_of(const struct result_releases *releases, struct str id)
{
	size_t at = 0;

	while (at < releases->count && !str_eq(releases->items[at].id, id))
		at++;
	return at;
}

/* Of one operator on every release. */
static void set_states(
	const struct result_releases *releases, const struct result_blocker *blocker, enum cell_state *row)
{
	static const enum cell_state states[] = {
		[SPAN_BLOCKED] = CELL_STOPS,
		[SPAN_UNKNOWN] = CELL_UNKNOWN,
		[SPAN_CONDITIONAL] = CELL_LIMITED,
		[SPAN_HOST] = CELL_HOST,
	};

	for (size_t i = 0; i < blocker->span_count; i++) {
		const struct result_span *span = &blocker->spans[i];
		size_t last = position_of(releases, span->last);

		for (size_t at = position_of(releases, span->first); at <= last && at < releases->count; at++)
			row[at] = states[span->state];
	}
}

/* "aten::isin: does not run, npu@v2.1.0-3.0.0 to npu@v2.1.0-7.2.0" */
static struct str run_title(
	struct release_drawing *drawing, struct str name, enum cell_state state, const size_t run[2])
{
	const struct result_release *items = drawing->releases->items;

	return doc_text_with(drawing->doc, run[1] - run[0] > 1 ? "releases.span" : "releases.one", BLANK("name", name),
		BLANK("state", doc_label_of(drawing->doc, looks[state].id)), BLANK("first", items[run[0]].id),
		BLANK("last", items[run[1] - 1].id));
}

/* Releases in a row on which nothing changes are one shape. */
static void add_cells(struct release_drawing *drawing, size_t row, int64_t y, struct str name)
{
	const struct result_releases *releases = drawing->releases;
	const enum cell_state *states = &drawing->states[row * releases->count];
	size_t run[2];

	for (run[0] = 0; run[0] < releases->count; run[0] = run[1]) {
		enum cell_state state = states[run[0]];
		struct svg_shape *shape;

		for (run[1] = run[0] + 1;
			run[1] < releases->count && same_target(releases, run[0], run[1]) && states[run[1]] == state;)
			run[1]++;
		shape = add_shape(drawing, run, y + CELL_HEIGHT - looks[state].height, looks[state].height);
		shape->css = str_from(looks[state].css);
		shape->title = run_title(drawing, name, state, run);
	}
}

static void add_row(struct release_drawing *drawing, size_t row, struct str name)
{
	int64_t y = TOP_HEIGHT + (int64_t)row * ROW_HEIGHT;

	strip_name(&drawing->strip, y, CELL_HEIGHT, name);
	add_cells(drawing, row, y, name);
}

/* Height by the share that certainly runs on the device. */
static void add_bar(struct release_drawing *drawing, size_t at)
{
	const struct result_release *release = &drawing->releases->items[at];
	int64_t height = BAR_HEIGHT * release->readiness.time.lo_ppm / WHOLE_PPM;
	struct svg_shape *shape = add_shape(drawing, (const size_t[]){ at, at + 1 }, BARS_END - height, height);

	shape->css = str_from(looks[verdict_state(release)].css);
	shape->title = doc_text_with(drawing->doc, "releases.bar", BLANK("release", release->id),
		BLANK("share", doc_interval_of(drawing->doc, release->readiness.time)),
		BLANK("verdict", word_for(&verdict_words, release->verdict)),
		NUMBER("blockers", release->blockers.total));
}

/* A mark over the column of a release: the user's, or one to move to. */
static void add_mark(struct release_drawing *drawing, struct str id, const char *title_id, struct str sign)
{
	size_t at = position_of(drawing->releases, id);

	if (at < drawing->releases->count)
		drawing->strip.shapes[drawing->strip.count++] = (struct svg_shape){
			strip_x(&drawing->strip, (int64_t)at) - MARK_WIDTH / 2, drawing->marks_y, MARK_WIDTH,
			MARK_HEIGHT, STR("mark"), doc_text_with(drawing->doc, title_id, BLANK("release", id)), sign
		};
}

static void add_marks(struct release_drawing *drawing)
{
	for (size_t i = 0; i < drawing->releases->move_count; i++) {
		const struct result_move *move = &drawing->releases->moves[i];

		add_mark(drawing, move->from, "releases.here", STR("\xe2\x96\xbc"));
		if (!str_eq(move->from, move->to))
			add_mark(drawing, move->to, "releases.there", STR("\xe2\x98\x85"));
	}
}

/* The release of the target that the moves begin from; empty without one. */
static struct str asked_release(const struct result_releases *releases, struct str target)
{
	for (size_t i = 0; i < releases->move_count; i++) {
		if (str_eq(releases->moves[i].target, target))
			return releases->moves[i].from;
	}
	return STR("");
}

/* Over the releases of each target its name, with the release that was asked for. */
static void add_panels(struct release_drawing *drawing)
{
	const struct result_releases *releases = drawing->releases;
	size_t run[2];

	for (run[0] = 0; run[0] < releases->count; run[0] = run[1]) {
		struct str target = releases->items[run[0]].target, asked = asked_release(releases, target);
		struct svg_shape *shape;

		for (run[1] = run[0] + 1; run[1] < releases->count && same_target(releases, run[0], run[1]);)
			run[1]++;
		shape = add_shape(drawing, run, 0, PANEL_HEIGHT);
		shape->css = STR("label");
		shape->text = asked.len ? doc_format_of(drawing->doc, "\xe2\x96\xbc %.*s", STR_ARG(asked)) : target;
	}
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
	const struct result_releases *releases = drawing->releases;

	size_t run[2];

	for (run[0] = 0; run[0] < releases->count; run[0] = run[1]) {
		const struct result_release *release = &releases->items[run[0]];
		struct str minor = minor_of(release->torch);
		struct svg_shape *shape;

		for (run[1] = run[0] + 1; run[1] < releases->count && same_target(releases, run[0], run[1]) &&
					  str_eq(minor_of(releases->items[run[1]].torch), minor);)
			run[1]++;
		shape = add_shape(
			drawing, run, TOP_HEIGHT + (int64_t)(drawing->rows + HEAD_ROWS) * ROW_HEIGHT, AXIS_HEIGHT);
		shape->css = STR("axis");
		shape->title = doc_format_of(
			drawing->doc, "%.*s, PyTorch %.*s", STR_ARG(release->target), STR_ARG(minor));
		shape->text = minor;
	}
}

static bool can_draw(const struct result_releases *releases)
{
	return releases->count && releases->count <= MOST_RELEASES;
}

void releases_draw(struct doc *doc, const struct result_releases *releases)
{
	struct release_drawing drawing = { .doc = doc,
		.releases = releases,
		.rows = releases->blocker_count < ROWS ? releases->blocker_count : ROWS,
		.marks_y = PANEL_HEIGHT,
		.strip = strip_over(doc, releases, NAME_WIDTH) };
	size_t rows = drawing.rows + HEAD_ROWS, cells = releases->count * rows;

	if (!doc_is(doc, DOC_HTML) || !can_draw(releases))
		return;
	drawing.states = arena_alloc(&doc->arena, cells * sizeof(drawing.states[0]));
	for (size_t i = 0; i < releases->count; i++)
		drawing.states[i] = verdict_state(&releases->items[i]);
	for (size_t i = 0; i < drawing.rows; i++)
		set_states(releases, &releases->blockers[i], drawing.states + (HEAD_ROWS + i) * releases->count);
	/* at most a bar, a panel, a piece of the axis and a cell in each row for a release, names of rows, and marks */
	strip_room(&drawing.strip, cells + rows + 3 * releases->count + 2 * releases->move_count);
	for (size_t i = 0; i < releases->count; i++)
		add_bar(&drawing, i);
	add_row(&drawing, 0, doc_label_of(doc, "report.verdict"));
	for (size_t i = 0; i < drawing.rows; i++)
		add_row(&drawing, HEAD_ROWS + i, releases->blockers[i].operator_name);
	add_axis(&drawing);
	add_panels(&drawing);
	add_marks(&drawing);
	strip_draw(&drawing.strip, "releases", TOP_HEIGHT + (int64_t)rows * ROW_HEIGHT + AXIS_HEIGHT,
		doc_label_of(doc, "releases.label"));
	doc_say_label(doc, BLOCK_SOFT, "releases.about");
}

void release_strip_draw(struct doc *doc, const struct result_releases *releases, const struct result_blocker *blocker)
{
	struct release_drawing one = { .doc = doc, .releases = releases, .strip = strip_over(doc, releases, 0) };
	size_t cells = releases->count;

	if (!can_draw(releases))
		return;
	one.states = arena_alloc(&doc->arena, cells * sizeof(one.states[0]));
	set_states(releases, blocker, one.states);
	strip_room(&one.strip, cells + 2 * releases->move_count);
	add_cells(&one, 0, MARK_HEIGHT, blocker->operator_name);
	add_marks(&one);
	strip_draw(&one.strip, "lifeline", MARK_HEIGHT + CELL_HEIGHT, doc_label_of(doc, "releases.title"));
}
