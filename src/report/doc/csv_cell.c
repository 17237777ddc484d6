#include "report/doc/csv_cell.h"

#include <string.h>

#include "base/value/utf8.h"

static void put_quoted(struct buf *out, struct str text)
{
	buf_byte(out, '"');
	for (size_t i = 0; i < text.len; i++) {
		if (text.ptr[i] == '"')
			buf_byte(out, '"');
		buf_byte(out, text.ptr[i]);
	}
	buf_byte(out, '"');
}

void csv_put_text(struct buf *out, struct str text)
{
	struct buf safe = BUF_UNLIMITED;

	/* spreadsheets take a cell that begins like this for a formula: an apostrophe makes it text */
	if (text.len && memchr("=+-@\t\r", text.ptr[0], 6))
		buf_byte(&safe, '\'');
	utf8_printable(&safe, text);
	if (memchr(buf_text(&safe), ',', safe.len) || memchr(buf_text(&safe), '"', safe.len))
		put_quoted(out, buf_str(&safe));
	else
		buf_add(out, buf_str(&safe));
	buf_clear(&safe);
}
