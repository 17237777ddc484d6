/*
 * Operator lists in JSON, in the forms that people write:
 *
 *	["aten::add", "aten::mm"]
 *	[{"name": "aten::mm", "calls": 3, "shapes": [[2, 3], [3, 4]]}]
 *	{"aten::add": 7, "aten::mm": 3}
 *	{"operators": any of these}
 *
 * They are small: cJSON holds them whole, bounded by limits.list_bytes. Traces are not read here.
 */
#include <cjson/cJSON.h>
#include <stdlib.h>

#include "base/memory/mem.h"
#include "base/value/utf8.h"
#include "base/view/ascii.h"
#include "dump/common/format.h"
#include "op/name.h"
#include "op/shape.h"

struct list_reader {
	struct dump_context context;
	struct buf text;
	unsigned stream;
	bool any_shapes;
};

/* --- sniffing */

/* The string that the text begins with, behind brackets, a colon and blanks, without escapes; "" when there is none. */
static struct str first_string(struct str text)
{
	struct str rest = text, string;

	if (!str_cut(&rest, '"', &string) || !rest.ptr)
		return STR("");
	for (size_t i = 0; i < string.len; i++) {
		if (!strchr(" \t\r\n[{:", string.ptr[i]))
			return STR("");
	}
	return str_cut(&rest, '"', &string) && rest.ptr ? string : STR("");
}

static bool is_name_key(struct str key)
{
	return str_eq_fold(key, STR("name")) || str_eq_fold(key, STR("op")) || str_eq_fold(key, STR("operator"));
}

/*
 * Brackets, then an operator's name, or the key of a list or of a name with an operator's name behind it. Keys of a
 * trace or a report there (traceEvents, schemaVersion, ph) exclude a list.
 */
static int list_sniff(struct str head)
{
	static const char *const others[] = { "\"traceEvents\"", "\"ph\"", "\"schemaVersion\"", "\"schema_version\"",
		"\"nodes\"" };
	struct str text = str_trim(head), first;

	if (!text.len || (text.ptr[0] != '[' && text.ptr[0] != '{'))
		return 0;
	if (ANY(i, ARRAY_SIZE(others), str_has(text, str_from(others[i]))))
		return 0;
	first = first_string(text);
	while (str_eq(first, STR("operators")) || str_eq(first, STR("ops")) || is_name_key(first)) {
		text = str_skip(text, (size_t)(first.ptr + first.len + 1 - text.ptr));
		first = first_string(text);
	}
	return name_classify(first, (struct name_style){ 0 }).name_class == NAME_OPERATOR ? 70 : 0;
}

/* --- events */

static void emit_row(struct list_reader *reader, struct str name, uint64_t calls, struct str shapes)
{
	const struct event_sink *sink = reader->context.sink;
	struct op_row row = { .name = str_trim(name), .shapes = shapes, .calls = calls };

	row.name_cut = str_ends(row.name, STR("..."));
	reader->context.facts->cut_names += row.name_cut;
	reader->context.facts->rows++;
	reader->any_shapes |= shapes.len > 0;
	sink->rows(sink->ctx, reader->stream, &row, 1);
}

static void skip_item(struct list_reader *reader, const cJSON *item)
{
	char *text = cJSON_PrintUnformatted(item);

	dump_skip_row(reader->context.facts, 1, text ? str_from(text) : STR(""));
	cJSON_free(text);
}

/* The first member of the object with one of these names. */
static const cJSON *member(const cJSON *object, const char *const *names, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const cJSON *found = cJSON_GetObjectItem(object, names[i]);

		if (found)
			return found;
	}
	return NULL;
}

/* A whole number that a double holds exactly, at least 0. */
static bool read_calls(const cJSON *value, uint64_t *ret)
{
	const double most = 9007199254740992.0;

	if (!cJSON_IsNumber(value) || !(value->valuedouble >= 0) || value->valuedouble > most)
		return false;
	*ret = (uint64_t)value->valuedouble;
	return (double)*ret == value->valuedouble;
}

static bool read_shapes(const cJSON *value, struct buf *ret)
{
	char *text;
	bool good;

	if (!value || cJSON_IsNull(value))
		return true;
	if (cJSON_IsString(value))
		return !value->valuestring[0] || shape_put_spaced(ret, str_from(value->valuestring));
	text = cJSON_PrintUnformatted(value);
	good = text && shape_put_spaced(ret, str_from(text));
	cJSON_free(text);
	return good;
}

