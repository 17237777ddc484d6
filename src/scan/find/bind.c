#include "scan/find/bind.h"

#include <stdlib.h>

#include "base/memory/hash.h"
#include "scan/find/rules.h"

/* --- bindings */

static uint64_t binding_hash(uint32_t scope, struct str name)
{
	return hash_str(hash_seed() + scope, name);
}

struct map_cursor binding_start(const struct script *script, uint32_t scope, struct str name)
{
	return map_start(&script->by_name, binding_hash(scope, name));
}

const struct binding *binding_next(const struct script *script, uint32_t scope, struct str name, struct map_cursor *at)
{
	while (map_next(&script->by_name, at)) {
		const struct binding *binding = &script->bindings.items[at->index];

		if (binding->scope == scope && str_eq(binding->name, name))
			return binding;
	}
	return NULL;
}

const struct binding *binding_first(const struct script *script, uint32_t scope, struct str name)
{
	struct map_cursor at = binding_start(script, scope, name);

	return binding_next(script, scope, name, &at);
}

static bool is_global(const struct script *script, uint32_t scope, struct str name)
{
	struct map_cursor at = binding_start(script, scope, name);
	const struct binding *binding;

	while (scope && (binding = binding_next(script, scope, name, &at))) {
		if (binding->kind == BIND_GLOBAL)
			return true;
	}
	return false;
}

static void bind_name(struct script *script, struct binding binding)
{
	struct map_cursor at;
	unsigned known = 0;

	if (binding.kind != BIND_GLOBAL && is_global(script, binding.scope, binding.name))
		binding.scope = 0;
	at = binding_start(script, binding.scope, binding.name);
	while (known < BINDINGS_MOST && binding_next(script, binding.scope, binding.name, &at))
		known++;
	if (known < BINDINGS_MOST) /* further ones tell nothing new and slow look-ups down */
		map_add(&script->by_name, binding_hash(binding.scope, binding.name), (uint32_t)script->bindings.count);
	MEM_PUSH(&script->bindings, binding);
}

static void bind_node(struct script *script, uint32_t scope, uint32_t name, enum binding_kind kind, uint32_t node)
{
	if (name && script->syntax.items[name].kind == SYN_IDENTIFIER)
		bind_name(script, (struct binding){ .name = syntax_text(&script->syntax, name),
					  .scope = scope,
					  .node = node,
					  .kind = kind });
}

/* --- scopes */

static bool opens_scope(enum syntax_kind kind)
{
	static const uint8_t kinds[] = { SYN_MODULE, SYN_FUNCTION, SYN_CLASS, SYN_LAMBDA, SYN_LIST_COMPREHENSION,
		SYN_SET_COMPREHENSION, SYN_DICTIONARY_COMPREHENSION, SYN_GENERATOR };

	return memchr(kinds, kind, sizeof(kinds));
}

/* The name of a definition, its decorators and the defaults of its parameters belong to the scope around it. */
static bool is_outside(const struct syntax *syntax, uint32_t node)
{
	const struct syntax_node *at = &syntax->items[node], *around = &syntax->items[at->parent];

	if (around->kind == SYN_FUNCTION || around->kind == SYN_CLASS)
		return at->field != SYN_AS_PARAMETERS && at->field != SYN_AS_BODY;
	return false;
}

static void note_scopes(struct script *script, uint32_t *inner)
{
	const struct syntax *syntax = &script->syntax;

	for (uint32_t i = 0; i < syntax->count; i++) {
		const struct syntax_node *node = &syntax->items[i], *around = &syntax->items[node->parent];
		uint32_t scope = i ? inner[node->parent] : 0;
		bool is_default = i && node->field == SYN_AS_VALUE &&
				  (around->kind == SYN_DEFAULT_PARAMETER ||
					  around->kind == SYN_TYPED_DEFAULT_PARAMETER);

		if (i && (is_outside(syntax, i) || is_default))
			scope = script->scopes.items[scope].parent;
		script->scope_of[i] = scope;
		inner[i] = scope;
		if (!i || opens_scope(node->kind)) {
			inner[i] = (uint32_t)script->scopes.count;
			MEM_PUSH(&script->scopes, ((struct scope){ scope, i, node->kind == SYN_CLASS }));
		}
	}
}

uint32_t script_scope(const struct script *script, uint32_t node)
{
	/* scopes are in the order of their nodes */
	return (uint32_t)BISECT(i, script->scopes.count, script->scopes.items[i].node > node) - 1;
}

