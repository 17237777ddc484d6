#include "scan/port/port.h"

#include <stdlib.h>

#include "base/view/ascii.h"
#include "io/source.h"
#include "scan/find/keyed.h"
#include "scan/port/patch.h"
#include "scan/source/parse.h"

struct porting {
	struct port *port;
	const struct limits *limits;
	const struct source_place *places; /* of one script, in the order of the text */
	size_t count;
	bool *edited; /* by place */

	/* of the file that the script is in: */
	struct str bytes;
	size_t mark_bytes; /* of the byte order mark that the text lacks */
	bool is_same;      /* the text is byte for byte in it */
	MEM_LIST(struct port_edit) edits;
};

/* --- files */

/* Reads the bytes of the file whose text was read. */
static void read_bytes(struct porting *porting)
{
	static const char mark[] = "\xef\xbb\xbf";
	const struct script *script = porting->places[0].script;
	struct str text = script->syntax.file, chunk;
	struct buf bytes = BUF_INIT((size_t)porting->limits->script_bytes);
	struct source *source;
	struct err err = { 0 };

	porting->is_same = false;
	if (source_open(script->path.ptr, porting->limits, &source, &err))
		return;
	source_skip_digest(source);
	while (source_next(source, &chunk, &err) > 0)
		buf_add(&bytes, chunk);
	porting->is_same = !err.code && !bytes.full && !*source_facts(source)->compression;
	source_close(source);
	porting->bytes = arena_keep(&porting->port->arena, buf_str(&bytes));
	buf_clear(&bytes);
	porting->mark_bytes = str_starts(porting->bytes, str_from(mark)) ? 3 : 0;
	porting->is_same &= porting->bytes.len == text.len + porting->mark_bytes;
	for (size_t i = 0; i < text.len && porting->is_same; i++) {
		char byte = porting->bytes.ptr[porting->mark_bytes + i];

		porting->is_same = byte == text.ptr[i] || (text.ptr[i] == '?' && (signed char)byte < 0);
	}
}

static int by_place(const void *a, const void *b)
{
	const struct port_edit *left = a, *right = b;

	return ORDER(left->at, right->at) ?: ORDER(left->end, right->end);
}

/* Orders the edits; of two over the same bytes the first one stays. */
static void settle_edits(struct edits *edits)
{
	size_t kept = 0;

	qsort(edits->list.items, edits->list.count, sizeof(edits->list.items[0]), by_place);
	for (size_t i = 0; i < edits->list.count; i++) {
		if (!kept || edits->list.items[i].at >= edits->list.items[kept - 1].end)
			edits->list.items[kept++] = edits->list.items[i];
	}
	edits->list.count = kept;
}

/* The text of the script with its edits. */
static struct str edited_text(const struct edits *edits, struct arena *arena)
{
	CLEANUP(buf_clear) struct buf ported = BUF_UNLIMITED;
	struct str text = edits->script->syntax.text;
	size_t at = 0;

	for (size_t i = 0; i < edits->list.count; i++) {
		buf_add(&ported, str_sub(text, at, edits->list.items[i].from));
		buf_add(&ported, edits->list.items[i].text);
		at = edits->list.items[i].to;
	}
	buf_add(&ported, str_skip(text, at));
	return arena_keep(arena, buf_str(&ported));
}

/* The same of the file, which may be more than one script. */
static struct str edited_bytes(const struct port_script *file, struct arena *arena)
{
	CLEANUP(buf_clear) struct buf ported = BUF_UNLIMITED;
	size_t at = 0;

	for (size_t i = 0; i < file->edit_count; i++) {
		buf_add(&ported, str_sub(file->bytes, at, file->edits[i].at));
		buf_add(&ported, file->edits[i].bytes);
		at = file->edits[i].end;
	}
	buf_add(&ported, str_skip(file->bytes, at));
	return arena_keep(arena, buf_str(&ported));
}

