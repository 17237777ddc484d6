#include "record/nested.h"

#include "base/memory/mem.h"
#include "json/walk.h"

/* --- one struct */

static void put_object(struct jsonw *json, const struct field *field, const void *item)
{
	record_put(json, field->record, field_of(field, item));
}

static void put_inline(struct jsonw *json, const struct field *field, const void *item)
{
	record_put_fields(json, field->record, field_of(field, item));
}

static void load_object(struct loader *loader, const struct field *field, const struct json_value *value, void *item)
{
	record_load(loader, field->record, value, field_in(field, item));
}

static void put_pointer(struct jsonw *json, const struct field *field, const void *item)
{
	record_put(json, field->record, *(void *const *)field_of(field, item));
}

static void load_pointer(struct loader *loader, const struct field *field, const struct json_value *value, void *item)
{
	void *pointed = arena_alloc(loader->arena, field->record->bytes);

	*(void **)field_in(field, item) = pointed;
	record_load(loader, field->record, value, pointed);
}

static void put_pointer_or_null(struct jsonw *json, const struct field *field, const void *item)
{
	if (*(void *const *)field_of(field, item))
		put_pointer(json, field, item);
	else
		jsonw_raw(json, STR("null"));
}

static void load_pointer_or_null(
	struct loader *loader, const struct field *field, const struct json_value *value, void *item)
{
	if (!json_is_word(value, "null"))
		load_pointer(loader, field, value, item);
}

const struct kind kind_object = { "object", "object", MEMBER_STRUCT, .put = put_object, .load = load_object };
const struct kind kind_inline = { "inline", "object", MEMBER_STRUCT, .is_inline = true, .put = put_inline,
	.load = load_object };
const struct kind kind_pointer_or_null = { "pointer_or_null", "object", MEMBER_POINTER, .put = put_pointer_or_null,
	.load = load_pointer_or_null };
const struct kind kind_pointer = { "pointer", "object", MEMBER_POINTER, .put = put_pointer, .load = load_pointer };

/* --- lists */

static void put_item(struct jsonw *json, const struct record *record, const void *item)
{
	if (record->bare)
		record->fields->kind->put(json, record->fields, item);
	else
		record_put(json, record, item);
}

static void put_list(struct jsonw *json, const struct field *field, const void *item)
{
	const char *at = *(void *const *)field_of(field, item);

	jsonw_list(json);
	for (size_t i = 0; i < field_count(field, item); i++)
		put_item(json, field->record, at + i * field->record->bytes);
	jsonw_list_end(json);
}

static void put_pointers(struct jsonw *json, const struct field *field, const void *item)
{
	void *const *at = *(void *const *const *)field_of(field, item);

	jsonw_list(json);
	for (size_t i = 0; i < field_count(field, item); i++)
		put_item(json, field->record, at[i]);
	jsonw_list_end(json);
}

static void load_tuple(struct loader *loader, const struct field *field, const struct json_value *list, void *item)
{
	struct json_walk walk = json_walk(list);
	struct json_value name, value;

	for (const struct field *part = field->record->fields; part->key; part++) {
		struct field named = *part;

		named.key = field->key;
		if (!json_walk_next(&walk, &name, &value))
			value = JSON_ABSENT;
		part->kind->load(loader, &named, &value, item);
	}
}

static void load_each(struct loader *loader, const struct field *field, const struct json_value *value, void *item)
{
	enum { LONG_BYTES = 1024 * 1024 };
	char *at = load_items(loader, field, value, item);
	struct json_walk walk = json_walk(at ? value : &JSON_ABSENT);
	const char *spent = loader->spends && value->raw.len > LONG_BYTES ? value->raw.ptr : NULL;
	struct json_value name, child;

	for (; json_walk_next(&walk, &name, &child); at += field->record->bytes) {
		if (field->record->tuple)
			load_tuple(loader, field, &child, at);
		else
			record_load(loader, field->record, &child, at);
		if (spent && child.raw.ptr - spent > LONG_BYTES) {
			mem_give_back(spent, child.raw.ptr);
			spent = child.raw.ptr;
		}
	}
}

static void load_list(struct loader *loader, const struct field *field, const struct json_value *value, void *item)
{
	bool shares = loader->shared && field->record->shared;
	const struct shared_list *same = shares ? shared_find(loader->shared, value->raw, field->record) : NULL;
	void **items = field_in(field, item);
	size_t *count = (size_t *)(void *)((char *)item + field->count.at);

	if (same) {
		*items = same->items;
		*count = same->count;
		return;
	}
	load_each(loader, field, value, item);
	if (shares)
		shared_add(loader->shared, &(struct shared_list){ value->raw, field->record, *items, *count });
}

const struct kind kind_list = { "list", "array", MEMBER_ITEMS, .put = put_list, .load = load_list };
const struct kind kind_pointers = { "pointers", "array", MEMBER_ITEMS, .item_bytes = sizeof(void *),
	.put = put_pointers };

/* --- maps */

static struct record values_of(const struct record *record)
{
	struct record values = *record;

	values.fields++;
	return values;
}

static struct str map_key(const struct field *key, const void *item)
{
	const void *at = field_of(key, item);

	return key->words ? word_for(key->words, *(const unsigned *)at) : *(const struct str *)at;
}

static void put_map(struct jsonw *json, const struct field *field, const void *item)
{
	const struct record values = values_of(field->record);
	const char *at = *(void *const *)field_of(field, item), *end = at + field_count(field, item) * values.bytes;

	jsonw_object(json);
	for (; at < end; at += values.bytes) {
		jsonw_key_view(json, map_key(field->record->fields, at));
		put_item(json, &values, at);
	}
	jsonw_object_end(json);
}

static void load_map(struct loader *loader, const struct field *field, const struct json_value *value, void *item)
{
	const struct record values = values_of(field->record);
	struct field key = field->record->fields[0];
	char *at = load_items(loader, field, value, item);
	struct json_walk walk = json_walk(at ? value : &JSON_ABSENT);
	struct json_value name, child;

	key.key = field->key;
	for (; json_walk_next(&walk, &name, &child); at += values.bytes) {
		key.kind->load(loader, &key, &name, at);
		if (values.bare)
			values.fields->kind->load(loader, values.fields, &child, at);
		else
			record_load(loader, &values, &child, at);
	}
}

/* In the order of the map that it goes with. */
static void load_map_values(
	struct loader *loader, const struct field *field, const struct json_value *value, void *item)
{
	const struct field *of_item = field->record->fields + 1;
	char *at = *(char **)field_in(field, item);
	struct json_walk walk = json_walk(value);
	struct json_value name, child;

	for (size_t i = 0; i < field_count(field, item); i++, at += field->record->bytes) {
		if (!walk.is_object || !json_walk_next(&walk, &name, &child))
			child = JSON_ABSENT;
		of_item->kind->load(loader, of_item, &child, at);
	}
}

const struct kind kind_map = { "map", "object", MEMBER_ITEMS, .put = put_map, .load = load_map };
const struct kind kind_map_values = { "map_values", "object", MEMBER_ITEMS, .put = put_map, .load = load_map_values };
