#include "base/memory/mem.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static bool (*relieve)(unsigned tries);

void mem_on_failure(bool (*relief)(unsigned tries))
{
	relieve = relief;
}

bool mem_again(unsigned tries)
{
	if (relieve && relieve(tries))
		return true;
	fputs("opcheck: out of memory\n", stderr);
	abort();
}

void mem_failed(void)
{
	if (relieve)
		relieve(MEM_FAILED);
}

void *mem_zalloc(size_t bytes)
{
	unsigned tries = 0;
	void *memory;

	do
		memory = calloc(1, bytes ? bytes : 1);
	while (!memory && mem_again(tries++));
	return memory;
}

void *mem_resize(void *array, size_t count, size_t item_bytes)
{
	unsigned tries = 0;
	void *memory;

	do
		memory = reallocarray(array, count ? count : 1, item_bytes);
	while (!memory && mem_again(tries++));
	return memory;
}

void mem_give_back(const void *from, const void *to)
{
	uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
	uintptr_t begin = ((uintptr_t)from + page - 1) & ~(page - 1), end = (uintptr_t)to & ~(page - 1);

	if (begin < end)
		madvise((void *)begin, end - begin, MADV_DONTNEED);
}

void *mem_room(void *array, size_t count, size_t *capacity, size_t item_bytes)
{
	if (count < *capacity)
		return array;
	*capacity = *capacity ? *capacity * 2 : 16;
	return mem_resize(array, *capacity, item_bytes);
}

void *mem_copy(const void *from, size_t bytes)
{
	return memcpy(mem_resize(NULL, bytes, 1), from, bytes);
}

char *mem_text(const char *text)
{
	return mem_copy(text, strlen(text) + 1);
}

void mem_release(void *pointer_to_pointer)
{
	void **pointer = pointer_to_pointer;

	free(*pointer);
	*pointer = NULL;
}
