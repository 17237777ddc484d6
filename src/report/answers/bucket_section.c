/* The sizes of dimensions that change: calls by size, and what to pad to with how many sizes, of which a script lets
   people choose. */
#include "report/answers/bucket_section.h"

#include <inttypes.h>

#include "assess/model/words.h"
#include "base/memory/mem.h"
#include "report/answers/buckets.h"
#include "report/doc/markup.h"
#include "report/drawings/drawing.h"

enum {
	CHART_WIDTH = 860,
	CHART_HEIGHT = 120,
	AXIS_HEIGHT = 18,
	EDGE = 10,
	LABEL_WIDTH = 200,
	BAR_WIDTH = 6,
	USUAL_SIZES = 4
};

struct padding_chart {
	struct doc *doc;
	const struct result_padded *dim;
	size_t number;
	bool compiles; /* some target does for each new shape */
};

/* The middle of a size, which a report may give as any number. */
static int64_t size_x(const struct result_padded *dim, int64_t size)
{
	__int128 range = (__int128)dim->max - dim->min, off = (__int128)size - dim->min;

	off = off < 0 ? 0 : off > range ? range : off;
	return EDGE + (range > 0 ? (int64_t)(off * (CHART_WIDTH - 2 * EDGE) / range) : 0);
}

static struct str size_text(const struct padding_chart *chart, const char *id, int64_t size, uint64_t calls)
{
	return doc_text_with(chart->doc, id, NUMBER("size", size), NUMBER("calls", calls));
}

static const struct result_padding *usual_plan(const struct result_padded *dim)
{
	size_t at = dim->plan_count < USUAL_SIZES ? dim->plan_count : USUAL_SIZES;

	return at ? &dim->plans[at - 1] : NULL;
}

/* The least and the largest size, below the chart. */
static void add_axis(const struct padding_chart *chart, struct svg_shape shapes[2])
{
	for (int i = 0; i < 2; i++) {
		struct str text = doc_format_of(chart->doc, "%" PRId64, i ? chart->dim->max : chart->dim->min);

		shapes[i] = (struct svg_shape){ i ? CHART_WIDTH - EDGE - SVG_CHAR_WIDTH * (int64_t)text.len : 0,
			CHART_HEIGHT, LABEL_WIDTH, AXIS_HEIGHT, STR("label"), .text = text };
	}
}

static void draw_dim(const struct padding_chart *chart)
{
	const struct result_padded *dim = chart->dim;
	const struct result_padding *plan = usual_plan(dim);
	size_t edges = plan ? plan->size_count : 0, count = 0;
	uint64_t most = 1; /* calls */
	struct svg_shape *shapes = arena_alloc(&chart->doc->arena, (dim->size_count + edges + 2) * sizeof(shapes[0]));
	const char *id = dim->size_count < dim->distinct ? "padding.joined" : "padding.size";

	for (size_t i = 0; i < dim->size_count; i++)
		most = dim->sizes[i].calls > most ? dim->sizes[i].calls : most;

	for (size_t i = 0; i < dim->size_count; i++) {
		int64_t high = (int64_t)((unsigned __int128)dim->sizes[i].calls * (CHART_HEIGHT - EDGE) / most);

		high = high ? high : 1;
		shapes[count++] = (struct svg_shape){ size_x(dim, dim->sizes[i].size) - BAR_WIDTH / 2,
			CHART_HEIGHT - high, BAR_WIDTH, high, STR("size"),
			size_text(chart, id, dim->sizes[i].size, dim->sizes[i].calls) };
	}
	for (size_t i = 0; i < edges; i++)
		shapes[count++] = (struct svg_shape){ size_x(dim, plan->sizes[i]) + BAR_WIDTH / 2, 0, 2, CHART_HEIGHT,
			STR("edge"), size_text(chart, "padding.edge", plan->sizes[i], 0) };
	add_axis(chart, &shapes[count]);
	doc_svg(chart->doc,
		&(struct svg){ "padding", CHART_WIDTH, CHART_HEIGHT + AXIS_HEIGHT,
			doc_text_with(chart->doc, "padding.bar", NUMBER("number", chart->number)), shapes, count + 2 });
}

/* --- in words */

static void put_places(const struct padding_chart *chart)
{
	CLEANUP(buf_clear) struct buf text = BUF_UNLIMITED;

	bucket_places_put(&text, chart->dim->places, chart->dim->place_count, chart->dim->place_total, ", ");
	doc_say_styled(chart->doc, BLOCK_LINE_SOFT, SPAN_PLAIN, arena_keep(&chart->doc->arena, buf_str(&text)));
}

