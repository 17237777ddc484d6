#include "store/engine/postgresql_text.h"

#include <ctype.h>
#include <stdbool.h>

unsigned postgresql_put_text(struct buf *out, const char *text)
{
	unsigned last = 0, most = 0;
	bool is_quoted = false;

	for (const char *at = text; *at; at++) {
		is_quoted ^= *at == '\'';
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
	return most;
}
