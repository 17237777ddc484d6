#include "scan/source/notebook.h"

#include <stdlib.h>

#include "base/memory/mem.h"
#include "base/value/utf8.h"
#include "base/view/ascii.h"
#include "json/walk.h"
#include "scan/source/chunks.h"

/* Text, and for each of its bytes the one of the file that it comes from. */
struct code {
	struct buf text;
	MEM_LIST(uint32_t) origin;
};

/* A file that a cell writes. */
struct written {
	char *name;
	enum script_kind kind;
	struct code code;
};

struct cells {
	struct str file;
	struct code python, shell; /* a NUL ends what one shell reads */
	MEM_LIST(struct written) written;
	struct look look; /* at python */
	bool continued;   /* the line before was for IPython and goes on in this one */
	bool is_command;  /* that line was for a shell */
	uint64_t magics;
};

/* --- JSON */

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

size_t notebook_width(struct str file, uint32_t at)
{
	return at < file.len ? file.ptr[at] == '\\' ? escape_bytes(str_skip(file, at)) : 1 : 0;
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
	struct json_walk walk = json_walk(source);
	struct json_value name, line;

	if (source->kind == JSON_STRING)
		push_string(code, file, source->raw);
	while (!walk.is_object && json_walk_next(&walk, &name, &line)) {
		if (line.kind == JSON_STRING)
			push_string(code, file, line.raw);
	}
}

static void clear_code(struct code *code)
{
	buf_clear(&code->text);
	free(code->origin.items);
}

/* --- IPython */

/* "files = !ls", also with "%" for "!"; not "a != b". */
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

/* Returns whether the word at that offset is one of the names. */
static bool names_one_of(struct str text, size_t from, struct str names)
{
	size_t to = from;

	while (to < text.len && is_word(text.ptr[to]))
		to++;
	return from < to && str_has_word(names, str_sub(text, from, to));
}

/* "%%bash", "%%script --bg bash", "%%!" */
static bool is_shell_magic(struct str text)
{
	struct str line = str_head(text, '\n'), word = { 0 };

	if (str_starts(text, STR("%%!")) || names_one_of(text, 2, STR("bash sh sx system")))
		return true;
	if (!str_starts(line, STR("%%script ")))
		return false;
	while (line.len && str_cut(&line, ' ', &word)) {
		if (str_ends(word, STR("bash")) || str_ends(word, STR("sh")))
			return true;
	}
	return false;
}

/* The file of "%%writefile -a train.py", or ""; ret_more: it is added to. */
static struct str written_name(struct str text, bool *ret_more)
{
	struct str line = str_head(text, '\n'), word = { 0 };

	*ret_more = false;
	if (!names_one_of(line, 2, STR("writefile file")))
		return STR("");
	line = str_trim(line);
	while (line.len && str_cut(&line, ' ', &word))
		*ret_more |= str_eq(word, STR("-a"));
	while (word.len > 1 && memchr("\"'", word.ptr[0], 2) && word.ptr[0] == word.ptr[word.len - 1])
		word = str_sub(word, 1, word.len - 1);
	return word;
}

/* The part of a magic that a shell reads: of some, without the name. */
static struct str magic_command(struct str line)
{
	static const struct {
		struct str name;
		size_t passed; /* bytes before the command */
	} others[] = { { STR("%sx "), 4 }, { STR("%system "), 8 }, { STR("%set_env "), 5 } };

	if (names_one_of(line, 1, STR("pip conda uv env run")))
		return str_skip(line, 1);
	for (size_t i = 0; i < ARRAY_SIZE(others); i++) {
		if (str_starts(line, others[i].name))
			return str_skip(line, others[i].passed);
	}
	return STR("");
}

/* The part of a line for IPython that a shell reads: text after "!", and magics that are commands. */
static struct str shell_command(const struct cells *cells, struct str line)
{
	size_t sign = str_find(line, STR("="));

	if (cells->continued)
		return cells->is_command ? line : STR("");
	if (sign != STR_NONE && !memchr("!%?", line.ptr[0], 3))
		line = str_trim(str_skip(line, sign + 1));
	if (str_starts(line, STR("%")))
		return magic_command(line);
	if (!str_starts(line, STR("!")))
		return STR("");
	return str_skip(line, str_starts(line, STR("!!")) ? 2 : 1);
}

