/* Records written as JSON. */
#include "report/record/record.h"

#include "base/memory/mem.h"
#include "report/doc/catalog.h"

static const void *member_of(const struct field *field, const void *item)
{
	return (const char *)item + field->at;
}

static size_t count_of(const struct field *field, const void *item)
{
	return *(const size_t *)(const void *)((const char *)item + field->count_at);
}

/* --- messages */

static void put_message_fields(struct jsonw *json, const struct message *message)
{
	CLEANUP(buf_clear) struct buf text = BUF_UNLIMITED;

	jsonw_key_str(json, "rule", str_from(message->id));
	catalog_put(&text, LANG_EN, message);
	jsonw_key_str(json, "text", buf_str(&text));
	if (!message->count)
		return;
	jsonw_key_object(json, "params");
	for (size_t i = 0; i < message->count; i++)
		jsonw_key_str(json, message->params[i].name, message->params[i].value);
	jsonw_object_end(json);
}

static void put_message(struct jsonw *json, const struct message *message)
{
	jsonw_object(json);
	put_message_fields(json, message);
	jsonw_object_end(json);
}

/* --- arrays */

static struct str map_key(const struct field *key, const void *item)
{
	const void *at = member_of(key, item);

	return key->kind == FIELD_ENUM ? word_for(key->words, *(const unsigned *)at) : *(const struct str *)at;
}

static void put_value(struct jsonw *json, const struct field *field, const void *item);

static void put_map(struct jsonw *json, const struct record *record, const void *items, size_t count)
{
	const struct field *key = &record->fields[0];
	struct record values = { record->bytes, key + 1, record->tuple, record->bare };

	jsonw_object(json);
	for (size_t i = 0; i < count; i++) {
		const void *item = (const char *)items + i * record->bytes;

		jsonw_key_view(json, map_key(key, item));
		if (record->bare)
			put_value(json, values.fields, item);
		else
			record_put(json, &values, item);
	}
	jsonw_object_end(json);
}

static void put_flags(struct jsonw *json, const struct words *words, unsigned flags)
{
	jsonw_list(json);
	for (unsigned i = 0; i < words->count; i++) {
		if (flags >> i & 1)
			jsonw_str(json, words->items[i]);
	}
	jsonw_list_end(json);
}

static void put_types(struct jsonw *json, struct str types)
{
	struct str type = { 0 };

	if (!types.len) {
		jsonw_raw(json, STR("null"));
		return;
	}
	jsonw_list(json);
	while (str_cut(&types, ',', &type)) {
		type = str_trim(type);
		if (str_eq(type, STR("-")))
			jsonw_raw(json, STR("null"));
		else
			jsonw_str(json, type);
	}
	jsonw_list_end(json);
}

/* --- fields */

static void put_number(struct jsonw *json, const struct field *field, const void *at)
{
	static const unsigned places[] = {
		[FIELD_MILLI] = 3, [FIELD_MICRO] = 6, [FIELD_SHARE] = 6, [FIELD_SHARE_OR_NULL] = 6
	};
	int64_t number = field->kind == FIELD_PLACE ? *(const uint32_t *)at : *(const int64_t *)at;

	if (field->kind == FIELD_SHARE_OR_NULL && number < 0)
		jsonw_raw(json, STR("null"));
	else
		jsonw_decimal(json, number, places[field->kind]);
}

/* One of a list. */
static void put_item(struct jsonw *json, const struct field *field, const void *item)
{
	if (field->kind == FIELD_TEXTS)
		jsonw_str(json, *(const struct str *)item);
	else if (field->kind == FIELD_NUMBERS)
		jsonw_number(json, *(const int64_t *)item);
	else
		record_put(json, field->record, item);
}

static void put_items(struct jsonw *json, const struct field *field, const void *items, size_t count)
{
	size_t bytes = field->kind == FIELD_TEXTS     ? sizeof(struct str)
		       : field->kind == FIELD_NUMBERS ? sizeof(int64_t)
						      : field->record->bytes;

	jsonw_list(json);
	for (size_t i = 0; i < count; i++)
		put_item(json, field, (const char *)items + i * bytes);
	jsonw_list_end(json);
}

