#include "scan/port/port_edits.h"

#include "base/view/ascii.h"
#include "scan/source/notebook.h"

enum { PARTS_MOST = 16, UP_MOST = 16 };

/* --- what is edited */

/* Rules whose places have one right replacement; those that transfer_to_npu covers, too. */
static const struct {
	struct str rule;
	bool on[TARGET_COUNT], covered;
} editable[] = {
	{ STR("src-device-string"), { true, true }, true },
	{ STR("src-device-call"), { true, true }, true },
	{ STR("src-device-api"), { true, true }, true },
	{ STR("src-device-api-missing"), { true, true }, true },
	{ STR("src-tensor-type"), { true, false }, true },
	{ STR("src-backend"), { true, true }, true },
	{ STR("src-env"), { true, true }, false },
	{ STR("src-provider"), { true, true }, false },
	{ STR("src-profiler"), { false, true }, false },
};

static size_t editable_at(const char *rule)
{
	return STR_POSITION(editable, ARRAY_SIZE(editable), str_from(rule));
}

/* Returns whether a text is compared with what PyTorch answers, which transfer_to_npu does not change: "==", "in", a
   case, startswith(), a key to look up. */
static bool is_compared(const struct syntax *syntax, uint32_t node)
{
	static const uint8_t outer[] = { SYN_TUPLE, SYN_LIST, SYN_SET, SYN_PARENTHESES };
	uint32_t at = syntax->items[node].parent;

	while (memchr(outer, syntax->items[at].kind, sizeof(outer)))
		at = syntax->items[at].parent;
	switch (syntax->items[at].kind) {
	case SYN_COMPARISON:
	case SYN_CASE:
	case SYN_CASE_PATTERN:
	case SYN_UNION_PATTERN:
		return true;
	case SYN_PAIR: /* a map_location is given to PyTorch */
		return syntax->items[node].field == SYN_AS_KEY &&
		       syntax->items[syntax->items[syntax->items[at].parent].parent].kind != SYN_KEYWORD;
	case SYN_ARGUMENTS:
		return str_has_word(STR("startswith endswith"), called_name(syntax, syntax->items[at].parent));
	default:
		return false;
	}
}

/* Both return true. */
static bool push_edit(
	struct edits *edits, uint32_t from, uint32_t to, struct str text, const struct source_place *place)
{
	const struct syntax *syntax = &edits->script->syntax;
	size_t at = editable_at(place->rule->rule);
	bool patched = place->rule->group != TEXT_TYPE && !is_compared(syntax, place->node);

	if (place->rule->group == TEXT_NAME)
		patched = !str_starts(place->name, STR("torch.version")) && !str_eq(place->name, STR(".cuda_stream"));
	if (edits->script->kind != SCRIPT_PYTHON) /* settings and arguments come to what it patches */
		patched = place->rule->group == TEXT_DEVICE || place->rule->group == TEXT_BACKEND;
	patched &= edits->target == TARGET_NPU;
	MEM_PUSH(&edits->list, ((struct port_edit){ from, to, arena_keep(edits->arena, text), place->rule->rule,
				       at != STR_NONE && editable[at].covered && patched }));
	return true;
}

static bool edit_node(struct edits *edits, uint32_t node, struct str text, const struct source_place *place)
{
	const struct syntax_node *at = &edits->script->syntax.items[node];

	return push_edit(edits, at->from, at->to, text, place);
}

/* --- dotted names */

struct parts {
	struct str items[PARTS_MOST];
	size_t count; /* 0: too many */
};

static struct parts split_name(struct str name)
{
	struct parts parts = { 0 };
	struct str part;

	while (name.len && str_cut(&name, '.', &part)) {
		if (parts.count == PARTS_MOST)
			return (struct parts){ 0 };
		parts.items[parts.count++] = part;
	}
	return parts;
}

static struct str join_parts(struct edits *edits, const struct parts *parts, size_t from)
{
	CLEANUP(buf_clear) struct buf text = BUF_UNLIMITED;

	for (size_t i = from; i < parts->count; i++) {
		buf_add(&text, i > from ? STR(".") : STR(""));
		buf_add(&text, parts->items[i]);
	}
	return arena_keep(edits->arena, buf_str(&text));
}

