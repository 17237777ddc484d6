#include "server/pages/page_trend.h"

#include <assert.h>

#include "assess/model/result.h"
#include "assess/model/words.h"
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

static int64_t bar_height(int64_t ppm, int64_t most)
{
	int64_t height = ppm < 0 ? 0 : most * ppm / WHOLE_PPM;

	return height < LEAST_HEIGHT ? LEAST_HEIGHT : height;
}

void trend_spark(struct doc *doc, const struct run_list *runs)
{
	struct svg_shape *shapes = arena_alloc(&doc->arena, (runs->count + 1) * sizeof(shapes[0]));

	for (size_t i = 0; i < runs->count; i++) {
		const struct run *run = &runs->items[runs->count - 1 - i];
		int64_t ppm = trend_readiness(run), height = bar_height(ppm, SPARK_HEIGHT);

		shapes[i] = (struct svg_shape){ .x = (int64_t)i * (SPARK_WIDTH + BAR_GAP),
			.y = SPARK_HEIGHT - height,
			.width = SPARK_WIDTH,
			.height = height,
			.css = verdict_look(run->verdict),
			.title = bar_title(doc, run, ppm, run->verdict) };
	}
	doc_svg(doc, &(struct svg){ .css = "spark",
			     .width = (int64_t)TREND_RUNS * (SPARK_WIDTH + BAR_GAP),
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

static const struct stored_verdict *verdict_on(const struct run *run, struct str target)
{
	for (size_t i = 0; i < run->record.verdict_count; i++) {
		if (str_eq(run->record.verdicts[i].target, target))
			return &run->record.verdicts[i];
	}
	return NULL;
}

static int64_t bar_step(const struct trend_drawing *drawing)
{
	int64_t step = BARS_WIDTH / (int64_t)drawing->runs->count;

	return step > BAR_MOST ? BAR_MOST : step;
}

static void add_bar(struct trend_drawing *drawing, size_t row, size_t at)
{
	const struct run *run = &drawing->runs->items[drawing->runs->count - 1 - at];
	const struct stored_verdict *verdict = verdict_on(run, drawing->targets[row]);
	int64_t step = bar_step(drawing), height;

	if (!verdict)
		return;
	height = bar_height(verdict->readiness_lo_ppm, BAR_HEIGHT);
	drawing->shapes[drawing->count++] = (struct svg_shape){ .x = LABEL_WIDTH + (int64_t)at * step,
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

/* From 0 to 100 %, as lines that the bars end at. */
static void add_axis(struct trend_drawing *drawing, size_t row)
{
	static const struct str ends[] = { STR("100 %"), STR("0 %") };

	for (size_t i = 0; i < ARRAY_SIZE(ends); i++) {
		int64_t y = (int64_t)row * ROW_HEIGHT + (i ? BAR_HEIGHT : 0);

		drawing->shapes[drawing->count++] = (struct svg_shape){ LABEL_WIDTH, y, BARS_WIDTH, 1, STR("line"),
			STR(""), STR("") };
		add_label(drawing, NAME_WIDTH, i ? y - LINE_HEIGHT : y, LABEL_WIDTH - NAME_WIDTH, ends[i]);
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

static void add_row(struct trend_drawing *drawing, size_t row)
{
	assert(row < ROWS);
	add_axis(drawing, row);
	add_label(drawing, 0, (int64_t)row * ROW_HEIGHT + BAR_HEIGHT / 2, NAME_WIDTH, drawing->targets[row]);
	for (size_t at = 0; at < drawing->runs->count; at++)
		add_bar(drawing, row, at);
}

void trend_draw(struct doc *doc, const struct run_list *runs)
{
	struct trend_drawing drawing = { .doc = doc, .runs = runs };

	for (size_t i = 0; i < runs->count; i++) {
		for (size_t j = 0; j < runs->items[i].record.verdict_count; j++)
			add_target(&drawing, runs->items[i].record.verdicts[j].target);
	}
	if (!drawing.rows)
		return;
	drawing.shapes = arena_alloc(
		&doc->arena, (drawing.rows * (runs->count + ROW_SHAPES) + 2) * sizeof(drawing.shapes[0]));
	for (size_t row = 0; row < drawing.rows; row++)
		add_row(&drawing, row);
	add_days(&drawing, bar_step(&drawing) * (int64_t)runs->count);
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
