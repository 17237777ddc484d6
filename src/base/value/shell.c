#include "base/value/shell.h"

void shell_put_quoted(struct buf *out, struct str word)
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

/* Returns whether a shell takes every byte as it is. */
static bool is_plain(struct str word)
{
	static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._:/@%+,=";

	return ALL(i, word.len, memchr(plain, word.ptr[i], sizeof(plain) - 1)) && word.len;
}

void shell_put_word(struct buf *out, struct str word)
{
	if (is_plain(word))
		buf_add(out, word);
	else
		shell_put_quoted(out, word);
}

void shell_put_path(struct buf *out, struct str path)
{
	if (str_starts(path, STR("-")))
		buf_add(out, STR("./"));
	shell_put_word(out, path);
}
