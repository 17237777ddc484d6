#include "base/mem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void (*failure_end)(void);

void mem_on_failure(void (*end)(void))
{
	failure_end = end;
}

static void *checked(void *memory)
{
	if (!memory) {
		if (failure_end)
			failure_end();
		fputs("opcheck: out of memory\n", stderr);
		abort();
	}
	return memory;
}

void *mem_zalloc(size_t bytes)
{
	return checked(calloc(1, bytes ? bytes : 1));
}

void *mem_resize(void *array, size_t count, size_t item_bytes)
{
	return checked(reallocarray(array, count ? count : 1, item_bytes));
}

void *mem_room(void *array, size_t count, size_t *capacity, size_t item_bytes)
{
	if (count < *capacity)
		return array;
	*capacity = *capacity ? *capacity * 2 : 16;
	return mem_resize(array, *capacity, item_bytes);
}

void mem_release(void *pointer_to_pointer)
{
	void **pointer = pointer_to_pointer;

	free(*pointer);
	*pointer = NULL;
}
