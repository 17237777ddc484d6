#include "report/record/result_kinds.h"

#include "assess/model/message.h"
#include "base/memory/mem.h"
#include "json/walk.h"
#include "op/shape.h"
#include "record/kinds.h"
#include "report/doc/catalog.h"

/* --- messages */

static void put_message_fields(struct jsonw *json, const struct field *field, const void *item)
{
	const struct message *message = field_of(field, item);
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

static void put_message(struct jsonw *json, const struct field *field, const void *item)
{
	jsonw_object(json);
	put_message_fields(json, field, item);
	jsonw_object_end(json);
}

static void load_params(struct loader *loader, const struct json_value *params, struct message *message)
{
	struct json_walk walk = json_walk(params);
	struct json_value name, value;

	if (params->kind != JSON_OBJECT)
		loader_note(loader, "params");
	while (walk.is_object && json_walk_next(&walk, &name, &value)) {
		if (message->count == MESSAGE_PARAMS) {
			loader_note(loader, "params");
			break;
		}
		message_add(message, load_word(loader, &name, "params").ptr, load_text(loader, &value, "params"));
	}
}

static void load_message(struct loader *loader, const struct field *field, const struct json_value *object, void *item)
{
	struct message *message = field_in(field, item);
	struct json_walk walk = json_walk(object);
	struct json_value name, value, rule = JSON_ABSENT, params = { 0 };

	while (walk.is_object && json_walk_next(&walk, &name, &value)) {
		if (str_eq(name.raw, STR("rule")))
			rule = value;
		else if (str_eq(name.raw, STR("params")))
			params = value;
	}
	*message = message_of(load_word(loader, &rule, "rule").ptr);
	if (params.raw.ptr)
		load_params(loader, &params, message);
}

const struct kind kind_message = { "message", "object", MEMBER_STRUCT, .put = put_message, .load = load_message };
const struct kind kind_message_inline = { "message_inline", "object", MEMBER_STRUCT, .is_inline = true,
	.put = put_message_fields, .load = load_message };

/* --- shapes */

static void put_dims(struct jsonw *json, const struct field *field, const void *item)
{
	struct str dims = *(const struct str *)field_of(field, item);

	jsonw_raw(json, dims.len ? dims : STR("null"));
}

static void load_dims(struct loader *loader, const struct field *field, const struct json_value *value, void *item)
{
	CLEANUP(buf_clear) struct buf dims = BUF_UNLIMITED;

	if (!json_is_word(value, "null") && (value->kind != JSON_LIST || !shape_put_json(&dims, value->raw)))
		loader_note(loader, field->key);
	*(struct str *)field_in(field, item) = loader_keep(loader, buf_str(&dims));
}

static void put_result_types(struct jsonw *json, const struct field *field, const void *item)
{
	struct str types = *(const struct str *)field_of(field, item), type = { 0 };

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

static void load_types(struct loader *loader, const struct field *field, const struct json_value *value, void *item)
{
	CLEANUP(buf_clear) struct buf types = BUF_UNLIMITED;
	struct json_walk walk = json_walk(value);
	struct json_value name, type;

	if (!json_is_word(value, "null") && value->kind != JSON_LIST)
		loader_note(loader, field->key);
	while (!walk.is_object && json_walk_next(&walk, &name, &type)) {
		struct str word = json_is_word(&type, "null") ? STR("-") : load_text(loader, &type, field->key);

		if (str_has(word, STR(",")))
			loader_note(loader, field->key);
		else
			buf_printf(&types, "%s%.*s", types.len ? ", " : "", STR_ARG(word));
	}
	*(struct str *)field_in(field, item) = loader_keep(loader, buf_str(&types));
}

const struct kind kind_dims = { "dims", "array", MEMBER_TEXT, .put = put_dims, .load = load_dims };
const struct kind kind_types = { "types", "array", MEMBER_TEXT, .put = put_result_types, .load = load_types };
