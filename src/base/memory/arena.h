#pragma once
/*
 * Memory freed all at once: that of one check, one request or one database look-up.
 *
 * An arena has a budget. Over it arena_alloc answers NULL: an input that is too large is an ordinary error, not a
 * crash. Nothing in an arena moves, so views and pointers into it live as long as the arena.
 */
#include "base/view/str.h"

struct arena_block;

struct arena {
	struct arena_block *blocks; /* the one with room first */
	size_t used_bytes;          /* of all blocks, headers included */
	size_t max_bytes;
};

#define ARENA_INIT(max) ((struct arena){ .max_bytes = (max) })
#define ARENA_UNLIMITED SIZE_MAX

/* Frees everything; the arena may be used again with the same budget. */
void arena_clear(struct arena *arena);

/* The same, but a small block stays for what comes next. */
void arena_reset(struct arena *arena);

/* Zeroed memory, aligned for any type. NULL when the budget is used up. */
void *arena_alloc(struct arena *arena, size_t bytes);

/* Move all that other holds to arena, whatever its budget; other is empty afterwards. */
void arena_join(struct arena *arena, struct arena *other);

/* A copy of text in *ret, followed by a NUL that does not count. False when the budget is used up. */
bool arena_copy(struct arena *arena, struct str text, struct str *ret);

/* From an arena without a budget, which cannot refuse: a copy of text; the text of a printf format; a copy of any
   bytes, such as those of a list that grew on the heap. Texts end with a NUL that does not count. */
struct str arena_keep(struct arena *arena, struct str text);
struct str arena_printf(struct arena *arena, const char *format, ...) __attribute__((format(printf, 2, 3)));
void *arena_keep_bytes(struct arena *arena, const void *from, size_t bytes);
