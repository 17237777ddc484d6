/* Modules or lines of source by their time: on a page all, else those with most time not certainly on the device. */
#include "report/sections/place_section.h"

#include <inttypes.h>
#include <stdlib.h>

#include "assess/model/words.h"
#include "base/memory/mem.h"
#include "report/drawings/costs.h"
#include "report/sections/findings.h"
#include "report/sections/place_drawing.h"
#include "report/sections/place_name.h"

enum { PLACE_COLUMNS = 13, SHORT_PLACES = 12, PLACE_TARGETS = 2 };

static void put_place_row(struct doc *doc, const struct result_place *place, size_t targets)
{
	doc_row(doc);
	doc_cell_text(doc, doc_percent_of(doc, place->share_ppm));
	for (size_t i = 0; i < targets; i++) {
		const struct result_place_target *target = &place->targets[i];

		doc_cell(doc);
		doc_percent(doc, place->share_ppm - target->device_lo_ppm);
		if (target->blockers)
			doc_printf(doc, " (%" PRIu64 ")", target->blockers);
	}
	doc_cell_text(doc, place->path);
}

/* The least that a place must have off the device to be among so many. */
static int64_t place_threshold(const struct result *result, size_t most)
{
	int64_t *off = mem_zalloc((most + 1) * sizeof(off[0])), least;

	for (size_t i = 0; i < result->places.count; i++) {
		int64_t mine = costs_off_device(&result->places.items[i], result->target_count);
		size_t at = most;

		for (; at > 0 && off[at - 1] < mine; at--)
			off[at] = off[at - 1];
		off[at] = at < most ? mine : off[at];
	}
	least = off[most - 1];
	free(off);
	return least > 0 ? least : 1;
}

static void open_place_table(struct doc *doc, const struct result *result, size_t targets)
{
	struct doc_column *columns = arena_alloc(&doc->arena, (targets + 2) * sizeof(columns[0]));

	columns[0] = (struct doc_column){ .label = "report.share", .width = SHARE_COLUMNS, .number = true };
	for (size_t i = 0; i < targets; i++)
		columns[i + 1] = (struct doc_column){
			.title = result->targets[i].id, .gap = 1, .width = PLACE_COLUMNS, .number = true
		};
	columns[targets + 1] = (struct doc_column){ .title = doc_word_of(
							    doc, "place", word_for(&place_words, result->places.kind)),
		.gap = 2,
		.fit = COLUMN_WRAP };
	doc_table(doc, &(struct doc_table){ .columns = columns, .count = targets + 2 });
}

static bool put_place_rows(struct doc *doc, const struct result *result)
{
	size_t targets = result->target_count < PLACE_TARGETS ? result->target_count : PLACE_TARGETS, shown = 0;
	int64_t least = doc->options.all ? 1 : place_threshold(result, SHORT_PLACES);

	for (size_t i = 0; i < result->places.count; i++) {
		if (costs_off_device(&result->places.items[i], result->target_count) < least ||
			(shown == SHORT_PLACES && !doc->options.all))
			continue;
		if (!shown++)
			open_place_table(doc, result, targets);
		put_place_row(doc, &result->places.items[i], targets);
	}
	if (shown)
		doc_table_end(doc);
	return shown;
}

static void put_place_line(struct doc *doc, const struct result *result, const struct result_place *place)
{
	doc_percent(doc, place->share_ppm);
	doc_text(doc, STR(" "));
	doc_styled(doc, SPAN_NAME, place_name(place));
	for (size_t i = 0; i < result->target_count; i++) {
		const struct result_place_target *target = &place->targets[i];
		int64_t off = place->share_ppm - target->device_lo_ppm;
		struct str text = doc_percent_of(doc, off);

		if (off <= 0 && !target->blockers)
			continue;
		doc_printf(doc, " \xc2\xb7 %.*s ", STR_ARG(result->targets[i].id));
		if (target->blockers)
			text = doc_format_of(doc, "%.*s (%" PRIu64 ")", STR_ARG(text), target->blockers);
		doc_tag_text(doc, SET_STATUS, target->blockers ? STR("unsupported") : STR("cpu-fallback"), text);
	}
}

static void close_places(struct doc *doc, uint32_t *open, uint32_t depth)
{
	for (; *open > depth; --*open) {
		doc_close(doc);
		doc_close(doc);
	}
}

/* Each one after its parent, which can be opened. Those deeper than MOST_NESTED are on one level. */
static void put_place_tree(struct doc *doc, const struct result *result)
{
	enum { SHOWN_OPEN = 2, MOST_NESTED = 100 }; /* levels */
	uint32_t open = 0;                          /* details that are open */

	for (size_t i = 0; i < result->places.count; i++) {
		const struct result_place *place = &result->places.items[i];
		uint32_t next = i + 1 < result->places.count ? result->places.items[i + 1].depth : 0;
		bool holds = next > place->depth && open < MOST_NESTED;

		close_places(doc, &open, place->depth);
		doc_open(doc, holds ? BLOCK_PLACE : BLOCK_PLACE_LEAF);
		if (holds && place->depth < SHOWN_OPEN)
			doc_attribute(doc, "open", STR(""));
		if (holds)
			doc_open(doc, BLOCK_SUMMARY);
		put_place_line(doc, result, place);
		doc_close(doc);
		if (holds)
			doc_open(doc, BLOCK_INSET);
		open += holds;
	}
	close_places(doc, &open, 0);
}

void places_build(struct doc *doc, const struct result *result)
{
	bool shown = true;

	if (!result->places.count)
		return;
	doc_section(doc, result->places.kind == PLACES_MODULES ? "place.title" : "place.title-source");
	if (doc_is(doc, DOC_HTML)) {
		places_draw(doc, result);
		doc_say_label(doc, BLOCK_SOFT, "place.about");
		put_place_tree(doc, result);
	} else {
		shown = put_place_rows(doc, result);
		doc_say_label(doc, BLOCK_SOFT, shown ? "place.about" : "place.fine");
	}
	doc_close(doc);
}
