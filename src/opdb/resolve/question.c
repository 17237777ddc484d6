#include "opdb/resolve/question.h"

#include <string.h>

void *resolver_alloc(struct resolver *resolver, size_t bytes)
{
	void *memory = arena_alloc(&resolver->arena, bytes);

	resolver->full |= !memory;
	return memory;
}

void *resolver_keep(struct resolver *resolver, const void *items, size_t bytes)
{
	void *memory = resolver_alloc(resolver, bytes);

	return memory && bytes ? memcpy(memory, items, bytes) : memory;
}

int resolver_check(const struct resolver *resolver, struct err *err)
{
	if (resolver->failure.code) {
		*err = resolver->failure;
		return -err->code;
	}
	return resolver->full ? err_set(err, ERR_LIMIT, "the answers take too much memory") : 0;
}

struct str question_join(const struct question *question, bool wanted, const struct str *parts, size_t count)
{
	size_t len = 0, at = 0;
	char *text;

	if (!wanted)
		return STR("");
	for (size_t i = 0; i < count; i++)
		len += parts[i].len;
	text = resolver_alloc(question->resolver, len + 1);
	if (!text)
		return STR("");
	for (size_t i = 0; i < count; i++) {
		if (parts[i].len)
			memcpy(text + at, parts[i].ptr, parts[i].len);
		at += parts[i].len;
	}
	return (struct str){ text, len };
}
