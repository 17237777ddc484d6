#pragma once
/* The words of a closed set, such as the verdicts on a target: an enum in memory, words in reports, options and
   catalogues. */
#include "base/memory/buf.h"

struct words {
	const struct str *items; /* by the values of the enum, from 0 on */
	unsigned count;
	unsigned other; /* value of an unknown word: a later version may have written it */
};

/* The word of a value below count. */
struct str word_for(const struct words *words, unsigned value);

/* The value of a word; *ret is words->other when it returns false. */
bool word_find(const struct words *words, struct str word, unsigned *ret);

/* The bits for the values of words joined by blanks. False for one that is not among them. */
bool words_bits(const struct words *words, struct str list, unsigned *ret);

/* Position of the first of count items whose first member, a struct str, equals text; STR_NONE if none does. */
size_t str_position(const void *items, size_t count, size_t item_bytes, struct str text);
#define STR_POSITION(items, count, text) str_position((items), (count), sizeof((items)[0]), (text))
#define STR_IS_AMONG(items, count, text) (STR_POSITION(items, count, text) != STR_NONE)

/* Appends the words whose bits are set, "a, b". */
void words_put(struct buf *out, const struct words *words, unsigned bits, const char *between);
