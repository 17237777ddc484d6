#include "scan/find/program.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/setup/translate.h"
#include "base/value/utf8.h"
#include "io/text.h"
#include "scan/find/branches.h"
#include "scan/find/check_dynamic.h"
#include "scan/find/check_names.h"
#include "scan/find/check_strings.h"
#include "scan/find/follow.h"
#include "scan/find/keyed.h"
#include "scan/find/shell.h"
#include "scan/find/stops.h"
#include "scan/source/embedded.h"
#include "scan/source/notebook.h"
#include "scan/source/parse.h"

struct reading {
	const struct program_request *request;
	struct arena *arena; /* of messages */
	struct program *program;
};

/* --- files */

/* Replaces each byte that is not part of a character, so that places in the text are those in the file. */
static void mask_invalid(struct buf *text)
{
	size_t from = 0, bad;

	while (!utf8_valid(str_skip(buf_str(text), from), &bad)) {
		text->ptr[from + bad] = '?';
		from += bad + 1;
	}
}

static int read_text(const struct reading *reading, const struct source_file *file, struct script *script,
	struct str *ret, struct err *err)
{
	const struct limits *limits = reading->request->limits;
	CLEANUP(buf_clear) struct buf text = BUF_INIT((size_t)limits->script_bytes);
	struct source *source = NULL;
	struct text *reader;
	struct str chunk;
	int status = 0;

	if (file->text.ptr)
		source = source_of_memory(file->text, script->path, limits);
	else
		status = source_open(file->path, limits, &source, err);
	if (status)
		return status;
	source_skip_digest(source);
	reader = text_new(source);
	while ((status = text_next(reader, &chunk, err)) > 0)
		buf_add(&text, chunk);
	if (!status && text.full)
		status = err_set(
			err, ERR_LIMIT, "longer than script-bytes (%llu)", (unsigned long long)limits->script_bytes);
	mask_invalid(&text);
	*ret = arena_keep(&script->arena, buf_str(&text));
	text_free(reader);
	source_close(source);
	return status;
}

static void note_unread(const struct reading *reading, const char *id, struct str path, const struct err *err)
{
	struct message message = message_of(id);

	message_add(&message, "path", place_path(reading->arena, path));
	if (err)
		message_add_copy(&message, reading->arena, "reason", str_from(err->text));
	MEM_PUSH(&reading->program->unread, message);
}

/* Reads a text as what it is; places are those in the file that it was made from, if it was. */
static int read_syntax(struct script *script, struct str text, const struct limits *limits, struct err *err)
{
	if (is_keyed(script->kind))
		return keyed_read(text, script->kind, &script->syntax, err);
	if (script->kind == SCRIPT_PYTHON)
		return syntax_parse(text, limits, &script->syntax, err);
	shell_read(text, &script->syntax);
	return 0;
}

static void end_script(const struct reading *reading, struct script *script)
{
	if (script->syntax.broken)
		note_unread(reading, "scan-broken", script->path, NULL);
	if (script->kind == SCRIPT_PYTHON)
		script_bind(script);
	reading->program->project.count++;
}

/* Other texts of a notebook than its Python are scripts after it, in the same memory. */
static void put_parts(const struct reading *reading, const struct notebook *notebook, struct str file)
{
	struct project *project = &reading->program->project;
	struct str path = project->scripts[project->count - 1].path;

	project->scripts = mem_resize(
		project->scripts, project->capacity += notebook->part_count, sizeof(struct script));
	for (size_t i = 0; i < notebook->part_count; i++) {
		const struct notebook_part *part = &notebook->parts[i];
		struct script *script = &project->scripts[project->count];
		struct err err = { 0 };

		*script = (struct script){ .kind = part->kind,
			.path = path,
			.module = STR(""),
			.root = STR(""),
			.arena = ARENA_INIT(ARENA_UNLIMITED) };
		if (read_syntax(script, part->text.text, reading->request->limits, &err)) {
			note_unread(reading, "scan-unread", path, &err);
			script_clear(script);
			continue;
		}
		syntax_map(&script->syntax, file, part->text.origin);
		end_script(reading, script);
	}
}

