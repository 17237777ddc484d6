#include "base/memory/arena.h"

#include <assert.h>
#include <stdalign.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory/mem.h"

/* Blocks double up to the larger size: most arenas hold little, and all of a block is zeroed. */
enum { FIRST_BLOCK_BYTES = 2 * 1024, BLOCK_BYTES = 64 * 1024 };

struct arena_block {
	struct arena_block *next;
	size_t used, size;
	alignas(max_align_t) char bytes[];
};

void arena_clear(struct arena *arena)
{
	struct arena_block *block = arena->blocks;

	while (block) {
		struct arena_block *next = block->next;

		free(block);
		block = next;
	}
	*arena = ARENA_INIT(arena->max_bytes);
}

void arena_reset(struct arena *arena)
{
	struct arena_block **place = &arena->blocks, *kept;

	while (*place && (*place)->size > FIRST_BLOCK_BYTES)
		place = &(*place)->next;
	kept = *place;
	if (kept)
		*place = kept->next;
	arena_clear(arena);
	if (!kept)
		return;
	memset(kept->bytes, 0, kept->used);
	kept->used = 0;
	kept->next = NULL;
	arena->blocks = kept;
	arena->used_bytes = sizeof(*kept) + kept->size;
}

/* A new block that holds at least bytes; NULL over the budget. One made for a large piece goes behind the newest block,
   whose room is still wanted. */
static struct arena_block *block_add(struct arena *arena, size_t bytes)
{
	size_t usual = arena->used_bytes < FIRST_BLOCK_BYTES ? FIRST_BLOCK_BYTES : arena->used_bytes;
	size_t block_bytes = usual < BLOCK_BYTES ? usual : BLOCK_BYTES;
	bool large = bytes > block_bytes / 4;
	size_t size = large ? bytes : block_bytes - sizeof(struct arena_block);
	struct arena_block *block, **place = large && arena->blocks ? &arena->blocks->next : &arena->blocks;

	if (size > SIZE_MAX - sizeof(*block) || sizeof(*block) + size > arena->max_bytes - arena->used_bytes)
		return NULL;
	block = mem_zalloc(sizeof(*block) + size);
	block->size = size;
	block->next = *place;
	*place = block;
	arena->used_bytes += sizeof(*block) + size;
	return block;
}

void *arena_alloc(struct arena *arena, size_t bytes)
{
	struct arena_block *block = arena->blocks;
	size_t size = (bytes + alignof(max_align_t) - 1) & ~(alignof(max_align_t) - 1);
	void *memory;

	if (size < bytes)
		return NULL;
	if (!block || size > block->size - block->used)
		block = block_add(arena, size);
	if (!block)
		return NULL;
	memory = block->bytes + block->used;
	block->used += size;
	return memory;
}

void arena_join(struct arena *arena, struct arena *other)
{
	struct arena_block **end = &arena->blocks;

	while (*end)
		end = &(*end)->next;
	*end = other->blocks;
	arena->used_bytes += other->used_bytes;
	*other = ARENA_INIT(other->max_bytes);
}

bool arena_copy(struct arena *arena, struct str text, struct str *ret)
{
	char *copy = arena_alloc(arena, text.len + 1);

	if (!copy)
		return false;
	if (text.len)
		memcpy(copy, text.ptr, text.len);
	*ret = (struct str){ copy, text.len };
	return true;
}

struct str arena_keep(struct arena *arena, struct str text)
{
	struct str copy = { "", 0 };

	assert(arena->max_bytes == ARENA_UNLIMITED);
	arena_copy(arena, text, &copy);
	return copy;
}

__attribute__((nonnull(2))) struct str arena_printf(struct arena *arena, const char *format, ...)
{
	va_list args, again;
	struct str text = { "", 0 };
	int len;

	va_start(args, format);
	va_copy(again, args);
	len = vsnprintf(NULL, 0, format, again);
	va_end(again);
	if (len > 0) {
		char *copy = arena_keep_bytes(arena, NULL, (size_t)len + 1);

		vsnprintf(copy, (size_t)len + 1, format, args);
		text = (struct str){ copy, (size_t)len };
	}
	va_end(args);
	return text;
}

void *arena_keep_bytes(struct arena *arena, const void *from, size_t bytes)
{
	void *copy = arena_alloc(arena, bytes);

	assert(arena->max_bytes == ARENA_UNLIMITED);
	return from && bytes ? memcpy(copy, from, bytes) : copy;
}
