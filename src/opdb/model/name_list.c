#include "opdb/model/name_list.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/memory/mem.h"
#include "base/value/words.h"
#include "base/view/ascii.h"

extern const char names_text[];

static const struct str list_words[NAME_LISTS] = {
	[NAMES_DATA] = STR("data"),
	[NAMES_DEVICE] = STR("device"),
	[NAMES_MAKES_COMPLEX] = STR("makes-complex"),
	[NAMES_MAKES_SPARSE] = STR("makes-sparse"),
	[NAMES_SELECTS] = STR("selects"),
	[NAMES_SLOW_BOOL] = STR("slow-bool"),
	[NAMES_SLOW_INT64] = STR("slow-int64"),
	[NAMES_SPARSE] = STR("sparse"),
};

static struct {
	struct str *items;
	size_t count, capacity;
} patterns[NAME_LISTS];
static pthread_once_t parsed = PTHREAD_ONCE_INIT;

static void parse_rows(void)
{
	const struct words words = { list_words, NAME_LISTS, NAME_LISTS };
	struct str text = str_from(names_text), line = { 0 }, list, pattern;
	unsigned at;

	while (text.len && str_cut(&text, '\n', &line)) {
		if (str_cut(&line, '\t', &list) && word_find(&words, list, &at) && str_cut(&line, '\t', &pattern))
			MEM_PUSH(&patterns[at], pattern);
	}
}

__attribute__((destructor)) static void free_patterns(void)
{
	for (size_t i = 0; i < NAME_LISTS; i++)
		free(patterns[i].items);
}

bool name_is_listed(enum name_list list, struct str name)
{
	pthread_once(&parsed, parse_rows);
	return ANY(i, patterns[list].count, str_fits(patterns[list].items[i], name));
}
