#include "dump/distributed.h"

#include "base/mem.h"
#include "json/token.h"

static bool take_count(const struct json_value *value, uint64_t *ret)
{
	int64_t number;

	if (!json_scaled(value, 1, &number) || number < 0)
		return false;
	*ret = (uint64_t)number;
	return true;
}

static void take_backend(const struct json_value *value, struct dump_facts *facts)
{
	CLEANUP(buf_clear) struct buf text = BUF_INIT(sizeof(facts->backend.text));

	json_text(&text, value);
	facts->backend = shown(buf_str(&text));
}

/* {"backend": "nccl", "rank": 3, "world_size": 8, ...}; what came whole before damage counts. */
static void read_object(struct json_cursor *cursor, struct dump_facts *facts)
{
	struct json_value value;
	struct str key;
	bool closed;

	if (json_open(cursor, '{') != JSON_OK)
		return;
	while (json_key(cursor, &key, &closed) == JSON_OK && !closed && json_value(cursor, &value) == JSON_OK) {
		if (str_eq(key, STR("rank")))
			facts->has_rank = take_count(&value, &facts->rank);
		else if (str_eq(key, STR("world_size")))
			take_count(&value, &facts->world_size);
		else if (str_eq(key, STR("backend")) && value.kind == JSON_STRING)
			take_backend(&value, facts);
	}
}

void distributed_find(struct str head, struct dump_facts *facts)
{
	static const struct str name = { "\"distributedInfo\"", 17 };
	size_t events = str_find(head, STR("\"traceEvents\"")), at;
	struct json_cursor cursor;

	head = str_sub(head, 0, events == STR_NONE ? head.len : events);
	at = str_find(head, name);
	if (at == STR_NONE)
		return;
	cursor = (struct json_cursor){ head.ptr + at + name.len, head.ptr + head.len };
	if (json_open(&cursor, ':') == JSON_OK)
		read_object(&cursor, facts);
}