/* The identifiers of "a.b.c", in order. Returns how many, 0 for something else. */
static size_t list_chain(const struct syntax *syntax, uint32_t node, uint32_t *ret)
{
	uint32_t from_end[PARTS_MOST];
	size_t count = 0;

	while (syntax->items[node].kind == SYN_ATTRIBUTE && count < PARTS_MOST - 1) {
		from_end[count++] = syntax_child(syntax, node, SYN_AS_ATTRIBUTE);
		node = syntax_child(syntax, node, SYN_AS_OBJECT);
	}
	if (syntax->items[node].kind != SYN_IDENTIFIER)
		return 0;
	from_end[count++] = node;
	for (size_t i = 0; i < count; i++)
		ret[i] = from_end[count - 1 - i];
	return count;
}

/* Replace the differing parts: the root of the chain covers the first parts of the name, whatever its alias. */
static bool edit_chain(struct edits *edits, const struct source_place *place, struct str instead)
{
	const struct syntax *syntax = &edits->script->syntax;
	struct parts name = split_name(place->name), other = split_name(instead);
	uint32_t chain[PARTS_MOST];
	size_t count = list_chain(syntax, place->node, chain), first, differs;

	if (!count || count > name.count || !other.count)
		return false;
	first = name.count - count;
	for (size_t i = 0; i <= first; i++) {
		if (i >= other.count || !str_eq(name.items[i], other.items[i]))
			return false;
	}
	for (size_t i = 1; i < count; i++) {
		if (!str_eq(syntax_text(syntax, chain[i]), name.items[first + i]))
			return false;
	}
	for (differs = first + 1; differs < name.count && differs < other.count; differs++) {
		if (!str_eq(name.items[differs], other.items[differs]))
			break;
	}
	if (name.count == other.count) {
		for (size_t i = differs; i < name.count; i++) {
			if (!str_eq(name.items[i], other.items[i]))
				edit_node(edits, chain[i - first], other.items[i], place);
		}
		return true;
	}
	if (differs >= name.count || differs >= other.count)
		return false;
	return push_edit(edits, syntax->items[chain[differs - first]].from, syntax->items[place->node].to,
		join_parts(edits, &other, differs), place);
}

/* --- strings, members, calls */

/* ".npu()" and ".is_npu" without what makes a member of it. */
static struct str member_name(struct str instead)
{
	instead = str_skip(instead, 1);
	return str_ends(instead, STR("()")) ? str_chop(instead, 2) : instead;
}

/* "4" of device[:4] == "cuda": as long as the new text. False for a slice that is of another length. */
static bool edit_slice(struct edits *edits, const struct source_place *place, size_t len, size_t new_len)
{
	const struct syntax *syntax = &edits->script->syntax;
	uint32_t around = syntax->items[place->node].parent, other = syntax_first(syntax, around), slice, end;

	if (other == place->node)
		other = syntax_next(syntax, other);
	if (syntax->items[around].kind != SYN_COMPARISON || !other || syntax->items[other].kind != SYN_SUBSCRIPT ||
		len == new_len)
		return true;
	slice = syntax_child(syntax, other, SYN_AS_SUBSCRIPT);
	if (!slice || syntax->items[slice].kind != SYN_SLICE)
		return true;
	end = syntax_first(syntax, slice);
	if (!end || syntax->text.ptr[syntax->items[slice].from] != ':' ||
		!str_eq(syntax_text(syntax, end), arena_printf(edits->arena, "%zu", len)))
		return false;
	return edit_node(edits, end, arena_printf(edits->arena, "%zu", new_len), place);
}

static bool edit_string(struct edits *edits, const struct source_place *place, struct str instead)
{
	const struct syntax *syntax = &edits->script->syntax;
	uint32_t content = string_content(syntax, place->node);
	struct str text, device = target_kind_name(edits->target);

	text = content ? syntax_text(syntax, content) : STR("");
	if (place->rule->group == TEXT_DEVICE && str_starts(text, STR("cuda"))) {
		if (!edit_slice(edits, place, text.len, text.len - 4 + device.len))
			return false;
		return push_edit(edits, syntax->items[content].from, syntax->items[content].from + 4, device, place);
	}
	if (content && str_starts(place->name, STR(".")))
		return edit_node(edits, content, member_name(instead), place);
	return str_eq(text, place->name) && !str_has(instead, STR("*")) && edit_node(edits, content, instead, place);
}

