/* Modules and lines of source as an icicle: each below the one that holds it, as wide as its share of the time. */
#include "report/sections/place_drawing.h"

#include "report/drawings/drawing.h"
#include "report/sections/place_name.h"
#include "report/sections/time_section.h"

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

static const struct look {
	const char *css, *mark;
} fine = { "fine", "" }, limited = { "limited", "\xe2\x96\xb2 " }, stops = { "stops", "\xe2\x9c\x96 " },
  unknown = { "unknown", "? " };

/* The worst of what is in the place. */
static const struct look *look_of(const struct result_place *place, size_t target)
{
	const struct result_place_target *there = &place->targets[target];

	if (there->blockers)
		return &stops;
	if (there->unknown_ppm)
		return &unknown;
	return there->device_lo_ppm < place->share_ppm ? &limited : &fine;
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

void places_draw(struct doc *doc, const struct result *result)
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
