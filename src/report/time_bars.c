#include "report/time_bars.h"

#include "base/figure.h"
#include "report/doc_build.h"
#include "report/drawing.h"

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

int64_t time_covered_ppm(const struct result *result)
{
	int64_t operators_ns = 0, all_ns = 0;

	if (result->basis != BASIS_DEVICE_TIME)
		return WHOLE_PPM;
	for (size_t i = 0; i < result->input_count; i++) {
		const struct result_device_time *time = &result->inputs[i].capture.device_time;

		operators_ns = figure_add(operators_ns, time->operators_ns);
		all_ns = figure_add(
			all_ns, figure_add(time->operators_ns, figure_add(time->graphs_ns, time->unlinked_ns)));
	}
	/* a report that is read may say anything */
	return operators_ns >= 0 && operators_ns < all_ns ? (int64_t)((__int128)operators_ns * WHOLE_PPM / all_ns)
							  : WHOLE_PPM;
}

struct time_bar {
	struct doc *doc;
	struct svg_shape *shapes;
	size_t count;
	int64_t sum_ppm, covered_ppm;
};

static struct time_bar time_bar_of(struct doc *doc, size_t parts, int64_t covered_ppm)
{
	return (struct time_bar){ doc, arena_alloc(&doc->arena, (parts + 1) * sizeof(struct svg_shape)), 0, 0,
		covered_ppm };
}

/* Shares are of what operators launched; the bar is all of the time. */
static void add_part(struct time_bar *bar, struct str css, struct str what, int64_t share_ppm)
{
	struct doc *doc = bar->doc;
	int64_t x = bar->sum_ppm * bar->covered_ppm / WHOLE_PPM * BAR_WIDTH / WHOLE_PPM;

	bar->sum_ppm += share_ppm;
	bar->shapes[bar->count++] = (struct svg_shape){ x, 0,
		bar->sum_ppm * bar->covered_ppm / WHOLE_PPM * BAR_WIDTH / WHOLE_PPM - x, BAR_HEIGHT, css,
		doc_format_of(doc, "%.*s %.*s", STR_ARG(what), STR_ARG(doc_percent_of(doc, share_ppm))) };
}

static void put_bar(struct time_bar *bar, const char *css, const char *label_id, struct str target)
{
	int64_t left_ppm = WHOLE_PPM - bar->covered_ppm;

	if (left_ppm) {
		bar->sum_ppm = bar->covered_ppm;
		bar->covered_ppm = WHOLE_PPM;
		add_part(bar, STR("uncovered"), doc_label_of(bar->doc, "time.uncovered"), left_ppm);
	}
	doc_svg(bar->doc,
		&(struct svg){ css, BAR_WIDTH, BAR_HEIGHT, doc_text_with(bar->doc, label_id, BLANK("target", target)),
			bar->shapes, bar->count, .stretched = true });
}

void status_bar_build(struct doc *doc, const struct result_target *target, int64_t covered_ppm)
{
	struct time_bar bar = time_bar_of(doc, target->count_count, covered_ppm);

	for (size_t i = 0; i < target->count_count; i++) {
		struct str status = op_status_name(target->counts[i].status);

		add_part(&bar, doc_format_of(doc, "s-%.*s", STR_ARG(status)), doc_word_of(doc, "status", status),
			target->counts[i].time_ppm);
	}
	put_bar(&bar, "stack", "time.bar", target->id);
}

/* What is certain of each place, and what may be in one or another as the rest, so that each microsecond is there
   once. */
void place_bar_build(struct doc *doc, const struct result_target *target, int64_t covered_ppm)
{
	struct target_place places[TARGET_PLACES];
	size_t count = target_places(target, places);
	struct time_bar bar = time_bar_of(doc, count + 1, covered_ppm);

	for (size_t i = 0; i <= count; i++) {
		const char *id = i < count ? places[i].id : "time.either";

		add_part(&bar, doc_format_of(doc, "w-%s", strchr(id, '.') + 1), doc_label_of(doc, id),
			i < count ? places[i].share.lo_ppm : WHOLE_PPM - bar.sum_ppm);
	}
	put_bar(&bar, "places", "time.places", target->id);
}
