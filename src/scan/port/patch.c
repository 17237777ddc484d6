#include "scan/port/patch.h"

#include <stdlib.h>

enum { CONTEXT = 3, HUNK_GAP = 2 * CONTEXT + 1 };

/* Edits whose lines are near each other, in the lines of the file: a hunk, or one change inside of it. */
struct run {
	size_t first, last;        /* edits */
	size_t from_line, to_line; /* lines that change, from 0; to is behind them */
};

struct lines {
	struct str bytes;
	MEM_LIST(size_t) starts; /* of each line, and the end */
};

static struct lines split_lines(struct str bytes)
{
	struct lines lines = { .bytes = bytes };

	MEM_PUSH(&lines.starts, 0);
	for (size_t i = 0; i < bytes.len; i++) {
		if (bytes.ptr[i] == '\n' && i + 1 < bytes.len)
			MEM_PUSH(&lines.starts, i + 1);
	}
	if (bytes.len)
		MEM_PUSH(&lines.starts, bytes.len);
	return lines;
}

static size_t line_count(const struct lines *lines)
{
	return lines->starts.count - 1;
}

/* The line that a byte is in; the end of the file is in the last one. */
static size_t line_of(const struct lines *lines, size_t byte)
{
	size_t behind = BISECT(i, line_count(lines), lines->starts.items[i] > byte);

	return behind ? behind - 1 : 0;
}

/* The edits from first on, until gap lines that stay lie between. A line that goes in before another replaces none. */
static struct run run_of(const struct port_script *script, const struct lines *lines, size_t first, size_t gap)
{
	struct run run = { .first = first, .last = first };

	for (size_t i = first; i < script->edit_count; i++) {
		const struct port_edit *edit = &script->edits[i];
		size_t line = line_of(lines, edit->at), end = line_of(lines, edit->end) + 1;

		if (edit->at == edit->end && str_ends(edit->bytes, STR("\n")) && lines->starts.items[line] == edit->at)
			end = line;
		if (i > first && line >= run.to_line + gap)
			break;
		if (i == first)
			run.from_line = line;
		run.to_line = end > run.to_line || i == first ? end : run.to_line;
		run.last = i;
	}
	return run;
}

static void put_lines(struct buf *out, char sign, struct str text)
{
	while (text.len) {
		size_t at = str_find(text, STR("\n"));
		size_t len = at == STR_NONE ? text.len : at + 1;

		buf_byte(out, sign);
		buf_add(out, str_sub(text, 0, len));
		buf_add(out, at == STR_NONE ? STR("\n\\ No newline at end of file\n") : STR(""));
		text = str_skip(text, len);
	}
}

static struct str lines_between(const struct lines *lines, size_t from, size_t to)
{
	return str_sub(lines->bytes, lines->starts.items[from], lines->starts.items[to]);
}

/* The lines of a hunk with its edits in them. */
static void put_edited(
	const struct port_script *script, const struct lines *lines, const struct run *hunk, struct buf *out)
{
	size_t at = lines->starts.items[hunk->from_line], end = lines->starts.items[hunk->to_line];

	for (size_t i = hunk->first; i <= hunk->last; i++) {
		const struct port_edit *edit = &script->edits[i];

		buf_add(out, str_sub(script->bytes, at, edit->at));
		buf_add(out, edit->bytes);
		at = edit->end;
	}
	buf_add(out, str_sub(script->bytes, at, end));
}

static void put_rules(const struct port_script *script, const struct run *hunk, struct buf *out)
{
	for (size_t i = hunk->first; i <= hunk->last; i++) {
		const char *rule = script->edits[i].rule;

		if (!ANY(j, i - hunk->first, strcmp(script->edits[hunk->first + j].rule, rule) == 0))
			buf_printf(out, " %s", rule);
	}
	buf_byte(out, '\n');
}

