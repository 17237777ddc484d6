#include "scan/source/embedded.h"

#include <stdlib.h>

#include "base/memory/buf.h"
#include "base/memory/mem.h"
#include "base/view/ascii.h"

/* Signs "<<" without an end that are looked for to the end of the text: of more, as in no program, none is. */
enum { ENDLESS_MOST = 64 };

struct embedding {
	struct str text;
	struct arena *arena;
	unsigned endless; /* such signs so far */
	MEM_LIST(struct notebook_part) parts;
};

/* Add the bytes as Python; expands: the shell replaces "$NAME" and takes a backslash away. */
static void push_part(struct embedding *embedding, size_t from, size_t to, bool expands)
{
	CLEANUP(buf_clear) struct buf code = BUF_UNLIMITED;
	uint32_t *origin = arena_alloc(embedding->arena, (to - from + 1) * sizeof(origin[0]));
	struct notebook_part part = { .kind = SCRIPT_PYTHON };
	size_t depth = 0;

	for (size_t i = from; i < to; i++) {
		char c = embedding->text.ptr[i];

		if (expands && c == '\\' && i + 1 < to && memchr("\"\\$`", embedding->text.ptr[i + 1], 4))
			c = embedding->text.ptr[++i];
		else if (expands && c == '$')
			c = '_';
		else if (expands && c == '{' && i > from && embedding->text.ptr[i - 1] == '$' && ++depth)
			c = '_';
		else if (depth && c == '}' && depth--)
			c = '_';
		origin[code.len] = (uint32_t)i;
		buf_byte(&code, c);
	}
	origin[code.len] = (uint32_t)to;
	part.text = (struct notebook_text){ arena_keep(embedding->arena, buf_str(&code)), origin };
	MEM_PUSH(&embedding->parts, part);
}

/* The code behind "-c": quoted. Returns the byte behind it. */
static size_t read_command(struct embedding *embedding, size_t at)
{
	struct str text = embedding->text;
	char quote;
	size_t from;

	while (at < text.len && memchr(" \t$", text.ptr[at], 3))
		at++;
	if (at >= text.len || !memchr("\"'", text.ptr[at], 2))
		return at;
	quote = text.ptr[at];
	from = ++at;
	while (at < text.len && text.ptr[at] != quote)
		at += quote == '"' && text.ptr[at] == '\\' ? 2 : 1;
	if (at < text.len)
		push_part(embedding, from, at, quote == '"');
	return at;
}

/* The lines behind "<<WORD" until that word. Returns the byte behind them. */
static size_t read_here(struct embedding *embedding, size_t at)
{
	struct str text = embedding->text, word;
	size_t from, end;
	bool expands;

	while (at < text.len && memchr("-< \t", text.ptr[at], 4))
		at++;
	expands = at < text.len && !memchr("\"'\\", text.ptr[at], 3);
	at += !expands;
	for (end = at; end < text.len && is_word(text.ptr[end]); end++)
		;
	word = str_sub(text, at, end);
	from = end + str_head(str_skip(text, end), '\n').len + 1;
	for (at = from; word.len && embedding->endless < ENDLESS_MOST && at < text.len;) {
		struct str line = str_head(str_skip(text, at), '\n');

		if (str_eq(str_trim(line), word)) {
			push_part(embedding, from, at, expands);
			return at + line.len;
		}
		at += line.len + 1;
	}
	embedding->endless++;
	return end;
}

/* A call of python until the end of its line. Returns the byte behind it. */
static size_t read_call(struct embedding *embedding, size_t at)
{
	struct str text = embedding->text;

	while (at < text.len && text.ptr[at] != '\n') {
		struct str rest = str_skip(text, at);

		if (str_starts(rest, STR("\\\n")))
			at += 2;
		else if (str_starts(rest, STR(" -c ")) || str_starts(rest, STR(" -c\"")) ||
			 str_starts(rest, STR(" -c'")))
			return read_command(embedding, at + 3);
		else if (str_starts(rest, STR("<<")) && !str_starts(rest, STR("<<<")))
			return read_here(embedding, at + 2);
		else
			at++;
	}
	return at;
}

void embedded_read(struct str text, struct arena *arena, struct notebook *ret)
{
	struct embedding embedding = { .text = text, .arena = arena };
	bool begins = true; /* nothing but blanks before it on its line */

	for (size_t at = 0; at < text.len;) {
		char c = text.ptr[at];

		if (begins && c == '#') {
			at += str_head(str_skip(text, at), '\n').len;
		} else if (str_starts(str_skip(text, at), STR("python")) && (!at || !is_word(text.ptr[at - 1]))) {
			at = read_call(&embedding, at + 6);
		} else {
			begins = c == '\n' || (begins && memchr(" \t", c, 2));
			at++;
		}
	}
	ret->part_count = embedding.parts.count;
	ret->parts = arena_keep_bytes(arena, embedding.parts.items, ret->part_count * sizeof(ret->parts[0]));
	free(embedding.parts.items);
}
