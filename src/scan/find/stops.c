#include "scan/find/stops.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/value/words.h"

enum { UP_MOST = 64, LINES_MOST = 200 };

/* --- one row a script */

static bool is_test(struct str path)
{
	struct str name = str_from(str_file_name(path.ptr));

	return str_starts(name, STR("test_")) || str_eq(name, STR("conftest.py")) || str_has(path, STR("tests/"));
}

/* Returns whether a loop around the node takes steps backward, in the function that the node is in. */
static bool is_trained(const struct syntax *syntax, uint32_t node, uint32_t *known, bool *known_trains)
{
	for (unsigned i = 0; i < UP_MOST && node; i++, node = syntax->items[node].parent) {
		enum syntax_kind kind = syntax->items[node].kind;
		bool trains = false;

		if (kind == SYN_FUNCTION)
			return false;
		if (kind != SYN_FOR && kind != SYN_WHILE)
			continue;
		if (*known == node && *known_trains)
			return true;
		for (uint32_t at = node; *known != node && at < syntax->items[node].end && !trains; at++)
			trains = syntax->items[at].kind == SYN_ATTRIBUTE &&
				 str_eq(syntax_child_text(syntax, at, SYN_AS_ATTRIBUTE), STR("backward"));
		*known = node;
		*known_trains = trains;
		if (trains)
			return true;
	}
	return false;
}

/* Places of one script, together. */
struct sum {
	struct source_place *first;
	MEM_LIST(uint32_t) lines;
	MEM_LIST(struct str) names;
};

static void add_place(struct sum *sum, struct source_place *place)
{
	uint32_t line, column;

	syntax_place(&place->script->syntax, place_anchor(place), &line, &column);
	if (!sum->first)
		sum->first = place;
	else
		place->summed = true;
	MEM_PUSH(&sum->lines, line);
	if (!STR_IS_AMONG(sum->names.items, sum->names.count, place->name))
		MEM_PUSH(&sum->names, place->name);
}

static int by_number(const void *a, const void *b)
{
	const uint32_t *left = a, *right = b;

	return ORDER(*left, *right);
}

static void put_sum(struct check *check, struct sum *sum)
{
	CLEANUP(buf_clear) struct buf text = BUF_UNLIMITED;
	struct stops *stops = arena_alloc(&check->text, sizeof(*stops));
	size_t shown = 0;

	stops->count = sum->lines.count;
	for (size_t i = 0; i < sum->names.count; i++)
		buf_printf(&text, "%s%.*s", i ? ", " : "", STR_ARG(sum->names.items[i]));
	stops->names = arena_keep(&check->text, buf_str(&text));
	text.len = 0;
	MEM_SORT(&sum->lines, by_number);
	for (size_t i = 0; i < sum->lines.count && shown < LINES_MOST; i++) {
		if (!i || sum->lines.items[i] != sum->lines.items[i - 1])
			buf_printf(&text, "%s%" PRIu32, shown++ ? ", " : "", sum->lines.items[i]);
	}
	buf_add(&text, shown == LINES_MOST ? STR(", ...") : STR(""));
	stops->lines = arena_keep(&check->text, buf_str(&text));
	if (sum->lines.count > 1)
		sum->first->stops = stops;
	sum->lines.count = sum->names.count = 0;
	sum->first = NULL;
}

void stops_sum(struct check *check)
{
	struct sum sum = { 0 };
	const struct script *script = NULL;
	uint32_t loop = 0;
	bool trains = false;

	for (size_t i = 0; i < check->places.count; i++) {
		struct source_place *place = &check->places.items[i];

		if (!rule_is(place->rule, "src-dynamic"))
			continue;
		if (place->script != script && sum.first)
			put_sum(check, &sum);
		if (place->script != script)
			loop = 0;
		script = place->script;
		if (is_test(script->path) || !is_trained(&script->syntax, place->node, &loop, &trains))
			add_place(&sum, place);
	}
	if (sum.first)
		put_sum(check, &sum);
	free(sum.lines.items);
	free(sum.names.items);
}
