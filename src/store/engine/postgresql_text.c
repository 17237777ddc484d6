#include "store/engine/postgresql_text.h"

#include <ctype.h>
#include <stdbool.h>

#include "base/memory/mem.h"
#include "base/value/words.h"

/* The number of the name that begins here, and its length. */
static size_t number_of(const char *text, struct parameter_names *names, size_t *ret_len)
{
	struct str name = { text, strspn(text, "abcdefghijklmnopqrstuvwxyz_0123456789") };
	size_t at = STR_POSITION(names->items, names->count, name);

	if (at == STR_NONE) {
		at = names->count;
		MEM_PUSH(names, name);
	}
	*ret_len = name.len;
	return at + 1;
}

unsigned postgresql_put_text(struct buf *out, const char *text, struct parameter_names *names)
{
	unsigned last = 0, most = 0;
	bool is_quoted = false;

	for (const char *at = text; *at; at++) {
		size_t len = 0;

		is_quoted ^= *at == '\'';
		if (!is_quoted && at[0] == ':' && islower((unsigned char)at[1]) && (at == text || at[-1] != ':')) {
			buf_printf(out, "$%zu", number_of(at + 1, names, &len));
			at += len;
			continue;
		}
		if (*at != '?' || is_quoted) {
			buf_byte(out, *at);
			continue;
		}
		last++;
		if (isdigit((unsigned char)at[1])) {
			last = (unsigned)(at[1] - '0');
			for (at++; isdigit((unsigned char)at[1]); at++)
				last = last * 10 + (unsigned)(at[1] - '0');
		}
		buf_printf(out, "$%u", last);
		most = last > most ? last : most;
	}
	return names->count ? (unsigned)names->count : most;
}