static void push_code(struct code *code, const struct code *cell, size_t from, size_t to)
{
	for (size_t i = from; i < to; i++)
		push_byte(code, cell->text.ptr[i], cell->origin.items[i]);
}

static void end_shell(struct cells *cells, char end)
{
	struct code *shell = &cells->shell;

	if (shell->origin.count)
		push_byte(shell, end, shell->origin.items[shell->origin.count - 1]);
}

static void push_command(struct cells *cells, const struct code *cell, struct str line)
{
	struct str command = shell_command(cells, line);
	size_t from = command.len ? (size_t)(command.ptr - cell->text.ptr) : 0;

	cells->continued = str_ends(line, STR("\\"));
	cells->is_command = command.len > 0;
	push_code(&cells->shell, cell, from, from + command.len);
	end_shell(cells, cells->continued && cells->is_command ? '\n' : '\0');
}

/* "%time" before a statement. */
static size_t timing_bytes(const struct cells *cells, struct str line)
{
	static const struct str names[] = { STR("%time "), STR("%timeit ") };

	for (size_t i = 0; i < ARRAY_SIZE(names) && !cells->continued; i++) {
		struct str rest = str_skip(line, names[i].len);

		if (str_starts(line, names[i]) && rest.len && rest.ptr[0] != '-')
			return names[i].len;
	}
	return 0;
}

static void push_line(struct cells *cells, const struct code *cell, size_t from, size_t to)
{
	static const char pass[] = "pass";
	struct str line = str_sub(buf_str(&cell->text), from, to), trimmed = str_trim(line);
	size_t indent = trimmed.len ? (size_t)(trimmed.ptr - line.ptr) : 0;
	uint32_t end = to < cell->origin.count ? cell->origin.items[to] : cell->origin.items[to - 1];
	bool magic = is_magic(cells, trimmed);
	size_t timing = magic ? timing_bytes(cells, trimmed) : 0;
	bool passes = magic && !timing;

	push_code(&cells->python, cell, from, from + indent);
	if (!passes)
		push_code(&cells->python, cell, from + indent + timing, to);
	for (size_t i = 0; passes && pass[i]; i++)
		push_byte(&cells->python, pass[i], cell->origin.items[from + indent]);
	push_byte(&cells->python, '\n', end);
	cells->magics += passes;
	if (passes)
		push_command(cells, cell, trimmed);
	look_on(&cells->look, buf_str(&cells->python.text));
}

/* Returns whether a cell writes a script, which is read as one. */
static bool push_written(struct cells *cells, const struct code *cell)
{
	enum { WRITTEN_MOST = 100 };
	bool more;
	struct str text = buf_str(&cell->text), path = written_name(text, &more);
	CLEANUP(mem_release) char *name = mem_text(shown(path).text);
	struct str base = str_from(str_file_name(name));
	struct written *before = more ? FIND(i, cells->written.items, cells->written.count,
						strcmp(cells->written.items[i].name, name) == 0)
				      : NULL;
	size_t second = str_find(text, STR("\n"));

	if (second == STR_NONE || !source_is_script(base) || str_ends(base, STR(".ipynb")))
		return false;
	if (!before && cells->written.count == WRITTEN_MOST)
		return false;
	if (!before) {
		MEM_PUSH(
			&cells->written, ((struct written){ name, source_file_kind(base), { .text = BUF_UNLIMITED } }));
		before = &cells->written.items[cells->written.count - 1];
		name = NULL;
	}
	push_code(&before->code, cell, second + 1, text.len);
	if (second + 1 < text.len)
		push_byte(&before->code, '\n', cell->origin.items[text.len - 1]);
	return true;
}

