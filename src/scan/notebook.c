#include "scan/notebook.h"

#include <stdlib.h>

#include "base/ascii.h"
#include "base/mem.h"
#include "json/token.h"
#include "scan/chunks.h"

/* Text, and for each of its bytes the one of the file that it comes from. */
struct code {
	struct buf text;
	MEM_LIST(uint32_t) origin;
};

struct cells {
	struct str file;
	struct code python;
	struct look look; /* at python */
	bool continued;   /* the line before was for IPython and goes on in this one */
	uint64_t magics;
};

/* --- JSON */

static bool member_of(struct str object, struct str name, struct json_value *ret)
{
	struct json_cursor cursor = { object.ptr, object.ptr + object.len };
	struct str key;
	bool closed = false;

	if (json_open(&cursor, '{') != JSON_OK)
		return false;
	while (json_key(&cursor, &key, &closed) == JSON_OK && !closed && json_value(&cursor, ret) == JSON_OK) {
		if (str_eq(key, name))
			return true;
	}
	return false;
}

static void push_byte(struct code *code, char byte, uint32_t origin)
{
	buf_byte(&code->text, byte);
	MEM_PUSH(&code->origin, origin);
}

/* Of an escape that begins there; a pair of surrogates is one. */
static size_t escape_bytes(struct str text)
{
	size_t bytes = text.len > 1 && text.ptr[1] == 'u' ? 6 : 2;

	if (bytes == 6 && text.len >= 12 && memchr("dD", text.ptr[2], 2) && memchr("89abAB", text.ptr[3], 6) &&
		text.ptr[6] == '\\' && text.ptr[7] == 'u')
		bytes = 12;
	return bytes < text.len ? bytes : text.len;
}

static void push_string(struct code *code, struct str file, struct str raw)
{
	CLEANUP(buf_clear) struct buf unescaped = BUF_UNLIMITED;

	while (raw.len) {
		uint32_t origin = (uint32_t)(raw.ptr - file.ptr);
		size_t bytes = 1;

		if (raw.ptr[0] != '\\') {
			push_byte(code, raw.ptr[0], origin);
		} else {
			bytes = escape_bytes(raw);
			buf_reset(&unescaped);
			json_text(&unescaped, &(struct json_value){ JSON_STRING, true, str_sub(raw, 0, bytes) });
			for (size_t i = 0; i < unescaped.len; i++)
				push_byte(code, unescaped.ptr[i], origin);
		}
		raw = str_skip(raw, bytes);
	}
}

/* The source of a cell is a string, or a list of strings. */
static void push_source(struct code *code, struct str file, const struct json_value *source)
{
	struct json_cursor cursor = { source->raw.ptr, source->raw.ptr + source->raw.len };
	struct json_value line;
	bool closed = false;

	if (source->kind == JSON_STRING)
		push_string(code, file, source->raw);
	if (source->kind != JSON_LIST || json_open(&cursor, '[') != JSON_OK)
		return;
	while (json_item(&cursor, &line, &closed) == JSON_OK && !closed) {
		if (line.kind == JSON_STRING)
			push_string(code, file, line.raw);
	}
}

/* --- IPython */

/* "files = !ls", "%" for "!" as well; "a != b" is none. */
static bool assigns_magic(struct str line)
{
	size_t at = str_find(line, STR("="));
	struct str right = at == STR_NONE ? STR("") : str_trim(str_skip(line, at + 1));

	for (size_t i = 0; at != STR_NONE && i < at; i++) {
		if (!is_word(line.ptr[i]) && !memchr(" ,.", line.ptr[i], 3))
			return false;
	}
	return right.len && memchr("!%", right.ptr[0], 2);
}

static bool is_magic(const struct cells *cells, struct str line)
{
	if (cells->continued)
		return true;
	if (look_is_inside(&cells->look) || !line.len || line.ptr[0] == '#')
		return false;
	return memchr("%!?", line.ptr[0], 3) || str_ends(line, STR("?")) || assigns_magic(line);
}

/* Whether a cell is Python for all that its first line begins with "%%". */
static bool is_python_magic(struct str text)
{
	static const struct str names[] = { STR("time"), STR("timeit"), STR("capture"), STR("prun") };
	size_t len = 2;

	while (len < text.len && is_word(text.ptr[len]))
		len++;
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		if (str_eq(str_sub(text, 2, len), names[i]))
			return true;
	}
	return false;
}

