/* Releases in a row, a panel a target: how ready each is, its verdict and its blockers. */
#include "report/drawings/release_drawing.h"

#include "assess/model/words.h"
#include "report/drawings/strip.h"

enum {
	ROWS = 14,
	MOST_RELEASES = 400, /* a report may come from any source */
	NEWEST = 20,         /* in sight; older ones behind a click */
	CELL_WIDTH = 48,     /* the name of a PyTorch fits */
	NAME_WIDTH = 200,
	LIFELINE_WIDTH = 900,
	GAP = 14,
	MARK_WIDTH = 20,
	MARK_HEIGHT = 18,
	BAR_HEIGHT = 40,
	BAR_GAP = 4,
	ROW_HEIGHT = 18,
	CELL_HEIGHT = 16,
	AXIS_HEIGHT = 20
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

/* Releases from first to before end, of one target but for a lifeline. */
struct panel {
	struct doc *doc;
	const struct result_releases *releases;
	size_t first, end;
	struct strip strip; /* over these releases */
};

static bool same_target(const struct result_releases *releases, size_t a, size_t b)
{
	return str_eq(releases->items[a].target, releases->items[b].target);
}

/* Over the columns from one release to before another. */
static struct svg_shape *add_shape(struct panel *panel, const size_t run[2], int64_t y, int64_t height)
{
	return strip_cell(&panel->strip, (int64_t)(run[0] - panel->first), (int64_t)(run[1] - panel->first), y, height);
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

/* Past them for an id that is not among them. */
static size_t position_of(const struct result_releases *releases, struct str id)
{
	return POSITION(i, releases->count, str_eq(releases->items[i].id, id));
}

/* Of all releases: runs. */
static enum cell_state *blank_states(const struct panel *panel)
{
	return arena_alloc(&panel->doc->arena, panel->releases->count * sizeof(enum cell_state));
}

/* Of one operator on every release. */
static enum cell_state *states_of(const struct panel *panel, const struct result_blocker *blocker)
{
	static const enum cell_state states[] = {
		[SPAN_BLOCKED] = CELL_STOPS,
		[SPAN_UNKNOWN] = CELL_UNKNOWN,
		[SPAN_CONDITIONAL] = CELL_LIMITED,
		[SPAN_HOST] = CELL_HOST,
	};
	const struct result_releases *releases = panel->releases;
	enum cell_state *row = blank_states(panel);

