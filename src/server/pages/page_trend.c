#include "server/pages/page_trend.h"

#include "assess/model/result.h"
#include "base/memory/mem.h"
#include "report/drawings/drawing.h"

enum {
	SPARK_HEIGHT = 20,
	SPARK_WIDTH = 6,
	LEAST_HEIGHT = 2,
	BAR_GAP = 2,
	ROWS = 12,
	NAME_WIDTH = 190,
	LABEL_WIDTH = 240, /* with the ends of the axis */
	LINE_HEIGHT = 16,
	DATE_WIDTH = 90,
	ROW_SHAPES = 5, /* beside its bars */
	BARS_WIDTH = 800,
	BAR_MOST = 60,
	ROW_HEIGHT = 52,
	BAR_HEIGHT = 44,
};

int64_t trend_readiness(const struct run *run)
{
	int64_t least = -1;

	for (size_t i = 0; i < run->record.verdict_count; i++) {
		int64_t ppm = run->record.verdicts[i].readiness_lo_ppm;

		if (ppm >= 0 && (least < 0 || ppm < least))
			least = ppm;
	}
	return least;
}

/* "2026-08-22 10:11, c0ffee: 97.1 % on the device, blocked" */
static struct str bar_title(struct doc *doc, const struct run *run, int64_t ppm, struct str verdict)
{
	enum { DATE = 10, TIME = 11, SECONDS = 16 };
	struct str at = run->created_at;
	struct message message = message_of(ppm < 0 ? "trend.bar-unknown" : "trend.bar");

	message_add(&message, "when",
		at.len < SECONDS ? at
				 : doc_format_of(doc, "%.*s %.*s", STR_ARG(str_sub(at, 0, DATE)),
					   STR_ARG(str_sub(at, TIME, SECONDS))));
	message_add(&message, "name", run->revision.len ? run->revision : run->name.len ? run->name : run->id);
	message_add(&message, "share", ppm < 0 ? STR("?") : doc_percent_of(doc, ppm));
	message_add(&message, "verdict", verdict);
	return doc_message_of(doc, &message);
}

/* --- breaks */

bool trend_breaks(const struct run_list *runs, size_t at)
{
	return at + 1 < runs->count && !stored_shares_compare(&runs->items[at + 1].record, &runs->items[at].record);
}

struct str trend_break_title(struct doc *doc, const struct run_list *runs, size_t at)
{
	const struct stored_assessment *after = &runs->items[at].record, *before = &runs->items[at + 1].record;

	return doc_text_with(doc, "baseline-captures", BLANK("before", doc_percent_of(doc, before->shown_ppm)),
		BLANK("basis_before", doc_word_of(doc, "basis", before->basis)),
		BLANK("after", doc_percent_of(doc, after->shown_ppm)),
		BLANK("basis_after", doc_word_of(doc, "basis", after->basis)));
}

/* Columns of a drawing: one a run, the oldest first, and one a break. */
struct columns {
	const struct run_list *runs;
	size_t *of_runs; /* by the run's number in the list */
	size_t count;
};

static struct columns columns_of(struct doc *doc, const struct run_list *runs)
{
	struct columns ret = { runs, arena_alloc(&doc->arena, (runs->count + 1) * sizeof(ret.of_runs[0])), 0 };

	for (size_t at = runs->count; at-- > 0;) {
		ret.count += trend_breaks(runs, at);
		ret.of_runs[at] = ret.count++;
	}
	return ret;
}

static int64_t bar_height(int64_t ppm, int64_t most)
{
	int64_t height = ppm < 0 ? 0 : most * ppm / WHOLE_PPM;

	return height < LEAST_HEIGHT ? LEAST_HEIGHT : height;
}

