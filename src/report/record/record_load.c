#include "report/record/record_load.h"

#include <math.h>

#include "base/memory/mem.h"
#include "base/value/figure.h"
#include "base/view/ascii.h"
#include "op/shape.h"

enum { MOST_WORD = 64, MILLION = 1000000, THOUSAND = 1000 };

void loader_note(struct loader *loader, const char *key)
{
	if (!loader->missing)
		loader->missing = key;
}

/* --- texts */

static struct str text_value(struct loader *loader, const cJSON *value, const char *key)
{
	if (!cJSON_IsString(value)) {
		loader_note(loader, key);
		return STR("");
	}
	return arena_keep(loader->arena, str_from(value->valuestring));
}

static struct str line_of(struct loader *loader, const char *text, const char *key)
{
	struct str line = str_from(text ? text : "");

	for (size_t i = 0; i < line.len; i++) {
		if (line.ptr[i] < ' ' || line.ptr[i] > '~') {
			loader_note(loader, key);
			return STR("");
		}
	}
	return arena_keep(loader->arena, line);
}

static struct str word_of_text(struct loader *loader, const char *text, const char *key)
{
	struct str word = str_from(text ? text : "");
	bool good = word.len <= MOST_WORD;

	for (size_t i = 0; i < word.len && good; i++)
		good = is_word(word.ptr[i]) || word.ptr[i] == '-' || word.ptr[i] == '.';
	if (good)
		return arena_keep(loader->arena, word);
	loader_note(loader, key);
	return STR("");
}

static const char *string_of(const cJSON *value)
{
	return cJSON_IsString(value) ? value->valuestring : "?"; /* no word, and no text that is none */
}

static void load_text(struct loader *loader, const struct field *field, const cJSON *value, struct str *ret)
{
	if (field->kind == FIELD_TEXT)
		*ret = text_value(loader, value, field->key);
	else if (field->kind == FIELD_LINE)
		*ret = line_of(loader, text_value(loader, value, field->key).ptr, field->key);
	else
		*ret = word_of_text(loader, string_of(value), field->key);
}

static unsigned enum_of_text(struct loader *loader, const struct words *words, const char *text, const char *key)
{
	unsigned value;

	word_find(words, word_of_text(loader, text, key), &value);
	return value;
}

static unsigned flags_value(struct loader *loader, const struct field *field, const cJSON *list)
{
	unsigned flags = 0;
	const cJSON *flag;

	if (!cJSON_IsArray(list))
		loader_note(loader, field->key);
	cJSON_ArrayForEach(flag, list) flags |= 1u << enum_of_text(loader, field->words, string_of(flag), field->key);
	return flags;
}

static struct str dims_value(struct loader *loader, const cJSON *value, const char *key)
{
	char *printed = cJSON_IsArray(value) ? cJSON_PrintUnformatted(value) : NULL;
	CLEANUP(buf_clear) struct buf dims = BUF_UNLIMITED;

	if (!cJSON_IsNull(value) && (!printed || !shape_put_json(&dims, str_from(printed))))
		loader_note(loader, key);
	cJSON_free(printed);
	return arena_keep(loader->arena, buf_str(&dims));
}

static struct str types_value(struct loader *loader, const cJSON *value, const char *key)
{
	CLEANUP(buf_clear) struct buf types = BUF_UNLIMITED;
	const cJSON *type;

	if (!cJSON_IsNull(value) && !cJSON_IsArray(value))
		loader_note(loader, key);
	cJSON_ArrayForEach(type, value)
	{
		struct str word = cJSON_IsNull(type) ? STR("-") : text_value(loader, type, key);

		if (str_has(word, STR(",")))
			loader_note(loader, key);
		else
			buf_printf(&types, "%s%.*s", types.len ? ", " : "", STR_ARG(word));
	}
	return arena_keep(loader->arena, buf_str(&types));
}

static void load_message(struct loader *loader, const cJSON *object, struct message *ret)
{
	const cJSON *params = cJSON_GetObjectItemCaseSensitive(object, "params"), *param;
	const cJSON *rule = cJSON_GetObjectItemCaseSensitive(object, "rule");

	*ret = message_of(word_of_text(loader, string_of(rule), "rule").ptr);
	if (params && !cJSON_IsObject(params))
		loader_note(loader, "params");
	cJSON_ArrayForEach(param, params)
	{
		if (!param->string || ret->count == MESSAGE_PARAMS) {
			loader_note(loader, "params");
			break;
		}
		message_add(
			ret, word_of_text(loader, param->string, "params").ptr, text_value(loader, param, "params"));
	}
}

