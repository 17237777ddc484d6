#include "base/value/words.h"

#include <assert.h>

struct str word_for(const struct words *words, unsigned value)
{
	assert(value < words->count);
	return words->items[value];
}

bool word_find(const struct words *words, struct str word, unsigned *ret)
{
	size_t at = STR_POSITION(words->items, words->count, word);

	*ret = at == STR_NONE ? words->other : (unsigned)at;
	return at != STR_NONE;
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

size_t str_position(const void *items, size_t count, size_t item_bytes, struct str text)
{
	for (size_t i = 0; i < count; i++) {
		const struct str *first = (const void *)((const char *)items + i * item_bytes);

		if (str_eq(*first, text))
			return i;
	}
	return STR_NONE;
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
