#include "scan/find/check_dynamic.h"

#include "scan/find/check_names.h"
#include "scan/find/tensor.h"

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
	uint32_t condition = script->syntax.items[node].kind == SYN_ASSERT
				     ? syntax_first(&script->syntax, node)
				     : syntax_child(&script->syntax, node, SYN_AS_CONDITION);

	if (condition && (is_any_or_all(check, script, condition) || is_sure_tensor(check, script, condition)))
		check_use(check, script, condition, rule_exact(check->book, TEXT_NAME, STR("if tensor")));
}

/* A comparison, or a name that is one, as an index: only arrays take it. */
static bool is_mask(const struct script *script, uint32_t node)
{
	uint32_t values[VALUES_MOST];
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
		check_use(check, script, node, rule_exact(check->book, TEXT_NAME, STR("[mask]")));
}

void check_dynamic(struct check *check, const struct script *script)
{
	for (uint32_t i = 1; i < script->syntax.count; i++) {
		enum syntax_kind kind = script->syntax.items[i].kind;

		if (kind == SYN_IF || kind == SYN_ELIF || kind == SYN_WHILE || kind == SYN_ASSERT)
			check_condition(check, script, i);
		else if (kind == SYN_SUBSCRIPT)
			check_subscript(check, script, i);
	}
}
