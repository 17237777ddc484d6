/* Costs in the HTML report: a drawing of the way to ready, sentences, and the program as a tree. */
#include <inttypes.h>

#include "report/costs.h"
#include "report/html_parts.h"
#include "report/text_page.h"

/* --- pieces */

static void heading(struct buf *out, enum lang lang, const char *id)
{
	html(out, "<h2>");
	html_label(out, lang, id);
	html(out, "</h2>\n");
}

static void paragraph(struct buf *out, enum lang lang, const char *id)
{
	struct message message = message_of(id);

	html(out, "<p class=\"soft\">");
	html_message(out, lang, &message);
	html(out, "</p>\n");
}

static void percent(struct buf *out, int64_t ppm)
{
	struct buf text = text_percent(ppm);

	html_text(out, buf_str(&text));
	buf_clear(&text);
}

static void interval_cell(struct buf *out, struct result_interval interval)
{
	struct buf text = text_interval(interval);

	html(out, "<td class=\"n\">");
	html_text(out, buf_str(&text));
	html(out, "</td>");
	buf_clear(&text);
}

static void head_cell(struct buf *out, enum lang lang, const char *id, bool number)
{
	if (number)
		html(out, "<th scope=\"col\" class=\"n\">");
	else
		html(out, "<th scope=\"col\">");
	html_label(out, lang, id);
	html(out, "</th>");
}

static void names(struct buf *out, const struct result_fix *fix)
{
	for (size_t i = 0; i < fix->operator_count; i++) {
		if (i)
			html(out, ", ");
		html_text(out, fix->operators[i]);
	}
	if (fix->operator_total > fix->operator_count)
		buf_printf(out, ", \xe2\x80\xa6 +%" PRIu64, fix->operator_total - fix->operator_count);
}

/* --- the way to ready */

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

