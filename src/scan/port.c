#include "scan/port.h"

#include <stdlib.h>

#include "base/utf8.h"
#include "io/source.h"
#include "scan/port_edits.h"

struct porting {
	struct port *port;
	const struct limits *limits;
	const struct source_place *places; /* of one script, in the order of the text */
	size_t count;
	bool *edited; /* by place */
};

/* --- files */

/* The bytes of the file whose text was read; false when the text is not byte for byte in it. */
static bool read_bytes(const struct porting *porting, struct port_script *script)
{
	static const char mark[] = "\xef\xbb\xbf";
	struct str text = script->script->syntax.text, chunk;
	struct buf bytes = BUF_INIT((size_t)porting->limits->script_bytes);
	struct source *source;
	struct err err = { 0 };
	bool plain = false;

	if (source_open(script->script->path.ptr, porting->limits, &source, &err))
		return false;
	source_skip_digest(source);
	while (source_next(source, &chunk, &err) > 0)
		buf_add(&bytes, chunk);
	plain = !err.code && !bytes.full && !*source_facts(source)->compression;
	source_close(source);
	script->bytes = arena_keep(&porting->port->arena, buf_str(&bytes));
	buf_clear(&bytes);
	script->mark_bytes = str_starts(script->bytes, str_from(mark)) ? 3 : 0;
	if (!plain || script->bytes.len != text.len + script->mark_bytes)
		return false;
	for (size_t i = 0; i < text.len; i++) {
		char byte = script->bytes.ptr[script->mark_bytes + i];

		if (byte != text.ptr[i] && (text.ptr[i] != '?' || (signed char)byte > 0))
			return false;
	}
	return true;
}

static int by_place(const void *a, const void *b)
{
	const struct port_edit *left = a, *right = b;

	if (left->from != right->from)
		return left->from < right->from ? -1 : 1;
	return (left->to > right->to) - (left->to < right->to);
}

/* Orders the edits; of two over the same bytes the first one stays. */
static void settle_edits(struct edits *edits)
{
	size_t kept = 0;

	qsort(edits->list.items, edits->list.count, sizeof(edits->list.items[0]), by_place);
	for (size_t i = 0; i < edits->list.count; i++) {
		if (!kept || edits->list.items[i].from >= edits->list.items[kept - 1].to)
			edits->list.items[kept++] = edits->list.items[i];
	}
	edits->list.count = kept;
}

static struct str apply_edits(const struct port_script *script, struct str text, struct arena *arena)
{
	CLEANUP(buf_clear) struct buf ported = BUF_UNLIMITED;
	size_t mark = text.len - script->script->syntax.text.len, at = 0;

	for (size_t i = 0; i < script->edit_count; i++) {
		buf_add(&ported, str_sub(text, at, mark + script->edits[i].from));
		buf_add(&ported, script->edits[i].text);
		at = mark + script->edits[i].to;
	}
	buf_add(&ported, str_skip(text, at));
	return arena_keep(arena, buf_str(&ported));
}

static bool is_python(const struct porting *porting, const struct port_script *script)
{
	struct arena arena = ARENA_INIT(ARENA_UNLIMITED);
	struct syntax syntax = { 0 };
	struct err err = { 0 };
	bool good = !syntax_parse(
			    apply_edits(script, script->script->syntax.text, &arena), porting->limits, &syntax, &err) &&
		    !syntax.broken;

	syntax_clear(&syntax);
	arena_clear(&arena);
	return good;
}

/* --- one script */