	for (size_t i = 0; i < blocker->span_count; i++) {
		const struct result_span *span = &blocker->spans[i];
		size_t last = position_of(releases, span->last);

		for (size_t at = position_of(releases, span->first); at <= last && at < releases->count; at++)
			row[at] = states[span->state];
	}
	return row;
}

/* Releases in a row on which nothing changes are one shape. */
static void add_cells(struct panel *panel, const enum cell_state *states, int64_t y, struct str name)
{
	const struct result_release *items = panel->releases->items;
	size_t run[2];

	for (run[0] = panel->first; run[0] < panel->end; run[0] = run[1]) {
		enum cell_state state = states[run[0]];
		struct svg_shape *shape;

		for (run[1] = run[0] + 1;
			run[1] < panel->end && same_target(panel->releases, run[0], run[1]) && states[run[1]] == state;)
			run[1]++;
		shape = add_shape(panel, run, y + CELL_HEIGHT - looks[state].height, looks[state].height);
		shape->css = str_from(looks[state].css);
		/* "aten::isin: does not run, npu@v2.1.0-3.0.0 to npu@v2.1.0-7.2.0" */
		shape->title = doc_text_with(panel->doc, run[1] - run[0] > 1 ? "releases.span" : "releases.one",
			BLANK("name", name), BLANK("state", doc_label_of(panel->doc, looks[state].id)),
			BLANK("first", items[run[0]].id), BLANK("last", items[run[1] - 1].id));
	}
}

/* Height by the share that certainly runs on the device; y: its foot. */
static void add_bar(struct panel *panel, size_t at, int64_t y)
{
	const struct result_release *release = &panel->releases->items[at];
	int64_t height = BAR_HEIGHT * release->readiness.time.lo_ppm / WHOLE_PPM;
	struct svg_shape *shape = add_shape(panel, (const size_t[]){ at, at + 1 }, y - height, height);

	shape->css = str_from(looks[verdict_state(release)].css);
	shape->title = doc_text_with(panel->doc, "releases.bar", BLANK("release", release->id),
		BLANK("share", doc_interval_of(panel->doc, release->readiness.time)),
		BLANK("verdict", word_for(&verdict_words, release->verdict)),
		NUMBER("blockers", release->blockers.total));
}

/* Returns whether the panel has it. */
static bool add_mark(struct panel *panel, struct str id, int64_t y, const char *title_id, struct str sign)
{
	size_t at = position_of(panel->releases, id);

	if (at < panel->first || at >= panel->end)
		return false;
	panel->strip.shapes[panel->strip.count++] = (struct svg_shape){
		(strip_x(&panel->strip, (int64_t)(at - panel->first)) +
			strip_x(&panel->strip, (int64_t)(at - panel->first) + 1) - MARK_WIDTH) /
			2,
		y, MARK_WIDTH, MARK_HEIGHT, STR("mark"), doc_text_with(panel->doc, title_id, BLANK("release", id)), sign
	};
	return true;
}

/* Over the column of a release: the user's, or one to move to; with a row of its own, its name at the left. Returns the
   height of such rows. */
static int64_t add_marks(struct panel *panel, bool named)
{
	static const struct {
		const char *title_id;
		struct str sign;
	} marks[] = { { "releases.here", STR("\xe2\x96\xbc") }, { "releases.there", STR("\xe2\x98\x85") } };

	int64_t y = 0;

	for (size_t i = 0; i < 2 * panel->releases->move_count; i++) {
		const struct result_move *move = &panel->releases->moves[i / 2];
		struct str id = i % 2 ? move->to : move->from;

		if ((i % 2 && str_eq(move->from, move->to)) ||
			!add_mark(panel, id, y, marks[i % 2].title_id, marks[i % 2].sign) || !named)
			continue;
		strip_name(&panel->strip, y, MARK_HEIGHT,
			doc_format_of(panel->doc, "%.*s %.*s", STR_ARG(marks[i % 2].sign), STR_ARG(id)));
		y += MARK_HEIGHT;
	}
	return y;
}

/* "2.7" of "2.7.1" */
static struct str minor_of(struct str torch)
{
	size_t first = str_find(torch, STR(".")),
	       second = first == STR_NONE ? STR_NONE : str_find(str_skip(torch, first + 1), STR("."));

