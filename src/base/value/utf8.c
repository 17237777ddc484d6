#include "base/value/utf8.h"

#include <stdio.h>
#include <unistr.h>
#include <uniwidth.h>

#include "base/memory/mem.h"

/* U+FFFD replaces invalid bytes. */
#define REPLACEMENT STR("\xef\xbf\xbd")

static const uint8_t *bytes(struct str text)
{
	return (const uint8_t *)text.ptr;
}

/* Bytes below 0x80 that text begins with, 32 at a time where possible. */
static size_t ascii_blocks(struct str text)
{
	size_t at = 0;
	uint64_t word[4];

	for (; at + sizeof(word) <= text.len; at += sizeof(word)) {
		memcpy(word, text.ptr + at, sizeof(word));
		if ((word[0] | word[1] | word[2] | word[3]) & 0x8080808080808080u)
			break;
	}
	return at;
}

static bool is_high(char byte)
{
	return (unsigned char)byte >= 0x80;
}

bool utf8_is_ascii(struct str text)
{
	bool high = false;

	text = str_skip(text, ascii_blocks(text));
	if (text.len >= 32)
		return false;
	for (size_t i = 0; i < text.len; i++)
		high |= is_high(text.ptr[i]);
	return !high;
}

bool utf8_valid(struct str text, size_t *ret_bad_at)
{
	size_t at = 0;

	while (at < text.len) {
		size_t end;
		const uint8_t *bad;

		at += ascii_blocks(str_skip(text, at));
		while (at < text.len && !is_high(text.ptr[at]))
			at++;
		/* no sequence crosses an ASCII byte: the runs between them can be checked one by one */
		for (end = at; end < text.len && is_high(text.ptr[end]);)
			end++;
		bad = at < end ? u8_check(bytes(text) + at, end - at) : NULL;
		if (bad) {
			*ret_bad_at = (size_t)(bad - bytes(text));
			return false;
		}
		at = end;
	}
	return true;
}

/* Returns the bytes of the broken sequence at the start of text, which one U+FFFD replaces. */
static size_t broken_len(struct str text)
{
	size_t len = 1;

	while (len < text.len && len < 4 && ((unsigned char)text.ptr[len] & 0xc0) == 0x80) {
		ucs4_t point;

		/* -2: an incomplete but so far valid sequence */
		if (u8_mbtoucr(&point, bytes(text), len + 1) != -2)
			break;
		len++;
	}
	return len;
}

size_t utf8_repair(struct buf *buf, struct str text)
{
	size_t replaced = 0, good = 0, at = 0;

	while (at < text.len) {
		ucs4_t point;
		int len = u8_mbtoucr(&point, bytes(text) + at, text.len - at);

		if (len > 0) {
			at += (size_t)len;
			continue;
		}
		buf_add(buf, str_sub(text, good, at));
		buf_add(buf, REPLACEMENT);
		at += broken_len(str_skip(text, at));
		good = at;
		replaced++;
	}
	buf_add(buf, str_skip(text, good));
	return replaced;
}

size_t utf8_points(struct str text)
{
	return SUM(i, text.len, ((unsigned char)text.ptr[i] & 0xc0) != 0x80);
}

size_t utf8_offset(struct str text, size_t points)
{
	for (size_t i = 0; i < text.len; i++) {
		if (((unsigned char)text.ptr[i] & 0xc0) != 0x80 && points-- == 0)
			return i;
	}
	return text.len;
}

struct str utf8_head(struct str text, size_t bytes)
{
	if (bytes >= text.len)
		return text;
	while (bytes && ((unsigned char)text.ptr[bytes] & 0xc0) == 0x80)
		bytes--;
	return str_sub(text, 0, bytes);
}

/* Takes one code point off *rest. */
static ucs4_t next_point(struct str *rest)
{
	ucs4_t point;
	int len = u8_mbtouc(&point, bytes(*rest), rest->len);

	*rest = str_skip(*rest, (size_t)len);
	return point;
}

static size_t point_columns(ucs4_t point)
{
	int width = uc_width(point, "UTF-8");

	return width > 0 ? (size_t)width : 0;
}

size_t utf8_columns(struct str text)
{
	size_t columns = 0;

	if (utf8_is_ascii(text))
		return text.len;
	while (text.len)
		columns += point_columns(next_point(&text));
	return columns;
}

struct str utf8_fit(struct str text, size_t columns)
{
	struct str rest = text;

	while (rest.len) {
		struct str before = rest;
		size_t width = point_columns(next_point(&rest));

		if (width > columns)
			return str_sub(text, 0, (size_t)(before.ptr - text.ptr));
		columns -= width;
	}
	return text;
}

/* Characters that move the cursor, end a line or turn the reading direction. */
static bool is_active(ucs4_t point)
{
	return point < 0x20 || (point >= 0x7f && point < 0xa0) || point == 0x2028 || point == 0x2029 ||
	       (point >= 0x202a && point <= 0x202e) || (point >= 0x2066 && point <= 0x2069) || point == 0x200e ||
	       point == 0x200f || point == 0x061c || point == 0xfeff || point == 0xfffe || point == 0xffff;
}

/* Bytes that text begins with and that are shown as they are: most names have no others. */
static size_t plain_ascii(struct str text)
{
	size_t at = 0;

	while (at < text.len && text.ptr[at] >= ' ' && text.ptr[at] < 0x7f)
		at++;
	return at;
}

void utf8_printable(struct buf *buf, struct str text)
{
	while (text.len) {
		struct str rest;
		ucs4_t point;
		size_t plain = plain_ascii(text);
		int len;

		buf_add(buf, str_sub(text, 0, plain));
		text = rest = str_skip(text, plain);
		if (!text.len)
			break;
		len = u8_mbtoucr(&point, bytes(text), text.len);
		if (len < 0) {
			text = str_skip(text, broken_len(text));
			buf_add(buf, REPLACEMENT);
			continue;
		}
		text = str_skip(text, (size_t)len);
		if (!is_active(point))
			buf_add(buf, str_sub(rest, 0, (size_t)len));
		else
			buf_printf(buf, point < 0x100 ? "\\x%02x" : "\\u{%04x}", point);
	}
}

struct str utf8_keep_printable(struct arena *arena, struct str text)
{
	CLEANUP(buf_clear) struct buf printable = BUF_UNLIMITED;

	utf8_printable(&printable, text);
	return arena_keep(arena, buf_str(&printable));
}

struct shown shown(struct str text)
{
	struct buf buf = BUF_UNLIMITED;
	struct shown shown = { 0 };
	struct str head, rest = text.len > sizeof(shown.text) ? str_sub(text, 0, sizeof(shown.text)) : text;

	/* most are, several in each line of a log */
	if (text.len && text.len < sizeof(shown.text) && plain_ascii(text) == text.len) {
		memcpy(shown.text, text.ptr, text.len);
		return shown;
	}
	utf8_printable(&buf, rest);
	head = buf_str(&buf);
	if (head.len >= sizeof(shown.text)) {
		head = utf8_head(head, sizeof(shown.text) - 4);
		memcpy(shown.text + head.len, "...", 3);
	}
	memcpy(shown.text, head.ptr, head.len);
	buf_clear(&buf);
	return shown;
}
