#include "io/text.h"

#include <stdlib.h>
#include <unistr.h>

#include "base/memory/buf.h"
#include "base/memory/mem.h"
#include "base/view/scan.h"

#define REPLACEMENT STR("\xef\xbf\xbd") /* U+FFFD */

enum encoding { BYTES, UTF16LE, UTF16BE };

struct text {
	struct source *source;
	enum encoding encoding;
	bool started, marked;
	struct buf out;
	/* UTF-16: bytes of a code unit or of a surrogate pair that a chunk boundary cut */
	char pending[4];
	size_t pending_len;
};

struct text *text_new(struct source *source)
{
	struct text *text = mem_zalloc(sizeof(*text));

	text->source = source;
	text->out = BUF_UNLIMITED; /* one chunk of the source, at most three bytes for two */
	return text;
}

void text_free(struct text *text)
{
	if (!text)
		return;
	buf_clear(&text->out);
	free(text);
}

/* Returns whether every second byte of the head is NUL, from the given one on. */
static bool alternates(struct str head, size_t nul_at)
{
	enum { PAIRS = 32 };

	if (head.len < 2 * PAIRS)
		return false;
	return ALL(i, PAIRS, !head.ptr[2 * i + nul_at] && head.ptr[2 * i + 1 - nul_at]);
}

/* Decides on the encoding; returns the bytes of the mark. */
static size_t detect_encoding(struct text *text, struct str head)
{
	bool little = str_starts(head, STR("\xff\xfe")), big = str_starts(head, STR("\xfe\xff"));

	if (str_starts(head, STR("\xef\xbb\xbf")))
		return 3;
	if (little || alternates(head, 1))
		text->encoding = UTF16LE;
	else if (big || alternates(head, 0))
		text->encoding = UTF16BE;
	return little || big ? 2 : 0;
}

static uint16_t unit_at(const struct text *text, const char *at)
{
	unsigned char first = (unsigned char)at[0], second = (unsigned char)at[1];

	return text->encoding == UTF16LE ? (uint16_t)(first | second << 8) : (uint16_t)(first << 8 | second);
}

/* Appends one code point; a lone surrogate becomes U+FFFD, a NUL nothing. */
static void put_point(struct buf *out, ucs4_t point)
{
	uint8_t utf8[6];
	int len = u8_uctomb(utf8, point, sizeof(utf8));

	if (len < 0)
		buf_add(out, REPLACEMENT);
	else if (point)
		buf_add(out, (struct str){ (const char *)utf8, (size_t)len });
}

/* Appends whole code points of chunk; returns the bytes used. */
static size_t decode_units(struct text *text, struct str chunk)
{
	size_t at = 0;

	while (chunk.len - at >= 2) {
		uint16_t units[2] = { unit_at(text, chunk.ptr + at), 0 };
		size_t count = 1;
		ucs4_t point;

		if (units[0] >= 0xd800 && units[0] < 0xdc00) {
			if (chunk.len - at < 4)
				break;
			units[1] = unit_at(text, chunk.ptr + at + 2);
			count = units[1] >= 0xdc00 && units[1] < 0xe000 ? 2 : 1;
		}
		if (u16_mbtoucr(&point, units, count) < 0)
			point = 0xfffd;
		put_point(&text->out, point);
		at += 2 * count;
	}
	return at;
}

static struct str decode_utf16(struct text *text, struct str chunk)
{
	struct buf joined = BUF_UNLIMITED;
	size_t used;

	buf_add(&joined, (struct str){ text->pending, text->pending_len });
	buf_add(&joined, chunk);
	used = decode_units(text, buf_str(&joined));
	text->pending_len = joined.len - used;
	memcpy(text->pending, joined.ptr + used, text->pending_len);
	buf_clear(&joined);
	return buf_str(&text->out);
}

/* The chunk itself, or a copy without its NULs if it has any. */
static struct str drop_nuls(struct text *text, struct str chunk)
{
	struct str part;

	if (!source_has_nul(text->source))
		return chunk;
	while (str_cut(&chunk, '\0', &part)) {
		buf_add(&text->out, part);
		if (chunk.len) /* holes of files are long */
			chunk = str_skip(chunk, scan_run(chunk, '\0'));
	}
	return buf_str(&text->out);
}

/* The end has come inside a character. */
static int end_of_pending(struct text *text, struct str *ret_chunk)
{
	text->pending_len = 0;
	buf_add(&text->out, REPLACEMENT);
	*ret_chunk = buf_str(&text->out);
	return 1;
}

int text_next(struct text *text, struct str *ret_chunk, struct err *err)
{
	struct str chunk = { 0 };
	int status;

	text->out.len = 0;
	do {
		status = source_next(text->source, &chunk, err);
		if (status != 1)
			break;
		if (!text->started) {
			size_t mark = detect_encoding(text, chunk);

			text->started = true;
			text->marked = mark > 0;
			chunk = str_skip(chunk, mark);
		}
		chunk = text->encoding == BYTES ? drop_nuls(text, chunk) : decode_utf16(text, chunk);
	} while (!chunk.len);
	if (status == 1)
		*ret_chunk = chunk;
	return status == 0 && text->pending_len ? end_of_pending(text, ret_chunk) : status;
}

const char *text_encoding(const struct text *text)
{
	static const char *const names[] = { [BYTES] = "", [UTF16LE] = "utf-16le", [UTF16BE] = "utf-16be" };

	return names[text->encoding];
}

bool text_has_mark(const struct text *text)
{
	return text->marked;
}
