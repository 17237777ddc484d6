#include "scan/source/syntax.h"

#include <stdlib.h>

#include "base/value/utf8.h"

/* Of a line: beyond, columns are bytes, so that a line of megabytes costs no more than others. */
enum { COUNTED_BYTES = 65536 };

void syntax_clear(struct syntax *syntax)
{
	free(syntax->items);
	free(syntax->lines.items);
	*syntax = (struct syntax){ 0 };
}

void syntax_map(struct syntax *syntax, struct str file, const uint32_t *origin)
{
	const char *at = file.ptr, *end = at + file.len;

	syntax->file = file;
	syntax->origin = origin;
	syntax->lines.count = 0;
	MEM_PUSH(&syntax->lines, 0);
	while (at < end && (at = memchr(at, '\n', (size_t)(end - at))))
		MEM_PUSH(&syntax->lines, (uint32_t)(++at - file.ptr));
}

static uint32_t pass_comments(const struct syntax *syntax, uint32_t at, uint32_t end)
{
	while (at < end && syntax->items[at].kind == SYN_COMMENT)
		at = syntax->items[at].end;
	return at < end ? at : 0;
}

uint32_t syntax_first(const struct syntax *syntax, uint32_t node)
{
	return pass_comments(syntax, node + 1, syntax->items[node].end);
}

uint32_t syntax_next(const struct syntax *syntax, uint32_t node)
{
	return pass_comments(syntax, syntax->items[node].end, syntax->items[syntax->items[node].parent].end);
}

uint32_t syntax_child(const struct syntax *syntax, uint32_t node, enum syntax_field field)
{
	uint32_t child = syntax_first(syntax, node);

	while (child && syntax->items[child].field != field)
		child = syntax_next(syntax, child);
	return child;
}

struct str syntax_child_text(const struct syntax *syntax, uint32_t node, enum syntax_field field)
{
	uint32_t child = node ? syntax_child(syntax, node, field) : 0;

	return child ? syntax_text(syntax, child) : STR("");
}

struct str syntax_text(const struct syntax *syntax, uint32_t node)
{
	return str_sub(syntax->text, syntax->items[node].from, syntax->items[node].to);
}

struct str syntax_sign(const struct syntax *syntax, uint32_t node)
{
	uint32_t left = syntax_first(syntax, node), right = left ? syntax_next(syntax, left) : 0;

	return right ? str_trim(str_sub(syntax->text, syntax->items[left].to, syntax->items[right].from)) : STR("");
}

void syntax_place(const struct syntax *syntax, uint32_t byte, uint32_t *ret_line, uint32_t *ret_column)
{
	const uint32_t *lines = syntax->lines.items;
	uint32_t line;

	if (syntax->origin)
		byte = syntax->origin[byte];
	line = (uint32_t)BISECT(i, syntax->lines.count, lines[i] > byte);
	*ret_line = line;
	*ret_column = byte - lines[line - 1] + 1;
	if (*ret_column <= COUNTED_BYTES)
		*ret_column = (uint32_t)utf8_points(str_sub(syntax->file, lines[line - 1], byte)) + 1;
}