void trend_spark(struct doc *doc, const struct run_list *runs)
{
	struct svg_shape *shapes = arena_alloc(&doc->arena, (runs->count + 1) * sizeof(shapes[0]));
	struct columns columns = columns_of(doc, runs);

	for (size_t i = 0; i < runs->count; i++) {
		size_t at = runs->count - 1 - i;
		const struct run *run = &runs->items[at];
		int64_t ppm = trend_readiness(run), height = bar_height(ppm, SPARK_HEIGHT);

		shapes[i] = (struct svg_shape){ .x = (int64_t)columns.of_runs[at] * (SPARK_WIDTH + BAR_GAP),
			.y = SPARK_HEIGHT - height,
			.width = SPARK_WIDTH,
			.height = height,
			.css = verdict_look(run->verdict),
			.title = bar_title(doc, run, ppm, run->verdict) };
	}
	doc_svg(doc, &(struct svg){ .css = "spark",
			     .width = (int64_t)(columns.count > TREND_RUNS ? columns.count : TREND_RUNS) *
				      (SPARK_WIDTH + BAR_GAP),
			     .height = SPARK_HEIGHT,
			     .label = doc_label_of(doc, "trend.title"),
			     .shapes = shapes,
			     .count = runs->count,
			     .stretched = true });
}

/* --- a row for each target */

struct trend_drawing {
	struct doc *doc;
	const struct run_list *runs;
	struct columns columns;
	struct str targets[ROWS];
	size_t rows, count;
	struct svg_shape *shapes;
};

static void add_target(struct trend_drawing *drawing, struct str target)
{
	for (size_t i = 0; i < drawing->rows; i++) {
		if (str_eq(drawing->targets[i], target))
			return;
	}
	if (drawing->rows < ROWS)
		drawing->targets[drawing->rows++] = target;
}

static int64_t bar_step(const struct trend_drawing *drawing)
{
	int64_t step = BARS_WIDTH / (int64_t)drawing->columns.count;

	return step > BAR_MOST ? BAR_MOST : step;
}

static int64_t column_x(const struct trend_drawing *drawing, size_t column)
{
	return LABEL_WIDTH + (int64_t)column * bar_step(drawing);
}

static void add_bar(struct trend_drawing *drawing, size_t row, size_t at)
{
	const struct run *run = &drawing->runs->items[at];
	const struct stored_verdict *verdict = FIND(i, run->record.verdicts, run->record.verdict_count,
		str_eq(run->record.verdicts[i].target, drawing->targets[row]));
	int64_t step = bar_step(drawing), height;

	if (!verdict)
		return;
	height = bar_height(verdict->readiness_lo_ppm, BAR_HEIGHT);
	drawing->shapes[drawing->count++] = (struct svg_shape){ .x = column_x(drawing, drawing->columns.of_runs[at]),
		.y = (int64_t)row * ROW_HEIGHT + BAR_HEIGHT - height,
		.width = step - BAR_GAP,
		.height = height,
		.css = verdict_look(verdict->verdict),
		.title = bar_title(drawing->doc, run, verdict->readiness_lo_ppm, verdict->verdict) };
}

static void add_label(struct trend_drawing *drawing, int64_t x, int64_t y, int64_t width, struct str text)
{
	drawing->shapes[drawing->count++] = (struct svg_shape){ x, y, width, LINE_HEIGHT, STR("label"), text, text };
}

/* A line that joins the bars of runs whose captures compare. */
static void add_line(struct trend_drawing *drawing, int64_t y)
{
	int64_t x = LABEL_WIDTH;

	for (size_t at = drawing->runs->count; at-- > 0;) {
		size_t column = drawing->columns.of_runs[at];
		bool breaks = at && trend_breaks(drawing->runs, at - 1);
		int64_t end = breaks ? column_x(drawing, column + 1) - BAR_GAP : LABEL_WIDTH + BARS_WIDTH;

		if (at && !breaks)
			continue;
		drawing->shapes[drawing->count++] = (struct svg_shape){ x, y, end - x, 1, STR("line"), STR(""),
			STR("") };
		x = breaks ? column_x(drawing, column + 2) : x;
	}
}

/* From 0 to 100 %, as lines that the bars end at. */
static void add_axis(struct trend_drawing *drawing, size_t row)
{
	static const struct str ends[] = { STR("100 %"), STR("0 %") };

	for (size_t i = 0; i < ARRAY_SIZE(ends); i++) {
		int64_t y = (int64_t)row * ROW_HEIGHT + (i ? BAR_HEIGHT : 0);

		add_line(drawing, y);
		add_label(drawing, NAME_WIDTH, i ? y - LINE_HEIGHT : y, LABEL_WIDTH - NAME_WIDTH, ends[i]);
	}
}