static void curve(struct buf *out, enum lang lang, const struct result_target *target)
{
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

static void fix_row(struct buf *out, enum lang lang, const struct result_fix *fix, size_t number)
{
	buf_printf(out, "<tr><td class=\"n\">%zu</td><td>", number);
	html_word(out, lang, "fix", fix->kind);
	html(out, " <span class=\"name\">");
	html_text(out, fix->what);
	html(out, "</span>");
	if (fix->operator_total && (str_eq(fix->kind, STR("release")) || str_eq(fix->kind, STR("package")))) {
		html(out, "<div class=\"soft name\">");
		names(out, fix);
		html(out, "</div>");
	}
	html(out, "</td><td>");
	html_word(out, lang, "effort", fix->effort);
	html(out, "</td>");
	interval_cell(out, fix->readiness);
	interval_cell(out, fix->coverage);
	buf_printf(out, "<td class=\"n\">%" PRIu64 "</td></tr>\n", fix->blockers);
}

static void fixes_of(struct buf *out, enum lang lang, const struct result_target *target)
{
	html(out, "<details class=\"more\" open><summary><span class=\"name\">");
	html_text(out, target->id);
	html(out, "</span></summary>\n");
	curve(out, lang, target);
	html(out, "<div class=\"scroll\"><table>\n<thead><tr>");
	head_cell(out, lang, "fix.number", true);
	head_cell(out, lang, "fix.what", false);
	head_cell(out, lang, "fix.effort", false);
	head_cell(out, lang, "report.on-device", true);
	head_cell(out, lang, "report.at-all", true);
	head_cell(out, lang, "report.blockers", true);
	html(out, "</tr></thead>\n<tbody>\n");
	for (size_t i = 0; i < target->fix_count; i++)
		fix_row(out, lang, &target->fixes[i], i + 1);
	html(out, "</tbody>\n</table></div>\n");
	if (target->fixes_left) {
		struct arena arena = ARENA_INIT(ARENA_UNLIMITED);
		struct message left = message_of("fix.left");

		message_add_number(&left, &arena, "count", (int64_t)target->fixes_left);
		html(out, "<p class=\"soft\">");
		html_message(out, lang, &left);
		html(out, "</p>\n");
		arena_clear(&arena);
	}
	html(out, "</details>\n");
}

static void fixes(const struct result *result, enum lang lang, struct buf *out)
{
	bool any = false;

	for (size_t i = 0; i < result->target_count; i++) {
		if (!result->targets[i].fix_count)
			continue;
		if (!any)
			heading(out, lang, "fix.title");
		any = true;
		fixes_of(out, lang, &result->targets[i]);
	}
	if (any)
		paragraph(out, lang, "fix.about");
}

/* --- on the CPU, and compiling */

static void sentences(struct buf *out, enum lang lang, struct str target, const struct message *lines, size_t count)
{
	html(out, "<p><strong class=\"name\">");
	html_text(out, target);
	html(out, "</strong></p>\n<ul class=\"notes\">\n");
	for (size_t i = 0; i < count; i++) {
		html(out, "<li>");
		html_message(out, lang, &lines[i]);
		html(out, "</li>\n");
	}
	html(out, "</ul>\n");
}

static void crossing_row(
	const struct result *result, const struct result_crossing *item, struct arena *arena, struct buf *out)
{
	uint64_t steps = result->cost.steps;

	html(out, "<tr><td class=\"name\">");
	html_text(out, item->operator_name);
	buf_printf(out, "</td><td class=\"n\">%" PRIu64 "</td><td class=\"n\">", item->calls);
	html_text(out, costs_bytes(arena, item->bytes_to_host, steps));
	html(out, "</td><td class=\"n\">");
	html_text(out, costs_bytes(arena, item->bytes_to_device, steps));
	html(out, "</td><td class=\"n\">");
	html_text(out, costs_ms(arena, item->copy_ns, steps));
	html(out, "</td><td class=\"n\">");
	html_text(out, costs_ms(arena, item->host_ns, steps));
	html(out, "</td></tr>\n");
}

static void crossing_table(const struct result *result, enum lang lang, const struct result_fallback *crossings,
	struct arena *arena, struct buf *out)
{
	html(out, "<div class=\"scroll\"><table>\n<thead><tr>");
	head_cell(out, lang, "report.operator", false);
	head_cell(out, lang, "report.calls", true);
	head_cell(out, lang, "cost.to-host", true);
	head_cell(out, lang, "cost.to-device", true);
	head_cell(out, lang, "cost.copy-time", true);
	head_cell(out, lang, "cost.host-time", true);
	html(out, "</tr></thead>\n<tbody>\n");
	for (size_t i = 0; i < crossings->item_count; i++)
		crossing_row(result, &crossings->items[i], arena, out);
	html(out, "</tbody>\n</table></div>\n");
}

static void all_crossings(const struct result *result, enum lang lang, struct buf *out)
{
	struct arena arena = ARENA_INIT(ARENA_UNLIMITED);
	bool any = false;

	for (size_t i = 0; i < result->target_count; i++) {
		const struct result_target *target = &result->targets[i];
		struct message lines[COST_LINES];
		size_t count = costs_say_crossings(result, target, &arena, lines);

		if (!count)
			continue;
		if (!any)
			heading(out, lang, "cost.crossings");
		any = true;
		sentences(out, lang, target->id, lines, count);
		crossing_table(result, lang, target->crossings, &arena, out);
	}
	arena_clear(&arena);
}

static void compiling(const struct result *result, enum lang lang, struct buf *out)
{
	struct arena arena = ARENA_INIT(ARENA_UNLIMITED);
	struct message graphs = message_of("cost.graphs");
	bool any = false;

	for (size_t i = 0; i < result->target_count; i++) {
		struct message lines[COST_LINES];
		size_t count = costs_say_compiling(&result->targets[i], &arena, lines);

		if (!count)
			continue;
		if (!any)
			heading(out, lang, "cost.compiling");
		any = true;
		sentences(out, lang, result->targets[i].id, lines, count);
	}
	if (result->cost.graphs_known && result->cost.graphs > 1) {
		if (!any)
			heading(out, lang, "cost.compiling");
		message_add_number(&graphs, &arena, "graphs", (int64_t)result->cost.graphs);
		html(out, "<p>");
		html_message(out, lang, &graphs);
		html(out, "</p>\n");
	}
	arena_clear(&arena);
}

/* --- places */

/* The last part of a module path; a line of source whole. */
static struct str last_part(const struct result_place *place)
{
	size_t at = place->path.len;

	while (at && place->path.ptr[at - 1] != '/')
		at--;
	return place->depth ? str_skip(place->path, at) : place->path;
}

static void place_targets(const struct result *result, const struct result_place *place, struct buf *out)
{
	for (size_t i = 0; i < result->target_count; i++) {
		const struct result_place_target *target = &place->targets[i];
		int64_t off = place->share_ppm - target->device_lo_ppm;

		if (off <= 0 && !target->blockers)
			continue;
		html(out, " \xc2\xb7 ");
		html_text(out, result->targets[i].id);
		if (target->blockers)
			html(out, " <span class=\"s-unsupported tag\">");
		else
			html(out, " <span class=\"s-cpu-fallback tag\">");
		percent(out, off);
		if (target->blockers)
			buf_printf(out, " (%" PRIu64 ")", target->blockers);
		html(out, "</span>");
	}
}

static void place_line(const struct result *result, const struct result_place *place, struct buf *out)
{
	percent(out, place->share_ppm);
	html(out, " <span class=\"name\">");
	html_text(out, last_part(place));
	html(out, "</span>");
	place_targets(result, place, out);
}

/* The tree, each place behind its parent: those with something inside can be opened. */
static void tree(const struct result *result, struct buf *out)
{
	enum { SHOWN_OPEN = 2 }; /* levels */
	uint32_t open = 0;       /* details that are open */

	for (size_t i = 0; i < result->places.count; i++) {
		const struct result_place *place = &result->places.items[i];
		uint32_t next = i + 1 < result->places.count ? result->places.items[i + 1].depth : 0;

		for (; open > place->depth; open--)
			html(out, "</div></details>\n");
		if (next > place->depth && i + 1 < result->places.count) {
			buf_printf(
				out, "<details class=\"place\"%s><summary>", place->depth < SHOWN_OPEN ? " open" : "");
			place_line(result, place, out);
			html(out, "</summary><div>\n");
			open++;
		} else {
			html(out, "<p class=\"place\">");
			place_line(result, place, out);
			html(out, "</p>\n");
		}
	}
	for (; open; open--)
		html(out, "</div></details>\n");
}

void html_costs(const struct result *result, enum lang lang, struct buf *out)
{
	fixes(result, lang, out);
	all_crossings(result, lang, out);
	compiling(result, lang, out);
	if (!result->places.count)
		return;
	heading(out, lang, "place.title");
	paragraph(out, lang, "place.about");
	tree(result, out);
}
