#include "record/load.h"

#include "base/value/utf8.h"
#include "record/kind.h"

void loader_note(struct loader *loader, const char *key)
{
	if (!loader->missing)
		loader->missing = key;
}

void *load_items(struct loader *loader, const struct field *field, const cJSON *array, void *item)
{
	size_t bytes = field->kind->item_bytes ? field->kind->item_bytes : field->record->bytes;
	size_t *count = (size_t *)(void *)((char *)item + field->count.at);
	void **items = field_in(field, item);

	*count = array ? (size_t)cJSON_GetArraySize(array) : 0;
	if (array)
		return *items = arena_alloc(loader->arena, (*count + 1) * bytes);
	loader_note(loader, field->key);
	return NULL;
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

static void load_field(struct loader *loader, const struct field *field, const cJSON *object, void *item)
{
	const cJSON *value = field->kind->is_inline ? object : cJSON_GetObjectItemCaseSensitive(object, field->key);

	if (!field->kind->load)
		return;
	if (field->flags & PRESENCE)
		*((bool *)item + field->when.at) = value;
	if (value)
		field->kind->load(loader, field, value, item);
	else if (field->flags & (OPTIONAL | PRESENCE | LATER))
		clear_texts(field, item);
	else
		loader_note(loader, field->key);
}

static bool has_key(const struct record *record, const char *key)
{
	for (const struct field *field = record->fields; field->key; field++) {
		if (field->kind->is_inline ? field->record && has_key(field->record, key) : !strcmp(field->key, key))
			return true;
	}
	return false;
}

static void refuse_unknown(struct loader *loader, const struct record *record, const cJSON *object)
{
	const cJSON *value;

	cJSON_ArrayForEach(value, object)
	{
		if (loader->missing || !value->string || has_key(record, value->string))
			continue;
		loader->missing = arena_keep(loader->arena, str_from(value->string)).ptr;
		loader->is_unknown = true;
	}
}

void record_load(struct loader *loader, const struct record *record, const cJSON *object, void *ret)
{
	for (const struct field *field = record->fields; field->key; field++)
		load_field(loader, field, object, ret);
	if (record->closed)
		refuse_unknown(loader, record, object);
}

bool record_read(struct loader *loader, struct str json, const struct record *record, void *ret)
{
	const char *end = NULL;
	cJSON *root = NULL;

	if (utf8_valid(json, &loader->bad_at)) {
		root = cJSON_ParseWithLengthOpts(json.ptr, json.len, &end, false);
		loader->bad_at = end ? (size_t)(end - json.ptr) : 0;
		if (root && !str_trim(str_skip(json, loader->bad_at)).len)
			loader->bad_at = SIZE_MAX;
	}
	if (loader->bad_at == SIZE_MAX)
		record_load(loader, record, root, ret);
	cJSON_Delete(root);
	return loader->bad_at == SIZE_MAX && !loader->missing;
}
