#include "record/load.h"

#include "base/memory/mem.h"
#include "json/valid.h"
#include "json/walk.h"
#include "record/kind.h"

void loader_note(struct loader *loader, const char *key)
{
	if (!loader->missing)
		loader->missing = key;
}

struct str loader_keep(struct loader *loader, struct str text)
{
	return loader->shared ? shared_text(loader->shared, text) : arena_keep(loader->arena, text);
}

void *load_items(struct loader *loader, const struct field *field, const struct json_value *array, void *item)
{
	size_t bytes = field->kind->item_bytes ? field->kind->item_bytes : field->record->bytes;
	size_t *count = (size_t *)(void *)((char *)item + field->count.at);
	void **items = field_in(field, item);

	*count = json_count(array);
	if (array->kind == (strcmp(field->kind->json_type, "object") == 0 ? JSON_OBJECT : JSON_LIST))
		return *items = arena_alloc(loader->arena, (*count + 1) * bytes);
	*count = 0;
	loader_note(loader, field->key);
	return NULL;
}

/* --- objects */

static bool is_key(const struct json_value *name, const char *key)
{
	CLEANUP(buf_clear) struct buf text = BUF_UNLIMITED;

	if (!name->escaped)
		return str_eq(name->raw, str_from(key));
	json_text(&text, name);
	return str_eq(buf_str(&text), str_from(key));
}

/* The writer's order: the field of a name is mostly the one behind the field of the name before. */
static const struct field *field_named(
	const struct record *record, const struct field *likely, const struct json_value *name)
{
	for (const struct field *field = likely; field->key; field++) {
		if (!field->kind->is_inline && is_key(name, field->key))
			return field;
	}
	for (const struct field *field = record->fields; field < likely; field++) {
		if (!field->kind->is_inline && is_key(name, field->key))
			return field;
	}
	return NULL;
}

static bool has_key(const struct record *record, const struct json_value *name)
{
	for (const struct field *field = record->fields; field->key; field++) {
		if (!field->kind->is_inline    ? is_key(name, field->key)
			: field->kind->has_key ? field->kind->has_key(name)
					       : field->record && has_key(field->record, name))
			return true;
	}
	return false;
}

static void refuse_key(struct loader *loader, const struct json_value *name)
{
	CLEANUP(buf_clear) struct buf text = BUF_UNLIMITED;

	if (loader->missing)
		return;
	json_text(&text, name);
	loader->missing = arena_keep(loader->arena, buf_str(&text)).ptr;
	loader->is_unknown = true;
}

/* Texts of a missing value are "", not NULL. */
static void clear_texts(const struct field *field, void *item)
{
	if (field->kind->type == MEMBER_TEXT)
		*(struct str *)field_in(field, item) = STR("");
	if (field->kind->type != MEMBER_STRUCT || !field->record)
		return;
	for (const struct field *inner = field->record->fields; inner->key; inner++)
		clear_texts(inner, field_in(field, item));
}

static void load_field(struct loader *loader, const struct field *field, const struct json_value *value, void *item)
{
	bool is_there = value->raw.ptr;

	if (!field->kind->load)
		return;
	if (field->flags & PRESENCE)
		*((bool *)item + field->when.at) = is_there;
	if (is_there) {
		field->kind->load(loader, field, value, item);
		return;
	}
	clear_texts(field, item);
	if (!(field->flags & (OPTIONAL | PRESENCE | LATER)))
		loader_note(loader, field->key);
}

void record_load(struct loader *loader, const struct record *record, const struct json_value *object, void *ret)
{
	struct json_value values[RECORD_FIELDS] = { 0 }, name, value;
	const struct field *likely = record->fields;
	struct json_walk walk = json_walk(object);

	while (json_walk_next(&walk, &name, &value)) {
		const struct field *field = field_named(record, likely, &name);

		if (!field && record->closed && !has_key(record, &name))
			refuse_key(loader, &name);
		if (!field)
			continue;
		if (!values[field - record->fields].raw.ptr)
			values[field - record->fields] = value;
		likely = field + 1;
	}
	for (const struct field *field = record->fields; field->key; field++)
		load_field(loader, field, field->kind->is_inline ? object : &values[field - record->fields], ret);
}

bool record_read(struct loader *loader, struct str json, const struct record *record, void *ret)
{
	struct json_value root = { .raw = str_trim(json) };

	if (!json_valid(json, &loader->bad_at))
		return false;
	loader->bad_at = SIZE_MAX;
	root.kind = root.raw.ptr[0] == '{' ? JSON_OBJECT : JSON_WORD;
	record_load(loader, record, &root, ret);
	return !loader->missing;
}