uint32_t script_binder(const struct script *script, uint32_t scope, struct str name)
{
	enum { SCOPES_MOST = 32 };

	for (uint32_t i = 0, at = scope; i < SCOPES_MOST; i++, at = script->scopes.items[at].parent) {
		if ((at == scope || !script->scopes.items[at].is_class) && binding_first(script, at, name))
			return at;
		if (!at)
			break;
	}
	return UINT32_MAX;
}

/* --- imports */

/* The module of a relative import: one package up for each dot. */
static struct str relative_module(struct script *script, uint32_t node)
{
	struct str text = syntax_text(&script->syntax, node), from = script->module;
	size_t dots = 0;

	while (dots < text.len && text.ptr[dots] == '.')
		dots++;
	text = str_trim(str_skip(text, dots));
	for (size_t i = script->is_package ? 1 : 0; i < dots; i++)
		from = name_around(from);
	return arena_printf(
		&script->arena, "%.*s%s%.*s", STR_ARG(from), from.len && text.len ? "." : "", STR_ARG(text));
}

static struct str module_of_import(struct script *script, uint32_t node)
{
	uint32_t module = syntax_child(&script->syntax, node, SYN_AS_MODULE_NAME);

	if (!module)
		return STR("");
	return script->syntax.items[module].kind == SYN_RELATIVE_IMPORT ? relative_module(script, module)
									: syntax_text(&script->syntax, module);
}

/* "import a.b" binds a; "import a.b as c" and "from a import b" bind what they name. */
static void bind_import(struct script *script, uint32_t node)
{
	const struct syntax *syntax = &script->syntax;
	bool is_from = syntax->items[node].kind == SYN_IMPORT_FROM;
	struct str module = module_of_import(script, node);

	for (uint32_t child = syntax_first(syntax, node); child; child = syntax_next(syntax, child)) {
		bool aliased = syntax->items[child].kind == SYN_ALIASED_IMPORT;
		uint32_t name = aliased ? syntax_child(syntax, child, SYN_AS_NAME) : child;
		struct binding binding = { .scope = script->scope_of[node], .node = child, .kind = BIND_NAME };

		if (syntax->items[child].kind == SYN_WILDCARD && module.len)
			MEM_PUSH(&script->wildcards, module);
		if (syntax->items[child].field != SYN_AS_NAME || !name)
			continue;
		binding.qualified = syntax_text(syntax, name);
		if (module.len)
			binding.qualified = arena_printf(
				&script->arena, "%.*s.%.*s", STR_ARG(module), STR_ARG(binding.qualified));
		binding.name = binding.qualified;
		if (aliased)
			binding.name = syntax_child_text(syntax, child, SYN_AS_ALIAS);
		else if (is_from)
			binding.name = syntax_text(syntax, name);
		else
			binding.qualified = binding.name = str_head(binding.name, '.');
		bind_name(script, binding);
	}
}

/* --- other statements */

/* Binds every name in a pattern, to unknown; without a pattern, as of "*" among parameters, none. */
static void bind_pattern(struct script *script, uint32_t scope, uint32_t pattern)
{
	const struct syntax *syntax = &script->syntax;
	uint32_t end = pattern ? syntax->items[pattern].end : 0;

	for (uint32_t i = pattern; i < end; i++) {
		enum syntax_kind kind = syntax->items[i].kind;

		if (kind == SYN_ATTRIBUTE || kind == SYN_SUBSCRIPT)
			i = syntax->items[i].end - 1;
		else
			bind_node(script, scope, i, BIND_OPAQUE, i);
	}
}

static void bind_to_value(struct script *script, uint32_t scope, uint32_t left, uint32_t right)
{
	const struct syntax *syntax = &script->syntax;
	enum syntax_kind kind = right ? syntax->items[right].kind : SYN_OTHER;
	bool is_sequence = kind == SYN_PATTERNS || kind == SYN_EXPRESSIONS || kind == SYN_TUPLE;

	if (left && right && syntax->items[left].kind == SYN_IDENTIFIER) {
		bind_node(script, scope, left, BIND_VALUE, right);
	} else if (left && is_sequence && syntax->items[left].kind == SYN_PATTERNS) {
		uint32_t to = syntax_first(syntax, left), from = syntax_first(syntax, right);

		for (; to; to = syntax_next(syntax, to), from = from ? syntax_next(syntax, from) : 0) {
			if (from && syntax->items[to].kind == SYN_IDENTIFIER)
				bind_node(script, scope, to, BIND_VALUE, from);
			else
				bind_pattern(script, scope, to);
		}
	} else if (left) {
		bind_pattern(script, scope, left);
	}
}