static void push_line(struct cells *cells, const struct code *cell, size_t from, size_t to)
{
	static const char pass[] = "pass";
	struct str line = str_sub(buf_str(&cell->text), from, to), trimmed = str_trim(line);
	size_t indent = trimmed.len ? (size_t)(trimmed.ptr - line.ptr) : 0, copied = line.len;
	uint32_t end = to < cell->origin.count ? cell->origin.items[to] : cell->origin.items[to - 1];
	bool magic = is_magic(cells, trimmed);

	if (magic)
		copied = indent;
	for (size_t i = from; i < from + copied; i++)
		push_byte(&cells->python, cell->text.ptr[i], cell->origin.items[i]);
	for (size_t i = 0; magic && pass[i]; i++)
		push_byte(&cells->python, pass[i], cell->origin.items[from + indent]);
	push_byte(&cells->python, '\n', end);
	cells->magics += magic;
	cells->continued = magic && str_ends(trimmed, STR("\\"));
	look_on(&cells->look, buf_str(&cells->python.text));
}

static void push_lines(struct cells *cells, const struct code *cell)
{
	struct str text = buf_str(&cell->text);
	bool passed_over = str_starts(text, STR("%%")) && !is_python_magic(text);

	for (size_t from = 0, to; from < text.len; from = to + 1) {
		size_t len = str_find(str_skip(text, from), STR("\n"));

		to = len == STR_NONE ? text.len : from + len;
		if (passed_over)
			cells->magics++;
		else if (to > from)
			push_line(cells, cell, from, to);
		else
			push_byte(&cells->python, '\n', cell->origin.items[from]);
	}
	cells->continued = false;
	look_again(&cells->look, buf_str(&cells->python.text));
}

/* --- the whole */

static void push_cell(struct cells *cells, struct str object)
{
	struct code cell = { .text = BUF_UNLIMITED };
	struct json_value type, source;

	if (member_of(object, STR("cell_type"), &type) && str_eq(type.raw, STR("code")) &&
		member_of(object, STR("source"), &source)) {
		push_source(&cell, cells->file, &source);
		push_lines(cells, &cell);
	}
	buf_clear(&cell.text);
	free(cell.origin.items);
}

static bool is_python_notebook(struct str file)
{
	struct json_value metadata, about, language;

	return !member_of(file, STR("metadata"), &metadata) || !member_of(metadata.raw, STR("language_info"), &about) ||
	       !member_of(about.raw, STR("name"), &language) || str_eq(language.raw, STR("python")) ||
	       str_eq(language.raw, STR("ipython"));
}

static bool push_cells(struct cells *cells)
{
	struct json_value list, cell;
	struct json_cursor cursor;
	bool closed = false;

	if (!member_of(cells->file, STR("cells"), &list) || list.kind != JSON_LIST)
		return false;
	cursor = (struct json_cursor){ list.raw.ptr + 1, list.raw.ptr + list.raw.len };
	while (json_item(&cursor, &cell, &closed) == JSON_OK && !closed) {
		if (cell.kind == JSON_OBJECT)
			push_cell(cells, cell.raw);
	}
	return closed;
}

int notebook_read(struct str file, struct arena *arena, struct notebook *ret, struct err *err)
{
	struct cells cells = { .file = file, .python = { .text = BUF_UNLIMITED } };
	struct code *code = &cells.python;
	int status = 0;

	if (!is_python_notebook(file)) {
		status = err_set(err, ERR_UNREAD, "it is a notebook in another language");
	} else if (!push_cells(&cells)) {
		status = err_set(err, ERR_UNREAD, "it is no notebook of format 4, or a damaged one");
	} else {
		uint32_t *origin = arena_alloc(arena, (code->origin.count + 1) * sizeof(origin[0]));

		if (code->origin.count)
			memcpy(origin, code->origin.items, code->origin.count * sizeof(origin[0]));
		origin[code->origin.count] = (uint32_t)file.len;
		*ret = (struct notebook){ arena_keep(arena, buf_str(&code->text)), origin, cells.magics };
	}
	buf_clear(&code->text);
	free(code->origin.items);
	return status;
}
