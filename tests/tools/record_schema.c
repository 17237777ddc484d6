/*
 * record_schema: prints what the records of the report say of its JSON, as a JSON Schema without descriptions or references; "api" as
 * argument: those of the API, by their names among the components of web/openapi.json. "later" lists the keys that reports of earlier
 * versions lack; the first word of "enum" stands for no value and may never be written.
 */
#include <stdio.h>

#include "base/memory/mem.h"
#include "base/value/figure.h"
#include "check/asked/targets.h"
#include "check/lookup/lookup_facts.h"
#include "record/kinds.h"
#include "record/nested.h"
#include "report/record/records.h"
#include "report/record/result_kinds.h"
#include "server/api/job_json.h"
#include "server/service/run_json.h"

static void put_fields(struct jsonw *json, const struct field *fields);

static void put_words(struct jsonw *json, const struct words *words)
{
	jsonw_key_list(json, "enum");
	for (unsigned i = 0; i < words->count; i++)
		jsonw_str(json, words->items[i]);
	jsonw_list_end(json);
}

/* Bounds but those of the member's own range. */
static void put_bounds(struct jsonw *json, const struct kind *kind)
{
	if (kind->most && kind->least > -FIGURE_MAX)
		jsonw_key_decimal(json, "minimum", kind->least / 1000000, 0);
	if (kind->most && kind->most < FIGURE_MAX && kind->type != MEMBER_U32)
		jsonw_key_decimal(json, "maximum", kind->most / 1000000, 0);
}

static void put_value(struct jsonw *json, const struct field *field);

static void put_items(struct jsonw *json, const struct field *field)
{
	jsonw_key_object(json, "items");
	if (field->record && field->record->bare)
		put_value(json, field->record->fields);
	else if (field->kind == &kind_flags)
		put_words(json, field->words);
	else if (field->kind == &kind_texts || field->kind == &kind_joined)
		jsonw_key_str(json, "type", STR("string"));
	else if (field->kind == &kind_numbers)
		jsonw_key_str(json, "type", STR("integer"));
	else if (field->record && field->record->tuple)
		jsonw_key_str(json, "type", STR("array"));
	else if (field->record)
		put_fields(json, field->record->fields);
	jsonw_object_end(json);
}

static void put_map(struct jsonw *json, const struct record *record)
{
	const struct field *key = record->fields;

	if (key->words) {
		jsonw_key_object(json, "propertyNames");
		put_words(json, key->words);
		jsonw_object_end(json);
	}
	jsonw_key_object(json, "additionalProperties");
	if (record->bare)
		put_value(json, key + 1);
	else
		put_fields(json, key + 1);
	jsonw_object_end(json);
}

/* The keys of a message are those that its kind writes. */
static void put_message_keys(struct jsonw *json, bool properties)
{
	static const struct str keys[] = { STR("rule"), STR("text"), STR("params") };

	for (size_t i = 0; i < ARRAY_SIZE(keys) - !properties; i++) {
		if (!properties) {
			jsonw_str(json, keys[i]);
			continue;
		}
		jsonw_key_object(json, keys[i].ptr);
		jsonw_key_str(json, "type", i == 2 ? STR("object") : STR("string"));
		jsonw_object_end(json);
	}
}

static void put_value(struct jsonw *json, const struct field *field)
{
	const struct kind *kind = field->kind;

	if (kind == &kind_enum) {
		put_words(json, field->words);
		return;
	}
	if (!kind->json_type) {
		jsonw_key_bool(json, "made", true);
		return;
	}
	if (field->record && strcmp(kind->json_type, "object") == 0 && kind != &kind_map && kind != &kind_map_values) {
		if (kind == &kind_pointer_or_null)
			jsonw_key_bool(json, "nullable", true);
		put_fields(json, field->record->fields);
		return;
	}
	jsonw_key_str(json, "type", str_from(kind->json_type));
	if (kind == &kind_share_or_null || kind == &kind_dims || kind == &kind_types)
		jsonw_key_bool(json, "nullable", true);
	if (kind == &kind_map || kind == &kind_map_values) {
		put_map(json, field->record);
	} else if (strcmp(kind->json_type, "array") == 0) {
		put_items(json, field);
	} else if (kind == &kind_message) {
		jsonw_key_object(json, "properties");
		put_message_keys(json, true);
		jsonw_object_end(json);
		jsonw_key_list(json, "required");
		put_message_keys(json, false);
		jsonw_list_end(json);
	} else {
		put_bounds(json, kind);
	}
}

static void put_properties(struct jsonw *json, const struct field *fields)
{
	for (const struct field *field = fields; field->key; field++) {
		if (field->kind == &kind_message_inline) {
			put_message_keys(json, true);
		} else if (field->kind->is_inline) {
			put_properties(json, field->record->fields);
		} else {
			jsonw_key_object(json, field->key);
			put_value(json, field);
			jsonw_object_end(json);
		}
	}
}

/* The keys of the fields with exactly these flags. */
static void put_keys(struct jsonw *json, const struct field *fields, unsigned flags)
{
	for (const struct field *field = fields; field->key; field++) {
		if (field->kind == &kind_message_inline && !flags)
			put_message_keys(json, false);
		else if (field->kind == &kind_inline)
			put_keys(json, field->record->fields, flags);
		else if (!field->kind->is_inline && field->flags == flags)
			jsonw_str(json, str_from(field->key));
	}
}

/* Of an object with these fields. */
static void put_fields(struct jsonw *json, const struct field *fields)
{
	jsonw_key_str(json, "type", STR("object"));
	jsonw_key_object(json, "properties");
	put_properties(json, fields);
	jsonw_object_end(json);
	jsonw_key_list(json, "required");
	put_keys(json, fields, 0);
	jsonw_list_end(json);
	jsonw_key_list(json, "later");
	put_keys(json, fields, LATER);
	jsonw_list_end(json);
}

static const struct {
	const char *name;
	const struct record *record;
} components[] = {
	{ "Job", &job_record },
	{ "Assessment", &assessment_record },
	{ "Run", &run_record },
	{ "RunPoint", &run_point_record },
	{ "TargetVerdict", &target_verdict_record },
	{ "Target", &listed_target_record },
	{ "Operator", &lookup_record },
	{ "Recipe", &recipe_record },
};

int main(int argc, char **argv)
{
	enum { LINE_DEPTH = 4 };
	CLEANUP(buf_clear) struct buf out = BUF_UNLIMITED;
	struct jsonw json = jsonw_start(&out, LINE_DEPTH);

	jsonw_object(&json);
	if (argc < 2)
		put_fields(&json, report_record.fields);
	for (size_t i = 0; argc > 1 && strcmp(argv[1], "api") == 0 && i < ARRAY_SIZE(components); i++) {
		jsonw_key_object(&json, components[i].name);
		put_fields(&json, components[i].record->fields);
		jsonw_object_end(&json);
	}
	jsonw_object_end(&json);
	fwrite(out.ptr, 1, out.len, stdout);
	return 0;
}
