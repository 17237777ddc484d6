#include "record/kinds.h"

#include <math.h>

#include "base/value/figure.h"
#include "base/view/ascii.h"

/* --- texts */

static void put_text(struct jsonw *json, const struct field *field, const void *item)
{
	jsonw_str(json, *(const struct str *)field_of(field, item));
}

struct str load_text(struct loader *loader, const cJSON *value, const char *key)
{
	if (cJSON_IsString(value))
		return arena_keep(loader->arena, str_from(value->valuestring));
	loader_note(loader, key);
	return STR("");
}

struct str load_line(struct loader *loader, const cJSON *value, const char *key)
{
	struct str line = load_text(loader, value, key);

	for (size_t i = 0; i < line.len; i++) {
		if (line.ptr[i] < ' ' || line.ptr[i] > '~') {
			loader_note(loader, key);
			return STR("");
		}
	}
	return line;
}

struct str load_word(struct loader *loader, const cJSON *value, const char *key)
{
	struct str word = load_text(loader, value, key);

	if (word.len <= RECORD_WORD_BYTES && str_is_word(word, "-."))
		return word;
	loader_note(loader, key);
	return STR("");
}

static void load_text_field(struct loader *loader, const struct field *field, const cJSON *value, void *item)
{
	*(struct str *)field_in(field, item) = load_text(loader, value, field->key);
}

static void load_line_field(struct loader *loader, const struct field *field, const cJSON *value, void *item)
{
	*(struct str *)field_in(field, item) = load_line(loader, value, field->key);
}

static void load_word_field(struct loader *loader, const struct field *field, const cJSON *value, void *item)
{
	*(struct str *)field_in(field, item) = load_word(loader, value, field->key);
}

const struct kind kind_text = { "text", "string", MEMBER_TEXT, .put = put_text, .load = load_text_field };
const struct kind kind_line = { "line", "string", MEMBER_TEXT, .put = put_text, .load = load_line_field };
const struct kind kind_word = { "word", "string", MEMBER_TEXT, .put = put_text, .load = load_word_field };

/* --- closed sets */

static void put_enum(struct jsonw *json, const struct field *field, const void *item)
{
	jsonw_str(json, word_for(field->words, *(const unsigned *)field_of(field, item)));
}

static unsigned enum_value(struct loader *loader, const struct field *field, const cJSON *value)
{
	unsigned ret;

	word_find(field->words, load_word(loader, value, field->key), &ret);
	return ret;
}

static void load_enum(struct loader *loader, const struct field *field, const cJSON *value, void *item)
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

static void load_flags(struct loader *loader, const struct field *field, const cJSON *list, void *item)
{
	unsigned flags = 0;
	const cJSON *flag;

	if (!cJSON_IsArray(list))
		loader_note(loader, field->key);
	cJSON_ArrayForEach(flag, list) flags |= 1u << enum_value(loader, field, flag);
	*(unsigned *)field_in(field, item) = flags;
}

static void put_bool(struct jsonw *json, const struct field *field, const void *item)
{
	jsonw_bool(json, *(const bool *)field_of(field, item));
}

static void load_bool(struct loader *loader, const struct field *field, const cJSON *value, void *item)
{
	if (!cJSON_IsBool(value))
		loader_note(loader, field->key);
	*(bool *)field_in(field, item) = cJSON_IsTrue(value);
}

const struct kind kind_enum = { "enum", "string", MEMBER_UNSIGNED, .put = put_enum, .load = load_enum };
const struct kind kind_flags = { "flags", "array", MEMBER_UNSIGNED, .put = put_flags, .load = load_flags };
const struct kind kind_bool = { "bool", "boolean", MEMBER_BOOL, .put = put_bool, .load = load_bool };

/* --- numbers */

static void put_number(struct jsonw *json, const struct field *field, const void *item)
{
	jsonw_decimal(json, *(const int64_t *)field_of(field, item), field->kind->decimals);
}

/* A number in units of 10^-decimals. Whole and fraction are scaled apart: together they would lose digits. */
static int64_t scaled_value(struct loader *loader, const struct field *field, const cJSON *value)
{
	static const int64_t scales[] = { 1, 10, 100, 1000, 10000, 100000, 1000000 };
	const struct kind *kind = field->kind;
	int64_t scale = scales[kind->decimals], number;
	double whole, fraction;

	if (!cJSON_IsNumber(value) || fabs(value->valuedouble) > (double)FIGURE_MAX / (double)scale) {
		loader_note(loader, field->key);
		return 0;
	}
	fraction = modf(value->valuedouble, &whole);
	number = (int64_t)whole * scale + llround(fraction * (double)scale);
	if (number >= kind->least && number <= kind->most && (scale > 1 || fraction == 0))
		return number;
	loader_note(loader, field->key);
	return 0;
}

static void load_number(struct loader *loader, const struct field *field, const cJSON *value, void *item)
{
	*(int64_t *)field_in(field, item) = scaled_value(loader, field, value);
}

static void put_index(struct jsonw *json, const struct field *field, const void *item)
{
	jsonw_number(json, *(const uint32_t *)field_of(field, item));
}

static void load_index(struct loader *loader, const struct field *field, const cJSON *value, void *item)
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

static void load_share_or_null(struct loader *loader, const struct field *field, const cJSON *value, void *item)
{
	if (cJSON_IsNull(value))
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

static void load_texts(struct loader *loader, const struct field *field, const cJSON *value, void *item)
{
	struct str *text = load_items(loader, field, cJSON_IsArray(value) ? value : NULL, item);
	const cJSON *child = text ? value->child : NULL;

	for (; child; child = child->next)
		*text++ = load_text(loader, child, field->key);
}

static void put_numbers(struct jsonw *json, const struct field *field, const void *item)
{
	const int64_t *numbers = *(int64_t *const *)field_of(field, item);

	jsonw_list(json);
	for (size_t i = 0; i < field_count(field, item); i++)
		jsonw_number(json, numbers[i]);
	jsonw_list_end(json);
}

static void load_numbers(struct loader *loader, const struct field *field, const cJSON *value, void *item)
{
	int64_t *number = load_items(loader, field, cJSON_IsArray(value) ? value : NULL, item);
	const cJSON *child = number ? value->child : NULL;

	for (; child; child = child->next)
		*number++ = scaled_value(loader, field, child);
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
