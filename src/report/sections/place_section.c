/* Modules or lines of source by their time: on a page all, else those with most time not certainly on the device. */
#include "report/sections/place_section.h"

#include <inttypes.h>
#include <stdlib.h>

#include "assess/model/words.h"
#include "base/memory/mem.h"
#include "report/drawings/costs.h"
#include "report/drawings/drawing.h"
#include "report/sections/findings.h"
#include "report/sections/time_section.h"
#include "report/sections/verdict.h"

enum { PLACE_COLUMNS = 13, SHORT_PLACES = 12, PLACE_TARGETS = 2 };

struct str place_name(const struct result_place *place)
{
	size_t at = place->path.len;

	while (at && place->path.ptr[at - 1] != '/')
		at--;
	return place->depth ? str_skip(place->path, at) : place->path;
}

/* --- rows and lines */

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

/* --- an icicle a target: each place below the one that holds it, as wide as its share of the time */

enum {
	ICICLE_WIDTH = 1160,
	ROW_HEIGHT = 24,
	LEVELS = 12, /* deeper ones are in the list alone */
	MOST_TILES = 400,
	LEAST_WIDTH = 3, /* so do narrower ones */
	DRAWINGS = 4
};

struct icicle {
	struct doc *doc;
	size_t target;
	int64_t whole; /* the full width: the sum of the outermost */
	int64_t next[LEVELS + 1],
		end[LEVELS + 1]; /* of each level, in the units of shares: free room of what is open */
	struct svg_shape *shapes;
	size_t count;
	uint32_t levels; /* drawn */
};

/* The worst of what is in the place. */
static const struct look *look_of(const struct result_place *place, size_t target)
{
	const struct result_place_target *there = &place->targets[target];

	if (there->blockers)
		return &status_looks[LOOK_STOPS];
	if (there->unknown_ppm)
		return &status_looks[LOOK_UNKNOWN];
	return &status_looks[there->device_lo_ppm < place->share_ppm ? LOOK_LIMITED : LOOK_FINE];
}

static struct str title_of(const struct icicle *icicle, const struct result_place *place)
{
	const struct result_place_target *there = &place->targets[icicle->target];
	struct doc *doc = icicle->doc;

	return doc_text_with(doc, "place.tile", BLANK("place", place->path),
		BLANK("share", doc_percent_of(doc, place->share_ppm)),
		BLANK("off", doc_percent_of(doc, place->share_ppm - there->device_lo_ppm)),
		NUMBER("blockers", there->blockers));
}

/* Shares of an edited report may exceed those around them: a tile stays inside its parent. */
static void add_tile(struct icicle *icicle, const struct result_place *place)
{
	uint32_t level = place->depth;
	int64_t from, to, x;
	const struct look *look = look_of(place, icicle->target);

	if (level >= LEVELS || icicle->count == MOST_TILES)
		return;
	from = icicle->next[level];
	to = from + place->share_ppm < icicle->end[level] ? from + place->share_ppm : icicle->end[level];
	icicle->next[level] = to;
	icicle->next[level + 1] = from;
	icicle->end[level + 1] = to;
	if ((to - from) * ICICLE_WIDTH / icicle->whole < LEAST_WIDTH)
		return;
	icicle->levels = level + 1 > icicle->levels ? level + 1 : icicle->levels;
	x = from * ICICLE_WIDTH / icicle->whole;
	icicle->shapes[icicle->count++] = (struct svg_shape){ x, (int64_t)level * ROW_HEIGHT,
		to * ICICLE_WIDTH / icicle->whole - x, ROW_HEIGHT, str_from(look->css), title_of(icicle, place),
		doc_format_of(icicle->doc, "%s%.*s", look->mark, STR_ARG(place_name(place))) };
}

static void draw_target(struct doc *doc, const struct result *result, size_t target, int64_t whole)
{
	struct icicle icicle = { .doc = doc, .target = target, .whole = whole };

	icicle.shapes = arena_alloc(&doc->arena, MOST_TILES * sizeof(icicle.shapes[0]));
	icicle.end[0] = whole;
	for (size_t i = 0; i < result->places.count; i++)
		add_tile(&icicle, &result->places.items[i]);
	doc_svg(doc, &(struct svg){ "map icicle", ICICLE_WIDTH, (int64_t)icicle.levels * ROW_HEIGHT,
			     doc_text_with(doc, "place.map", BLANK("target", result->targets[target].id)),
			     icicle.shapes, icicle.count });
}

static void places_draw(struct doc *doc, const struct result *result)
{
	size_t drawings = result->target_count < DRAWINGS ? result->target_count : DRAWINGS;
	int64_t whole = 0;

	for (size_t i = 0; i < result->places.count && whole < WHOLE_PPM; i++)
		whole += result->places.items[i].depth ? 0 : result->places.items[i].share_ppm;
	whole = whole < WHOLE_PPM ? whole : WHOLE_PPM;
	doc_open(doc, BLOCK_TABS);
	for (size_t i = 0; i < drawings && whole > 0; i++) {
		target_tab_open(doc, result, i, "place");
		draw_target(doc, result, i, whole);
		doc_close(doc);
	}
	doc_close(doc);
}

/* --- the section */

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
