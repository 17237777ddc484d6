/* The tables of fields against schema/report.schema.json: the same keys, fitting types, the same words. */
#include <stdio.h>
#include <stdlib.h>

#include <cjson/cJSON.h>

#include "base/memory/buf.h"
#include "record/kinds.h"
#include "record/nested.h"
#include "report/record/records.h"
#include "report/record/result_kinds.h"
#include "tests/unit/check.h"

static cJSON *schema;

static int read_schema(void **state)
{
	CLEANUP(buf_clear) struct buf path = BUF_INIT(4096), text = BUF_INIT(1 << 20);
	const char *root = getenv("OPCHECK_SOURCE_ROOT");
	FILE *file;
	int byte;

	(void)state;
	buf_printf(&path, "%s/schema/report.schema.json", root ? root : ".");
	file = fopen(buf_text(&path), "r");
	assert_non_null(file);
	while ((byte = fgetc(file)) != EOF)
		buf_byte(&text, (char)byte);
	fclose(file);
	schema = cJSON_Parse(buf_text(&text));
	assert_non_null(schema);
	return 0;
}

static int free_schema(void **state)
{
	(void)state;
	cJSON_Delete(schema);
	return 0;
}

static const cJSON *member(const cJSON *object, const char *key)
{
	return cJSON_GetObjectItemCaseSensitive(object, key);
}

/* Follows references. */
static const cJSON *resolved(const cJSON *node)
{
	const cJSON *ref;

	while ((ref = member(node, "$ref"))) {
		const char *name = strrchr(ref->valuestring, '/') + 1;

		node = member(member(schema, "$defs"), name);
		if (!node)
			fail_msg("no definition %s", name);
	}
	return node;
}

static bool holds_text(const cJSON *list, const char *text)
{
	const cJSON *item;

	cJSON_ArrayForEach(item, list)
	{
		if (strcmp(item->valuestring, text) == 0)
			return true;
	}
	return false;
}

static bool has_type(const cJSON *node, const char *type)
{
	const cJSON *is = member(node, "type");

	return cJSON_IsArray(is) ? holds_text(is, type) : is && strcmp(is->valuestring, type) == 0;
}

/* --- words */

/* The words of an enum, also of one that is joined from others. */
static void gather_words(const cJSON *node, cJSON *ret)
{
	const cJSON *item;

	node = resolved(node);
	cJSON_ArrayForEach(item, member(node, "enum")) cJSON_AddItemToArray(ret, cJSON_CreateString(item->valuestring));
	if (member(node, "const"))
		cJSON_AddItemToArray(ret, cJSON_CreateString(member(node, "const")->valuestring));
	cJSON_ArrayForEach(item, member(node, "anyOf")) gather_words(item, ret);
}

static void assert_words(const struct field *field, const cJSON *node)
{
	cJSON *words = cJSON_CreateArray();
	const cJSON *word;

	gather_words(node, words);
	cJSON_ArrayForEach(word, words)
	{
		unsigned value;

		if (!word_find(field->words, str_from(word->valuestring), &value))
			fail_msg("%s: the table has no word %s", field->key, word->valuestring);
	}
	for (unsigned i = 0; i < field->words->count; i++) {
		const char *text = field->words->items[i].ptr;
		bool is_unset = !text[0] || strcmp(text, "absent") == 0 || strcmp(text, "operator") == 0;

		if (!is_unset && !holds_text(words, text))
			fail_msg("%s: the schema has no word %s", field->key, text);
	}
	cJSON_Delete(words);
}

/* --- fields */

static void assert_record(const struct field *fields, const char *name, const cJSON *node);
static void assert_field(const struct field *field, const cJSON *node);

static void assert_bytes(const struct field *field)
{
	static const size_t bytes[] = {
		[MEMBER_TEXT] = sizeof(struct str),
		[MEMBER_BOOL] = sizeof(bool),
		[MEMBER_UNSIGNED] = sizeof(unsigned),
		[MEMBER_U32] = sizeof(uint32_t),
		[MEMBER_I64] = sizeof(int64_t),
		[MEMBER_POINTER] = sizeof(void *),
		[MEMBER_ITEMS] = sizeof(void *),
	};
	enum member_type type = field->kind->type;

	if (type < ARRAY_SIZE(bytes) && bytes[type] && field->at.bytes != bytes[type])
		fail_msg("%s: the member has %zu bytes, its kind %zu", field->key, field->at.bytes, bytes[type]);
	if (field->kind == &kind_object && field->at.bytes)
		assert_int_equal(field->at.bytes, field->record->bytes);
	if (type == MEMBER_ITEMS)
		assert_int_equal(field->count.bytes, sizeof(size_t));
	if (field->flags & PRESENCE)
		assert_int_equal(field->when.bytes, sizeof(bool));
}

