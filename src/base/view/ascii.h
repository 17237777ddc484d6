#pragma once
/* Text as people write names: letters of either case, runs of digits, patterns. Only ASCII counts, in any locale. */
#include "base/view/str.h"

static inline bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}
static inline bool is_lower(char c)
{
	return c >= 'a' && c <= 'z';
}
static inline bool is_alpha(char c)
{
	return is_lower(c) || (c >= 'A' && c <= 'Z');
}
static inline bool is_word(char c)
{
	return is_alpha(c) || is_digit(c) || c == '_';
}

/* Equal when ASCII letters of either case count as the same; most words differ in length already. */
bool ascii_same(const char *a, const char *b, size_t len);
static inline bool str_eq_fold(struct str a, struct str b)
{
	return a.len == b.len && ascii_same(a.ptr, b.ptr, a.len);
}

/* Like str_cmp, but runs of digits compare as numbers, so that rank2 comes before rank10. Equal only for equal
   bytes. */
int str_natural_cmp(struct str a, struct str b);

/* Returns whether all of s matches a pattern: '*' is any bytes, also none, '?' one byte, every other byte itself.
   Takes at most the product of both lengths. */
bool str_fits(struct str pattern, struct str s);

/* Returns whether every byte is a letter, a digit, "_" or one of others; true for an empty text. */
bool str_is_word(struct str s, const char *others);

/* Returns whether s is one of the words, which are joined by blanks. */
bool str_has_word(struct str words, struct str word);
