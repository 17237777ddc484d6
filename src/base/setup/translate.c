#include "base/setup/translate.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/memory/mem.h"
#include "base/view/str.h"

struct pair {
	struct str english; /* in the table */
	char *other;
};

static MEM_LIST(struct pair) pairs;
/* Not NULL in a thread that is paused. No _Thread_local: with one byte of it in every program, mold 1.10 now and then
   links one that the loader refuses ("cannot apply additional memory protection after relocation"). */
static pthread_key_t paused_here;

__attribute__((constructor)) static void make_key(void)
{
	pthread_key_create(&paused_here, NULL);
}

static int by_english(const void *a, const void *b)
{
	return str_cmp(((const struct pair *)a)->english, ((const struct pair *)b)->english);
}

__attribute__((destructor)) static void free_pairs(void)
{
	for (size_t i = 0; i < pairs.count; i++)
		free(pairs.items[i].other);
	mem_release(&pairs.items);
	pairs.count = pairs.capacity = 0;
}

void translation_set(const char *table)
{
	struct str rest = str_from(table), line, english = STR("");

	free_pairs();
	while (str_cut(&rest, '\n', &line)) {
		bool other = str_starts(line, STR("\t"));

		if (other && english.len)
			MEM_PUSH(&pairs, ((struct pair){ english, strndup(line.ptr + 1, line.len - 1) }));
		english = other || str_starts(line, STR("#")) ? STR("") : line;
	}
	if (pairs.count)
		qsort(pairs.items, pairs.count, sizeof(pairs.items[0]), by_english);
}

void translation_pause(bool paused)
{
	pthread_setspecific(paused_here, paused ? &pairs : NULL);
}

const char *translated(const char *english)
{
	struct pair key = { .english = str_from(english) };
	const struct pair *pair = NULL;

	if (pairs.count && !pthread_getspecific(paused_here))
		pair = bsearch(&key, pairs.items, pairs.count, sizeof(key), by_english);
	return pair ? pair->other : english;
}