static void assert_map(const struct field *field, const cJSON *node)
{
	const struct field *key = &field->record->fields[0];
	const cJSON *values = resolved(member(node, "additionalProperties"));

	if (key->kind == &kind_enum)
		assert_words(key, member(node, "propertyNames"));
	if (field->record->bare)
		assert_field(key + 1, values);
	else
		assert_record(key + 1, field->key, values);
}

static void assert_field(const struct field *field, const cJSON *node)
{
	const char *type = field->kind == &kind_enum ? NULL : field->kind->json_type;

	assert_bytes(field);
	node = resolved(node);
	if (type && !has_type(node, type) && !(type[0] == 's' && (member(node, "enum") || member(node, "const"))) &&
		!(type[0] == 'b' && member(node, "const")) && !member(node, "allOf"))
		fail_msg("%s is no %s in the schema", field->key, type);
	if (field->kind == &kind_enum)
		assert_words(field, node);
	else if (field->kind == &kind_flags)
		assert_words(field, member(node, "items"));
	else if (field->kind == &kind_map || field->kind == &kind_map_values)
		assert_map(field, node);
	else if (field->kind == &kind_list && !field->record->tuple)
		assert_record(field->record->fields, field->key, resolved(member(node, "items")));
	else if (field->kind == &kind_object || field->kind == &kind_pointer)
		assert_record(field->record->fields, field->key, node);
}

/* --- records */

/* Keys of a message that are in the same object. */
static bool is_message_key(const char *key)
{
	return strcmp(key, "rule") == 0 || strcmp(key, "text") == 0 || strcmp(key, "params") == 0;
}

static const struct field *field_named(const struct field *fields, const char *key)
{
	for (; fields->key; fields++) {
		const struct field *inner;

		if (fields->kind == &kind_message_inline && is_message_key(key))
			return fields;
		if (fields->kind == &kind_inline && (inner = field_named(fields->record->fields, key)))
			return inner;
		if (!fields->kind->is_inline && strcmp(fields->key, key) == 0)
			return fields;
	}
	return NULL;
}

static const cJSON *property(const cJSON *node, const char *key)
{
	const cJSON *found = member(member(node, "properties"), key), *part;

	cJSON_ArrayForEach(part, member(node, "allOf")) found = found ? found : property(resolved(part), key);
	return found;
}

static void assert_properties_have_fields(const struct field *fields, const char *name, const cJSON *node)
{
	const cJSON *at;

	cJSON_ArrayForEach(at, member(node, "properties"))
	{
		if (!field_named(fields, at->string))
			fail_msg("%s: the table has no field %s", name, at->string);
	}
}

static void assert_presence(const struct field *field, const char *name, const cJSON *node)
{
	bool required = holds_text(member(node, "required"), field->key);

	if (!property(node, field->key))
		fail_msg("%s: the schema has no property %s", name, field->key);
	if (required && field->flags & (OPTIONAL | PRESENCE))
		fail_msg("%s: %s may be left out, the schema requires it", name, field->key);
	if (!required && !(field->flags & (OPTIONAL | PRESENCE | LATER)))
		fail_msg("%s: %s is always there, the schema does not require it", name, field->key);
}

static void assert_fields(const struct field *fields, const char *name, const cJSON *node)
{
	for (const struct field *field = fields; field->key; field++) {
		if (field->kind == &kind_inline) {
			assert_fields(field->record->fields, name, node);
		} else if (field->kind == &kind_message_inline) {
			assert_non_null(property(node, "rule"));
		} else {
			assert_presence(field, name, node);
			if (field->kind != &kind_made)
				assert_field(field, property(node, field->key));
		}
	}
}

static void assert_record(const struct field *fields, const char *name, const cJSON *node)
{
	assert_properties_have_fields(fields, name, node);
	assert_fields(fields, name, node);
}

static void the_tables_and_the_schema_have_the_same_keys(void **state)
{
	assert_record(report_record.fields, "report", schema);
}

/* --- tables are data */

static void count_functions(const struct record *record, unsigned *fields, unsigned *functions)
{
	for (const struct field *field = record->fields; field->key; field++) {
		*fields += 1;
		*functions += field->put || field->is_written;
		if (field->record)
			count_functions(field->record, fields, functions);
	}
}

static void at_most_one_field_in_twenty_has_a_function(void **state)
{
	unsigned fields = 0, functions = 0;

	count_functions(&report_record, &fields, &functions);
	assert_in_range(functions, 1, fields / 20);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_tables_and_the_schema_have_the_same_keys),
		cmocka_unit_test(at_most_one_field_in_twenty_has_a_function),
	};

	return cmocka_run_group_tests(tests, read_schema, free_schema);
}