/* getattr(torch, "cuda") */
static bool edit_getattr(struct edits *edits, const struct source_place *place, struct str instead)
{
	const struct syntax *syntax = &edits->script->syntax;
	uint32_t arguments = syntax_child(syntax, place->node, SYN_AS_ARGUMENTS);
	uint32_t object = arguments ? syntax_first(syntax, arguments) : 0,
		 name = object ? syntax_next(syntax, object) : 0;
	uint32_t content = name ? string_content(syntax, name) : 0;

	if (!content || !str_eq(name_around(place->name), name_around(instead)) ||
		!str_eq(syntax_text(syntax, content), str_tail(place->name, '.')))
		return false;
	return edit_node(edits, content, str_tail(instead, '.'), place);
}

/* "npu = cuda" below a method of that name: callers use either. */
static bool edit_method(struct edits *edits, const struct source_place *place, struct str instead)
{
	const struct syntax *syntax = &edits->script->syntax;
	uint32_t function = syntax->items[place->node].parent, from = syntax->items[function].from, line = from;
	uint32_t to = syntax->items[function].to;
	bool ends = to < syntax->text.len && syntax->text.ptr[to] == '\n';
	struct str indent;

	while (line && syntax->text.ptr[line - 1] != '\n')
		line--;
	indent = str_sub(syntax->text, line, from);
	if (syntax->items[function].kind != SYN_FUNCTION || str_trim(indent).len || syntax->origin)
		return false;
	to += ends; /* at the beginning of the next line, if there is one */
	return push_edit(edits, to, to,
		arena_printf(edits->arena, "%s\n%.*s%.*s = %.*s%s", ends ? "" : "\n", STR_ARG(indent),
			STR_ARG(member_name(instead)), STR_ARG(syntax_text(syntax, place->node)), ends ? "\n" : ""),
		place);
}

/* torch.amp.GradScaler() is for CUDA unless it is called with a device. */
static bool edit_scaler(struct edits *edits, const struct source_place *place)
{
	const struct syntax *syntax = &edits->script->syntax;
	uint32_t arguments = syntax_child(syntax, place->node, SYN_AS_ARGUMENTS);
	struct str text;

	if (!arguments)
		return false;
	text = arena_printf(edits->arena, "\"%.*s\"%s", STR_ARG(target_kind_name(edits->target)),
		syntax_first(syntax, arguments) ? ", " : "");
	return push_edit(edits, syntax->items[arguments].from + 1, syntax->items[arguments].from + 1, text, place);
}

/* Returns whether the script reads parts of what a name holds, or compares it. */
static bool is_taken_apart(const struct syntax *syntax, struct str name)
{
	for (uint32_t i = 1; i < syntax->count; i++) {
		enum syntax_kind around = syntax->items[syntax->items[i].parent].kind;

		if (syntax->items[i].kind == SYN_IDENTIFIER && str_eq(syntax_text(syntax, i), name) &&
			(around == SYN_COMPARISON || ((around == SYN_ATTRIBUTE || around == SYN_SUBSCRIPT) &&
							     syntax_first(syntax, syntax->items[i].parent) == i)))
			return true;
	}
	return false;
}

/* "parse(torch.version.cuda) >= ...", "torch.version.cuda.split(...)": another library has other numbers. */
static bool is_version_used(const struct syntax *syntax, const struct source_place *place)
{
	uint32_t node = place->node, around = syntax->items[node].parent;
	enum syntax_kind kind = syntax->items[around].kind;

	if (!str_starts(place->name, STR("torch.version.")))
		return false;
	if (kind == SYN_ASSIGNMENT)
		return is_taken_apart(syntax, syntax_child_text(syntax, around, SYN_AS_LEFT));
	if (kind == SYN_ATTRIBUTE || kind == SYN_SUBSCRIPT)
		return true;
	for (unsigned i = 0; i < UP_MOST && node; i++, node = syntax->items[node].parent) {
		if (syntax->items[node].kind == SYN_COMPARISON)
			return true;
	}
	return kind == SYN_ARGUMENTS &&
	       str_has_word(STR("int float parse Version"),
		       str_tail(syntax_child_text(syntax, syntax->items[around].parent, SYN_AS_FUNCTION), '.'));
}