static void put_array(struct jsonw *json, const struct field *field, const void *item)
{
	const void *items = *(void *const *)member_of(field, item);

	if (field->kind >= FIELD_MAP)
		put_map(json, field->record, items, count_of(field, item));
	else
		put_items(json, field, items, count_of(field, item));
}

static void put_value(struct jsonw *json, const struct field *field, const void *item)
{
	const void *at = member_of(field, item);

	switch (field->kind) {
	case FIELD_TEXT ... FIELD_WORD:
		jsonw_str(json, *(const struct str *)at);
		break;
	case FIELD_ENUM:
		jsonw_str(json, word_for(field->words, *(const unsigned *)at));
		break;
	case FIELD_FLAGS:
		put_flags(json, field->words, *(const unsigned *)at);
		break;
	case FIELD_BOOL:
		jsonw_bool(json, *(const bool *)at);
		break;
	case FIELD_COUNT ... FIELD_SHARE_OR_NULL:
		put_number(json, field, at);
		break;
	case FIELD_DIMS:
		jsonw_raw(json, ((const struct str *)at)->len ? *(const struct str *)at : STR("null"));
		break;
	case FIELD_TYPES:
		put_types(json, *(const struct str *)at);
		break;
	case FIELD_MESSAGE:
		put_message(json, at);
		break;
	case FIELD_OBJECT:
		record_put(json, field->record, at);
		break;
	case FIELD_POINTER:
		record_put(json, field->record, *(void *const *)at);
		break;
	case FIELD_LIST ... FIELD_MAP_AGAIN:
		put_array(json, field, item);
		break;
	case FIELD_PUT:
		field->put(json, item);
		break;
	case FIELD_INLINE:
	case FIELD_HAS:
		break;
	}
}

static bool is_zero(const char *bytes, size_t count)
{
	while (count && !*bytes) {
		bytes++;
		count--;
	}
	return !count;
}

/* Whether an optional field is left out. Without `when` it is a member, or a count, whose bytes begin with zero. */
static bool is_empty(const struct field *field, const void *item)
{
	const void *at = member_of(field, item);

	if (field->when)
		return !field->when(item);
	if (field->when_bytes)
		return is_zero((const char *)item + field->when_at, field->when_bytes);
	switch (field->kind) {
	case FIELD_TEXT:
	case FIELD_LINE:
	case FIELD_WORD:
		return !((const struct str *)at)->len;
	case FIELD_ENUM:
	case FIELD_FLAGS:
		return !*(const unsigned *)at;
	case FIELD_BOOL:
		return !*(const bool *)at;
	case FIELD_POINTER:
		return !*(void *const *)at;
	case FIELD_LIST:
	case FIELD_TEXTS:
	case FIELD_NUMBERS:
		return !count_of(field, item);
	default:
		return !*(const uint64_t *)at;
	}
}

static void put_field(struct jsonw *json, const struct field *field, const void *item)
{
	if (field->kind == FIELD_HAS || (field->flags & OPTIONAL && is_empty(field, item)))
		return;
	if (field->kind == FIELD_INLINE) {
		if (field->record)
			record_put_fields(json, field->record, member_of(field, item));
		else
			put_message_fields(json, member_of(field, item));
		return;
	}
	jsonw_key(json, field->key);
	put_value(json, field, item);
}

/* --- records */

void record_put_fields(struct jsonw *json, const struct record *record, const void *item)
{
	for (const struct field *field = record->fields; field->key; field++)
		put_field(json, field, item);
}

static void put_tuple(struct jsonw *json, const struct record *record, const void *item)
{
	jsonw_list(json);
	for (const struct field *field = record->fields; field->key; field++)
		put_value(json, field, item);
	jsonw_list_end(json);
}

void record_put(struct jsonw *json, const struct record *record, const void *item)
{
	if (record->tuple) {
		put_tuple(json, record, item);
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
	jsonw_key(json, key);
	put_items(json, &(struct field){ .kind = FIELD_LIST, .record = record }, items, count);
}