static struct str numbers_of(
	struct doc *doc, const struct result_padded *dim, const struct result_padding *plan, bool x)
{
	CLEANUP(buf_clear) struct buf text = BUF_UNLIMITED;

	for (size_t i = 0; i < plan->size_count; i++)
		buf_printf(&text, "%s%" PRId64, i ? " " : "",
			x ? size_x(dim, plan->sizes[i]) + BAR_WIDTH / 2 : plan->sizes[i]);
	return arena_keep(&doc->arena, buf_str(&text));
}

static void put_plans(const struct padding_chart *chart)
{
	static const struct doc_column columns[] = {
		{ .label = "padding.k", .number = true },
		{ .label = "padding.waste", .number = true },
		{ .label = "padding.sizes" },
	};
	struct doc *doc = chart->doc;

	doc_more(doc, "step.table");
	doc_table(doc, &(struct doc_table){ .columns = columns, .count = ARRAY_SIZE(columns) });
	for (size_t i = 0; i < chart->dim->plan_count; i++) {
		const struct result_padding *plan = &chart->dim->plans[i];

		doc_row(doc);
		doc_attribute(doc, "data-edges", numbers_of(doc, chart->dim, plan, true));
		doc_cell_number(doc, plan->k);
		doc_cell_text(doc, doc_percent_of(doc, plan->waste_ppm));
		doc_cell_text(doc, numbers_of(doc, chart->dim, plan, false));
	}
	doc_table_end(doc);
	doc_close(doc);
}

static void put_sizes(const struct padding_chart *chart)
{
	static const struct doc_column columns[] = {
		{ .label = "padding.size-head", .number = true },
		{ .label = "report.calls", .number = true },
	};

	doc_more(chart->doc, "padding.by-size");
	doc_table(chart->doc, &(struct doc_table){ .columns = columns, .count = ARRAY_SIZE(columns) });
	for (size_t i = 0; i < chart->dim->size_count; i++) {
		doc_row(chart->doc);
		doc_cell_text(chart->doc, doc_format_of(chart->doc, "%" PRId64, chart->dim->sizes[i].size));
		doc_cell_number(chart->doc, chart->dim->sizes[i].calls);
	}
	doc_table_end(chart->doc);
	doc_close(chart->doc);
}

/* The number of sizes; the script adds the resulting share. */
static void put_slider(struct buf *out, enum lang lang, const void *ctx)
{
	const struct result_padded *dim = ctx;

	html(out, "<p class=\"js-only slider\"");
	html_attribute(out, "data-text", catalog_text(lang, STR("padding.says")));
	html(out, "><label>");
	html_label(out, lang, "padding.k");
	buf_printf(out,
		" <input type=\"range\" min=\"1\" max=\"%zu\" value=\"%" PRIu32 "\"></label><output></output></p>\n",
		dim->plan_count, usual_plan(dim)->k);
}

/* Open where the usual plan leaves fewer shapes to compile. */
static void put_dim(const struct padding_chart *chart)
{
	const struct result_padded *dim = chart->dim;
	const struct result_padding *plan = usual_plan(dim);
	struct doc *doc = chart->doc;

	doc_open(doc, BLOCK_CARD);
	doc_open(doc, BLOCK_MORE);
	if (chart->compiles && plan && plan->k < dim->distinct)
		doc_attribute(doc, "open", STR(""));
	doc_say_with(doc, BLOCK_SUMMARY, "bucket-dimension", NUMBER("number", chart->number), NUMBER("min", dim->min),
		NUMBER("max", dim->max), NUMBER("distinct", dim->distinct), NUMBER("steps", dim->steps),
		NUMBER("calls", dim->calls),
		BLANK("kind", doc_word_of(doc, "kind", word_for(&dynamic_words, dim->kind))));
	put_places(chart);
	draw_dim(chart);
	if (dim->plan_count)
		doc_figure(doc, put_slider, dim);
	put_plans(chart);
	put_sizes(chart);
	doc_close(doc);
	doc_close(doc);
}

void padding_build(struct doc *doc, const struct result *result)
{
	size_t count = result->buckets.count < PADDED_DIMS ? result->buckets.count : PADDED_DIMS;
	bool compiles = ANY(
		i, result->target_count, result->targets[i].compiling && result->targets[i].compiling->compiles);

	if (!count)
		return;
	doc_section(doc, "padding.title");
	doc_say_label(doc, BLOCK_SOFT, "padding.about");
	for (size_t i = 0; i < count; i++)
		put_dim(&(struct padding_chart){ doc, &result->buckets.items[i], i + 1, compiles });
	if (result->buckets.left_out)
		doc_say_count(doc, BLOCK_SOFT, "padding.left", result->buckets.left_out);
	doc_close(doc);
}
