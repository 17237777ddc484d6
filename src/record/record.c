#include "record/record.h"

#include "record/kind.h"

static bool is_zero(const char *bytes, size_t count)
{
	while (count && !*bytes) {
		bytes++;
		count--;
	}
	return !count;
}

/* Returns whether an optional field is left out. */
static bool is_left_out(const struct field *field, const void *item)
{
	const struct record_part *part = field->when.bytes ? &field->when : &field->at;

	if (field->is_written)
		return !field->is_written(item);
	if (!field->when.bytes && field->kind->type == MEMBER_TEXT)
		return !((const struct str *)field_of(field, item))->len;
	if (!field->when.bytes && field->kind->type == MEMBER_ITEMS)
		part = &field->count;
	return is_zero((const char *)item + part->at, part->bytes);
}

static void put_field(struct jsonw *json, const struct field *field, const void *item)
{
	if (field->flags & (OPTIONAL | PRESENCE) && is_left_out(field, item))
		return;
	if (!field->kind->is_inline)
		jsonw_key(json, field->key);
	field->kind->put(json, field, item);
}

void record_put_fields(struct jsonw *json, const struct record *record, const void *item)
{
	for (const struct field *field = record->fields; field->key; field++)
		put_field(json, field, item);
}

void record_put(struct jsonw *json, const struct record *record, const void *item)
{
	if (record->tuple) {
		jsonw_list(json);
		for (const struct field *field = record->fields; field->key; field++)
			field->kind->put(json, field, item);
		jsonw_list_end(json);
		return;
	}
	jsonw_object(json);
	record_put_fields(json, record, item);
	jsonw_object_end(json);
}

void record_put_key(struct jsonw *json, const char *key, const struct record *record, const void *item)
{
	jsonw_key(json, key);
	record_put(json, record, item);
}

void record_put_list(struct jsonw *json, const char *key, const struct record *record, const void *items, size_t count)
{
	jsonw_key_list(json, key);
	for (size_t i = 0; i < count; i++)
		record_put(json, record, (const char *)items + i * record->bytes);
	jsonw_list_end(json);
}