/* --- numbers */

struct number_kind {
	int64_t scale, min, max;
};

/* A number times scale as a whole one. Whole and fraction are scaled apart: together they would lose digits. */
static int64_t scaled_value(struct loader *loader, const struct field *field, const cJSON *value)
{
	static const struct number_kind kinds[] = {
		[FIELD_COUNT] = { 1, 0, FIGURE_MAX },
		[FIELD_PLACE] = { 1, 0, UINT32_MAX },
		[FIELD_NUMBER] = { 1, -FIGURE_MAX, FIGURE_MAX },
		[FIELD_MILLI] = { THOUSAND, -FIGURE_MAX, FIGURE_MAX },
		[FIELD_MICRO] = { MILLION, -FIGURE_MAX, FIGURE_MAX },
		[FIELD_SHARE] = { MILLION, 0, MILLION },
		[FIELD_SHARE_OR_NULL] = { MILLION, 0, MILLION },
	};
	const struct number_kind *kind = &kinds[field->kind];
	double whole, fraction;
	int64_t number;

	if (!cJSON_IsNumber(value) || fabs(value->valuedouble) > (double)FIGURE_MAX / (double)kind->scale) {
		loader_note(loader, field->key);
		return 0;
	}
	fraction = modf(value->valuedouble, &whole);
	number = (int64_t)whole * kind->scale + llround(fraction * (double)kind->scale);
	if (number < kind->min || number > kind->max || (kind->scale == 1 && fraction != 0)) {
		loader_note(loader, field->key);
		return 0;
	}
	return number;
}

static void load_number(struct loader *loader, const struct field *field, const cJSON *value, void *at)
{
	if (field->kind == FIELD_PLACE)
		*(uint32_t *)at = (uint32_t)scaled_value(loader, field, value);
	else if (field->kind == FIELD_SHARE_OR_NULL && cJSON_IsNull(value))
		*(int64_t *)at = -1;
	else
		*(int64_t *)at = scaled_value(loader, field, value);
}

static void load_bool(struct loader *loader, const struct field *field, const cJSON *value, bool *ret)
{
	if (!cJSON_IsBool(value))
		loader_note(loader, field->key);
	*ret = cJSON_IsTrue(value);
}

/* --- arrays */

static void load_value(struct loader *loader, const struct field *field, const cJSON *value, void *item);

/* Room for the children of an array or object, zeroed, and its count in the struct. */
static char *new_items(
	struct loader *loader, const struct field *field, const cJSON *value, size_t item_bytes, void *item)
{
	bool keyed = field->kind == FIELD_MAP;
	size_t *count = (size_t *)(void *)((char *)item + field->count_at);
	void **items = (void **)(void *)((char *)item + field->at);

	*count = 0;
	if (keyed ? !cJSON_IsObject(value) : !cJSON_IsArray(value)) {
		loader_note(loader, field->key);
		return NULL;
	}
	*count = (size_t)cJSON_GetArraySize(value);
	*items = arena_alloc(loader->arena, (*count + 1) * item_bytes);
	return *items;
}

static void load_tuple(struct loader *loader, const struct field *field, const cJSON *list, void *item)
{
	int at = 0;

	for (const struct field *part = field->record->fields; part->key; part++)
		load_value(loader, &(struct field){ .key = field->key, .kind = part->kind, .at = part->at },
			cJSON_GetArrayItem(list, at++), item);
}

static void load_map_item(struct loader *loader, const struct field *field, const cJSON *value, void *item)
{
	const struct field *key = &field->record->fields[0];
	void *at = (char *)item + key->at;

	if (key->kind == FIELD_ENUM)
		*(unsigned *)at = enum_of_text(loader, key->words, value->string, field->key);
	else
		*(struct str *)at = line_of(loader, value->string, field->key);
	if (field->record->bare)
		load_value(loader, key + 1, value, item);
	else
		record_load(loader, &(struct record){ field->record->bytes, key + 1, false, false }, value, item);
}

