#include "scan/find/tensor.h"

#include "base/view/ascii.h"

enum { DEPTH_MOST = VALUES_MOST };

/* --- tensors */

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

unsigned values_of_name(const struct script *script, uint32_t node, uint32_t ret[VALUES_MOST])
{
	struct str name = syntax_text(&script->syntax, node);
	struct map_cursor at = binding_start(script, script->scope_of[node], name);
	const struct binding *binding;
	unsigned count = 0;

	for (unsigned i = 0; i < VALUES_MOST; i++) {
		binding = binding_next(script, script->scope_of[node], name, &at);
		if (!binding)
			break;
		if (binding->kind == BIND_VALUE)
			ret[count++] = binding->node;
	}
	return count;
}

/* The last of these values, or 0. */
static uint32_t value_of_name(const struct script *script, uint32_t node)
{
	uint32_t values[VALUES_MOST];
	unsigned count = values_of_name(script, node, values);

	return count ? values[count - 1] : 0;
}

static bool is_tensor_name(const struct check *check, const struct script *script, uint32_t node, unsigned depth)
{
	uint32_t values[VALUES_MOST];
	unsigned count = values_of_name(script, node, values);

	while (count && !is_tensor(check, script, values[count - 1], depth))
		count--;
	return count;
}

static bool is_tensor_call(const struct check *check, const struct script *script, uint32_t node, unsigned depth)
{
	/* methods of a tensor that give something else */
	static const struct str others = STR(
		"item tolist size dim numel numpy is_contiguous data_ptr stride element_size");
	const struct syntax *syntax = &script->syntax;
	uint32_t function = syntax_child(syntax, node, SYN_AS_FUNCTION);
	struct str method = syntax_child_text(syntax, function, SYN_AS_ATTRIBUTE);
	struct meanings values;

	if (!function)
		return false;
	resolve(check->project, script, function, &values);
	return ANY(i, values.count,
		       values.items[i].kind == MEANING_NAME && makes_tensor(meaning_name(&values.items[i]))) ||
	       (method.len && !str_has_word(others, method) &&
		       is_tensor(check, script, syntax_child(syntax, function, SYN_AS_OBJECT), depth));
}

bool is_order(const struct script *script, uint32_t node)
{
	struct str sign = syntax_sign(&script->syntax, node);

	return script->syntax.items[node].kind == SYN_COMPARISON && sign.len && sign.len <= 2 &&
	       memchr("<>=!", sign.ptr[0], 4);
}

/* Returns whether the expression is certainly a tensor. */
static bool is_tensor(const struct check *check, const struct script *script, uint32_t node, unsigned depth)
{
	const struct syntax *syntax = &script->syntax;

	if (!node || ++depth > VALUES_MOST)
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

/* --- tensors of the CPU */

/* Functions that make a tensor where no device is named. */
static bool makes_on_cpu(struct str name)
{
	static const struct str makers = STR(
		"arange linspace logspace randperm randint rand randn tensor as_tensor zeros "
		"ones full empty eye from_numpy Tensor FloatTensor ByteTensor BoolTensor "
		"LongTensor IntTensor DoubleTensor");

	return str_starts(name, STR("torch.")) && str_has_word(makers, str_skip(name, 6));
}

static bool is_on_cpu(const struct check *check, const struct script *script, uint32_t node, unsigned depth);

static bool is_cpu_call(const struct check *check, const struct script *script, uint32_t node, unsigned depth)
{
	const struct syntax *syntax = &script->syntax;
	uint32_t function = syntax_child(syntax, node, SYN_AS_FUNCTION);
	uint32_t arguments = syntax_child(syntax, node, SYN_AS_ARGUMENTS), first;
	struct str method = syntax_child_text(syntax, function, SYN_AS_ATTRIBUTE);
	struct meanings values;

	if (!function || !arguments || argument_named(syntax, arguments, STR("device")))
		return false;
	if (str_eq(method, STR("cpu")))
		return true;
	resolve(check->project, script, function, &values);
	if (values.count && values.items[0].kind == MEANING_NAME) {
		first = syntax_first(syntax, arguments);
		return makes_on_cpu(meaning_name(&values.items[0])) ||
		       (str_starts(meaning_name(&values.items[0]), STR("torch.")) && first &&
			       is_on_cpu(check, script, first, depth));
	}
	return method.len && !str_has_word(STR("to cuda npu musa type_as"), method) &&
	       is_on_cpu(check, script, syntax_child(syntax, function, SYN_AS_OBJECT), depth);
}

/* Value of a name; of the variable of a loop, what the loop goes over. */
static uint32_t held_by(const struct script *script, uint32_t node)
{
	struct str name = syntax_text(&script->syntax, node);
	uint32_t value = value_of_name(script, node), scope = script_binder(script, script->scope_of[node], name);
	const struct binding *binding;

	if (value || scope == UINT32_MAX)
		return value;
	binding = binding_first(script, scope, name);
	if (binding && binding->kind == BIND_VALUE)
		return binding->node;
	if (binding && binding->kind == BIND_OPAQUE) {
		const struct syntax_node *around = &script->syntax.items[script->syntax.items[binding->node].parent];

		if (around->kind == SYN_FOR_IN || around->kind == SYN_FOR)
			return syntax_child(&script->syntax, script->syntax.items[binding->node].parent, SYN_AS_RIGHT);
	}
	return 0;
}

static bool is_on_cpu(const struct check *check, const struct script *script, uint32_t node, unsigned depth)
{
	const struct syntax *syntax = &script->syntax;
	uint32_t first;

	if (!node || ++depth > DEPTH_MOST)
		return false;
	switch (syntax->items[node].kind) {
	case SYN_IDENTIFIER:
		return is_on_cpu(check, script, held_by(script, node), depth);
	case SYN_CALL:
		return is_cpu_call(check, script, node, depth);
	case SYN_BINARY: /* "10**x" */
		first = syntax_first(syntax, node);
		return is_on_cpu(check, script,
			first && syntax->items[first].kind == SYN_INTEGER ? syntax_next(syntax, first) : first, depth);
	case SYN_SUBSCRIPT:
	case SYN_PARENTHESES:
		return is_on_cpu(check, script, syntax_first(syntax, node), depth);
	default:
		return false;
	}
}

bool is_cpu_tensor(const struct check *check, const struct script *script, uint32_t node)
{
	return is_on_cpu(check, script, node, 0);
}
