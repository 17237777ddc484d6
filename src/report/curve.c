/* The way to ready as a drawing. */
#include <inttypes.h>

#include "assess/model/result.h"
#include "report/htmlw.h"
#include "report/sections.h"

enum { CURVE_WIDTH = 640, CURVE_HEIGHT = 120, CURVE_EDGE = 6, CURVE_LABEL = 46, WHOLE_PPM = 1000000 };

/* The share at the bottom of the drawing: the lowest in it, down to the next multiple of 5 %. */
static int64_t curve_base(const struct result_target *target)
{
	const int64_t grid = WHOLE_PPM / 20;
	int64_t least = WHOLE_PPM - 1;

	for (size_t i = 0; i <= target->fix_count; i++) {
		int64_t now = i ? target->fixes[i - 1].readiness.lo_ppm : target->readiness.time.lo_ppm;

		least = now < least ? now : least;
	}
	return least / grid * grid;
}

static int64_t curve_y(int64_t ppm, int64_t base)
{
	return CURVE_EDGE +
	       (CURVE_HEIGHT - 2 * CURVE_EDGE) * (WHOLE_PPM - (ppm > base ? ppm : base)) / (WHOLE_PPM - base);
}

/* A line from left to right: what is certain before the first fix, and after each. */
static void curve_line(struct buf *out, const struct result_target *target, bool device, int64_t base)
{
	const int64_t width = CURVE_WIDTH - CURVE_LABEL - CURVE_EDGE;

	html(out, "<polyline class=\"");
	buf_printf(out, "%s\" points=\"", device ? "device" : "all");
	for (size_t i = 0; i <= target->fix_count; i++) {
		int64_t first = device ? target->readiness.time.lo_ppm : target->coverage.time.lo_ppm;
		int64_t now = !i       ? first
			      : device ? target->fixes[i - 1].readiness.lo_ppm
				       : target->fixes[i - 1].coverage.lo_ppm;

		buf_printf(out, "%s%" PRId64 ",%" PRId64, i ? " " : "",
			CURVE_LABEL + width * (int64_t)i / (int64_t)target->fix_count, curve_y(now, base));
	}
	html(out, "\"/>");
}

static void curve_label(struct buf *out, int64_t ppm, int y)
{
	buf_printf(out, "<path class=\"frame\" d=\"M%d %dH%d\"/><text x=\"%d\" y=\"%d\">", CURVE_LABEL, y,
		CURVE_WIDTH - CURVE_EDGE, CURVE_LABEL - CURVE_EDGE, y + 4);
	buf_printf(out, "%" PRId64 " %%</text>", ppm / (WHOLE_PPM / 100));
}

void curve_put(struct buf *out, enum lang lang, const void *ctx)
{
	const struct result_target *target = ctx;
	int64_t base = curve_base(target);

	buf_printf(out, "<svg class=\"curve\" viewBox=\"0 0 %d %d\" role=\"img\"", CURVE_WIDTH, CURVE_HEIGHT);
	html_attribute(out, "aria-label", catalog_text(lang, STR("fix.curve")));
	html(out, ">");
	curve_label(out, WHOLE_PPM, CURVE_EDGE);
	curve_label(out, base, CURVE_HEIGHT - CURVE_EDGE);
	curve_line(out, target, false, base);
	curve_line(out, target, true, base);
	html(out, "</svg>\n");
}
