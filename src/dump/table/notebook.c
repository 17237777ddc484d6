/*
 * Tables in the strings of JSON: outputs of a notebook, which hold a printed text as a list of lines and a shown one as
 * its repr(), and logs of containers, {"log":"  aten::add ...\n","stream":"stdout"} a line.
 *
 * The texts go to the reader of tables one after the other. A string is text if it has a line end in it, is an item of
 * a list, or belongs to a key under which loggers write their message; so names and time stamps beside it stay out.
 */
#include <stdlib.h>

#include "base/memory/mem.h"
#include "dump/common/format.h"
#include "json/value.h"

/* PIECE_BYTES: a long string is decoded in pieces. HELD_BYTES: this much without a line end is text, too. */
enum { PIECE_BYTES = 16 * 1024, HELD_BYTES = 64 * 1024, MAX_DEPTH = 64, KEY_BYTES = 16 };

struct notebook {
	void *table; /* the state of dump_table */
	struct dump_facts *facts;
	uint64_t bytes; /* read so far */
	uint64_t lists; /* a bit a level: it is a list */
	unsigned depth;
	bool key_next;     /* the next string is a key */
	bool message_next; /* the last key was one of a logger's messages */
	/* the string under way */
	bool in_string, escaped, is_key, is_text, is_first_piece;
	bool is_repr, repr_escaped; /* written by Python's repr(): "'...\\n...'" */
	struct buf raw;             /* of it, not decoded yet */
	struct buf text;            /* decoded, not given to the table yet */
};

/* --- one string */

/* The text of a repr() without its escapes; its quotes stay, as they are never part of a row. */
static void put_repr(struct notebook *book, struct str text)
{
	static const char from[] = "nrt", to[] = "\n\r\t";

	for (size_t i = 0; i < text.len; i++) {
		const char *found = book->repr_escaped ? memchr(from, text.ptr[i], 3) : NULL;

		if (!book->repr_escaped && text.ptr[i] == '\\') {
			book->repr_escaped = true;
			continue;
		}
		book->repr_escaped = false;
		buf_byte(&book->text, found ? to[found - from] : text.ptr[i]);
	}
}

static void decode_piece(struct notebook *book)
{
	CLEANUP(buf_clear) struct buf plain = BUF_UNLIMITED; /* three times a piece */
	struct json_value string = { .kind = JSON_STRING, .escaped = true, .raw = buf_str(&book->raw) };

	json_text(&plain, &string);
	if (book->is_first_piece && plain.len)
		book->is_repr = memchr("'\"{", plain.ptr[0], 3);
	book->is_first_piece = false;
	if (book->is_repr)
		put_repr(book, buf_str(&plain));
	else
		buf_add(&book->text, buf_str(&plain));
	buf_reset(&book->raw);
	book->is_text |= book->text.len > HELD_BYTES || str_has(buf_str(&book->text), STR("\n"));
}

static int give_text(struct notebook *book, struct err *err)
{
	int status = dump_table.feed(book->table, buf_str(&book->text), err);

	buf_reset(&book->text);
	return status;
}

static bool in_list(const struct notebook *book)
{
	return book->depth && book->depth <= MAX_DEPTH && book->lists >> (book->depth - 1) & 1;
}

static void begin_string(struct notebook *book)
{
	book->in_string = book->is_first_piece = true;
	book->is_key = book->key_next;
	book->is_text = !book->is_key && (in_list(book) || book->message_next);
	book->is_repr = book->repr_escaped = false;
}

static void end_key(struct notebook *book)
{
	static const struct str messages[] = { STR("log"), STR("message"), STR("msg"), STR("text") };

	book->message_next = STR_IS_AMONG(messages, ARRAY_SIZE(messages), buf_str(&book->raw));
	buf_reset(&book->raw);
}

static int end_string(struct notebook *book, struct err *err)
{
	book->in_string = book->escaped = false;
	if (book->is_key) {
		end_key(book);
		return 0;
	}
	decode_piece(book);
	book->message_next = false;
	if (!book->is_text) {
		buf_reset(&book->text);
		return 0;
	}
	if (book->text.len && book->text.ptr[book->text.len - 1] != '\n')
		buf_byte(&book->text, '\n');
	return give_text(book, err);
}

