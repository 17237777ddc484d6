#include "dump/guide/python.h"

#include <unictype.h>
#include <unistr.h>

#include "base/memory/mem.h"
#include "base/view/scan.h"

/* --- str.strip */

/* Bytes of the white space that text begins with: what str.strip() takes. */
static size_t space_len(struct str text)
{
	static const struct str wide[] = { { "\xc2\x85", 2 }, { "\xc2\xa0", 2 }, { "\xe1\x9a\x80", 3 },
		{ "\xe2\x80\xa8", 3 }, { "\xe2\x80\xa9", 3 }, { "\xe2\x80\xaf", 3 }, { "\xe2\x81\x9f", 3 },
		{ "\xe3\x80\x80", 3 } };
	unsigned char byte = text.len ? (unsigned char)text.ptr[0] : 'x';

	if (byte < 0x80)
		return byte == ' ' || (byte >= 9 && byte <= 13) || (byte >= 0x1c && byte <= 0x1f);
	for (size_t i = 0; i < ARRAY_SIZE(wide); i++) {
		if (str_starts(text, wide[i]))
			return wide[i].len;
	}
	/* U+2000 to U+200A */
	return str_starts(text, STR("\xe2\x80")) && text.len > 2 && (unsigned char)text.ptr[2] >= 0x80 &&
			       (unsigned char)text.ptr[2] <= 0x8a
		       ? 3
		       : 0;
}

static size_t space_len_at_end(struct str text)
{
	size_t len;

	for (size_t back = 1; back <= 3 && back <= text.len; back++) {
		len = space_len(str_skip(text, text.len - back));
		if (len == back)
			return len;
		if (((unsigned char)text.ptr[text.len - back] & 0xc0) != 0x80)
			break;
	}
	return 0;
}

/* Returns whether a byte is neither white space nor part of a longer character, so that it needs no closer look. */
static bool is_plain(char byte)
{
	return byte > ' ' && (unsigned char)byte < 0x80;
}

struct str python_strip(struct str text)
{
	size_t len;

	/* blanks first: they are nearly all there is */
	text = scan_trim(text);
	while (text.len && !is_plain(text.ptr[0]) && (len = space_len(text)))
		text = str_skip(text, len);
	while (text.len && !is_plain(text.ptr[text.len - 1]) && (len = space_len_at_end(text)))
		text = str_chop(text, len);
	return text;
}

/* --- repr */

static bool is_printable(ucs4_t point)
{
	return point == ' ' ||
	       !uc_is_general_category_withtable(point,
		       UC_CATEGORY_MASK_Cc | UC_CATEGORY_MASK_Cf | UC_CATEGORY_MASK_Cs | UC_CATEGORY_MASK_Co |
			       UC_CATEGORY_MASK_Cn | UC_CATEGORY_MASK_Zl | UC_CATEGORY_MASK_Zp | UC_CATEGORY_MASK_Zs);
}

static void put_escape(struct buf *buf, ucs4_t point)
{
	if (point == '\n' || point == '\r' || point == '\t')
		buf_printf(buf, "\\%c", point == '\n' ? 'n' : point == '\r' ? 'r' : 't');
	else if (point < 0x100)
		buf_printf(buf, "\\x%02x", point);
	else
		buf_printf(buf, point < 0x10000 ? "\\u%04x" : "\\U%08x", point);
}

static void put_python_string(struct buf *buf, struct str text)
{
	char quote = memchr(text.ptr, '\'', text.len) && !memchr(text.ptr, '"', text.len) ? '"' : '\'';

	buf_byte(buf, quote);
	while (text.len) {
		ucs4_t point;
		size_t len = (size_t)u8_mbtouc(&point, (const uint8_t *)text.ptr, text.len);

		if (point == (ucs4_t)quote || point == '\\')
			buf_byte(buf, '\\');
		if (is_printable(point))
			buf_add(buf, str_sub(text, 0, len));
		else
			put_escape(buf, point);
		text = str_skip(text, len);
	}
	buf_byte(buf, quote);
}

void python_put_list(struct buf *buf, const struct str *names, size_t count)
{
	buf_byte(buf, '[');
	for (size_t i = 0; i < count; i++) {
		if (i)
			buf_add(buf, STR(", "));
		put_python_string(buf, names[i]);
	}
	buf_byte(buf, ']');
}