bool edit_place(struct edits *edits, const struct source_place *place)
{
	const struct syntax *syntax = &edits->script->syntax;
	struct str instead = place_replacement(place, edits->target, edits->arena);
	size_t at = editable_at(place->rule->rule);

	if (str_eq(place->rule->name, STR("torch.amp.GradScaler()")))
		return edit_scaler(edits, place);
	if (at == STR_NONE || !editable[at].on[edits->target] || !instead.len || is_version_used(syntax, place))
		return false;
	if (place->word)
		return push_edit(edits, place->from, place->to, instead, place);
	if (syntax->items[place->node].kind == SYN_STRING)
		return edit_string(edits, place, instead);
	if (syntax->items[place->node].kind == SYN_CALL && !place->to)
		return edit_getattr(edits, place, instead);
	if (syntax->items[place->node].field == SYN_AS_NAME)
		return edit_method(edits, place, instead);
	if (place->to > place->from) /* ".npu()" in place of ".cuda()" */
		return str_starts(instead, STR(".")) &&
		       push_edit(edits, place->from, place->to, member_name(instead), place);
	return syntax->items[place->node].kind == SYN_ATTRIBUTE && edit_chain(edits, place, instead);
}

/* --- imports */

static bool is_import(const struct syntax *syntax, uint32_t statement)
{
	return syntax->items[statement].kind == SYN_IMPORT || syntax->items[statement].kind == SYN_IMPORT_FROM;
}

uint32_t import_around(const struct syntax *syntax, uint32_t node)
{
	for (unsigned i = 0; i < UP_MOST && node; i++, node = syntax->items[node].parent) {
		if (is_import(syntax, node))
			return node;
	}
	return 0;
}

/* The module to import from: "torch.npu" is a name, torch_npu.npu its module. */
static struct str real_module(struct edits *edits, struct str name)
{
	static const struct {
		struct str name, module;
	} modules[] = {
		{ STR("torch.npu"), STR("torch_npu.npu") },
		{ STR("torch.musa.amp"), STR("torch_musa.core.amp") },
		{ STR("torch.musa"), STR("torch_musa") },
	};

	for (size_t i = 0; i < ARRAY_SIZE(modules); i++) {
		struct str rest;

		if (!str_starts(name, modules[i].name))
			continue;
		rest = str_skip(name, modules[i].name.len);
		if (!rest.len || rest.ptr[0] == '.')
			return arena_printf(edits->arena, "%.*s%.*s", STR_ARG(modules[i].module), STR_ARG(rest));
	}
	return name;
}

/* The replacement in an import, or "". */
static struct str import_instead(struct edits *edits, const struct source_place *place)
{
	size_t at = editable_at(place->rule->rule);
	struct str instead = place_replacement(place, edits->target, edits->arena);

	if (at == STR_NONE || !editable[at].on[edits->target] ||
		place_action(place, edits->target) != SOURCE_MUST_CHANGE || !str_starts(instead, STR("torch.")))
		return STR("");
	return instead;
}

/* import torch.cuda as cuda */
static bool edit_module_import(struct edits *edits, uint32_t statement, const struct source_place *place)
{
	const struct syntax *syntax = &edits->script->syntax;
	struct str instead = import_instead(edits, place);
	uint32_t item = syntax_first(syntax, statement);

	while (item && !(place->node >= item && place->node < syntax->items[item].end))
		item = syntax_next(syntax, item);
	if (!instead.len || !item || syntax->items[item].kind != SYN_ALIASED_IMPORT)
		return false;
	item = syntax_child(syntax, item, SYN_AS_NAME);
	return edit_node(edits, item, real_module(edits, instead), place);
}

