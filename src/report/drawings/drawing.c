#include "report/drawings/drawing.h"

#include <inttypes.h>

#include "assess/model/result_parts.h"
#include "assess/model/words.h"
#include "base/memory/mem.h"
#include "base/value/utf8.h"
#include "report/doc/markup.h"

enum { TEXT_HEIGHT = 16, TEXT_EDGE = 4, TEXT_RISE = 5, LEAST_COLUMNS = 3 };

/* Columns of text that fit on a shape. */
static size_t columns_of(const struct svg_shape *shape)
{
	return shape->width > 2 * TEXT_EDGE ? (size_t)(shape->width - 2 * TEXT_EDGE) / SVG_CHAR_WIDTH : 0;
}

/* The text that fits on the shape; none if only a stump would. */
static void put_drawing_text(struct buf *out, const struct svg_shape *shape)
{
	size_t columns = columns_of(shape);
	bool cut = utf8_columns(shape->text) > columns;

	if (shape->height < TEXT_HEIGHT || (cut && columns <= LEAST_COLUMNS))
		return;
	buf_printf(out, "<text x=\"%" PRId64 "\" y=\"%" PRId64 "\">", shape->x + TEXT_EDGE,
		shape->y + (shape->height < 2 * TEXT_HEIGHT ? shape->height / 2 + TEXT_RISE : TEXT_HEIGHT));
	html_text(out, cut ? utf8_fit(shape->text, columns - 1) : shape->text);
	buf_add(out, cut ? STR("\xe2\x80\xa6</text>") : STR("</text>"));
}

static void put_shape(struct buf *out, const struct svg_shape *shape)
{
	bool says_title = str_eq(shape->title, shape->text) && shape->height >= TEXT_HEIGHT &&
			  utf8_columns(shape->text) <= columns_of(shape);

	html(out, "<rect");
	if (shape->x)
		buf_printf(out, " x=\"%" PRId64 "\"", shape->x);
	if (shape->y)
		buf_printf(out, " y=\"%" PRId64 "\"", shape->y);
	buf_printf(out, " width=\"%" PRId64 "\" height=\"%" PRId64 "\"", shape->width, shape->height);
	if (shape->title.len && !says_title) {
		html(out, "><title>");
		html_text(out, shape->title);
		html(out, "</title></rect>");
	} else {
		html(out, "/>");
	}
	if (shape->text.len)
		put_drawing_text(out, shape);
}

/* The names at the left, or all but them; shapes of one look that follow each other share a group. */
static void put_shapes(struct buf *out, const struct svg *svg, bool names)
{
	const struct svg_shape *last = NULL;

	for (size_t i = 0; i < svg->count; i++) {
		const struct svg_shape *shape = &svg->shapes[i];

		if (shape->width <= 0 || shape->height <= 0 || (shape->x < svg->names) != names)
			continue;
		if (!last || !str_eq(last->css, shape->css)) {
			buf_add(out, last ? STR("</g><g") : STR("<g"));
			html_attribute(out, "class", shape->css);
			html(out, ">");
		}
		put_shape(out, shape);
		last = shape;
	}
	buf_add(out, last ? STR("</g>") : STR(""));
}

static void put_size(struct buf *out, const struct svg *svg, int64_t x, int64_t width)
{
	buf_printf(out, " viewBox=\"%" PRId64 " 0 %" PRId64 " %" PRId64 "\"", x, width, svg->height);
	if (svg->names)
		buf_printf(out, " width=\"%" PRId64 "\" height=\"%" PRId64 "\"", width, svg->height);
}

static void put_svg(struct buf *out, enum lang lang UNUSED, const void *ctx)
{
	const struct svg *svg = ctx;

	if (!svg->stretched)
		buf_printf(out, "<div class=\"wide%s\">", svg->names ? " named" : "");
	if (svg->names) {
		html(out, "<svg class=\"names\" preserveAspectRatio=\"xMinYMin slice\" aria-hidden=\"true\"");
		put_size(out, svg, 0, svg->names);
		html(out, ">");
		put_shapes(out, svg, true);
		html(out, "</svg>");
	}
	buf_printf(out, "<svg class=\"drawing %s\"", svg->css);
	put_size(out, svg, svg->names, svg->width - svg->names);
	buf_printf(out, "%s role=\"img\"", svg->stretched ? " preserveAspectRatio=\"none\"" : "");
	html_attribute(out, "aria-label", svg->label);
	html(out, ">");
	put_shapes(out, svg, false);
	buf_add(out, svg->stretched ? STR("</svg>\n") : STR("</svg></div>\n"));
}

static void put_patterns(struct buf *out, enum lang lang UNUSED, const void *ctx UNUSED)
{
	html(out, "<svg class=\"patterns\" width=\"0\" height=\"0\" aria-hidden=\"true\">"
		  "<pattern id=\"hatch\" width=\"7\" height=\"7\" patternUnits=\"userSpaceOnUse\" "
		  "patternTransform=\"rotate(45)\"><rect width=\"7\" height=\"7\"/><path d=\"M0 "
		  "0V7\"/></pattern></svg>\n");
}

struct str verdict_look(struct str verdict)
{
	static const struct str looks[] = {
		[VERDICT_READY] = STR("fine"),
		[VERDICT_WARNINGS] = STR("limited"),
		[VERDICT_INCONCLUSIVE] = STR("unknown"),
		[VERDICT_BLOCKED] = STR("stops"),
	};
	unsigned value;

	return word_find(&verdict_words, verdict, &value) ? looks[value] : STR("unknown");
}

void doc_svg(struct doc *doc, const struct svg *svg)
{
	struct svg *kept = arena_alloc(&doc->arena, sizeof(*kept));

	*kept = *svg;
	doc_figure(doc, put_svg, kept);
}

void doc_svg_patterns(struct doc *doc)
{
	doc_figure(doc, put_patterns, NULL);
}
