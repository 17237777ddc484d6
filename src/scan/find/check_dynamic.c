#include "scan/find/check_dynamic.h"

#include "base/view/ascii.h"
#include "scan/find/check_names.h"

enum { CHAIN_MOST = 8 };

/* Functions of torch that make or take apart tensors: those directly in it, and torch.nn.functional. */
static bool makes_tensor(struct str name)
{
	static const struct str others = STR("device load save compile numel no_grad enable_grad inference_mode "
					     "typename seed initial_seed");
	struct str rest;

	if (str_starts(name, STR("torch.nn.functional.")))
		return true;
	if (!str_starts(name, STR("torch.")))
		return false;
	rest = str_skip(name, 6);
	return !str_has_word(others, rest) && !str_has(rest, STR(".")) && rest.len && is_lower(rest.ptr[0]) &&
	       !str_starts(rest, STR("is_")) && !str_starts(rest, STR("get_")) && !str_starts(rest, STR("set_"));
}

static bool is_tensor(const struct check *check, const struct script *script, uint32_t node, unsigned depth);

/* The values that assignments in its scope give a name. Returns how many. */
static unsigned values_of_name(const struct script *script, uint32_t node, uint32_t ret[CHAIN_MOST])
{
	struct str name = syntax_text(&script->syntax, node);
	struct map_cursor at = binding_start(script, script->scope_of[node], name);
	const struct binding *binding;
	unsigned count = 0;

	for (unsigned i = 0; i < CHAIN_MOST; i++) {
		binding = binding_next(script, script->scope_of[node], name, &at);
		if (!binding)
			break;
		if (binding->kind == BIND_VALUE)
			ret[count++] = binding->node;
	}
	return count;
}

uint32_t value_of_name(const struct script *script, uint32_t node)
{
	uint32_t values[CHAIN_MOST];
	unsigned count = values_of_name(script, node, values);

	return count ? values[count - 1] : 0;
}

static bool is_tensor_name(const struct check *check, const struct script *script, uint32_t node, unsigned depth)
{
	uint32_t values[CHAIN_MOST];
	unsigned count = values_of_name(script, node, values);

	while (count && !is_tensor(check, script, values[count - 1], depth))
		count--;
	return count;
}

/* The method of a tensor that gives something else. */
static bool leaves_tensors(struct str method)
{
	return str_has_word(STR("item tolist size dim numel numpy is_contiguous data_ptr stride element_size"), method);
}

static bool is_tensor_call(const struct check *check, const struct script *script, uint32_t node, unsigned depth)
{
	const struct syntax *syntax = &script->syntax;
	uint32_t function = syntax_child(syntax, node, SYN_AS_FUNCTION);
	struct str method = syntax_child_text(syntax, function, SYN_AS_ATTRIBUTE);
	struct meanings values;

	if (!function)
		return false;
	resolve(check->project, script, function, &values);
	for (size_t i = 0; i < values.count; i++) {
		if (values.items[i].kind == MEANING_NAME && makes_tensor(meaning_name(&values.items[i])))
			return true;
	}
	return method.len && !leaves_tensors(method) &&
	       is_tensor(check, script, syntax_child(syntax, function, SYN_AS_OBJECT), depth);
}

static bool is_order(const struct script *script, uint32_t node)
{
	struct str sign = syntax_sign(&script->syntax, node);

	return script->syntax.items[node].kind == SYN_COMPARISON && sign.len && sign.len <= 2 &&
	       memchr("<>=!", sign.ptr[0], 4);
}

/* Returns whether the expression is certainly a tensor. */
static bool is_tensor(const struct check *check, const struct script *script, uint32_t node, unsigned depth)
{
	const struct syntax *syntax = &script->syntax;

	if (!node || ++depth > CHAIN_MOST)
		return false;
	switch (syntax->items[node].kind) {
	case SYN_IDENTIFIER:
		return is_tensor_name(check, script, node, depth);
	case SYN_CALL:
		return is_tensor_call(check, script, node, depth);
	case SYN_SUBSCRIPT:
		return is_tensor(check, script, syntax_child(syntax, node, SYN_AS_VALUE), depth);
	case SYN_COMPARISON:
		if (!is_order(script, node))
			return false;
		return is_tensor(check, script, syntax_first(syntax, node), depth);
	case SYN_BINARY:
	case SYN_PARENTHESES:
		return is_tensor(check, script, syntax_first(syntax, node), depth);
	default:
		return false;
	}
}

bool is_sure_tensor(const struct check *check, const struct script *script, uint32_t node)
{
	return is_tensor(check, script, node, 0);
}

static void push_dynamic(struct check *check, const struct script *script, uint32_t node, struct str name)
{
	const struct source_rule *rule = rule_exact(check->book, TEXT_NAME, name);

	if (rule)
		check_place(check,
			(struct source_place){ .script = script, .node = node, .rule = rule, .name = rule->name });
}

/* "mask.any()", "(a == b).all()" */
static bool is_any_or_all(const struct check *check, const struct script *script, uint32_t node)
{
	const struct syntax *syntax = &script->syntax;
	uint32_t function = syntax->items[node].kind == SYN_CALL ? syntax_child(syntax, node, SYN_AS_FUNCTION) : 0;
	struct str name = syntax_child_text(syntax, function, SYN_AS_ATTRIBUTE);

	return (str_eq(name, STR("any")) || str_eq(name, STR("all"))) &&
	       !is_foreign(check, script, syntax_child(syntax, function, SYN_AS_OBJECT), name);
}

static void check_condition(struct check *check, const struct script *script, uint32_t node)
{
	uint32_t condition = syntax_child(&script->syntax, node, SYN_AS_CONDITION);

	if (condition && (is_any_or_all(check, script, condition) || is_tensor(check, script, condition, 0)))
		push_dynamic(check, script, condition, STR("if tensor"));
}

/* A comparison, or a name that is one, as an index: only arrays take it. */
static bool is_mask(const struct script *script, uint32_t node)
{
	uint32_t values[CHAIN_MOST];
	unsigned count;

	if (script->syntax.items[node].kind != SYN_IDENTIFIER)
		return is_order(script, node);
	count = values_of_name(script, node, values);
	while (count && !is_order(script, values[count - 1]))
		count--;
	return count;
}

static void check_subscript(struct check *check, const struct script *script, uint32_t node)
{
	const struct syntax *syntax = &script->syntax;
	uint32_t object = syntax_child(syntax, node, SYN_AS_VALUE),
		 index = syntax_child(syntax, node, SYN_AS_SUBSCRIPT);

	if (object && index && is_mask(script, index) && !is_foreign(check, script, object, STR("[")) &&
		syntax->items[object].kind != SYN_TUPLE && syntax->items[object].kind != SYN_LIST &&
		syntax->items[object].kind != SYN_DICTIONARY)
		push_dynamic(check, script, node, STR("[mask]"));
}

void check_dynamic(struct check *check, const struct script *script)
{
	for (uint32_t i = 1; i < script->syntax.count; i++) {
		enum syntax_kind kind = script->syntax.items[i].kind;

		if (kind == SYN_IF || kind == SYN_ELIF || kind == SYN_WHILE)
			check_condition(check, script, i);
		else if (kind == SYN_SUBSCRIPT)
			check_subscript(check, script, i);
	}
}