/* "autocast" of "from torch.cuda.amp import autocast": the new name, if it has one, and the old one for the rest. */
static void edit_imported(struct edits *edits, uint32_t item, struct str instead, const struct source_place *place)
{
	const struct syntax *syntax = &edits->script->syntax;
	bool aliased = syntax->items[item].kind == SYN_ALIASED_IMPORT;
	uint32_t name = aliased ? syntax_child(syntax, item, SYN_AS_NAME) : item;
	struct str old = syntax_text(syntax, name), text = str_tail(instead, '.');

	if (str_eq(old, text))
		return;
	if (!aliased)
		text = arena_printf(edits->arena, "%.*s as %.*s", STR_ARG(text), STR_ARG(old));
	edit_node(edits, name, text, place);
}

/* All that a statement imports must move to one module together. */
static bool edit_from_import(struct edits *edits, uint32_t statement, const struct source_place *places, size_t count)
{
	const struct syntax *syntax = &edits->script->syntax;
	uint32_t module = syntax_child(syntax, statement, SYN_AS_MODULE_NAME);
	size_t before = edits->list.count;
	struct str from = module ? syntax_text(syntax, module) : STR(""), to = from;
	bool moved = false, first = true;

	for (uint32_t item = syntax_first(syntax, statement); item; item = syntax_next(syntax, item)) {
		const struct source_place *inside = FIND(i, places, count,
						  places[i].node >= item && places[i].node < syntax->items[item].end),
					  *place = item == module ? NULL : inside;
		struct str instead = place ? import_instead(edits, place) : STR("");
		struct str around = place ? name_around(instead) : from;

		if (item == module)
			continue;
		if ((place && !instead.len) || (!first && !str_eq(around, to))) {
			edits->list.count = before;
			return false;
		}
		to = around;
		first = false;
		moved |= place && !str_eq(to, from);
		if (place)
			edit_imported(edits, item, instead, place);
	}
	if (moved)
		edit_node(edits, module, real_module(edits, to), places);
	return edits->list.count > before;
}

bool edit_import(struct edits *edits, uint32_t statement, const struct source_place *places, size_t count)
{
	if (edits->script->syntax.items[statement].kind == SYN_IMPORT_FROM)
		return edit_from_import(edits, statement, places, count);
	return count == 1 && edit_module_import(edits, statement, places);
}

/* --- the plugin */

static bool imports(const struct syntax *syntax, uint32_t statement, struct str package)
{
	for (uint32_t child = syntax_first(syntax, statement); child; child = syntax_next(syntax, child)) {
		struct str name = syntax_text(syntax, child);
		bool of_it = str_starts(name, package) &&
			     (name.len == package.len || name.ptr[package.len] == '.' || name.ptr[package.len] == ' ');

		if (of_it)
			return true;
		if (syntax->items[statement].kind == SYN_IMPORT_FROM)
			return false; /* the first is the module */
	}
	return false;
}

/* Offsets for a line above or below a statement; false if other statements share its line. */
static bool line_above(const struct syntax *syntax, uint32_t statement, uint32_t *ret)
{
	*ret = syntax->items[statement].from;
	return !*ret || syntax->text.ptr[*ret - 1] == '\n';
}

static bool line_below(const struct syntax *syntax, uint32_t statement, uint32_t *ret)
{
	struct str rest = str_skip(syntax->text, syntax->items[statement].to), tail;
	size_t len = str_find(rest, STR("\n"));

	*ret = len == STR_NONE ? (uint32_t)syntax->text.len : syntax->items[statement].to + (uint32_t)len + 1;
	if (syntax->origin && len != STR_NONE)
		--*ret; /* the next line may be in another cell */
	tail = str_trim(str_sub(rest, 0, len == STR_NONE ? rest.len : len));
	return !tail.len || tail.ptr[0] == '#';
}

static bool is_opening(const struct syntax *syntax, uint32_t statement)
{
	uint32_t first = syntax_first(syntax, statement);

	return str_starts(syntax_text(syntax, statement), STR("from __future__")) ||
	       (statement == syntax_first(syntax, 0) && syntax->items[statement].kind == SYN_EXPRESSION_STATEMENT &&
		       first && syntax->items[first].kind == SYN_STRING);
}