static int read_script(
	const struct reading *reading, const struct source_file *file, struct script *script, struct err *err)
{
	const struct limits *limits = reading->request->limits;
	bool is_notebook = str_ends(str_from(file->path), STR(".ipynb"));
	struct notebook notebook = { 0 };
	struct str text;
	int status;

	*script = (struct script){ .kind = source_file_kind(str_from(str_file_name(file->path))),
		.path = str_from(file->path),
		.module = file->module,
		.root = file->root,
		.is_package = file->is_package,
		.arena = ARENA_INIT(ARENA_UNLIMITED) };
	status = read_text(reading, file, script, &text, err);
	if (!status && reading->program->bytes + text.len > limits->scan_bytes)
		status = err_set(err, ERR_LIMIT, "the scripts before it make scan-bytes (%llu)",
			(unsigned long long)limits->scan_bytes);
	if (!status && is_notebook)
		status = notebook_read(text, &script->arena, &notebook, err);
	else if (!status && script->kind == SCRIPT_SHELL)
		embedded_read(text, &script->arena, &notebook);
	if (!status)
		status = read_syntax(script, is_notebook ? notebook.python.text : text, limits, err);
	if (status)
		return status;
	if (is_notebook)
		syntax_map(&script->syntax, text, notebook.python.origin);
	reading->program->magics += notebook.magics;
	reading->program->bytes += text.len;
	reading->program->files_read++;
	reading->program->lines += script->syntax.lines.count - str_ends(script->syntax.file, STR("\n"));
	end_script(reading, script);
	if (notebook.part_count)
		put_parts(reading, &notebook, text);
	return 0;
}

/* Files that cannot be read are listed, and the others go on. */
static void read_scripts(const struct reading *reading)
{
	struct program *program = reading->program;

	translation_pause(true); /* reports have these errors, whose language is not that of the terminal */
	program->project.capacity = program->files.list.count + 1;
	program->project.scripts = mem_zalloc(program->project.capacity * sizeof(struct script));
	for (size_t i = 0; i < program->files.list.count; i++) {
		const struct source_file *file = &program->files.list.items[i];
		struct script *script = &program->project.scripts[program->project.count];
		struct err err = { 0 };

		if (read_script(reading, file, script, &err)) {
			note_unread(reading, "scan-unread", str_from(file->path), &err);
			script_clear(script);
		}
	}
	translation_pause(false);
}

/* Say what the folders have beside the files that are read; no verdict depends on it. */
static void note_skipped(const struct reading *reading)
{
	CLEANUP(buf_clear) struct buf text = BUF_UNLIMITED;
	const struct source_files *files = &reading->program->files;
	struct message message = message_of("scan-skipped");
	uint64_t count = 0;

	for (size_t i = 0; i < files->skipped.count; i++) {
		const struct skipped_kind *kind = &files->skipped.items[i];

		count += kind->count;
		buf_printf(&text, "%s%.*s (%" PRIu64 ")", i ? ", " : "", STR_ARG(kind->name), kind->count);
	}
	if (!count)
		return;
	message_add_number(&message, reading->arena, "count", (int64_t)count);
	message_add_copy(&message, reading->arena, "kinds", buf_str(&text));
	MEM_PUSH(&reading->program->skipped, message);
}

/* --- where it starts */

static bool is_main(const struct script *script)
{
	const struct syntax *syntax = &script->syntax;

	for (uint32_t node = syntax_first(syntax, 0); node; node = syntax_next(syntax, node)) {
		if (syntax->items[node].kind == SYN_IF &&
			str_has(syntax_child_text(syntax, node, SYN_AS_CONDITION), STR("__name__")))
			return true;
	}
	return false;
}

/* The statement that imports PyTorch, or 0. */
static uint32_t import_of_torch(const struct syntax *syntax)
{
	uint32_t at = syntax_first(syntax, 0);

	while (at && !str_has(syntax_text(syntax, at), STR("import torch")) &&
		!str_has(syntax_text(syntax, at), STR("from torch")))
		at = syntax_next(syntax, at);
	return at;
}

/* The better a script looks like the start of a program the more, and the fewer folders it is in. */
static int entry_score(const struct script *script)
{
	enum { OF_TORCH = 4000, OF_NAME = 2000, OF_MAIN = 1000 };
	struct str name = str_from(str_file_name(script->path.ptr));
	int score = OF_MAIN;

	for (size_t i = 0; i < script->path.len && score > 1; i++)
		score -= script->path.ptr[i] == '/';
	score += str_eq(name, STR("train.py")) || str_eq(name, STR("main.py")) ? OF_NAME : 0;
	return score + (is_main(script) ? OF_MAIN : 0) + (import_of_torch(&script->syntax) ? OF_TORCH : 0);
}

const struct script *program_entry(const struct program *program)
{
	const struct project *project = &program->project;
	const struct script *found = NULL;
	int best = 0;

	for (size_t i = 0; i < project->count; i++) {
		const struct script *script = &project->scripts[i];
		bool embedded = script->syntax.origin && !str_ends(script->path, STR(".ipynb"));
		int score = script->kind == SCRIPT_PYTHON && !embedded ? entry_score(script) : 0;

		if (score > best) {
			found = script;
			best = score;
		}
	}
	return found;
}

