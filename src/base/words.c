#include "base/words.h"

#include <assert.h>

struct str word_for(const struct words *words, unsigned value)
{
	assert(value < words->count);
	return words->items[value];
}

bool word_find(const struct words *words, struct str word, unsigned *ret)
{
	for (unsigned i = 0; i < words->count; i++) {
		if (str_eq(words->items[i], word)) {
			*ret = i;
			return true;
		}
	}
	*ret = words->other;
	return false;
}

bool words_bits(const struct words *words, struct str list, unsigned *ret)
{
	struct str word = { 0 };
	unsigned value;

	*ret = 0;
	while (list.len && str_cut(&list, ' ', &word)) {
		if (!word_find(words, word, &value))
			return false;
		*ret |= 1u << value;
	}
	return true;
}

void words_put(struct buf *out, const struct words *words, unsigned bits, const char *between)
{
	const char *before = "";

	for (unsigned i = 0; i < words->count; i++) {
		if (!(bits >> i & 1))
			continue;
		buf_printf(out, "%s%.*s", before, STR_ARG(words->items[i]));
		before = between;
	}
}