static void load_array(struct loader *loader, const struct field *field, const cJSON *value, void *item)
{
	size_t bytes = field->kind == FIELD_TEXTS     ? sizeof(struct str)
		       : field->kind == FIELD_NUMBERS ? sizeof(int64_t)
						      : field->record->bytes;
	char *at = new_items(loader, field, value, bytes, item);
	const cJSON *child = at ? value->child : NULL;

	for (; child; child = child->next, at += bytes) {
		if (field->kind == FIELD_TEXTS)
			*(struct str *)(void *)at = text_value(loader, child, field->key);
		else if (field->kind == FIELD_NUMBERS)
			*(int64_t *)(void *)at = scaled_value(
				loader, &(struct field){ .key = field->key, .kind = FIELD_NUMBER }, child);
		else if (field->kind == FIELD_MAP)
			load_map_item(loader, field, child, at);
		else if (field->record->tuple)
			load_tuple(loader, field, child, at);
		else
			record_load(loader, field->record, child, at);
	}
}

/* In the order of the map that it goes with. */
static void load_map_again(struct loader *loader, const struct field *field, const cJSON *value, void *item)
{
	char *at = *(char **)(void *)((char *)item + field->at);
	size_t count = *(size_t *)(void *)((char *)item + field->count_at);
	const cJSON *child = cJSON_IsObject(value) ? value->child : NULL;

	for (size_t i = 0; i < count; i++, at += field->record->bytes) {
		load_value(loader, field->record->fields + 1, child, at);
		child = child ? child->next : NULL;
	}
}

/* --- fields */

static void load_pointer(struct loader *loader, const struct field *field, const cJSON *value, void **ret)
{
	*ret = arena_alloc(loader->arena, field->record->bytes);
	record_load(loader, field->record, value, *ret);
}

static void load_value(struct loader *loader, const struct field *field, const cJSON *value, void *item)
{
	void *at = (char *)item + field->at;

	switch (field->kind) {
	case FIELD_TEXT ... FIELD_WORD:
		load_text(loader, field, value, at);
		break;
	case FIELD_ENUM:
		*(unsigned *)at = enum_of_text(loader, field->words, string_of(value), field->key);
		break;
	case FIELD_FLAGS:
		*(unsigned *)at = flags_value(loader, field, value);
		break;
	case FIELD_BOOL:
		load_bool(loader, field, value, at);
		break;
	case FIELD_COUNT ... FIELD_SHARE_OR_NULL:
		load_number(loader, field, value, at);
		break;
	case FIELD_DIMS ... FIELD_TYPES:
		*(struct str *)at = (field->kind == FIELD_DIMS ? dims_value : types_value)(loader, value, field->key);
		break;
	case FIELD_MESSAGE:
		load_message(loader, value, at);
		break;
	case FIELD_OBJECT:
		record_load(loader, field->record, value, at);
		break;
	case FIELD_POINTER:
		load_pointer(loader, field, value, at);
		break;
	case FIELD_LIST ... FIELD_MAP:
		load_array(loader, field, value, item);
		break;
	case FIELD_MAP_AGAIN:
		load_map_again(loader, field, value, item);
		break;
	case FIELD_HAS:
		*(bool *)at = value;
		break;
	case FIELD_INLINE:
	case FIELD_PUT:
		break;
	}
}

/* Texts of what is not there are empty ones and no NULL, which a writer could stumble over. */
static void clear_texts(const struct record *record, void *item)
{
	for (const struct field *field = record->fields; field->key; field++) {
		void *at = (char *)item + field->at;

		if (field->kind <= FIELD_WORD)
			*(struct str *)at = STR("");
		else if (field->kind == FIELD_OBJECT)
			clear_texts(field->record, at);
	}
}

static void load_field(struct loader *loader, const struct field *field, const cJSON *object, void *item)
{
	void *at = (char *)item + field->at;
	const cJSON *value;

	if (field->kind == FIELD_PUT)
		return;
	if (field->kind == FIELD_INLINE) {
		if (field->record)
			record_load(loader, field->record, object, at);
		else
			load_message(loader, object, at);
		return;
	}
	value = cJSON_GetObjectItemCaseSensitive(object, field->key);
	if (value || field->kind == FIELD_HAS)
		load_value(loader, field, value, item);
	else if (field->flags & (OPTIONAL | LATER))
		clear_texts(&(struct record){ 0, (const struct field[]){ *field, { 0 } }, false, false }, item);
	else
		loader_note(loader, field->key);
}

void record_load(struct loader *loader, const struct record *record, const cJSON *object, void *ret)
{
	for (const struct field *field = record->fields; field->key; field++)
		load_field(loader, field, object, ret);
}