/* Returns whether the edited text is of the same kind; words of a shell stay words. */
static bool is_sound(const struct porting *porting, const struct edits *edits)
{
	struct arena arena = ARENA_INIT(ARENA_UNLIMITED);
	struct str text = edited_text(edits, &arena);
	enum script_kind kind = edits->script->kind;
	struct syntax syntax = { 0 };
	struct err err = { 0 };
	int status = 0;

	if (kind == SCRIPT_PYTHON)
		status = syntax_parse(text, porting->limits, &syntax, &err);
	else if (is_keyed(kind))
		status = keyed_read(text, kind, &syntax, &err);
	status |= syntax.broken;
	syntax_clear(&syntax);
	arena_clear(&arena);
	return !status;
}

/* --- one script */

static void edit_places(struct porting *porting, struct edits *edits)
{
	const struct syntax *syntax = &edits->script->syntax;

	for (size_t i = 0, next; i < porting->count; i = next) {
		const struct source_place *place = &porting->places[i];
		uint32_t statement = is_absent(place) ? 0 : import_around(syntax, place->node);
		bool edited;

		next = i + 1;
		while (statement && next < porting->count &&
			import_around(syntax, porting->places[next].node) == statement)
			next++;
		if (place_action(place, edits->target) == SOURCE_MUST_CHANGE)
			edited = statement ? edit_import(edits, statement, place, next - i) : edit_place(edits, place);
		else
			edited = false;
		for (size_t j = i; j < next; j++)
			porting->edited[j] = edited;
	}
}

static struct str shown_line(struct arena *arena, struct str text)
{
	enum { SHOWN_BYTES = 100 };
	struct str line = str_head(text, '\n');

	return place_path(arena, str_trim(str_sub(line, 0, line.len < SHOWN_BYTES ? line.len : SHOWN_BYTES)));
}

static void push_left(struct port *port, const struct source_place *place)
{
	const struct syntax *syntax = &place->script->syntax;
	struct port_left left = { .path = place_path(&port->arena, shown_path(place->script->path)),
		.name = shown_line(&port->arena, place->name),
		.expression = is_absent(place) ? STR("") : shown_line(&port->arena, syntax_text(syntax, place->node)),
		.replacement = place_replacement(place, port->target, &port->arena),
		.rule = place->rule->rule,
		.action = place_action(place, port->target) };

	if (left.action == SOURCE_FINE || place->summed)
		return;
	if (place->stops)
		left.expression = arena_printf(&port->arena, "%.*s: %zu, on lines %.*s", STR_ARG(place->stops->names),
			place->stops->count, STR_ARG(place->stops->lines));
	syntax_place(syntax, syntax->items[place->node].from, &left.line, &left.column);
	MEM_PUSH(&port->left, left);
}

/* Names of the plugin need its import; a text that another script takes to PyTorch does not. */
static bool needs_plugin(const struct edits *edits)
{
	bool of_torch = ANY(i, edits->script->bindings.count,
		edits->script->bindings.items[i].kind == BIND_NAME &&
			str_eq(str_head(edits->script->bindings.items[i].qualified, '.'), STR("torch")));

	for (size_t i = 0; i < edits->list.count; i++) {
		struct str rule = str_from(edits->list.items[i].rule);

		if (!str_has_word(STR("src-env src-provider"), rule) &&
			(of_torch || !str_has_word(STR("src-device-string src-backend"), rule)))
			return true;
	}
	return false;
}

/* Edit a script; false if it cannot be parsed, or would not be the same kind of text with its edits. */
static bool make_edits(struct porting *porting, struct edits *edits)
{
	bool is_python = edits->script->kind == SCRIPT_PYTHON;
	size_t kept = 0;

	if (edits->script->syntax.broken ||
		(edits->script->syntax.origin &&
			!str_ends(edits->script->path, STR(".ipynb")))) /* Python in a shell's */
		return false;
	edit_places(porting, edits);
	for (size_t i = 0; i < edits->list.count; i++) { /* transfer_to_npu makes the covered ones at run time */
		if (!porting->port->transferred || !edits->list.items[i].covered)
			edits->list.items[kept++] = edits->list.items[i];
	}
	edits->list.count = kept;
	if (!edits->list.count)
		return true;
	if ((is_python && needs_plugin(edits) && !edit_plugin(edits)) || !porting->is_same)
		return false;
	edits_locate(edits, porting->mark_bytes);
	settle_edits(edits);
	return is_sound(porting, edits);
}

