#include "report/drawings/time_bars.h"

#include "report/doc/doc_build.h"
#include "report/drawings/strip.h"

enum { BAR_WIDTH = 1000, BAR_HEIGHT = 18 };

size_t target_places(const struct result_target *target, struct target_place ret[TARGET_PLACES])
{
	bool musa = str_starts(target->id, STR("musa"));
	const struct target_place places[TARGET_PLACES] = {
		{ musa ? "where.gpu" : "where.aicore", target->where.aicore },
		{ "where.aicpu", target->where.aicpu },
		{ "where.host", target->where.host },
		{ "where.nowhere", target->where.nowhere },
		{ "where.unknown", target->where.unknown },
	};
	size_t count = 0;

	for (size_t i = 0; i < TARGET_PLACES; i++) {
		if (places[i].share.hi_ppm)
			ret[count++] = places[i];
	}
	return count;
}

struct time_bar {
	struct strip strip;
	int64_t sum_ppm, shown_ppm;
};

static void add_part(struct time_bar *bar, struct str css, struct str what, int64_t share_ppm)
{
	struct svg_shape *shape = strip_cell(&bar->strip, bar->sum_ppm, bar->sum_ppm + share_ppm, 0, BAR_HEIGHT);
	struct doc *doc = bar->strip.doc;

	bar->sum_ppm += share_ppm;
	shape->css = css;
	shape->title = doc_format_of(doc, "%.*s %.*s", STR_ARG(what), STR_ARG(doc_percent_of(doc, share_ppm)));
}

/* The certain time of each unit, and the undecided rest, so that each microsecond counts once. */
void place_bar_build(struct doc *doc, const struct result_target *target, int64_t shown_ppm)
{
	struct target_place places[TARGET_PLACES];
	size_t count = target_places(target, places);
	struct time_bar bar = { .strip = { .doc = doc, .width = BAR_WIDTH, .total = WHOLE_PPM, .stretched = true },
		.shown_ppm = shown_ppm };

	strip_room(&bar.strip, count + 2);

	for (size_t i = 0; i <= count; i++) {
		const char *id = i < count ? places[i].id : "time.either";
		int64_t share_ppm = i < count ? places[i].share.lo_ppm : shown_ppm - bar.sum_ppm;

		if (i < count && strcmp(id, "where.unknown") == 0)
			share_ppm -= WHOLE_PPM - shown_ppm; /* which has a part of its own */
		add_part(&bar, doc_format_of(doc, "w-%s", strchr(id, '.') + 1), doc_label_of(doc, id),
			share_ppm > 0 ? share_ppm : 0);
	}
	if (shown_ppm < WHOLE_PPM) {
		bar.sum_ppm = shown_ppm;
		add_part(&bar, STR("uncovered"), doc_label_of(doc, "time.uncovered"), WHOLE_PPM - shown_ppm);
	}
	strip_draw(&bar.strip, "places", BAR_HEIGHT, doc_text_with(doc, "time.places", BLANK("target", target->id)));
}