static void bind_parameter(struct script *script, uint32_t node)
{
	const struct syntax *syntax = &script->syntax;
	uint32_t scope = script->scope_of[node], name = syntax_child(syntax, node, SYN_AS_NAME);
	uint32_t value = syntax_child(syntax, node, SYN_AS_VALUE);

	if (value)
		bind_node(script, scope, name, BIND_VALUE, value);
	else if (syntax->items[node].kind == SYN_IDENTIFIER)
		bind_node(script, scope, node, BIND_OPAQUE, node);
	else
		bind_pattern(script, scope, syntax_first(syntax, node));
}

static void bind_statement(struct script *script, uint32_t node)
{
	const struct syntax *syntax = &script->syntax;
	uint32_t scope = script->scope_of[node], first = syntax_first(syntax, node), second;

	switch (syntax->items[node].kind) {
	case SYN_IMPORT:
	case SYN_IMPORT_FROM:
		bind_import(script, node);
		break;
	case SYN_ASSIGNMENT:
		bind_to_value(script, scope, syntax_child(syntax, node, SYN_AS_LEFT),
			syntax_child(syntax, node, SYN_AS_RIGHT));
		break;
	case SYN_WALRUS:
		bind_to_value(script, scope, syntax_child(syntax, node, SYN_AS_NAME),
			syntax_child(syntax, node, SYN_AS_VALUE));
		break;
	case SYN_FUNCTION:
		bind_node(script, scope, syntax_child(syntax, node, SYN_AS_NAME), BIND_FUNCTION, node);
		break;
	case SYN_CLASS:
		bind_node(script, scope, syntax_child(syntax, node, SYN_AS_NAME), BIND_CLASS, node);
		break;
	case SYN_FOR:
	case SYN_FOR_IN:
		bind_pattern(script, scope, syntax_child(syntax, node, SYN_AS_LEFT));
		break;
	case SYN_PARAMETERS:
	case SYN_LAMBDA_PARAMETERS:
		for (uint32_t child = first; child; child = syntax_next(syntax, child))
			bind_parameter(script, child);
		break;
	case SYN_AS_PATTERN: /* "expression as name", of a with statement, an exception or a case */
		second = first ? syntax_next(syntax, first) : 0;
		bind_to_value(script, scope, second ? syntax_first(syntax, second) : 0, first);
		break;
	case SYN_GLOBAL:
		for (uint32_t child = first; child; child = syntax_next(syntax, child))
			bind_node(script, scope, child, BIND_GLOBAL, child);
		break;
	default:
		break;
	}
}

void script_bind(struct script *script)
{
	uint32_t *inner = mem_zalloc((script->syntax.count + 1) * sizeof(inner[0]));

	script->scope_of = mem_zalloc((script->syntax.count + 1) * sizeof(script->scope_of[0]));
	note_scopes(script, inner);
	free(inner);
	for (uint32_t i = 0; i < script->syntax.count; i++)
		bind_statement(script, i);
}

void script_clear(struct script *script)
{
	syntax_clear(&script->syntax);
	free(script->scope_of);
	free(script->scopes.items);
	free(script->bindings.items);
	free(script->wildcards.items);
	map_clear(&script->by_name);
	arena_clear(&script->arena);
}

/* --- the project */

/* The module as the others name it: from the folder that was scanned on, by its name as well, or from its src on. */
static bool is_module(const struct script *script, struct str module)
{
	size_t root = script->root.len;

	if (str_eq(script->module, module))
		return true;
	if (root && module.len > root && str_starts(module, script->root) && module.ptr[root] == '.')
		return str_eq(script->module, str_skip(module, root + 1));
	return str_starts(script->module, STR("src.")) && str_eq(str_skip(script->module, 4), module);
}

/* By the last part of the module, which all its names have in common. */
static uint64_t module_hash(struct str module)
{
	return hash_str(hash_seed(), str_tail(module, '.'));
}

void project_index(struct project *project)
{
	for (size_t i = 0; i < project->count; i++) {
		struct str module = project->scripts[i].module;

		if (project->scripts[i].kind != SCRIPT_PYTHON)
			continue;
		map_add(&project->by_module, module_hash(module.len ? module : project->scripts[i].root), (uint32_t)i);
	}
}

const struct script *project_module(const struct project *project, struct str module)
{
	struct map_cursor at = map_start(&project->by_module, module_hash(module));

	while (map_next(&project->by_module, &at)) {
		const struct script *script = &project->scripts[at.index];

		if (is_module(script, module) || (!script->module.len && str_eq(script->root, module)))
			return script;
	}
	return NULL;
}
