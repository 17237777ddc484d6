#include "report/values.h"

#include <math.h>

#include "base/figure.h"
#include "base/mem.h"
#include "op/shape.h"

enum { MOST_WORD = 64, MILLION = 1000000, THOUSAND = 1000 };

void value_missing(struct loader *loader, const char *key)
{
	if (!loader->missing)
		loader->missing = key;
}

const cJSON *value_member(struct loader *loader, const cJSON *object, const char *key)
{
	const cJSON *value = cJSON_GetObjectItemCaseSensitive(object, key);

	if (!value)
		value_missing(loader, key);
	return value;
}

/* --- texts */

struct str value_text_of(struct loader *loader, const cJSON *value, const char *key)
{
	if (!cJSON_IsString(value)) {
		value_missing(loader, key);
		return STR("");
	}
	return arena_keep(loader->arena, str_from(value->valuestring));
}

struct str value_text(struct loader *loader, const cJSON *object, const char *key)
{
	return value_text_of(loader, value_member(loader, object, key), key);
}

struct str value_line_of(struct loader *loader, const char *text, const char *key)
{
	struct str line = str_from(text ? text : "");

	for (size_t i = 0; i < line.len; i++) {
		if (line.ptr[i] < ' ' || line.ptr[i] > '~') {
			value_missing(loader, key);
			return STR("");
		}
	}
	return arena_keep(loader->arena, line);
}

struct str value_line(struct loader *loader, const cJSON *object, const char *key)
{
	return value_line_of(loader, value_text(loader, object, key).ptr, key);
}

struct str value_word_of(struct loader *loader, const char *text, const char *key)
{
	struct str word = str_from(text ? text : "");
	bool good = word.len <= MOST_WORD;

	for (size_t i = 0; i < word.len && good; i++)
		good = is_word(word.ptr[i]) || word.ptr[i] == '-' || word.ptr[i] == '.';
	if (good)
		return arena_keep(loader->arena, word);
	value_missing(loader, key);
	return STR("");
}

struct str value_word(struct loader *loader, const cJSON *object, const char *key)
{
	return value_word_of(loader, value_text(loader, object, key).ptr, key);
}

unsigned value_enum(struct loader *loader, const cJSON *object, const char *key, const struct words *words)
{
	unsigned value;

	word_find(words, value_word(loader, object, key), &value);
	return value;
}

/* --- numbers */

bool value_bool(struct loader *loader, const cJSON *object, const char *key)
{
	const cJSON *value = value_member(loader, object, key);

	if (!cJSON_IsBool(value))
		value_missing(loader, key);
	return cJSON_IsTrue(value);
}

/* A number times scale as a whole one within [min, max]. Whole and fraction are scaled apart: together they would lose
   digits. */
static int64_t scaled(
	struct loader *loader, const cJSON *value, const char *key, int64_t scale, int64_t min, int64_t max)
{
	double whole, fraction;
	int64_t number;

	if (!cJSON_IsNumber(value) || fabs(value->valuedouble) > (double)FIGURE_MAX / (double)scale) {
		value_missing(loader, key);
		return 0;
	}
	fraction = modf(value->valuedouble, &whole);
	number = (int64_t)whole * scale + llround(fraction * (double)scale);
	if (number < min || number > max || (scale == 1 && fraction != 0)) {
		value_missing(loader, key);
		return 0;
	}
	return number;
}

uint64_t value_count_of(struct loader *loader, const cJSON *value, const char *key)
{
	return (uint64_t)scaled(loader, value, key, 1, 0, FIGURE_MAX);
}

uint64_t value_count(struct loader *loader, const cJSON *object, const char *key)
{
	return value_count_of(loader, value_member(loader, object, key), key);
}

uint32_t value_place_of(struct loader *loader, const cJSON *value, const char *key)
{
	return (uint32_t)scaled(loader, value, key, 1, 0, UINT32_MAX);
}

uint32_t value_place(struct loader *loader, const cJSON *object, const char *key)
{
	return value_place_of(loader, value_member(loader, object, key), key);
}

int64_t value_number(struct loader *loader, const cJSON *object, const char *key)
{
	return scaled(loader, value_member(loader, object, key), key, 1, -FIGURE_MAX, FIGURE_MAX);
}

int64_t value_us(struct loader *loader, const cJSON *object, const char *key)
{
	return scaled(loader, value_member(loader, object, key), key, THOUSAND, -FIGURE_MAX, FIGURE_MAX);
}

int64_t value_share(struct loader *loader, const cJSON *object, const char *key)
{
	return scaled(loader, value_member(loader, object, key), key, MILLION, 0, MILLION);
}

/* --- lists */

struct str value_dims(struct loader *loader, const cJSON *object, const char *key)
{
	const cJSON *value = value_member(loader, object, key);
	char *printed = cJSON_IsArray(value) ? cJSON_PrintUnformatted(value) : NULL;
	CLEANUP(buf_clear) struct buf dims = BUF_UNLIMITED;

	if (!cJSON_IsNull(value) && (!printed || !shape_put_json(&dims, str_from(printed))))
		value_missing(loader, key);
	cJSON_free(printed);
	return arena_keep(loader->arena, buf_str(&dims));
}

void *value_list(struct loader *loader, const cJSON *object, const char *key, bool keyed, size_t item_bytes,
	size_t *ret_count, const cJSON **ret_first)
{
	const cJSON *value = value_member(loader, object, key);

	*ret_count = 0;
	*ret_first = NULL;
	if (keyed ? !cJSON_IsObject(value) : !cJSON_IsArray(value)) {
		value_missing(loader, key);
		return NULL;
	}
	*ret_count = (size_t)cJSON_GetArraySize(value);
	*ret_first = value->child;
	return arena_alloc(loader->arena, (*ret_count + 1) * item_bytes);
}
