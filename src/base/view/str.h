#pragma once
/*
 * A string is a view: pointer and length, never owned, never assumed to end in NUL; a part of it views the same bytes.
 * Whoever owns the input buffer, the arena or the literal that it points into says how long it lives.
 */
#include <stdbool.h>
#include <string.h>

#include "base/view/find.h"

struct str {
	const char *ptr;
	size_t len;
};

#define STR(literal) ((struct str){ "" literal, sizeof(literal) - 1 })
#define STR_ARG(s) (int)(s).len, (s).ptr /* for printf's "%.*s"; cut at INT_MAX by the caller's limits */

static inline struct str str_from(const char *text)
{
	return (struct str){ text, strlen(text) };
}

static inline bool str_eq(struct str a, struct str b)
{
	return a.len == b.len && (a.len == 0 || memcmp(a.ptr, b.ptr, a.len) == 0);
}

static inline bool str_starts(struct str s, struct str head)
{
	return s.len >= head.len && memcmp(s.ptr, head.ptr, head.len) == 0;
}

static inline bool str_ends(struct str s, struct str tail)
{
	return s.len >= tail.len && memcmp(s.ptr + s.len - tail.len, tail.ptr, tail.len) == 0;
}

/* s without its first count bytes; count is at most s.len. */
static inline struct str str_skip(struct str s, size_t count)
{
	return (struct str){ s.ptr + count, s.len - count };
}

/* s without its last count bytes; count is at most s.len. */
static inline struct str str_chop(struct str s, size_t count)
{
	return (struct str){ s.ptr, s.len - count };
}

/* The bytes [from, to) of s; to is at most s.len. */
static inline struct str str_sub(struct str s, size_t from, size_t to)
{
	return (struct str){ s.ptr + from, to - from };
}

#define STR_NONE SIZE_MAX
/* Offset of the first needle in s, or STR_NONE. An empty needle is found at 0. */
size_t str_find(struct str s, struct str needle);
static inline bool str_has(struct str s, struct str needle)
{
	return str_find(s, needle) != STR_NONE;
}

/* s without blanks, tabs, CR and LF at both ends. */
struct str str_trim(struct str s);

/* Byte order, a shorter string before its continuation: <0, 0, >0; str_order is the same for qsort. */
int str_cmp(struct str a, struct str b);
int str_order(const void *a, const void *b);

/* The part before the first sep, and the part after the last one; all of s without sep. */
struct str str_head(struct str s, char sep);
struct str str_tail(struct str s, char sep);

/* The last part of a path; a path that ends in a slash is its own. */
const char *str_file_name(const char *path);

/* Takes str_head off *rest, with the sep. False when *rest was used up. */
bool str_cut(struct str *rest, char sep, struct str *ret_part);
