/* The way to ready as a drawing. */
#include "report/drawings/curve.h"

#include <inttypes.h>

#include "assess/model/result.h"
#include "base/value/decimal.h"
#include "report/doc/markup.h"

enum { CURVE_WIDTH = 640, CURVE_HEIGHT = 120, CURVE_EDGE = 6, CURVE_LABEL = 46, CURVE_AXIS = 18, CURVE_NUMBERS = 20 };

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

static int64_t curve_x(const struct result_target *target, size_t step)
{
	return CURVE_LABEL + (CURVE_WIDTH - CURVE_LABEL - CURVE_EDGE) * (int64_t)step / (int64_t)target->fix_count;
}

/* The certain share before the first fix, and after each. */
static int64_t share_after(const struct result_target *target, size_t step, bool device)
{
	if (!step)
		return device ? target->readiness.time.lo_ppm : target->coverage.time.lo_ppm;
	return device ? target->fixes[step - 1].readiness.lo_ppm : target->fixes[step - 1].coverage.lo_ppm;
}

static void curve_line(struct buf *out, const struct result_target *target, bool device, int64_t base)
{
	html(out, "<polyline class=\"");
	buf_printf(out, "%s\" points=\"", device ? "device" : "all");
	for (size_t i = 0; i <= target->fix_count; i++)
		buf_printf(out, "%s%" PRId64 ",%" PRId64, i ? " " : "", curve_x(target, i),
			curve_y(share_after(target, i, device), base));
	html(out, "\"/>");
}

/* "2. aten::nms: 98.1 %" */
static void point_title(struct buf *out, enum lang lang, const struct result_target *target, size_t step)
{
	int64_t share_ppm = share_after(target, step, true);

	if (step)
		buf_printf(out, "%zu. ", step);
	html_text(out, step ? target->fixes[step - 1].what : catalog_text(lang, STR("fix.before")));
	html(out, ": ");
	decimal_put(out, (share_ppm + 500) / 1000, 1);
	html(out, " %");
}

/* Steps that are far enough apart for it have their number below. */
static void curve_points(struct buf *out, enum lang lang, const struct result_target *target, int64_t base)
{
	size_t every = target->fix_count / CURVE_NUMBERS + 1;

	for (size_t i = 0; i <= target->fix_count; i++) {
		int64_t x = curve_x(target, i);

		buf_printf(out, "<circle cx=\"%" PRId64 "\" cy=\"%" PRId64 "\" r=\"4\"><title>", x,
			curve_y(share_after(target, i, true), base));
		point_title(out, lang, target, i);
		html(out, "</title></circle>");
		if (i % every == 0)
			buf_printf(out, "<text x=\"%" PRId64 "\" y=\"%d\">%zu</text>", x + CURVE_EDGE,
				CURVE_HEIGHT + CURVE_AXIS - 4, i);
	}
}

/* The legend: a piece of each line with its name. */
static void curve_legend(struct buf *out, enum lang lang)
{
	static const char *const lines[][2] = { { "device", "report.on-device" }, { "all", "report.at-all" } };

	for (int i = 0; i < 2; i++) {
		int x = CURVE_LABEL + i * CURVE_WIDTH / 2, y = CURVE_HEIGHT + CURVE_AXIS + CURVE_AXIS / 2;

		buf_printf(out,
			"<path class=\"%s\" stroke-width=\"2.5\" d=\"M%d %dh30\"/><text class=\"legend\" x=\"%d\" "
			"y=\"%d\">",
			lines[i][0], x, y, x + 38, y + 4);
		html_label(out, lang, lines[i][1]);
		html(out, "</text>");
	}
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

	buf_printf(out, "<svg class=\"curve\" viewBox=\"0 0 %d %d\" role=\"img\"", CURVE_WIDTH,
		CURVE_HEIGHT + 2 * CURVE_AXIS);
	buf_printf(out, " data-scale=\"%d %d %" PRId64 "\"", CURVE_EDGE, CURVE_HEIGHT - 2 * CURVE_EDGE, base);
	html_attribute(out, "aria-label", catalog_text(lang, STR("fix.curve")));
	html(out, ">");
	buf_printf(out, "<text x=\"%d\" y=\"%d\">", CURVE_LABEL - CURVE_EDGE - 4, CURVE_HEIGHT + CURVE_AXIS - 4);
	html_label(out, lang, "fix.number");
	html(out, "</text>");
	curve_label(out, WHOLE_PPM, CURVE_EDGE);
	curve_label(out, base, CURVE_HEIGHT - CURVE_EDGE);
	curve_line(out, target, false, base);
	curve_line(out, target, true, base);
	curve_points(out, lang, target, base);
	curve_legend(out, lang);
	html(out, "</svg>\n");
}
