#include "scan/port/sh.h"

void sh_put_word(struct buf *out, struct str word)
{
	buf_byte(out, '\'');
	for (size_t i = 0; i < word.len; i++) {
		if (word.ptr[i] == '\'')
			buf_add(out, STR("'\\''"));
		else
			buf_byte(out, word.ptr[i]);
	}
	buf_byte(out, '\'');
}