static void port_places(struct porting *porting)
{
	struct port *port = porting->port;
	struct edits edits = { .arena = &port->arena, .script = porting->places[0].script, .target = port->target };
	bool edited;

	porting->edited = mem_zalloc(porting->count * sizeof(porting->edited[0]));
	edited = make_edits(porting, &edits);
	for (size_t i = 0; i < edits.list.count && edited; i++) {
		port->edits += strcmp(edits.list.items[i].rule, "import") != 0;
		port->covered += edits.list.items[i].covered;
		MEM_PUSH(&porting->edits, edits.list.items[i]);
	}
	for (size_t i = 0; i < porting->count; i++) {
		if (!edited || !porting->edited[i])
			push_left(port, &porting->places[i]);
	}
	free(porting->edited);
	free(edits.list.items);
}

/* --- the program */

/* A notebook has two scripts in one file. */
static void port_file(struct porting *porting, const struct source_place *places, size_t count)
{
	struct port_script file = { .path = places[0].script->path };

	porting->places = places;
	porting->edits.count = 0;
	read_bytes(porting);
	for (size_t i = 0; i < count; i += porting->count) {
		porting->places = places + i;
		for (porting->count = 1; i + porting->count < count; porting->count++) {
			if (places[i + porting->count].script != places[i].script)
				break;
		}
		port_places(porting);
	}
	file.bytes = porting->bytes;
	file.edit_count = porting->edits.count;
	if (!file.edit_count)
		return;
	qsort(porting->edits.items, file.edit_count, sizeof(file.edits[0]), by_place);
	file.edits = arena_keep_bytes(
		&porting->port->arena, porting->edits.items, file.edit_count * sizeof(file.edits[0]));
	file.ported = edited_bytes(&file, &porting->port->arena);
	MEM_PUSH(&porting->port->scripts, file);
}

static int by_script(const void *a, const void *b)
{
	const struct source_place *left = a, *right = b;

	return ORDER(left->script, right->script) ?: ORDER(left->node, right->node) ?: str_cmp(left->name, right->name);
}

static bool has_transfer(const struct program *program)
{
	for (size_t i = 0; i < program->project.count; i++) {
		const struct script *script = &program->project.scripts[i];

		if (ANY(j, script->bindings.count,
			    script->bindings.items[j].kind == BIND_NAME &&
				    str_starts(script->bindings.items[j].qualified,
					    STR("torch_npu.contrib.transfer_to_npu"))))
			return true;
	}
	return false;
}

int port_run(const struct program_request *request, enum target_kind target, struct port *ret, struct err *err)
{
	struct porting porting = { .port = ret, .limits = request->limits };
	struct source_place *places;
	size_t count;
	int status;

	*ret = (struct port){ .target = target, .arena = ARENA_INIT(ARENA_UNLIMITED) };
	status = program_read(request, &ret->arena, &ret->program, err);
	if (status)
		return status;
	places = ret->program.check.places.items;
	count = ret->program.check.places.count;
	ret->transferred = target == TARGET_NPU && has_transfer(&ret->program);
	if (count)
		qsort(places, count, sizeof(places[0]), by_script);
	for (size_t i = 0, next; i < count; i = next) {
		for (next = i + 1; next < count && places[next].script->path.ptr == places[i].script->path.ptr;)
			next++;
		port_file(&porting, places + i, next - i);
	}
	free(porting.edits.items);
	return 0;
}

void port_clear(struct port *port)
{
	program_clear(&port->program);
	free(port->scripts.items);
	free(port->left.items);
	arena_clear(&port->arena);
}
