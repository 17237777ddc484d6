#pragma once
/* The values in a list or an object, one after another; of a damaged one, those before the damage. */
#include "json/token.h"

struct json_walk {
	struct json_cursor cursor;
	bool is_object;
};

/* A value that is absent: it is no text, no number, no list and no object. */
#define JSON_ABSENT ((struct json_value){ .kind = JSON_WORD })

/* Starts with the first value of a list or an object; of anything else, there is none. */
static inline struct json_walk json_walk(const struct json_value *container)
{
	bool is_container = (container->kind == JSON_LIST || container->kind == JSON_OBJECT) && container->raw.len;
	const char *start = is_container ? container->raw.ptr + 1 : "";
	const char *end = is_container ? container->raw.ptr + container->raw.len : start;

	return (struct json_walk){ { start, end }, container->kind == JSON_OBJECT };
}

/* The next value, and its name in an object. False behind the last one. */
static inline bool json_walk_next(struct json_walk *walk, struct json_value *ret_name, struct json_value *ret)
{
	bool closed = false;
	struct str name = { 0 };

	*ret_name = JSON_ABSENT;
	if (!walk->is_object)
		return json_item(&walk->cursor, ret, &closed) == JSON_OK && !closed;
	if (json_key(&walk->cursor, &name, &closed) != JSON_OK || closed)
		return false;
	*ret_name = (struct json_value){ JSON_STRING, name.len && memchr(name.ptr, '\\', name.len), name };
	return json_value(&walk->cursor, ret) == JSON_OK;
}

/* The value of the first member of that name, without escapes. False without one, and for anything but an object. */
static inline bool json_member(const struct json_value *object, struct str name, struct json_value *ret)
{
	struct json_walk walk = json_walk(object);
	struct json_value key;

	while (json_walk_next(&walk, &key, ret)) {
		if (walk.is_object && str_eq(key.raw, name))
			return true;
	}
	return false;
}

static inline size_t json_count(const struct json_value *container)
{
	struct json_walk walk = json_walk(container);
	struct json_value name, value;
	size_t count = 0;

	while (json_walk_next(&walk, &name, &value))
		count++;
	return count;
}

static inline bool json_is_word(const struct json_value *value, const char *word)
{
	return value->kind == JSON_WORD && str_eq(value->raw, str_from(word));
}