/* Returns whether the program calls that name with any arguments, and uses the device. */
static bool lacks(const struct program *program, struct str name)
{
	bool uses_device = false;

	for (size_t i = 0; i < program->check.places.count; i++) {
		const struct source_place *place = &program->check.places.items[i];
		struct str plugin_name = str_starts(place->name, STR("torch_npu.")) ? str_skip(place->name, 10)
										    : place->name;

		if (str_starts(plugin_name, name) || str_starts(plugin_name, str_skip(name, 6)))
			return false;
		uses_device |= str_starts(str_from(place->rule->rule), STR("src-device"));
	}
	return uses_device;
}

/* Switches that a program should set, at the import of PyTorch in the script that it starts with. */
static void check_absent(struct program *program)
{
	static const struct str tail = STR("(absent)");
	const struct script *entry = program_entry(program);
	uint32_t at = entry ? import_of_torch(&entry->syntax) : 0;

	for (size_t i = 0; i < program->book.rules.count && at; i++) {
		const struct source_rule *rule = &program->book.rules.items[i];
		struct str name = str_chop(rule->name, tail.len);

		if (str_ends(rule->name, tail) && lacks(program, name))
			check_place(&program->check,
				(struct source_place){ .script = entry, .node = at, .rule = rule, .name = name });
	}
}

/* --- the whole */

static void each_python(struct program *program, void (*visit)(struct check *check, const struct script *script))
{
	for (size_t i = 0; i < program->project.count; i++) {
		if (program->project.scripts[i].kind == SCRIPT_PYTHON)
			visit(&program->check, &program->project.scripts[i]);
	}
}

static void check_python(struct check *check, const struct script *script)
{
	check_names(check, script);
	check_dynamic(check, script);
	check_strings(check, script);
}

static void check_scripts(const struct reading *reading)
{
	struct program *program = reading->program;
	struct check *check = &program->check;

	*check = (struct check){ .project = &program->project,
		.book = &program->book,
		.places_most = reading->request->limits->scan_findings,
		.text = ARENA_INIT(ARENA_UNLIMITED) };
	check->last_import = mem_zalloc(program->book.rules.count * sizeof(check->last_import[0]));
	project_index(&program->project);
	each_python(program, check_own_names);
	each_python(program, check_python);
	follow_candidates(check);
	each_python(program, check_methods);
	for (size_t i = 0; i < program->project.count; i++) {
		struct script *script = &program->project.scripts[i];

		if (is_keyed(script->kind))
			keyed_check(check, script);
		else if (script->kind != SCRIPT_PYTHON)
			shell_check(check, script);
		else
			shell_check_texts(check, script);
	}
	check_branches(check);
	if (!reading->request->each_stop)
		stops_sum(check);
}

static int list_files(const struct reading *reading, struct err *err)
{
	struct source_files *files = &reading->program->files;
	int status = 0;

	files->text = ARENA_INIT(ARENA_UNLIMITED);
	for (size_t i = 0; i < reading->request->path_count && !status; i++)
		status = source_files_add(files, reading->request->paths[i], reading->request->limits, err);
	for (size_t i = 0; i < reading->request->part_count && !status; i++)
		status = source_files_add_part(files, &reading->request->parts[i], reading->request->limits, err);
	source_files_sort(files);
	if (!status && !files->list.count) {
		err_set(err, ERR_EMPTY, "found no script");
		return err_hint(err, "give the folder of the program, or its scripts: opcheck scan train.py");
	}
	return status;
}

int program_read(const struct program_request *request, struct arena *arena, struct program *ret, struct err *err)
{
	struct reading reading = { request, arena, ret };
	int status = 0;

	*ret = (struct program){ 0 };
	if (!syntax_available())
		status = syntax_parse(STR(""), request->limits, &(struct syntax){ 0 }, err);
	if (!status)
		status = list_files(&reading, err);
	if (!status)
		status = rule_book_open(&ret->book, err);
	if (!status) {
		read_scripts(&reading);
		note_skipped(&reading);
		check_scripts(&reading);
		check_absent(ret);
	}
	return status;
}

void program_clear(struct program *program)
{
	for (size_t i = 0; i < program->project.count; i++)
		script_clear(&program->project.scripts[i]);
	free(program->project.scripts);
	map_clear(&program->project.by_module);
	source_files_clear(&program->files);
	rule_book_clear(&program->book);
	free(program->check.last_import);
	free(program->check.places.items);
	free(program->check.candidates.items);
	free(program->check.own_names.items);
	free(program->check.commands.items);
	map_clear(&program->check.by_command);
	free(program->check.device_names.items);
	map_clear(&program->check.by_device_name);
	arena_clear(&program->check.text);
	free(program->unread.items);
	free(program->skipped.items);
}