/* Nothing of PyTorch is used above its import; an import that takes names of the plugin needs the line above it. */
static bool plugin_place(const struct edits *edits, uint32_t *ret)
{
	const struct syntax *syntax = &edits->script->syntax;
	uint32_t opening = 0, first = 0;

	for (uint32_t node = syntax_first(syntax, 0); node; node = syntax_next(syntax, node)) {
		const struct syntax_node *at = &syntax->items[node];
		bool edited = ANY(i, edits->list.count,
			edits->list.items[i].from >= at->from && edits->list.items[i].from < at->to);

		if (is_import(syntax, node) && imports(syntax, node, STR("torch")))
			return (!edited && line_below(syntax, node, ret)) || line_above(syntax, node, ret);
		if (!first && is_opening(syntax, node))
			opening = node;
		else if (!first)
			first = node;
	}
	return (opening && line_below(syntax, opening, ret)) || (first && line_above(syntax, first, ret));
}

bool edit_plugin(struct edits *edits)
{
	const struct syntax *syntax = &edits->script->syntax;
	struct str plugin = target_plugin_name(edits->target), text = syntax->text;
	CLEANUP(buf_clear) struct buf line = BUF_UNLIMITED;
	size_t first_line = str_find(text, STR("\n"));
	const char *line_end = first_line != STR_NONE && first_line && text.ptr[first_line - 1] == '\r' ? "\r\n" : "\n";
	uint32_t at;

	for (uint32_t node = syntax_first(syntax, 0); node; node = syntax_next(syntax, node)) {
		if (is_import(syntax, node) && imports(syntax, node, plugin))
			return true;
	}
	if (!plugin_place(edits, &at))
		return false;
	if (at && text.ptr[at - 1] != '\n') /* behind a line that has no end, or before its end */
		buf_printf(&line, "%simport %.*s", line_end, STR_ARG(plugin));
	else
		buf_printf(&line, "import %.*s", STR_ARG(plugin));
	buf_add(&line, at && text.ptr[at - 1] != '\n' && at < text.len ? STR("") : str_from(line_end));
	MEM_PUSH(&edits->list,
		((struct port_edit){ at, at, arena_keep(edits->arena, buf_str(&line)), "import", false }));
	return true;
}

/* --- in the file */

/* Behind the character before that byte. */
static size_t end_in_file(const struct syntax *syntax, uint32_t byte)
{
	return byte ? syntax->origin[byte - 1] + notebook_width(syntax->file, syntax->origin[byte - 1]) : 0;
}

/* The text of an edit as a string of JSON has it. */
static struct str json_bytes(struct arena *arena, struct str text)
{
	CLEANUP(buf_clear) struct buf bytes = BUF_UNLIMITED;

	for (size_t i = 0; i < text.len; i++) {
		if (memchr("\"\\\n\r", text.ptr[i], 4))
			buf_byte(&bytes, '\\');
		buf_byte(&bytes, text.ptr[i] == '\n' ? 'n' : text.ptr[i] == '\r' ? 'r' : text.ptr[i]);
	}
	return arena_keep(arena, buf_str(&bytes));
}

/* An insertion at the beginning of a line belongs to the cell of that line, any other to the cell before it. */
static void locate_in_notebook(const struct edits *edits, struct port_edit *edit)
{
	const struct syntax *syntax = &edits->script->syntax;
	bool begins = edit->from < edit->to || !edit->from || syntax->text.ptr[edit->from - 1] == '\n';

	edit->at = begins ? syntax->origin[edit->from] : end_in_file(syntax, edit->from);
	edit->end = edit->from < edit->to ? end_in_file(syntax, edit->to) : edit->at;
	edit->bytes = json_bytes(edits->arena, edit->text);
}

void edits_locate(struct edits *edits, size_t mark_bytes)
{
	for (size_t i = 0; i < edits->list.count; i++) {
		struct port_edit *edit = &edits->list.items[i];

		*edit = (struct port_edit){ edit->from, edit->to, edit->text, edit->rule, edit->covered, edits->script,
			edit->from, edit->to, edit->text };
		if (edits->script->syntax.origin)
			locate_in_notebook(edits, edit);
		edit->at += mark_bytes;
		edit->end += mark_bytes;
	}
}
