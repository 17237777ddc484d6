#include "dump/trace/places.h"

#include <stdlib.h>

#include "base/memory/arena.h"
#include "base/memory/hash.h"
#include "base/memory/map.h"
#include "base/memory/mem.h"

enum { MAX_PLACE_BYTES = 1024, MAX_TEXT_BYTES = 4 << 20 };

/* A text of the trace by its hash, and its number. */
struct answer {
	uint64_t hash;
	struct trace_place place;
	uint32_t text;
	enum python_frame frame;
};

struct trace_places {
	const struct dump_context *context;
	uint64_t seed;
	struct arena arena;
	MEM_LIST(struct str) texts;
	struct map by_text;
	MEM_LIST(struct answer) answers;
	struct map by_hash;
	struct buf scratch;
};

struct trace_places *trace_places_new(const struct dump_context *context)
{
	/* the limit of an event bounds scratch */
	return MEM_NEW(struct trace_places, .context = context, .seed = hash_seed(),
		.arena = ARENA_INIT(MAX_TEXT_BYTES), .scratch = BUF_UNLIMITED);
}

void trace_places_free(struct trace_places *places)
{
	arena_clear(&places->arena);
	free(places->texts.items);
	free(places->answers.items);
	map_clear(&places->by_text);
	map_clear(&places->by_hash);
	buf_clear(&places->scratch);
	free(places);
}

/* The number of a text; 0 when it is too long or there are too many. */
static uint32_t text_at(struct trace_places *places, struct str text)
{
	uint32_t known = MAP_FIND(&places->by_text, places->texts.items, text);
	struct str copy;

	if (known != MAP_NONE)
		return known + 1;
	if (text.len > MAX_PLACE_BYTES || places->texts.count >= places->context->limits->places ||
		!arena_copy(&places->arena, text, &copy)) {
		places->context->facts->dropped_frames++;
		return 0;
	}
	map_add_name(&places->by_text, copy, (uint32_t)places->texts.count);
	MEM_PUSH(&places->texts, copy);
	return (uint32_t)places->texts.count;
}

/* --- what was asked before */

static const struct answer *answer_of(const struct trace_places *places, uint64_t hash)
{
	struct map_cursor at = map_start(&places->by_hash, hash);

	while (map_next(&places->by_hash, &at)) {
		if (places->answers.items[at.index].hash == hash)
			return &places->answers.items[at.index];
	}
	return NULL;
}

static void remember(struct trace_places *places, const struct answer *answer)
{
	if (places->answers.count >= places->context->limits->places)
		return;
	map_add(&places->by_hash, answer->hash, (uint32_t)places->answers.count);
	MEM_PUSH(&places->answers, *answer);
}

static struct str text_of(struct trace_places *places, const struct json_value *value)
{
	buf_reset(&places->scratch);
	json_text(&places->scratch, value);
	return str_trim(buf_str(&places->scratch));
}

enum { ASKED_FRAME = 1, ASKED_LABEL, ASKED_STACK, ASKED_PATH }; /* kept apart by the seed of their hash */

enum python_frame trace_places_frame(struct trace_places *places, const struct json_value *name, uint32_t *ret_text)
{
	uint64_t hash = hash_str(places->seed + ASKED_FRAME, name->raw);
	const struct answer *known = answer_of(places, hash);
	struct answer answer = { .hash = hash };
	struct str text;

	if (!known) {
		answer.frame = python_frame_of(text_of(places, name), &text);
		answer.text = answer.frame == FRAME_OTHER ? 0 : text_at(places, text);
		remember(places, &answer);
		known = &answer;
	}
	*ret_text = known->text;
	return known->text ? known->frame : FRAME_OTHER;
}

uint32_t trace_places_label(struct trace_places *places, const struct json_value *name)
{
	struct str text = text_of(places, name);

	return python_label_is_part(text) ? text_at(places, text) : 0;
}

/* --- call stacks */

/* The frame before *end, a position in the stack, which moves to its beginning. */
static struct str frame_before(struct str stack, size_t *end)
{
	size_t from = *end;
	struct str frame;

	while (from && stack.ptr[from - 1] != ';')
		from--;
	frame = str_sub(stack, from, *end);
	*end = from ? from - 1 : 0;
	return str_trim(frame);
}

/* From the outermost frame to the innermost, which stands first. */
static struct trace_place walk_stack(struct trace_places *places, struct str stack)
{
	struct trace_place place = { 0 };
	struct str text;

	for (size_t end = stack.len; end;) {
		switch (python_frame_of(frame_before(stack, &end), &text)) {
		case FRAME_MODULE:
			place.module = trace_places_inside(places, place.module, text_at(places, text));
			break;
		case FRAME_SOURCE:
			place.source = text_at(places, text);
			break;
		case FRAME_OTHER:
			break;
		}
	}
	return place;
}

struct trace_place trace_places_stack(struct trace_places *places, const struct json_value *stack)
{
	uint64_t hash = hash_str(places->seed + ASKED_STACK, stack->raw);
	const struct answer *known = answer_of(places, hash);
	struct answer answer = { .hash = hash };
	struct buf text;

	if (known)
		return known->place;
	if (stack->kind != JSON_STRING || !stack->raw.len)
		return answer.place;
	text = BUF_UNLIMITED;
	json_text(&text, stack);
	answer.place = walk_stack(places, buf_str(&text));
	buf_clear(&text);
	remember(places, &answer);
	return answer.place;
}

uint32_t trace_places_hierarchy(struct trace_places *places, const struct json_value *hierarchy)
{
	struct str text;

	if (hierarchy->kind != JSON_STRING)
		return 0;
	text = text_of(places, hierarchy);
	return text.len ? text_at(places, text) : 0;
}

/* --- paths */

uint32_t trace_places_inside(struct trace_places *places, uint32_t outer, uint32_t part)
{
	uint64_t hash = hash_mix(places->seed + ASKED_PATH, ((uint64_t)outer << 32 | part) ^ 0x9e3779b97f4a7c15u);
	const struct answer *known;
	struct answer answer = { .hash = hash };
	uint32_t path;

	if (!outer || !part)
		return outer | part;
	known = answer_of(places, hash);
	if (known)
		return known->text;
	buf_reset(&places->scratch);
	buf_add(&places->scratch, trace_places_text(places, outer));
	buf_byte(&places->scratch, '/');
	buf_add(&places->scratch, trace_places_text(places, part));
	path = text_at(places, buf_str(&places->scratch));
	answer.text = path ? path : outer; /* the outer one holds, too */
	remember(places, &answer);
	return answer.text;
}

struct str trace_places_text(const struct trace_places *places, uint32_t place)
{
	return places->texts.items[place - 1];
}
