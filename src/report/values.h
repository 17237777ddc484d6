#pragma once
/*
 * Values of a JSON report, each checked for what the report's writer can have written. Nothing here can be trusted: a
 * report comes from somebody else, and its texts go to terminals and pages.
 */
#include <cjson/cJSON.h>

#include "base/arena.h"
#include "base/words.h"

/* A walk over the document: the first value that is missing or unusable is noted, and the walk goes on with empty
   ones. */
struct loader {
	struct arena *arena;
	const char *missing; /* its key; NULL: all is well */
};

void value_missing(struct loader *loader, const char *key);

/* A member of an object; NULL and noted when it is missing. */
const cJSON *value_member(struct loader *loader, const cJSON *object, const char *key);

/* Text of any kind: names from a dump, parameters, evidence. */
struct str value_text(struct loader *loader, const cJSON *object, const char *key);
struct str value_text_of(struct loader *loader, const cJSON *value, const char *key);

/* Printable ASCII: versions, dates, targets. */
struct str value_line(struct loader *loader, const cJSON *object, const char *key);
struct str value_line_of(struct loader *loader, const char *text, const char *key);

/* A word such as "cpu-fallback" or "self_cpu_time": of a closed set, which later versions may extend. */
struct str value_word(struct loader *loader, const cJSON *object, const char *key);
struct str value_word_of(struct loader *loader, const char *text, const char *key);

/* The value of a word; that for others where the set is closed and a later version extended it. */
unsigned value_enum(struct loader *loader, const cJSON *object, const char *key, const struct words *words);

bool value_bool(struct loader *loader, const cJSON *object, const char *key);

/* A whole number from 0 to FIGURE_MAX / from 0 to UINT32_MAX / of either sign. */
uint64_t value_count(struct loader *loader, const cJSON *object, const char *key);
uint64_t value_count_of(struct loader *loader, const cJSON *value, const char *key);
uint32_t value_place(struct loader *loader, const cJSON *object, const char *key);
uint32_t value_place_of(struct loader *loader, const cJSON *value, const char *key);
int64_t value_number(struct loader *loader, const cJSON *object, const char *key);

/* Microseconds with three decimals, as nanoseconds. */
int64_t value_us(struct loader *loader, const cJSON *object, const char *key);

/* A share from 0 to 1 with six decimals, as millionths. */
int64_t value_share(struct loader *loader, const cJSON *object, const char *key);

/* Sizes of arguments as compact JSON again; "" for null. */
struct str value_dims(struct loader *loader, const cJSON *object, const char *key);

/* The children of a list, or of an object by its keys, and room for that many items and one more, zeroed. */
void *value_list(struct loader *loader, const cJSON *object, const char *key, bool keyed, size_t item_bytes,
	size_t *ret_count, const cJSON **ret_first);
