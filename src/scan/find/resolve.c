#include "scan/find/resolve.h"

#include "base/memory/hash.h"

/* A name that is bound to itself over and over leads in circles: steps are counted. */
enum { DEPTH_MOST = 12, CHAIN_MOST = 32, STEPS_MOST = 256, WILDCARDS_MOST = 8 };

/* One resolution: its depth and scope. */
struct search {
	const struct project *project;
	const struct script *script;
	unsigned depth;
	unsigned *steps;
	struct meanings *found;
};

static void resolve_in(const struct search *around, const struct script *script, uint32_t node, struct meanings *ret);

static void push_value(struct meanings *values, struct meaning value)
{
	if (values->count < MEANINGS_MOST)
		values->items[values->count++] = value;
}

static void push_name(struct meanings *values, enum meaning_kind kind, struct str name)
{
	struct meaning value = { .kind = kind, .name_len = (uint32_t)name.len };

	if (name.len > sizeof(value.name))
		return;
	memcpy(value.name, name.ptr, name.len);
	push_value(values, value);
}

/* "torch.cuda" of both in joined, which has room for them. */
static struct str join_name(char *joined, struct str module, struct str name)
{
	memcpy(joined, module.ptr, module.len);
	joined[module.len] = '.';
	memcpy(joined + module.len + 1, name.ptr, name.len);
	return (struct str){ joined, module.len + 1 + name.len };
}

/* --- names */

static void push_qualified(const struct search *search, struct str name);

/* Values that an expression of a script may have. */
static void push_meanings(const struct search *search, const struct script *script, uint32_t node)
{
	struct meanings more;

	resolve_in(search, script, node, &more);
	for (size_t i = 0; i < more.count; i++)
		push_value(search->found, more.items[i]);
}

static void push_binding(const struct search *search, const struct script *script, const struct binding *binding)
{
	struct meaning meaning = { .kind = binding->kind == BIND_CLASS ? MEANING_CLASS : MEANING_FUNCTION,
		.script = script,
		.node = binding->node };

	if (binding->kind == BIND_NAME)
		push_qualified(search, binding->qualified);
	else if (binding->kind == BIND_CLASS || binding->kind == BIND_FUNCTION)
		push_value(search->found, meaning);
	else if (binding->kind == BIND_VALUE)
		push_meanings(search, script, binding->node);
}

static bool push_bindings(const struct search *search, const struct script *script, uint32_t scope, struct str name)
{
	struct map_cursor at = binding_start(script, scope, name);
	const struct binding *binding;
	unsigned count = 0;

	while (count < BINDINGS_MOST && (binding = binding_next(script, scope, name, &at))) {
		if (binding->kind == BIND_GLOBAL)
			continue;
		count++;
		push_binding(search, script, binding);
	}
	return count;
}

/* A name that a script takes from a module of which it imports all. */
static void push_wildcards(const struct search *search, const struct script *importing, struct str name)
{
	for (size_t i = 0; i < importing->wildcards.count && i < WILDCARDS_MOST; i++) {
		struct str module = importing->wildcards.items[i];
		const struct script *script = project_module(search->project, module);
		char joined[SOURCE_NAME_BYTES];

		if (script)
			push_bindings(search, script, 0, name);
		else if (str_starts(module, STR("torch")) && module.len + name.len < sizeof(joined))
			push_name(search->found, MEANING_NAME, join_name(joined, module, name));
	}
}

/* A qualified name is that of a module of the project, of something in one, or of something outside: also one that a
   package takes from itself, such as a compiled module. */
static void push_qualified(const struct search *search, struct str name)
{
	struct str module = name;
	const struct script *script = NULL;

	for (unsigned i = 0; i < 2 && module.len && !script; i++) {
		script = project_module(search->project, module);
		while (!script && module.len && module.ptr[--module.len] != '.')
			;
	}
	if (!script || module.len == name.len || search->depth >= DEPTH_MOST || ++*search->steps >= STEPS_MOST)
		push_name(search->found, MEANING_NAME, name);
	else if (!push_bindings(search, script, 0, str_skip(name, module.len + 1)))
		push_wildcards(search, script, str_skip(name, module.len + 1));
}

