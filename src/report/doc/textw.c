#include "report/doc/textw.h"

#include "base/value/utf8.h"
#include "base/view/scan.h"

static const char *const codes[] = {
	[COLOR_NONE] = "",
	[COLOR_RED] = "31",
	[COLOR_YELLOW] = "33",
	[COLOR_GREEN] = "32",
	[COLOR_DIM] = "2",
	[COLOR_BOLD] = "1",
};

void textw_colored(struct textw *text, enum color color, struct str value)
{
	bool colored = text->color && color != COLOR_NONE;

	if (colored)
		buf_printf(text->out, "\x1b[%sm", codes[color]);
	buf_add(text->out, value);
	if (colored)
		buf_add(text->out, STR("\x1b[0m"));
}

static void pad(struct textw *text, size_t columns)
{
	for (size_t i = 0; i < columns; i++)
		buf_byte(text->out, ' ');
}

void textw_column(struct textw *text, struct str value, unsigned columns, bool right)
{
	bool cut = utf8_columns(value) > columns;
	struct str head = cut ? utf8_fit(value, columns - 1) : value;
	size_t blanks = columns - utf8_columns(head) - cut;

	pad(text, right ? blanks : 0);
	buf_add(text->out, head);
	buf_add(text->out, cut ? STR("\xe2\x80\xa6") : STR(""));
	pad(text, right ? 0 : blanks);
}

/* Returns the length of the first word if it is an address, which no line break may cut, else 0. */
static bool is_address(struct str value, size_t *ret_len)
{
	size_t blank = str_find(value, STR(" "));

	*ret_len = blank == STR_NONE ? value.len : blank;
	return str_has(str_sub(value, 0, *ret_len), STR("://"));
}

/* A blank, but for the one in "73.2 %". */
static bool ends_word(struct str value, size_t at)
{
	return value.ptr[at] == ' ' && !(at + 1 < value.len && value.ptr[at + 1] == '%');
}

/* Returns whether a line may begin with the wide character there: any but punctuation that ends a clause. */
static bool begins_line(struct str value, size_t at)
{
	static const char *const closing[] = { "\xef\xbc\x8c", "\xe3\x80\x82", "\xef\xbc\x9a", "\xef\xbc\x9b",
		"\xef\xbc\x89", "\xe3\x80\x81", "\xef\xbc\x9f", "\xe2\x80\x9d", "\xe2\x80\xa6" };

	if ((unsigned char)value.ptr[at] < 0xe0)
		return false;
	return ALL(i, sizeof(closing) / sizeof(closing[0]), !str_starts(str_skip(value, at), str_from(closing[i])));
}

/* Length of the head that fits into columns and ends at a blank, or before a wide character; all of it if it fits.
   Never 0. */
static size_t line_break(struct str value, size_t columns)
{
	struct str fit = utf8_fit(value, columns);
	size_t word;

	if (fit.len == value.len || !fit.len)
		return value.len;
	/* Chinese has no blanks: a line may end before any of its characters */
	for (size_t at = fit.len; at > 0; at--) {
		if (ends_word(value, at) || begins_line(value, at))
			return at;
	}
	return is_address(value, &word) ? word : fit.len;
}

void textw_wrap(struct textw *text, struct str value, unsigned first, unsigned indent)
{
	unsigned start = first;

	while (value.len) {
		size_t len = line_break(value, text->width > start + 10 ? text->width - start : 10);

		buf_add(text->out, scan_chop(str_sub(value, 0, len)));
		buf_byte(text->out, '\n');
		value = str_skip(value, len);
		while (value.len && value.ptr[0] == ' ')
			value = str_skip(value, 1);
		if (value.len)
			pad(text, indent);
		start = indent;
	}
}

struct buf textw_printable(struct str value)
{
	struct buf copy = BUF_UNLIMITED;

	utf8_printable(&copy, value);
	return copy;
}
