/* Values that decide over the control flow and over shapes: each is a stop for the device, and a shape that changes. */
#include "base/ascii.h"
#include "scan/check.h"

enum { CHAIN_MOST = 8 };

/* What of torch makes or takes apart tensors: functions directly in it, and torch.nn.functional. */
static bool makes_tensor(struct str name)
{
	static const struct str others[] = { STR("torch.device"), STR("torch.load"), STR("torch.save"),
		STR("torch.compile"), STR("torch.numel"), STR("torch.no_grad"), STR("torch.enable_grad"),
		STR("torch.inference_mode"), STR("torch.typename"), STR("torch.seed"), STR("torch.initial_seed") };
	struct str rest;

	if (str_starts(name, STR("torch.nn.functional.")))
		return true;
	if (!str_starts(name, STR("torch.")))
		return false;
	rest = str_skip(name, 6);
	for (size_t i = 0; i < ARRAY_SIZE(others); i++) {
		if (str_eq(others[i], name))
			return false;
	}
	return !str_has(rest, STR(".")) && rest.len && is_lower(rest.ptr[0]) && !str_starts(rest, STR("is_")) &&
	       !str_starts(rest, STR("get_")) && !str_starts(rest, STR("set_"));
}

static bool is_tensor(const struct check *check, const struct script *script, uint32_t node, unsigned depth);

/* A name that some assignment in its scope gives a tensor. */
static bool is_tensor_name(const struct check *check, const struct script *script, uint32_t node, unsigned depth)
{
	struct str name = syntax_text(&script->syntax, node);
	struct map_cursor at = binding_start(script, script->scope_of[node], name);
	const struct binding *binding;

	for (unsigned i = 0; i < CHAIN_MOST; i++) {
		binding = binding_next(script, script->scope_of[node], name, &at);
		if (!binding)
			break;
		if (binding->kind == BIND_VALUE && is_tensor(check, script, binding->node, depth))
			return true;
	}
	return false;
}

/* The method of a tensor that gives something else. */
static bool leaves_tensors(struct str method)
{
	static const struct str names[] = { STR("item"), STR("tolist"), STR("size"), STR("dim"), STR("numel"),
		STR("numpy"), STR("is_contiguous"), STR("data_ptr"), STR("stride"), STR("element_size") };

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		if (str_eq(names[i], method))
			return true;
	}
	return false;
}

static bool is_tensor_call(const struct check *check, const struct script *script, uint32_t node, unsigned depth)
{
	const struct syntax *syntax = &script->syntax;
	uint32_t function = syntax_child(syntax, node, SYN_AS_FUNCTION);
	uint32_t attribute = function ? syntax_child(syntax, function, SYN_AS_ATTRIBUTE) : 0;
	struct meanings values;

	if (!function)
		return false;
	resolve(check->project, script, function, &values);
	for (size_t i = 0; i < values.count; i++) {
		if (values.items[i].kind == MEANING_NAME && makes_tensor(meaning_name(&values.items[i])))
			return true;
	}
	return attribute && !leaves_tensors(syntax_text(syntax, attribute)) &&
	       is_tensor(check, script, syntax_child(syntax, function, SYN_AS_OBJECT), depth);
}

static bool is_order(const struct script *script, uint32_t node)
{
	uint32_t left = syntax_first(&script->syntax, node), right = left ? syntax_next(&script->syntax, left) : 0;
	struct str text;

	if (script->syntax.items[node].kind != SYN_COMPARISON || !right)
		return false;
	text = str_trim(str_sub(script->syntax.text, script->syntax.items[left].to, script->syntax.items[right].from));
	return text.len && text.len <= 2 && memchr("<>=!", text.ptr[0], 4);
}

/* Whether the expression surely is a tensor. */
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
	uint32_t attribute = function ? syntax_child(syntax, function, SYN_AS_ATTRIBUTE) : 0;
	struct str name = attribute ? syntax_text(syntax, attribute) : STR("");

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
	struct str name = syntax_text(&script->syntax, node);
	struct map_cursor at = binding_start(script, script->scope_of[node], name);
	const struct binding *binding;

	if (script->syntax.items[node].kind != SYN_IDENTIFIER)
		return is_order(script, node);
	for (unsigned i = 0; i < CHAIN_MOST; i++) {
		binding = binding_next(script, script->scope_of[node], name, &at);
		if (!binding)
			break;
		if (binding->kind == BIND_VALUE && is_order(script, binding->node))
			return true;
	}
	return false;
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
		switch (script->syntax.items[i].kind) {
		case SYN_IF:
		case SYN_ELIF:
		case SYN_WHILE:
			check_condition(check, script, i);
			break;
		case SYN_SUBSCRIPT:
			check_subscript(check, script, i);
			break;
		default:
			break;
		}
	}
}