static void add_breaks(struct trend_drawing *drawing, size_t row)
{
	for (size_t at = 0; at + 1 < drawing->runs->count; at++) {
		if (trend_breaks(drawing->runs, at))
			drawing->shapes[drawing->count++] = (struct svg_shape){
				.x = column_x(drawing, drawing->columns.of_runs[at] - 1),
				.y = (int64_t)row * ROW_HEIGHT,
				.width = bar_step(drawing) - BAR_GAP,
				.height = BAR_HEIGHT + 1,
				.css = STR("break"),
				.title = trend_break_title(drawing->doc, drawing->runs, at)
			};
	}
}

/* The days of the oldest and the newest run, where both have room. */
static void add_days(struct trend_drawing *drawing, int64_t bars_width)
{
	enum { DATE = 10 };
	const struct run *newest = drawing->runs->items, *oldest = newest + drawing->runs->count - 1;
	int64_t y = (int64_t)drawing->rows * ROW_HEIGHT;

	add_label(drawing, LABEL_WIDTH, y, DATE_WIDTH, str_sub(oldest->created_at, 0, DATE));
	if (bars_width >= 2 * DATE_WIDTH)
		add_label(drawing, LABEL_WIDTH + bars_width - DATE_WIDTH, y, DATE_WIDTH,
			str_sub(newest->created_at, 0, DATE));
}

void trend_draw(struct doc *doc, const struct run_list *runs)
{
	struct trend_drawing drawing = { .doc = doc, .runs = runs, .columns = columns_of(doc, runs) };
	size_t a_row = ROW_SHAPES + 4 * drawing.columns.count; /* bars, and at a break its mark and two more lines */

	for (size_t i = 0; i < runs->count; i++) {
		for (size_t j = 0; j < runs->items[i].record.verdict_count; j++)
			add_target(&drawing, runs->items[i].record.verdicts[j].target);
	}
	if (!drawing.rows)
		return;
	drawing.shapes = arena_alloc(&doc->arena, (drawing.rows * a_row + 2) * sizeof(drawing.shapes[0]));
	for (size_t row = 0; row < drawing.rows; row++) {
		add_axis(&drawing, row);
		add_label(&drawing, 0, (int64_t)row * ROW_HEIGHT + BAR_HEIGHT / 2, NAME_WIDTH, drawing.targets[row]);
		for (size_t at = runs->count; at-- > 0;)
			add_bar(&drawing, row, at);
		add_breaks(&drawing, row);
	}
	add_days(&drawing, bar_step(&drawing) * (int64_t)drawing.columns.count);
	doc_svg(doc, &(struct svg){ .css = "releases trend",
			     .width = LABEL_WIDTH + BARS_WIDTH,
			     .height = (int64_t)drawing.rows * ROW_HEIGHT + LINE_HEIGHT,
			     .label = doc_label_of(doc, "trend.title"),
			     .shapes = drawing.shapes,
			     .count = drawing.count,
			     .names = LABEL_WIDTH });
}

struct str trend_change(struct doc *doc, const struct run_list *runs)
{
	enum { HUNDREDTH_PPM = 100, HUNDREDTHS = 100 };
	int64_t now = runs->count > 1 ? trend_readiness(&runs->items[0]) : -1,
		before = runs->count > 1 ? trend_readiness(&runs->items[1]) : -1, change;

	if (trend_breaks(runs, 0))
		return doc_label_of(doc, "trend.break");
	if (now < 0 || before < 0)
		return STR("");
	change = (now - before) / HUNDREDTH_PPM;
	if (!change)
		return STR("\xc2\xb1"
			   "0");
	return doc_format_of(doc, "%s%lld.%02lld", change < 0 ? "\xe2\x88\x92" : "+",
		(long long)((change < 0 ? -change : change) / HUNDREDTHS),
		(long long)((change < 0 ? -change : change) % HUNDREDTHS));
}
