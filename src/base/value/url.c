#include "base/value/url.h"

#include "base/view/ascii.h"

void url_put(struct buf *buf, struct str text)
{
	for (size_t i = 0; i < text.len; i++) {
		char byte = text.ptr[i];

		if (is_word(byte) || memchr("-.~", byte, 3))
			buf_byte(buf, byte);
		else
			buf_printf(buf, "%%%02X", (unsigned char)byte);
	}
}

void url_put_path(struct buf *buf, struct str path)
{
	struct str segment;

	for (bool first = true; str_cut(&path, '/', &segment); first = false) {
		if (!first)
			buf_byte(buf, '/');
		url_put(buf, segment);
	}
}

static int hex_digit(char byte)
{
	char lower = (char)(byte | 0x20);

	return is_digit(byte) ? byte - '0' : lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

bool url_decode(struct str text, struct arena *arena, struct str *ret)
{
	char *plain = arena_alloc(arena, text.len + 1);
	size_t len = 0;

	for (size_t i = 0; i < text.len; i++) {
		int high = 0, low = (unsigned char)text.ptr[i];

		if (text.ptr[i] == '%') {
			if (text.len - i < 3 || (high = hex_digit(text.ptr[i + 1])) < 0 ||
				(low = hex_digit(text.ptr[i + 2])) < 0)
				return false;
			i += 2;
		}
		if (!(high << 4 | low))
			return false;
		plain[len++] = (char)(high << 4 | low);
	}
	*ret = (struct str){ plain, len };
	return true;
}