/* A piece may end before a plain byte, with no half of an escape or of a character before it. */
static bool may_end_piece(const struct notebook *book, char next)
{
	enum { LONGEST_ESCAPE = 12 };
	struct str raw = buf_str(&book->raw);

	return raw.len >= PIECE_BYTES && (unsigned char)next < 0x80 &&
	       !memchr(raw.ptr + raw.len - LONGEST_ESCAPE, '\\', LONGEST_ESCAPE);
}

static int in_string(struct notebook *book, char c, struct err *err)
{
	/* JSON has no line end inside a string: a quote was lost */
	if (c == '\n' || (c == '"' && !book->escaped))
		return end_string(book, err);
	if (book->is_key) {
		if (book->raw.len < KEY_BYTES)
			buf_byte(&book->raw, c);
	} else {
		if (may_end_piece(book, c) || book->raw.len >= 4 * PIECE_BYTES) {
			decode_piece(book);
			if (book->is_text && give_text(book, err))
				return -err->code;
		}
		buf_byte(&book->raw, c);
	}
	book->escaped = c == '\\' && !book->escaped;
	return 0;
}

/* --- between strings */

static void open_container(struct notebook *book, bool list)
{
	if (book->depth < MAX_DEPTH) {
		book->lists &= ~(UINT64_C(1) << book->depth);
		book->lists |= (uint64_t)list << book->depth;
	}
	book->depth++;
	book->key_next = !list;
}

static void between_strings(struct notebook *book, char c)
{
	switch (c) {
	case '"':
		begin_string(book);
		break;
	case '[':
	case '{':
		open_container(book, c == '[');
		break;
	case ']':
	case '}':
		book->depth -= book->depth > 0;
		break;
	case ',':
		book->key_next = !in_list(book);
		break;
	case ':':
		book->key_next = false;
		break;
	default:
		break;
	}
}

/* --- the format */

static int notebook_sniff(struct str head)
{
	static const struct str dashes[] = { STR("-  \\n"), STR("-  \\\\n"), STR("\"------") };
	struct str text = str_trim(head);

	if (!str_starts(text, STR("{")) && !str_starts(text, STR("[")))
		return 0;
	if (str_has(text, STR("\"cell_type\"")))
		return 80;
	if (ANY(i, ARRAY_SIZE(dashes), str_has(text, dashes[i])))
		return 70;
	return str_starts(text, STR("{\"log\":\"")) ? 60 : 0;
}

static void *notebook_open(const struct dump_context *context)
{
	context->facts->in_strings = true;
	/* the buffers: a few pieces */
	return MEM_NEW(struct notebook, .facts = context->facts, .table = dump_table.open(context),
		.raw = BUF_UNLIMITED, .text = BUF_UNLIMITED);
}

static int notebook_feed(void *state, struct str chunk, struct err *err)
{
	struct notebook *book = state;
	int status = 0;

	book->bytes += chunk.len;
	for (size_t i = 0; i < chunk.len && !status; i++) {
		if (book->in_string)
			status = in_string(book, chunk.ptr[i], err);
		else
			between_strings(book, chunk.ptr[i]);
	}
	return status;
}

static int notebook_finish(void *state, struct err *err)
{
	struct notebook *book = state;
	bool whole = !book->in_string && !book->depth && book->bytes;
	int status = book->in_string ? end_string(book, err) : 0;

	book->facts->cut_at = whole ? 0 : book->bytes + 1;
	return status ? status : dump_table.finish(book->table, err);
}

static void notebook_close(void *state)
{
	struct notebook *book = state;

	dump_table.close(book->table);
	buf_clear(&book->raw);
	buf_clear(&book->text);
	free(book);
}

const struct dump_format dump_notebook = { "table", notebook_sniff, notebook_open, notebook_feed, notebook_finish,
	notebook_close };
