#include "check/lookup/lookup_page.h"

#include "opdb/db/lists.h"
#include "report/drawings/strip.h"

enum { LABEL_WIDTH = 160, STRIP_WIDTH = 840, ROW_HEIGHT = 40, STRIP_HEIGHT = 18 };

/* The meaning of a status is a height as well as a colour. */
static const struct {
	const char *css;
	int64_t height;
} status_looks[] = {
	[CLASS_DEVICE] = { "fine", STRIP_HEIGHT },
	[CLASS_CPU] = { "limited", STRIP_HEIGHT * 2 / 3 },
	[CLASS_BLOCKED] = { "stops", STRIP_HEIGHT / 3 },
	[CLASS_UNKNOWN] = { "unknown", STRIP_HEIGHT },
};

/* Over the releases from one to another; the title says which, and how far. */
static void add_run(struct strip *strip, int64_t y, const struct transition *run)
{
	const struct release *first = run->release, *last = run->last;
	enum status_class meaning = op_status_class(run->status);
	struct svg_shape *shape = strip_cell(strip, first->place, (int64_t)last->place + 1,
		y + STRIP_HEIGHT - status_looks[meaning].height, status_looks[meaning].height);

	shape->css = str_from(status_looks[meaning].css);
	shape->title = doc_format_of(strip->doc, "%.*s%s%.*s: %.*s", STR_ARG(first->name), first == last ? "" : " .. ",
		STR_ARG(first == last ? STR("") : last->name),
		STR_ARG(doc_word_of(strip->doc, "status", op_status_name(run->status))));
}

void lookup_build_life(struct doc *doc, const struct opdb *db, const struct lookup *lookup)
{
	struct strip strip = { .doc = doc, .left = LABEL_WIDTH, .width = STRIP_WIDTH, .between = 1 };
	size_t most = 0, releases;
	int64_t y = 0;
	bool drawn[TARGET_COUNT] = { false };

	for (size_t i = 0; i < lookup->count; i++)
		most += lookup->answers[i].history.count + 1;
	if (most == lookup->count)
		return;
	strip_room(&strip, most);
	for (size_t i = 0; i < lookup->count; i++) {
		const struct lookup_answer *answer = &lookup->answers[i];
		enum target_kind target = answer->target->release->target;

		if (drawn[target])
			continue;
		drawn[target] = true;
		opdb_target_releases(db, target, &releases);
		strip.total = (int64_t)releases;
		strip_name(&strip, y, STRIP_HEIGHT, target_plugin_name(target));
		strip.shapes[strip.count - 1].title = STR(""); /* it says no more */
		for (size_t j = 0; j < answer->history.count; j++)
			add_run(&strip, y, &answer->history.transitions[j]);
		y += ROW_HEIGHT;
	}
	doc_svg_patterns(doc);
	strip_draw(&strip, "releases life", y, doc_label_of(doc, "page.history"));
}

void lookup_build_head(struct doc *doc, const struct lookup *lookup)
{
	doc_say_printf(doc, BLOCK_TITLE_NAME, "%.*s%s%.*s", STR_ARG(lookup->name.len ? lookup->name : lookup->api),
		lookup->overload.len ? "." : "", STR_ARG(lookup->overload));
	if (lookup->known_in.len) {
		doc_say_printf(doc, BLOCK_META, "PyTorch %.*s", STR_ARG(lookup->known_in));
	}
}