static void take_object(struct list_reader *reader, const cJSON *item)
{
	static const char *const name_keys[] = { "name", "op", "operator" };
	static const char *const call_keys[] = { "calls", "count" };
	static const char *const shape_keys[] = { "shapes", "input_shapes", "dims" };
	CLEANUP(buf_clear) struct buf shapes = BUF_UNLIMITED; /* the list is bounded */
	const cJSON *name = member(item, name_keys, ARRAY_SIZE(name_keys)),
		    *calls = member(item, call_keys, ARRAY_SIZE(call_keys));
	uint64_t count = 1;

	if (!cJSON_IsString(name) || !name->valuestring[0] || (calls && !read_calls(calls, &count)) ||
		!read_shapes(member(item, shape_keys, ARRAY_SIZE(shape_keys)), &shapes))
		skip_item(reader, item);
	else
		emit_row(reader, str_from(name->valuestring), count, buf_str(&shapes));
}

static void take_item(struct list_reader *reader, const cJSON *item)
{
	uint64_t calls;

	if (cJSON_IsString(item) && item->valuestring[0])
		emit_row(reader, str_from(item->valuestring), 1, STR(""));
	else if (cJSON_IsObject(item))
		take_object(reader, item);
	else if (cJSON_IsNumber(item) && item->string && read_calls(item, &calls))
		emit_row(reader, str_from(item->string), calls, STR(""));
	else
		skip_item(reader, item);
}

/* The list itself, or the one that an object wraps. */
static const cJSON *find_list(const cJSON *root)
{
	static const char *const keys[] = { "operators", "ops" };
	const cJSON *inside = cJSON_IsObject(root) ? member(root, keys, ARRAY_SIZE(keys)) : NULL;

	return cJSON_IsArray(inside) || cJSON_IsObject(inside) ? inside : root;
}

/* --- the format */

static void *list_open(const struct dump_context *context)
{
	return MEM_NEW(struct list_reader, .context = *context, .text = BUF_INIT(context->limits->list_bytes));
}

static int list_feed(void *state, struct str chunk, struct err *err)
{
	struct list_reader *reader = state;

	buf_add(&reader->text, chunk);
	if (!reader->text.full)
		return 0;
	err_set(err, ERR_LIMIT, "the JSON list has more than %llu bytes",
		(unsigned long long)reader->context.limits->list_bytes);
	return err_hint(err, "raise the limit with --limit list-bytes=N");
}

static void take_list(struct list_reader *reader, const cJSON *root)
{
	const struct event_sink *sink = reader->context.sink;
	struct table_end end = { -1, -1, -1, false, 0 };
	const cJSON *item;

	reader->context.facts->tables = 1;
	reader->stream = sink->stream(sink->ctx, STR(""));
	sink->table_begin(sink->ctx, reader->stream, TABLE_HAS_SHAPES | TABLE_NO_STEPS);
	cJSON_ArrayForEach(item, find_list(root)) take_item(reader, item);
	end.lacks = reader->any_shapes ? 0 : TABLE_HAS_SHAPES;
	sink->table_end(sink->ctx, reader->stream, &end);
}

static int list_finish(void *state, struct err *err)
{
	struct list_reader *reader = state;
	CLEANUP(buf_clear) struct buf text = BUF_UNLIMITED; /* three times the limit at most */
	const char *end = NULL;
	cJSON *root;

	utf8_repair(&text, buf_str(&reader->text));
	root = cJSON_ParseWithLengthOpts(buf_text(&text), text.len, &end, false);
	if (!root || str_trim(str_skip(buf_str(&text), (size_t)(end - text.ptr))).len) {
		cJSON_Delete(root);
		err_set(err, ERR_FORMAT, "the JSON list is damaged or cut");
		err_where(err, "byte %zu", end ? (size_t)(end - text.ptr) : 0);
		return err_hint(err, "check it with `python3 -m json.tool`");
	}
	reader->context.facts->encoding = utf8_is_ascii(buf_str(&text)) ? "ascii" : "utf-8";
	take_list(reader, root);
	cJSON_Delete(root);
	return 0;
}

static void list_close(void *state)
{
	struct list_reader *reader = state;

	buf_clear(&reader->text);
	free(reader);
}

const struct dump_format dump_json_list = { "list-json", list_sniff, list_open, list_feed, list_finish, list_close };