	return second == STR_NONE ? torch : str_sub(torch, 0, first + 1 + second);
}

static void add_axis(struct panel *panel, int64_t y)
{
	const struct result_releases *releases = panel->releases;
	size_t run[2];

	strip_name(&panel->strip, y, AXIS_HEIGHT, STR("PyTorch"));
	for (run[0] = panel->first; run[0] < panel->end; run[0] = run[1]) {
		struct str minor = minor_of(releases->items[run[0]].torch);
		struct svg_shape *shape;

		for (run[1] = run[0] + 1;
			run[1] < panel->end && str_eq(minor_of(releases->items[run[1]].torch), minor);)
			run[1]++;
		shape = add_shape(panel, run, y, AXIS_HEIGHT);
		shape->css = STR("axis");
		shape->title = doc_format_of(panel->doc, "PyTorch %.*s", STR_ARG(minor));
		shape->text = minor;
	}
}

/* The bars with their name, then rows: of verdicts, then of operators that do not run everywhere; returns their end. */
static int64_t add_rows(struct panel *panel, int64_t y)
{
	const struct result_releases *releases = panel->releases;
	enum cell_state *states = blank_states(panel);

	y += BAR_HEIGHT;
	strip_name(&panel->strip, y - CELL_HEIGHT, CELL_HEIGHT, doc_label_of(panel->doc, "report.on-device"));
	for (size_t at = panel->first; at < panel->end; at++) {
		add_bar(panel, at, y);
		states[at] = verdict_state(&releases->items[at]);
	}
	y += BAR_GAP;
	strip_name(&panel->strip, y, CELL_HEIGHT, doc_label_of(panel->doc, "report.verdict"));
	add_cells(panel, states, y, doc_label_of(panel->doc, "report.verdict"));
	for (size_t i = 0, rows = 0; i < releases->blocker_count && rows < ROWS; i++) {
		states = states_of(panel, &releases->blockers[i]);
		if (ALL(at, panel->end - panel->first, states[panel->first + at] == CELL_FINE))
			continue;
		rows++;
		y += ROW_HEIGHT;
		strip_name(&panel->strip, y, CELL_HEIGHT, releases->blockers[i].operator_name);
		add_cells(panel, states, y, releases->blockers[i].operator_name);
	}
	return y + ROW_HEIGHT;
}

static void draw_panel(struct doc *doc, const struct result_releases *releases, size_t first, size_t end)
{
	size_t count = end - first, wide = count < NEWEST ? count : NEWEST;
	struct panel panel = { doc, releases, first, end,
		{ .doc = doc,
			.left = NAME_WIDTH,
			.width = (int64_t)wide * CELL_WIDTH,
			.total = (int64_t)count,
			.between = 1 } };
	int64_t height;

	/* in each row a cell for each release and a name; bars, the axis and their names; marks and theirs */
	strip_room(&panel.strip, (ROWS + 1 + 2) * (count + 1) + 4 * releases->move_count);
	height = add_rows(&panel, add_marks(&panel, true));
	add_axis(&panel, height);
	strip_draw(&panel.strip, "releases", height + AXIS_HEIGHT, doc_label_of(doc, "releases.label"));
}

static bool has_mark(const struct result_releases *releases, size_t first, size_t end)
{
	for (size_t i = 0; i < releases->move_count; i++) {
		size_t at = position_of(releases, releases->moves[i].from);

		if (at >= first && at < end)
			return true;
	}
	return false;
}

/* The newest releases of a target, and the others behind a click, unless the user's is one of them. */
static void draw_target(struct doc *doc, const struct result_releases *releases, size_t first, size_t end)
{
	size_t newest = end - first > NEWEST ? end - NEWEST : first;

	doc_open(doc, BLOCK_PARAGRAPH);
	doc_styled(doc, SPAN_STRONG_NAME, releases->items[first].target);
	doc_text(doc, STR(" "));
	doc_message(doc, MESSAGE(&doc->arena, newest > first ? "releases.newest" : "releases.every",
				 NUMBER("shown", end - newest), NUMBER("count", end - first)));
	doc_close(doc);
	draw_panel(doc, releases, newest, end);
	if (newest == first)
		return;
	doc_open(doc, BLOCK_MORE);
	if (has_mark(releases, first, newest))
		doc_attribute(doc, "open", STR(""));
	doc_say_count(doc, BLOCK_SUMMARY, "releases.older", newest - first);
	draw_panel(doc, releases, first, newest);
	doc_close(doc);
}

static bool can_draw(const struct result_releases *releases)
{
	return releases->count && releases->count <= MOST_RELEASES;
}

void releases_draw(struct doc *doc, const struct result_releases *releases)
{
	if (!doc_is(doc, DOC_HTML) || !can_draw(releases))
		return;
	for (size_t first = 0, end = 0; first < releases->count; first = end) {
		while (end < releases->count && same_target(releases, first, end))
			end++;
		draw_target(doc, releases, first, end);
	}
	doc_say_label(doc, BLOCK_SOFT, "releases.about");
}

void release_strip_draw(struct doc *doc, const struct result_releases *releases, const struct result_blocker *blocker)
{
	struct panel all = { doc, releases, 0, releases->count,
		{ .doc = doc, .width = LIFELINE_WIDTH, .total = (int64_t)releases->count, .between = 1, .gap = GAP } };
	if (!can_draw(releases))
		return;
	while (all.strip.gap_from < all.strip.total && same_target(releases, 0, (size_t)all.strip.gap_from))
		all.strip.gap_from++;
	strip_room(&all.strip, releases->count + 2 * releases->move_count);
	add_cells(&all, states_of(&all, blocker), MARK_HEIGHT, blocker->operator_name);
	add_marks(&all, false);
	strip_draw(&all.strip, "lifeline", MARK_HEIGHT + CELL_HEIGHT, doc_label_of(doc, "releases.title"));
}