static void edit_places(struct porting *porting, struct edits *edits)
{
	const struct syntax *syntax = &edits->script->syntax;

	for (size_t i = 0, next; i < porting->count; i = next) {
		const struct source_place *place = &porting->places[i];
		uint32_t statement = import_around(syntax, place->node);
		bool edited;

		next = i + 1;
		while (statement && next < porting->count &&
			import_around(syntax, porting->places[next].node) == statement)
			next++;
		if (place->rule->on[edits->target].action == SOURCE_MUST_CHANGE && !place->doubtful)
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
	CLEANUP(buf_clear) struct buf line = BUF_UNLIMITED;
	size_t end = str_find(text, STR("\n"));

	utf8_printable(&line, str_trim(str_sub(text, 0,
				      end != STR_NONE && end < SHOWN_BYTES ? end
				      : text.len < SHOWN_BYTES             ? text.len
									   : SHOWN_BYTES)));
	return arena_keep(arena, buf_str(&line));
}

static void push_left(struct port *port, const struct source_place *place)
{
	const struct syntax *syntax = &place->script->syntax;
	enum source_action action = place->rule->on[port->target].action;
	struct port_left left = { .path = shown_line(&port->arena, place->script->path),
		.name = shown_line(&port->arena, place->name),
		.expression = shown_line(&port->arena, syntax_text(syntax, place->node)),
		.replacement = place_replacement(place, port->target, &port->arena),
		.rule = place->rule->rule,
		.action = place->doubtful && action == SOURCE_MUST_CHANGE ? SOURCE_CHECK : action };

	if (action == SOURCE_FINE)
		return;
	syntax_place(syntax, syntax->items[place->node].from, &left.line, &left.column);
	MEM_PUSH(&port->left, left);
}

static bool needs_plugin(const struct edits *edits)
{
	for (size_t i = 0; i < edits->list.count; i++) {
		const char *rule = edits->list.items[i].rule;

		if (strcmp(rule, "src-env") != 0 && strcmp(rule, "src-provider") != 0)
			return true;
	}
	return false;
}

/* What transfer_to_npu does while the program runs needs no edit. */
static void drop_covered(struct edits *edits)
{
	size_t kept = 0;

	for (size_t i = 0; i < edits->list.count; i++) {
		if (!edits->list.items[i].covered)
			edits->list.items[kept++] = edits->list.items[i];
	}
	edits->list.count = kept;
}

/* Whether the script, with its edits if there are any, is Python. */
static bool make_edits(struct porting *porting, struct edits *edits, struct port_script *ret)
{
	if (edits->script->kind != SCRIPT_PYTHON || edits->script->syntax.broken)
		return false;
	edit_places(porting, edits);
	if (porting->port->transferred)
		drop_covered(edits);
	if (!edits->list.count)
		return true;
	if ((needs_plugin(edits) && !edit_plugin(edits)) || !read_bytes(porting, ret))
		return false;
	settle_edits(edits);
	ret->edits = arena_alloc(&porting->port->arena, edits->list.count * sizeof(ret->edits[0]));
	memcpy(ret->edits, edits->list.items, edits->list.count * sizeof(ret->edits[0]));
	ret->edit_count = edits->list.count;
	return is_python(porting, ret);
}

static void port_places(struct porting *porting)
{
	struct port *port = porting->port;
	struct port_script script = { .script = porting->places[0].script };
	struct edits edits = { .arena = &port->arena, .script = script.script, .target = port->target };
	bool edited;

	porting->edited = mem_zalloc(porting->count * sizeof(porting->edited[0]));
	edited = make_edits(porting, &edits, &script);
	if (edited && script.edit_count) {
		script.ported = apply_edits(&script, script.bytes, &port->arena);
		MEM_PUSH(&port->scripts, script);
	}
	for (size_t i = 0; i < script.edit_count && edited; i++) {
		port->edits += strcmp(script.edits[i].rule, "import") != 0;
		port->covered += script.edits[i].covered;
	}
	for (size_t i = 0; i < porting->count; i++) {
		if (!edited || !porting->edited[i])
			push_left(port, &porting->places[i]);
	}
	free(porting->edited);
	free(edits.list.items);
}

/* --- the program */

static int by_script(const void *a, const void *b)
{
	const struct source_place *left = a, *right = b;

	if (left->script != right->script)
		return left->script < right->script ? -1 : 1;
	if (left->node != right->node)
		return left->node < right->node ? -1 : 1;
	return str_cmp(left->name, right->name);
}

static bool has_transfer(const struct program *program)
{
	for (size_t i = 0; i < program->project.count; i++) {
		const struct script *script = &program->project.scripts[i];

		for (size_t j = 0; j < script->bindings.count; j++) {
			const struct binding *binding = &script->bindings.items[j];

			if (binding->kind == BIND_NAME &&
				str_starts(binding->qualified, STR("torch_npu.contrib.transfer_to_npu")))
				return true;
		}
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
	for (size_t i = 0; i < count; i += porting.count) {
		porting.places = places + i;
		for (porting.count = 1; i + porting.count < count; porting.count++) {
			if (places[i + porting.count].script != places[i].script)
				break;
		}
		port_places(&porting);
	}
	return 0;
}

void port_clear(struct port *port)
{
	program_clear(&port->program);
	free(port->scripts.items);
	free(port->left.items);
	arena_clear(&port->arena);
}