static void push_lines(struct cells *cells, const struct code *cell)
{
	struct str text = buf_str(&cell->text);
	bool passed_over = str_starts(text, STR("%%")) &&
			   !names_one_of(text, 2, STR("time timeit capture prun python python3"));
	size_t second = str_find(text, STR("\n"));

	if (passed_over && push_written(cells, cell)) {
		cells->magics++;
		return;
	}
	if (passed_over && second != STR_NONE && is_shell_magic(text))
		push_code(&cells->shell, cell, second + 1, text.len);
	for (size_t from = 0, to; from < text.len; from = to + 1) {
		to = from + str_head(str_skip(text, from), '\n').len;
		if (passed_over) {
			cells->magics++;
		} else if (to > from) {
			push_line(cells, cell, from, to);
		} else {
			push_byte(&cells->python, '\n', cell->origin.items[from]);
			end_shell(cells, '\0');
			cells->continued = false;
		}
	}
	end_shell(cells, '\0');
	cells->continued = false;
	/* the next cell begins anew, whatever is open here */
	cells->look = (struct look){ .text = buf_str(&cells->python.text), .at = cells->python.text.len };
}

/* --- the whole */

static void push_cell(struct cells *cells, const struct json_value *object)
{
	struct code cell = { .text = BUF_UNLIMITED };
	struct json_value type, source;

	if (json_member(object, STR("cell_type"), &type) && str_eq(type.raw, STR("code")) &&
		json_member(object, STR("source"), &source)) {
		push_source(&cell, cells->file, &source);
		push_lines(cells, &cell);
	}
	clear_code(&cell);
}

static bool is_python_notebook(const struct json_value *root)
{
	struct json_value metadata, about, language;

	return !json_member(root, STR("metadata"), &metadata) ||
	       !json_member(&metadata, STR("language_info"), &about) || !json_member(&about, STR("name"), &language) ||
	       str_has_word(STR("python ipython"), language.raw);
}

static bool push_cells(struct cells *cells, const struct json_value *root)
{
	struct json_value list, cell;
	struct json_cursor cursor;
	bool closed = false;

	if (!json_member(root, STR("cells"), &list) || list.kind != JSON_LIST)
		return false;
	cursor = (struct json_cursor){ list.raw.ptr + 1, list.raw.ptr + list.raw.len };
	while (json_item(&cursor, &cell, &closed) == JSON_OK && !closed) {
		if (cell.kind == JSON_OBJECT)
			push_cell(cells, &cell);
	}
	return closed;
}

static struct notebook_text keep_code(struct code *code, struct str file, struct arena *arena)
{
	MEM_PUSH(&code->origin, (uint32_t)file.len);
	return (struct notebook_text){ arena_keep(arena, buf_str(&code->text)),
		arena_keep_bytes(arena, code->origin.items, code->origin.count * sizeof(code->origin.items[0])) };
}

static void keep_all(struct cells *cells, struct arena *arena, struct notebook *ret)
{
	ret->python = keep_code(&cells->python, cells->file, arena);
	ret->magics = cells->magics;
	ret->parts = arena_alloc(arena, (cells->written.count + 1) * sizeof(ret->parts[0]));
	if (cells->shell.text.len)
		ret->parts[ret->part_count++] = (struct notebook_part){ SCRIPT_SHELL,
			keep_code(&cells->shell, cells->file, arena) };
	for (size_t i = 0; i < cells->written.count; i++)
		ret->parts[ret->part_count++] = (struct notebook_part){ cells->written.items[i].kind,
			keep_code(&cells->written.items[i].code, cells->file, arena) };
}

int notebook_read(struct str file, struct arena *arena, struct notebook *ret, struct err *err)
{
	struct cells cells = { .file = file, .python = { .text = BUF_UNLIMITED }, .shell = { .text = BUF_UNLIMITED } };
	struct json_value root = { .kind = JSON_WORD, .raw = str_trim(file) };
	int status = 0;

	*ret = (struct notebook){ 0 };
	if (str_starts(root.raw, STR("{")))
		root.kind = JSON_OBJECT;
	if (!is_python_notebook(&root))
		status = err_set(err, ERR_UNREAD, "it is a notebook in another language");
	else if (!push_cells(&cells, &root))
		status = err_set(err, ERR_UNREAD, "not a notebook of format 4, or damaged");
	else
		keep_all(&cells, arena, ret);
	for (size_t i = 0; i < cells.written.count; i++) {
		free(cells.written.items[i].name);
		clear_code(&cells.written.items[i].code);
	}
	free(cells.written.items);
	clear_code(&cells.python);
	clear_code(&cells.shell);
	return status;
}