/* "self": the first parameter of a method. */
static bool push_self(const struct search *search, uint32_t scope, struct str name)
{
	const struct scope *function = &search->script->scopes.items[scope];
	const struct scope *around = &search->script->scopes.items[function->parent];

	if (!around->is_class || !str_eq(name, STR("self")))
		return false;
	push_value(search->found,
		(struct meaning){ .kind = MEANING_INSTANCE, .script = search->script, .node = around->node });
	return true;
}

static void push_identifier(const struct search *search, uint32_t node)
{
	const struct script *script = search->script;
	struct str name = syntax_text(&script->syntax, node);
	uint32_t first = script->scope_of[node], scope = first;

	for (unsigned i = 0; i < CHAIN_MOST; i++) {
		bool visible = scope == first || !script->scopes.items[scope].is_class;

		if (visible && (push_self(search, scope, name) || push_bindings(search, script, scope, name)))
			return;
		if (!scope)
			break;
		scope = script->scopes.items[scope].parent;
	}
	push_wildcards(search, script, name);
}

/* --- attributes and calls */

static void push_member(const struct search *search, const struct meaning *object, struct str attribute)
{
	char joined[SOURCE_NAME_BYTES];
	struct str name = meaning_name(object);

	if (object->kind != MEANING_NAME || name.len + attribute.len >= sizeof(joined))
		return;
	push_qualified(search, join_name(joined, name, attribute));
}

static void push_members(const struct search *search, uint32_t object, struct str attribute)
{
	struct meanings objects;

	resolve_in(search, search->script, object, &objects);
	for (size_t i = 0; i < objects.count; i++)
		push_member(search, &objects.items[i], attribute);
}

/* The text of a string literal without its quotes, where it is plain. */
static struct str plain_text(const struct syntax *syntax, uint32_t node)
{
	struct str text = syntax_text(syntax, node);

	return text.len >= 2 && (text.ptr[0] == '"' || text.ptr[0] == '\'') ? str_sub(text, 1, text.len - 1) : STR("");
}

/* getattr(torch, "cuda") */
static bool push_getattr(const struct search *search, uint32_t function, uint32_t arguments)
{
	const struct syntax *syntax = &search->script->syntax;
	uint32_t object = syntax_first(syntax, arguments), name = object ? syntax_next(syntax, object) : 0;

	if (!name || !str_eq(syntax_text(syntax, function), STR("getattr")) || syntax->items[name].kind != SYN_STRING)
		return false;
	push_members(search, object, plain_text(syntax, name));
	return true;
}

static void push_call(const struct search *search, uint32_t node)
{
	const struct syntax *syntax = &search->script->syntax;
	uint32_t function = syntax_child(syntax, node, SYN_AS_FUNCTION);
	uint32_t arguments = syntax_child(syntax, node, SYN_AS_ARGUMENTS);
	struct meanings called;

	if (!function || (arguments && push_getattr(search, function, arguments)))
		return;
	resolve_in(search, search->script, function, &called);
	for (size_t i = 0; i < called.count; i++) {
		struct meaning value = called.items[i];

		value.kind = value.kind == MEANING_CLASS  ? MEANING_INSTANCE
			     : value.kind == MEANING_NAME ? MEANING_RESULT
							  : value.kind;
		if (value.kind == MEANING_INSTANCE || value.kind == MEANING_RESULT)
			push_value(search->found, value);
	}
}

/* --- expressions */

