#include "report/mdw.h"

#include "base/utf8.h"

/* "npu@v2.7.1" mentions nobody. */
static bool is_mid_word(struct str text, size_t at)
{
	return at && (is_alpha(text.ptr[at - 1]) || is_digit(text.ptr[at - 1]));
}

void md_text(struct buf *out, struct str text)
{
	struct buf printable = BUF_UNLIMITED;
	struct str all;

	utf8_printable(&printable, text);
	all = buf_str(&printable);
	for (size_t i = 0; i < all.len; i++) {
		char byte = all.ptr[i];

		if (byte == '<')
			buf_add(out, STR("&lt;"));
		else if (byte == '#' || (byte == '@' && !is_mid_word(all, i)))
			buf_printf(out, "&#%d;", byte);
		else if (str_has(STR("|`\\*_[]~"), str_sub(all, i, i + 1)))
			buf_printf(out, "\\%c", byte);
		else
			buf_byte(out, byte);
	}
	buf_clear(&printable);
}