/* The changes of a hunk with the lines between them. Returns how many lines they add. */
static size_t put_changes(
	const struct port_script *script, const struct lines *lines, const struct run *hunk, struct buf *out)
{
	size_t at = hunk->from_line, added = 0;

	for (size_t i = hunk->first; i <= hunk->last;) {
		CLEANUP(buf_clear) struct buf edited = BUF_UNLIMITED;
		struct run run = run_of(script, lines, i, 0);

		put_edited(script, lines, &run, &edited);
		put_lines(out, ' ', lines_between(lines, at, run.from_line));
		put_lines(out, '-', lines_between(lines, run.from_line, run.to_line));
		put_lines(out, '+', buf_str(&edited));
		added += SUM(j, edited.len, edited.ptr[j] == '\n' || j + 1 == edited.len) -
			 (run.to_line - run.from_line);
		at = run.to_line;
		i = run.last + 1;
	}
	return added;
}

/* grown: lines added by earlier hunks. Returns it with those of this one. */
static size_t put_hunk(const struct port_script *script, const struct lines *lines, const struct run *hunk,
	size_t grown, struct buf *out)
{
	CLEANUP(buf_clear) struct buf changes = BUF_UNLIMITED;
	size_t begin = hunk->from_line > CONTEXT ? hunk->from_line - CONTEXT : 0;
	size_t end = hunk->to_line + CONTEXT < line_count(lines) ? hunk->to_line + CONTEXT : line_count(lines);
	size_t added = put_changes(script, lines, hunk, &changes);

	buf_printf(out, "@@ -%zu,%zu +%zu,%zu @@", begin + 1, end - begin, begin + grown + 1, end - begin + added);
	put_rules(script, hunk, out);
	put_lines(out, ' ', lines_between(lines, begin, hunk->from_line));
	buf_add(out, buf_str(&changes));
	put_lines(out, ' ', lines_between(lines, hunk->to_line, end));
	return grown + added;
}

/* "--- a/train.py"; a name with bytes that would end the line is written as git does. */
static void put_header(struct buf *out, const char *sign, char side, struct str path)
{
	bool plain = true;

	for (size_t i = 0; i < path.len; i++)
		plain &= (unsigned char)path.ptr[i] >= ' ' && path.ptr[i] != '"' && path.ptr[i] != '\\' &&
			 path.ptr[i] != 127;
	buf_printf(out, "%s %s%c/", sign, plain ? "" : "\"", side);
	for (size_t i = 0; i < path.len; i++) {
		unsigned char byte = (unsigned char)path.ptr[i];

		if (byte < ' ' || byte == '"' || byte == '\\' || byte == 127)
			buf_printf(out, "\\%03o", byte);
		else
			buf_byte(out, (char)byte);
	}
	buf_add(out, plain ? STR("") : STR("\""));
	buf_add(out, plain && memchr(path.ptr, ' ', path.len) ? STR("\t\n") : STR("\n"));
}

struct str port_path(struct str path)
{
	struct str part = { 0 }, rest = path;

	while (str_cut(&rest, '/', &part) && (!part.len || str_eq(part, STR(".")) || str_eq(part, STR(".."))))
		path = rest;
	return path;
}

struct str shown_path(struct str path)
{
	while (str_starts(path, STR("./")))
		path = str_skip(path, 2);
	return path;
}

static void put_script(const struct port_script *script, struct buf *out)
{
	struct lines lines = split_lines(script->bytes);
	size_t grown = 0;

	put_header(out, "---", 'a', port_path(script->path));
	put_header(out, "+++", 'b', port_path(script->path));
	for (size_t i = 0; i < script->edit_count;) {
		struct run hunk = run_of(script, &lines, i, HUNK_GAP);

		grown = put_hunk(script, &lines, &hunk, grown, out);
		i = hunk.last + 1;
	}
	free(lines.starts.items);
}

void port_put_patch(const struct port *port, struct buf *out)
{
	for (size_t i = 0; i < port->scripts.count; i++)
		put_script(&port->scripts.items[i], out);
}
