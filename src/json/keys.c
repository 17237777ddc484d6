#include "json/keys.h"

void json_keys_init(struct json_keys *keys, int (*meaning)(struct str key))
{
	*keys = (struct json_keys){ .meaning = meaning, .count = 1, .oldest = 1 };
}

/* The position of a known text; else that of a free place or of the oldest one, which becomes it. */
static unsigned key_slot(struct json_keys *keys, struct str text, int meaning)
{
	unsigned at;

	for (at = 1; at < keys->count; at++) {
		if (str_eq((struct str){ keys->known[at].text, keys->known[at].len }, text))
			return at;
	}
	if (at == JSON_KEYS) {
		at = keys->oldest;
		keys->oldest = at + 1 < JSON_KEYS ? at + 1 : 1;
	} else {
		keys->count++;
	}
	keys->known[at] = (struct json_known_key){
		.bytes = UINT64_MAX >> (64 - text.len), .len = (uint8_t)text.len, .meaning = (int16_t)meaning
	};
	memcpy(keys->known[at].text, text.ptr, text.len);
	return at;
}

/* Try this follower first from now on. */
static void put_first(struct json_known_key *last, unsigned next)
{
	unsigned i = 0;

	while (i < JSON_KEYS_NEXT - 1 && last->next[i] != next && last->next[i])
		i++;
	for (; i > 0; i--)
		last->next[i] = last->next[i - 1];
	last->next[0] = (uint8_t)next;
}

enum json_status json_keys_learn(struct json_keys *keys, struct json_cursor *cursor, int *ret_meaning)
{
	struct str text = { cursor->at, 0 }, key;
	bool closed;
	enum json_status status = json_key(cursor, &key, &closed);
	unsigned last = keys->at;

	if (status != JSON_OK)
		return status;
	*ret_meaning = closed ? JSON_KEY_CLOSED : keys->meaning(key);
	if (!closed)
		json_skip_blanks(cursor);
	text.len = (size_t)(cursor->at - text.ptr);
	keys->at = text.len <= JSON_KEY_BYTES ? key_slot(keys, text, *ret_meaning) : 0;
	if (keys->at)
		put_first(&keys->known[last], keys->at);
	return JSON_OK;
}
