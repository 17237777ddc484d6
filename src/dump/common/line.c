#include "dump/common/line.h"

#include <stdlib.h>

#include "base/memory/mem.h"
#include "base/value/utf8.h"
#include "base/view/scan.h"

struct line_splitter {
	uint64_t max_bytes;
	struct str chunk; /* the rest of it */
	bool ended;
	struct buf carry; /* beginning of a line that the chunks before held */
	bool carry_cut;
	bool carry_done; /* the carry was handed out as a line */
	struct buf plain;
	struct decoder *decoder;
	uint64_t number, offset, line_start;
	bool after_cr; /* the last line ended at a CR: an LF right here belongs to it */
	struct line_facts facts;
};

struct line_splitter *line_splitter_new(const struct limits *limits)
{
	return MEM_NEW(struct line_splitter, .max_bytes = limits->line_bytes, .carry = BUF_INIT(limits->line_bytes),
		.decoder = decoder_new(), .plain = BUF_INIT(limits->line_bytes * 4), .number = 1);
}

void line_splitter_free(struct line_splitter *splitter)
{
	decoder_free(splitter->decoder);
	buf_clear(&splitter->carry);
	buf_clear(&splitter->plain);
	free(splitter);
}

void line_feed(struct line_splitter *splitter, struct str chunk)
{
	splitter->chunk = chunk;
}

void line_end(struct line_splitter *splitter)
{
	splitter->chunk = (struct str){ 0 };
	splitter->ended = true;
}

/* --- escape sequences */

/* Bytes of the escape sequence at the start of text: ESC [ parameters letter; at least the ESC itself. An end other
   than a letter, such as half a character, is not part of it. */
static size_t escape_len(struct str text)
{
	size_t len = 2;

	if (text.len < 2 || text.ptr[1] != '[')
		return 1;
	while (len < text.len && text.ptr[len] >= 0x20 && text.ptr[len] < 0x40)
		len++;
	return len < text.len && text.ptr[len] >= 0x40 && text.ptr[len] < 0x7f ? len + 1 : len;
}

static struct str strip_escapes(struct line_splitter *splitter, struct str text)
{
	const char *escape;

	splitter->plain.len = 0;
	while ((escape = memchr(text.ptr, '\x1b', text.len))) {
		buf_add(&splitter->plain, str_sub(text, 0, (size_t)(escape - text.ptr)));
		text = str_skip(text, (size_t)(escape - text.ptr));
		text = str_skip(text, escape_len(text));
	}
	buf_add(&splitter->plain, text);
	return buf_str(&splitter->plain);
}

/* A cut line without the beginning of a character at its end, which would make the whole line look like another
   encoding. */
static struct str without_half_character(struct str text)
{
	size_t back = 1, bad_at;

	while (back < 4 && back < text.len && ((unsigned char)text.ptr[text.len - back] & 0xc0) == 0x80)
		back++;
	if (back <= text.len && !utf8_valid(str_skip(text, text.len - back), &bad_at))
		return str_chop(text, back);
	return text;
}

/* found: what scan_line said of the last part of the line; parts that were carried over are looked at here. */
static void finish_line(struct line_splitter *splitter, struct str raw, bool from_carry,
	const struct scanned_line *found, struct line *ret)
{
	bool escape = found->escape || (from_carry && memchr(raw.ptr, '\x1b', raw.len));

	*ret = (struct line){ .raw = raw, .number = splitter->number, .offset = splitter->line_start };
	ret->cut = raw.len > splitter->max_bytes || (from_carry && splitter->carry_cut);
	if (ret->cut)
		ret->raw = without_half_character(
			raw.len > splitter->max_bytes ? str_sub(raw, 0, splitter->max_bytes) : raw);
	ret->ascii = ret->cut ? utf8_is_ascii(ret->raw) : !found->high && (!from_carry || utf8_is_ascii(raw));
	ret->text = ret->raw;
	splitter->facts.long_lines += ret->cut;
	if (!ret->ascii)
		ret->text = decode(splitter->decoder, ret->text);
	if (escape)
		ret->text = strip_escapes(splitter, ret->text);
}

/* --- splitting */

static void add_to_carry(struct line_splitter *splitter, struct str part)
{
	size_t room = splitter->max_bytes - splitter->carry.len;

	splitter->carry_cut |= part.len > room;
	buf_add(&splitter->carry, part.len > room ? str_sub(part, 0, room) : part);
}

/* Moves past the line and the byte that ends it. CR LF is one end. */
static void advance_line(struct line_splitter *splitter, size_t len)
{
	bool lf = splitter->chunk.ptr[len] == '\n';

	splitter->chunk = str_skip(splitter->chunk, len + 1);
	splitter->offset += len + 1;
	splitter->line_start = splitter->offset;
	splitter->number += lf;
	splitter->after_cr = !lf;
}

static void skip_lf_of_crlf(struct line_splitter *splitter)
{
	if (splitter->after_cr && splitter->chunk.len && splitter->chunk.ptr[0] == '\n')
		advance_line(splitter, 0);
	if (splitter->chunk.len)
		splitter->after_cr = false;
}

static bool last_line(struct line_splitter *splitter, struct line *ret)
{
	struct scanned_line nothing = { 0 };

	if (!splitter->ended || !splitter->carry.len)
		return false;
	finish_line(splitter, buf_str(&splitter->carry), true, &nothing, ret);
	splitter->carry_done = true;
	return true;
}

bool line_next(struct line_splitter *splitter, struct line *ret)
{
	struct scanned_line found;
	bool from_carry;

	if (splitter->carry_done) {
		splitter->carry.len = 0;
		splitter->carry_done = splitter->carry_cut = false;
	}
	skip_lf_of_crlf(splitter);
	if (!splitter->chunk.len)
		return last_line(splitter, ret);
	found = scan_line(splitter->chunk);
	from_carry = splitter->carry.len > 0 || splitter->carry_cut;
	if (from_carry || !found.ended)
		add_to_carry(splitter, str_sub(splitter->chunk, 0, found.len));
	if (!found.ended) {
		splitter->offset += found.len;
		splitter->chunk = (struct str){ 0 };
		return false;
	}
	finish_line(splitter, from_carry ? buf_str(&splitter->carry) : str_sub(splitter->chunk, 0, found.len),
		from_carry, &found, ret);
	splitter->carry_done = from_carry;
	advance_line(splitter, found.len);
	return true;
}

const struct line_facts *line_facts(struct line_splitter *splitter)
{
	splitter->facts.decoded = *decoder_facts(splitter->decoder);
	return &splitter->facts;
}
