#include "server/page_life.h"

#include "base/mem.h"
#include "opdb/db/lists.h"
#include "report/drawing.h"

enum { LABEL_WIDTH = 160, STRIP_WIDTH = 840, ROW_HEIGHT = 40, STRIP_HEIGHT = 18 };

/* What a status means is a height as well as a colour. */
static const struct {
	const char *css;
	int64_t height;
} looks[] = {
	[CLASS_DEVICE] = { "fine", STRIP_HEIGHT },
	[CLASS_CPU] = { "limited", STRIP_HEIGHT * 2 / 3 },
	[CLASS_BLOCKED] = { "stops", STRIP_HEIGHT / 3 },
	[CLASS_UNKNOWN] = { "unknown", STRIP_HEIGHT },
};

struct life {
	struct doc *doc;
	const struct opdb *db;
	struct svg_shape *shapes;
	size_t count;
	int64_t y;
};

/* Over the releases from one to another; the title says which, and how far. */
static void add_run(struct life *life, const struct transition *run)
{
	const struct release *first = run->release, *last = run->last;
	enum status_class meaning = op_status_class(run->status);
	size_t count;
	int64_t from, to;

	opdb_target_releases(life->db, first->target, &count);
	from = LABEL_WIDTH + STRIP_WIDTH * (int64_t)first->place / (int64_t)count;
	to = LABEL_WIDTH + STRIP_WIDTH * ((int64_t)last->place + 1) / (int64_t)count;
	life->shapes[life->count++] = (struct svg_shape){ .x = from,
		.y = life->y + STRIP_HEIGHT - looks[meaning].height,
		.width = to - from - 1,
		.height = looks[meaning].height,
		.css = str_from(looks[meaning].css),
		.title = doc_format_of(life->doc, "%.*s%s%.*s: %.*s", STR_ARG(first->name), first == last ? "" : " .. ",
			STR_ARG(first == last ? STR("") : last->name),
			STR_ARG(doc_word_of(life->doc, "status", op_status_name(run->status)))) };
}

static void add_answer(struct life *life, const struct lookup_answer *answer)
{
	struct str plugin = target_plugin_name(answer->target->release->target);

	life->shapes[life->count++] = (struct svg_shape){
		.y = life->y, .width = LABEL_WIDTH, .height = STRIP_HEIGHT, .css = STR("label"), .text = plugin
	};
	for (size_t i = 0; i < answer->history.count; i++)
		add_run(life, &answer->history.transitions[i]);
	life->y += ROW_HEIGHT;
}

void life_draw(struct doc *doc, const struct opdb *db, const struct lookup *lookup)
{
	struct life life = { .doc = doc, .db = db };
	size_t most = 0;

	for (size_t i = 0; i < lookup->count; i++)
		most += lookup->answers[i].history.count + 1;
	if (most == lookup->count)
		return;
	life.shapes = arena_alloc(&doc->arena, most * sizeof(life.shapes[0]));
	for (size_t i = 0; i < lookup->count; i++)
		add_answer(&life, &lookup->answers[i]);
	doc_svg_patterns(doc);
	doc_svg(doc, &(struct svg){ .css = "releases life",
			     .width = LABEL_WIDTH + STRIP_WIDTH,
			     .height = life.y,
			     .label = doc_label_of(doc, "page.history"),
			     .shapes = life.shapes,
			     .count = life.count });
}
