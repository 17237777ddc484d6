#include "record/kinds.h"

#include "base/memory/mem.h"
#include "base/value/figure.h"
#include "base/view/ascii.h"
#include "json/walk.h"

enum { THOUSAND = 1000 };

/* --- texts */

static void put_text(struct jsonw *json, const struct field *field, const void *item)
{
	jsonw_str(json, *(const struct str *)field_of(field, item));
}

struct str load_text(struct loader *loader, const struct json_value *value, const char *key)
{
	CLEANUP(buf_clear) struct buf text = BUF_UNLIMITED;

	if (value->kind != JSON_STRING) {
		loader_note(loader, key);
		return STR("");
	}
	if (!value->escaped)
		return loader_keep(loader, value->raw);
	json_text(&text, value);
	return loader_keep(loader, buf_str(&text));
}

struct str load_word(struct loader *loader, const struct json_value *value, const char *key)
{
	struct str word = load_text(loader, value, key);

	if (word.len <= RECORD_WORD_BYTES && str_is_word(word, "-."))
		return word;
	loader_note(loader, key);
	return STR("");
}

static void load_text_field(
	struct loader *loader, const struct field *field, const struct json_value *value, void *item)
{
	*(struct str *)field_in(field, item) = load_text(loader, value, field->key);
}

static void load_line_field(
	struct loader *loader, const struct field *field, const struct json_value *value, void *item)
{
	struct str *line = field_in(field, item);

	*line = load_text(loader, value, field->key);
	for (size_t i = 0; i < line->len; i++) {
		if (line->ptr[i] < ' ' || line->ptr[i] > '~') {
			loader_note(loader, field->key);
			*line = STR("");
		}
	}
}

static void load_word_field(
	struct loader *loader, const struct field *field, const struct json_value *value, void *item)
{
	*(struct str *)field_in(field, item) = load_word(loader, value, field->key);
}

const struct kind kind_text = { "text", "string", MEMBER_TEXT, .put = put_text, .load = load_text_field };
const struct kind kind_line = { "line", "string", MEMBER_TEXT, .put = put_text, .load = load_line_field };
const struct kind kind_word = { "word", "string", MEMBER_TEXT, .put = put_text, .load = load_word_field };

static void put_joined(struct jsonw *json, const struct field *field, const void *item)
{
	struct str words = *(const struct str *)field_of(field, item), word;

	jsonw_list(json);
	while (words.len && str_cut(&words, ' ', &word))
		jsonw_str(json, word);
	jsonw_list_end(json);
}

const struct kind kind_joined = { "joined", "array", MEMBER_TEXT, .put = put_joined };

/* --- closed sets */

static void put_enum(struct jsonw *json, const struct field *field, const void *item)
{
	jsonw_str(json, word_for(field->words, *(const unsigned *)field_of(field, item)));
}

static unsigned enum_value(struct loader *loader, const struct field *field, const struct json_value *value)
{
	unsigned ret;

	/* a word of a later version; those of this one may have a blank */
	if (!word_find(field->words, load_text(loader, value, field->key), &ret))
		load_word(loader, value, field->key);
	return ret;
}

static void load_enum(struct loader *loader, const struct field *field, const struct json_value *value, void *item)
{
	*(unsigned *)field_in(field, item) = enum_value(loader, field, value);
}

static void put_flags(struct jsonw *json, const struct field *field, const void *item)
{
	unsigned flags = *(const unsigned *)field_of(field, item);

	jsonw_list(json);
	for (unsigned i = 0; i < field->words->count; i++) {
		if (flags >> i & 1)
			jsonw_str(json, field->words->items[i]);
	}
	jsonw_list_end(json);
}

static void load_flags(struct loader *loader, const struct field *field, const struct json_value *list, void *item)
{
	struct json_walk walk = json_walk(list);
	struct json_value name, flag;
	unsigned flags = 0;

	if (list->kind != JSON_LIST)
		loader_note(loader, field->key);
	while (json_walk_next(&walk, &name, &flag))
		flags |= 1u << enum_value(loader, field, &flag);
	*(unsigned *)field_in(field, item) = flags;
}

static void put_bool(struct jsonw *json, const struct field *field, const void *item)
{
	jsonw_bool(json, *(const bool *)field_of(field, item));
}

static void load_bool(struct loader *loader, const struct field *field, const struct json_value *value, void *item)
{
	bool is_true = json_is_word(value, "true");

	if (!is_true && !json_is_word(value, "false"))
		loader_note(loader, field->key);
	*(bool *)field_in(field, item) = is_true;
}

const struct kind kind_enum = { "enum", "string", MEMBER_UNSIGNED, .put = put_enum, .load = load_enum };
const struct kind kind_flags = { "flags", "array", MEMBER_UNSIGNED, .put = put_flags, .load = load_flags };
const struct kind kind_bool = { "bool", "boolean", MEMBER_BOOL, .put = put_bool, .load = load_bool };

/* --- numbers */

static void put_number(struct jsonw *json, const struct field *field, const void *item)
{
	jsonw_decimal(json, *(const int64_t *)field_of(field, item), field->kind->decimals);
}

