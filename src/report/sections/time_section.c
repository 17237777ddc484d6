/* The time as a map of the operators. */
#include "report/sections/time_section.h"

#include "base/memory/mem.h"
#include "report/drawings/drawing.h"
#include "report/drawings/treemap.h"
#include "report/sections/operator_index.h"
#include "report/sections/verdict.h"

enum { MAP_WIDTH = 1160, MAP_HEIGHT = 320, MAP_TILES = 250, MAPS = 4 };

struct time_map {
	struct doc *doc;
	const struct result *result;
	size_t target;
	const struct result_finding **findings; /* of each operator, NULL without one */
};

/* The first finding about each operator on the target, and so the gravest, unless it is a note. */
static void gather_findings(struct time_map *map)
{
	const struct result *result = map->result;
	CLEANUP(map_clear) struct map by_name = operators_map(result);

	map->findings = arena_alloc(&map->doc->arena, (result->operator_count + 1) * sizeof(map->findings[0]));
	for (size_t i = 0; i < result->finding_count; i++) {
		const struct result_finding *finding = &result->findings[i];
		const struct result_operator *op = operators_find(&by_name, result, finding->operator_name);

		if (op && finding->severity != SEVERITY_NOTE && !map->findings[op - result->operators] &&
			str_eq(finding->target, result->targets[map->target].id))
			map->findings[op - result->operators] = finding;
	}
}

static void set_tile(const struct time_map *map, struct svg_shape *tile, size_t at)
{
	struct doc *doc = map->doc;
	const struct result_operator *op = &map->result->operators[at];
	const struct result_verdict *verdict = &op->verdicts[map->target];
	const struct result_finding *finding = map->findings[at];
	enum status_look look = status_look(verdict);
	size_t colons = str_find(op->name, STR("::"));

	if (look == LOOK_FINE && finding)
		look = LOOK_LIMITED;

	tile->title = doc_text_with(doc, "time.tile", BLANK("operator", op->name),
		BLANK("status", status_in_words(doc, verdict)), BLANK("share", doc_percent_of(doc, op->share_ppm)));
	if (finding)
		tile->title = doc_format_of(
			doc, "%.*s \xc2\xb7 %.*s", STR_ARG(tile->title), STR_ARG(doc_message_of(doc, &finding->what)));
	tile->text = doc_format_of(doc, "%s%.*s", status_looks[look].mark,
		STR_ARG(colons == STR_NONE ? op->name : str_skip(op->name, colons + 2)));
	tile->css = str_from(status_looks[look].css);
}

static void map_build(struct doc *doc, const struct result *result, size_t at)
{
	size_t shown = result->operator_count < MAP_TILES ? result->operator_count : MAP_TILES,
	       left = result->operator_count - shown, count = shown + (left > 0);
	struct svg_shape *tiles = arena_alloc(&doc->arena, (count + 1) * sizeof(tiles[0]));
	int64_t *areas = arena_alloc(&doc->arena, (count + 1) * sizeof(areas[0]));
	struct time_map map = { .doc = doc, .result = result, .target = at };

	gather_findings(&map);
	for (size_t i = 0; i < result->operator_count; i++)
		areas[i < shown ? i : shown] = (i > shown ? areas[shown] : 0) + result->operators[i].share_ppm;
	treemap_layout(tiles, areas, count, MAP_WIDTH, MAP_HEIGHT);
	for (size_t i = 0; i < shown; i++)
		set_tile(&map, &tiles[i], i);
	if (left) {
		tiles[shown].css = STR("rest");
		tiles[shown].title = tiles[shown].text = doc_text_with(
			doc, "time.rest", NUMBER("count", left), BLANK("share", doc_percent_of(doc, areas[shown])));
	}
	doc_svg(doc, &(struct svg){ "map", MAP_WIDTH, MAP_HEIGHT,
			     doc_text_with(doc, "time.map", BLANK("target", result->targets[at].id)), tiles, count });
}

void target_tab_open(struct doc *doc, const struct result *result, size_t target, const char *group)
{
	doc_open(doc, BLOCK_MORE);
	doc_attribute(doc, "name", str_from(group));
	if (target == 0)
		doc_attribute(doc, "open", STR(""));
	doc_say_styled(doc, BLOCK_SUMMARY, SPAN_NAME, result->targets[target].id);
}

void time_build(struct doc *doc, const struct result *result)
{
	size_t maps = result->target_count < MAPS ? result->target_count : MAPS;

	if (!result->operator_count)
		return;
	doc_section(doc, result->basis == BASIS_CALLS ? "time.title-calls" : "time.title");
	doc_open(doc, BLOCK_TABS);
	for (size_t i = 0; i < maps; i++) {
		target_tab_open(doc, result, i, "time");
		map_build(doc, result, i);
		doc_close(doc);
	}
	doc_close(doc);
	if (maps < result->target_count)
		doc_say_count(doc, BLOCK_PARAGRAPH, "time.further", result->target_count - maps);
	doc_say_label(doc, BLOCK_SOFT, result->basis == BASIS_CALLS ? "time.about-calls" : "time.about");
	doc_close(doc);
}