static void push_expression(const struct search *search, uint32_t node)
{
	const struct syntax *syntax = &search->script->syntax;
	uint32_t child;

	switch (syntax->items[node].kind) {
	case SYN_IDENTIFIER:
		push_identifier(search, node);
		break;
	case SYN_ATTRIBUTE:
		child = syntax_child(syntax, node, SYN_AS_ATTRIBUTE);
		if (child)
			push_members(search, syntax_child(syntax, node, SYN_AS_OBJECT), syntax_text(syntax, child));
		break;
	case SYN_CALL:
		push_call(search, node);
		break;
	case SYN_STRING:
		push_value(search->found,
			(struct meaning){ .kind = MEANING_TEXT, .script = search->script, .node = node });
		break;
	case SYN_WALRUS:
		child = syntax_child(syntax, node, SYN_AS_VALUE);
		if (child)
			push_expression(search, child);
		break;
	case SYN_CONDITIONAL:
	case SYN_BOOLEAN:
	case SYN_PARENTHESES:
		for (child = syntax_first(syntax, node); child; child = syntax_next(syntax, child))
			push_meanings(search, search->script, child);
		break;
	default:
		break;
	}
}

static void resolve_in(const struct search *around, const struct script *script, uint32_t node, struct meanings *ret)
{
	struct search search = { around->project, script, around->depth + 1, around->steps, ret };

	ret->count = 0;
	if (search.depth < DEPTH_MOST && ++*search.steps < STEPS_MOST)
		push_expression(&search, node);
}

void resolve(const struct project *project, const struct script *script, uint32_t node, struct meanings *ret)
{
	unsigned steps = 0;

	resolve_in(&(struct search){ .project = project, .steps = &steps }, script, node, ret);
}

uint32_t root_of(const struct syntax *syntax, uint32_t node)
{
	for (unsigned i = 0; i < CHAIN_MOST && node; i++) {
		switch (syntax->items[node].kind) {
		case SYN_IDENTIFIER:
			return node;
		case SYN_ATTRIBUTE:
			node = syntax_child(syntax, node, SYN_AS_OBJECT);
			break;
		case SYN_CALL:
			node = syntax_child(syntax, node, SYN_AS_FUNCTION);
			break;
		case SYN_SUBSCRIPT:
			node = syntax_child(syntax, node, SYN_AS_VALUE);
			break;
		default:
			node = syntax_first(syntax, node);
			break;
		}
	}
	return 0;
}

bool class_has(const struct meaning *class, struct str name)
{
	uint32_t scope = script_scope(class->script, class->node);

	return class->script->scopes.items[scope].node == class->node && binding_first(class->script, scope, name);
}

uint32_t argument_named(const struct syntax *syntax, uint32_t arguments, struct str name)
{
	for (uint32_t child = syntax_first(syntax, arguments); child; child = syntax_next(syntax, child)) {
		if (syntax->items[child].kind == SYN_KEYWORD &&
			str_eq(syntax_child_text(syntax, child, SYN_AS_NAME), name))
			return syntax_child(syntax, child, SYN_AS_VALUE);
	}
	return 0;
}

struct str parameter_at(const struct syntax *syntax, uint32_t function, unsigned place)
{
	uint32_t parameters = syntax_child(syntax, function, SYN_AS_PARAMETERS), name;
	uint32_t parameter = parameters ? syntax_first(syntax, parameters) : 0;

	while (parameter && place--)
		parameter = syntax_next(syntax, parameter);
	name = parameter ? syntax_child(syntax, parameter, SYN_AS_NAME) : 0;
	return parameter ? syntax_text(syntax, name ? name : parameter) : STR("");
}

struct str called_name(const struct syntax *syntax, uint32_t call)
{
	uint32_t function = syntax_child(syntax, call, SYN_AS_FUNCTION);
	struct str method = syntax_child_text(syntax, function, SYN_AS_ATTRIBUTE);

	return method.len ? method : syntax_child_text(syntax, call, SYN_AS_FUNCTION);
}

uint32_t string_content(const struct syntax *syntax, uint32_t string)
{
	uint32_t child = syntax->items[string].kind == SYN_STRING ? syntax_first(syntax, string) : 0;

	while (child && syntax->items[child].kind != SYN_STRING_CONTENT)
		child = syntax_next(syntax, child);
	return child;
}