/* A number in units of 10^-decimals; 7.0 is a whole one, 7.5 is not. */
static int64_t scaled_value(struct loader *loader, const struct field *field, const struct json_value *value)
{
	static const int64_t scales[] = { THOUSAND, 10, 100, THOUSAND, 10000, 100000, 1000000 };
	const struct kind *kind = field->kind;
	int64_t units = kind->decimals ? 1 : THOUSAND, number;

	if (value->kind == JSON_WORD && json_scaled(value, scales[kind->decimals], &number) && number % units == 0 &&
		number / units >= kind->least && number / units <= kind->most)
		return number / units;
	loader_note(loader, field->key);
	return 0;
}

static void load_number(struct loader *loader, const struct field *field, const struct json_value *value, void *item)
{
	*(int64_t *)field_in(field, item) = scaled_value(loader, field, value);
}

static void put_index(struct jsonw *json, const struct field *field, const void *item)
{
	jsonw_number(json, *(const uint32_t *)field_of(field, item));
}

static void load_index(struct loader *loader, const struct field *field, const struct json_value *value, void *item)
{
	*(uint32_t *)field_in(field, item) = (uint32_t)scaled_value(loader, field, value);
}

static void put_share_or_null(struct jsonw *json, const struct field *field, const void *item)
{
	if (*(const int64_t *)field_of(field, item) < 0)
		jsonw_raw(json, STR("null"));
	else
		put_number(json, field, item);
}

static void load_share_or_null(
	struct loader *loader, const struct field *field, const struct json_value *value, void *item)
{
	if (json_is_word(value, "null"))
		*(int64_t *)field_in(field, item) = -1;
	else
		load_number(loader, field, value, item);
}

const struct kind kind_count = { "count", "integer", MEMBER_I64, .most = FIGURE_MAX, .put = put_number,
	.load = load_number };
const struct kind kind_index = { "index", "integer", MEMBER_U32, .most = UINT32_MAX, .put = put_index,
	.load = load_index };
const struct kind kind_number = { "number", "integer", MEMBER_I64, .least = -FIGURE_MAX, .most = FIGURE_MAX,
	.put = put_number, .load = load_number };
const struct kind kind_milli = { "milli", "number", MEMBER_I64, .decimals = 3, .least = -FIGURE_MAX, .most = FIGURE_MAX,
	.put = put_number, .load = load_number };
const struct kind kind_micro = { "micro", "number", MEMBER_I64, .decimals = 6, .least = -FIGURE_MAX, .most = FIGURE_MAX,
	.put = put_number, .load = load_number };
const struct kind kind_share = { "share", "number", MEMBER_I64, .decimals = 6, .most = 1000000, .put = put_number,
	.load = load_number };
const struct kind kind_gain = { "gain", "number", MEMBER_I64, .decimals = 6, .least = -1000000, .most = 1000000,
	.put = put_number, .load = load_number };
const struct kind kind_share_or_null = { "share_or_null", "number", MEMBER_I64, .decimals = 6, .most = 1000000,
	.put = put_share_or_null, .load = load_share_or_null };

/* --- arrays of them */

static void put_texts(struct jsonw *json, const struct field *field, const void *item)
{
	const struct str *texts = *(struct str *const *)field_of(field, item);

	jsonw_list(json);
	for (size_t i = 0; i < field_count(field, item); i++)
		jsonw_str(json, texts[i]);
	jsonw_list_end(json);
}

static void load_texts(struct loader *loader, const struct field *field, const struct json_value *value, void *item)
{
	struct str *text = load_items(loader, field, value, item);
	struct json_walk walk = json_walk(text ? value : &JSON_ABSENT);
	struct json_value name, child;

	while (json_walk_next(&walk, &name, &child))
		*text++ = load_text(loader, &child, field->key);
}

static void put_numbers(struct jsonw *json, const struct field *field, const void *item)
{
	const int64_t *numbers = *(int64_t *const *)field_of(field, item);

	jsonw_list(json);
	for (size_t i = 0; i < field_count(field, item); i++)
		jsonw_number(json, numbers[i]);
	jsonw_list_end(json);
}

static void load_numbers(struct loader *loader, const struct field *field, const struct json_value *value, void *item)
{
	int64_t *number = load_items(loader, field, value, item);
	struct json_walk walk = json_walk(number ? value : &JSON_ABSENT);
	struct json_value name, child;

	while (json_walk_next(&walk, &name, &child))
		*number++ = scaled_value(loader, field, &child);
}

const struct kind kind_texts = { "texts", "array", MEMBER_ITEMS, sizeof(struct str), .put = put_texts,
	.load = load_texts };
const struct kind kind_numbers = { "numbers", "array", MEMBER_ITEMS, sizeof(int64_t), .least = -FIGURE_MAX,
	.most = FIGURE_MAX, .put = put_numbers, .load = load_numbers };

/* --- computed values */

static void put_made(struct jsonw *json, const struct field *field, const void *item)
{
	field->put(json, item);
}

const struct kind kind_made = { "made", NULL, MEMBER_NONE, .put = put_made };
