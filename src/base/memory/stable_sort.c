/*
 * qsort and qsort_r of the static program: stable, as those of glibc are and those of musl are not. Equal items keep
 * their order, so that both programs print the same bytes.
 */
#include <stdlib.h>
#include <string.h>

#include "base/memory/mem.h"

struct sorting {
	size_t size; /* of an item */
	int (*compare)(const void *a, const void *b, void *ctx);
	void *ctx;
	char *spare; /* room for all items */
};

static void sort_range(const struct sorting *sorting, char *items, size_t count)
{
	size_t size = sorting->size;
	char *middle = items + count / 2 * size, *end = items + count * size;
	char *left = items, *right = middle, *out = sorting->spare;

	if (count < 2)
		return;
	sort_range(sorting, items, count / 2);
	sort_range(sorting, middle, count - count / 2);
	for (; left < middle && right < end; out += size) {
		char **least = sorting->compare(left, right, sorting->ctx) <= 0 ? &left : &right;

		memcpy(out, *least, size);
		*least += size;
	}
	memcpy(out, left, (size_t)(middle - left)); /* the rest of the right run is in its place */
	memcpy(items, sorting->spare, (size_t)(out - sorting->spare) + (size_t)(middle - left));
}

void qsort_r(void *items, size_t count, size_t size, int (*compare)(const void *, const void *, void *), void *ctx)
{
	struct sorting sorting = { .size = size, .compare = compare, .ctx = ctx };

	if (count < 2)
		return;
	sorting.spare = mem_resize(NULL, count, size);
	sort_range(&sorting, items, count);
	free(sorting.spare);
}

static int compare_plain(const void *a, const void *b, void *ctx)
{
	int (*const *compare)(const void *, const void *) = ctx;

	return (*compare)(a, b);
}

void qsort(void *items, size_t count, size_t size, int (*compare)(const void *, const void *))
{
	qsort_r(items, count, size, compare_plain, &compare);
}
