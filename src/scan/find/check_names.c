#include "scan/find/check_names.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/view/ascii.h"
#include "scan/find/tensor.h"

void check_place(struct check *check, struct source_place place)
{
	if (!place.name.ptr)
		place.name = place.rule->name;
	if (check->places.count >= check->places_most)
		check->left_out++;
	else
		MEM_PUSH(&check->places, place);
}

/* The row of a name that is put together: ".cuda()", "device_map=cuda". */
__attribute__((format(printf, 2, 3))) static const struct source_rule *rule_printf(
	const struct check *check, const char *format, ...)
{
	char name[2 * SOURCE_NAME_BYTES];
	va_list args;
	int len;

	va_start(args, format);
	len = vsnprintf(name, sizeof(name), format, args);
	va_end(args);
	if (len < 0 || (size_t)len >= sizeof(name))
		return NULL;
	return rule_exact(check->book, TEXT_NAME, (struct str){ name, (size_t)len });
}

void check_use(struct check *check, const struct script *script, uint32_t node, const struct source_rule *rule)
{
	if (rule)
		check_place(check, (struct source_place){ .script = script, .node = node, .rule = rule });
}

/* The same with the name that the script uses, if a row covers many. */
static void push_name_use(struct check *check, const struct script *script, uint32_t node, struct str name)
{
	const struct source_rule *rule = rule_of_name(check->book, name);

	if (rule)
		check_place(check,
			(struct source_place){ .script = script,
				.node = node,
				.rule = rule,
				.name = str_eq(rule->name, name) ? rule->name : arena_keep(&check->text, name) });
}

/* --- imports */

/* Returns whether this is the first import of a package in the script. */
static bool is_new(struct check *check, const struct script *script, const struct source_rule *rule)
{
	const struct script **last = &check->last_import[rule - check->book->rules.items];
	bool fresh = *last != script;

	*last = script;
	return fresh;
}

/* Returns whether a clause goes on without what could not be imported. */
static bool goes_on_without(const struct syntax *syntax, uint32_t clause)
{
	struct str text = syntax_text(syntax, clause);
	struct str head = str_head(text, ':');

	return (str_has(head, STR("ImportError")) || str_has(head, STR("ModuleNotFoundError")) ||
		       str_has(head, STR("Exception")) || str_eq(str_trim(head), STR("except"))) &&
	       !str_has(text, STR("raise")) && !str_has(text, STR("exit("));
}

/* Returns whether an import may fail: "try: import x" with something else below "except ImportError". */
static bool is_optional(const struct syntax *syntax, uint32_t node)
{
	enum { UP_MOST = 8 };

	for (unsigned i = 0; i < UP_MOST && node; i++, node = syntax->items[node].parent) {
		uint32_t around = syntax->items[node].parent;

		if (syntax->items[around].kind != SYN_TRY || syntax->items[node].field != SYN_AS_BODY)
			continue;
		for (uint32_t at = syntax_next(syntax, node); at; at = syntax_next(syntax, at)) {
			if (syntax->items[at].kind == SYN_EXCEPT && goes_on_without(syntax, at))
				return true;
		}
	}
	return false;
}

/* Report an import by its qualified name: a part of PyTorch by its own row, a package once a script. */
static void check_import(struct check *check, const struct script *script, const struct binding *binding, bool renamed)
{
	struct str name = binding->qualified;

	if (str_starts(name, STR("torch.")) || str_eq(name, STR("torch"))) {
		/* switches count where they are set, not where their module is imported */
		if (renamed && !rule_is(rule_of_name(check->book, name), "src-flag"))
			push_name_use(check, script, binding->node, name);
	} else if (!project_module(check->project, name) && !project_module(check->project, str_head(name, '.'))) {
		/* not of the program itself */
		const struct source_rule *rule = rule_of_package(check->book, name);

		if (rule && is_new(check, script, rule))
			check_place(check, (struct source_place){ .script = script,
						   .node = binding->node,
						   .rule = rule,
						   .doubtful = is_optional(&script->syntax, binding->node) });
	}
}

static void check_imports(struct check *check, const struct script *script)
{
	for (size_t i = 0; i < script->bindings.count; i++) {
		const struct binding *binding = &script->bindings.items[i];
		struct binding whole = *binding;
		enum syntax_kind kind;

		if (binding->kind != BIND_NAME)
			continue;
		kind = script->syntax.items[binding->node].kind;
		if (kind == SYN_DOTTED_NAME &&
			script->syntax.items[script->syntax.items[binding->node].parent].kind == SYN_IMPORT)
			whole.qualified = syntax_text(&script->syntax, binding->node);
		check_import(check, script, &whole,
			!str_eq(binding->qualified, binding->name) || kind == SYN_ALIASED_IMPORT);
	}
}

/* --- attributes */

/* Returns whether a name bound to a part of PyTorch was reported at its import. */
static bool is_bound_to_rule(const struct check *check, const struct script *script, uint32_t root)
{
	struct meanings values;

	resolve(check->project, script, root, &values);
	for (size_t i = 0; i < values.count; i++) {
		const struct source_rule *rule = values.items[i].kind == MEANING_NAME
							 ? rule_of_name(check->book, meaning_name(&values.items[i]))
							 : NULL;

		if (rule && !rule_is(rule, "src-flag"))
			return true;
	}
	return false;
}

size_t names_of_call(const struct check *check, const struct script *script, uint32_t call, struct arena *arena,
	struct str ret[MEANINGS_MOST])
{
	const struct syntax *syntax = &script->syntax;
	uint32_t function = syntax_child(syntax, call, SYN_AS_FUNCTION), object;
	struct str method = syntax_child_text(syntax, function, SYN_AS_ATTRIBUTE);
	struct meanings values = { 0 };
	size_t count = 0;

	if (function)
		resolve(check->project, script, function, &values);
	for (size_t i = 0; i < values.count; i++) {
		if (values.items[i].kind == MEANING_NAME)
			ret[count++] = arena_keep(arena, meaning_name(&values.items[i]));
	}
	object = !values.count && method.len ? syntax_child(syntax, function, SYN_AS_OBJECT) : 0;
	if (object && syntax->items[object].kind != SYN_STRING && !is_foreign(check, script, object, method))
		ret[count++] = arena_printf(arena, "torch.Tensor.%.*s", STR_ARG(method));
	return count;
}

bool is_foreign(const struct check *check, const struct script *script, uint32_t node, struct str method)
{
	struct meanings values;
	uint32_t root = root_of(&script->syntax, node);

	for (unsigned i = 0; i < 2; i++) {
		uint32_t asked = i ? root : node;

		if (!asked)
			continue;
		resolve(check->project, script, asked, &values);
		for (size_t j = 0; j < values.count; j++) {
			const struct meaning *value = &values.items[j];
			bool outside = value->kind == MEANING_NAME || (value->kind == MEANING_RESULT && method.len);

			if (value->kind == MEANING_INSTANCE && asked == node && class_has(value, method))
				return true;
			if (outside && !str_starts(meaning_name(value), STR("torch")))
				return true;
		}
	}
	return false;
}

/* A module or a class is not a tensor; their results may be. */
static bool is_library(const struct check *check, const struct script *script, uint32_t node, struct str method)
{
	struct meanings values;

	resolve(check->project, script, node, &values);
	return ANY(i, values.count,
		values.items[i].kind == MEANING_NAME || values.items[i].kind == MEANING_FUNCTION ||
			(values.items[i].kind == MEANING_INSTANCE && class_has(&values.items[i], method)));
}

/* The row of a member of a tensor: of a method, or of an attribute. */
static const struct source_rule *rule_of_name_of_member(const struct check *check, struct str name)
{
	const struct source_rule *rule = rule_printf(check, ".%.*s()", STR_ARG(name));

	return rule ? rule : rule_printf(check, ".%.*s", STR_ARG(name));
}

static bool is_own_name(const struct check *check, struct str name)
{
	return ANY(i, check->own_names.count, str_eq(check->own_names.items[i], name));
}

static bool is_device_member(const struct check *check, struct str name)
{
	return rule_is(rule_of_name_of_member(check, name), "src-device-call");
}

static void note_own_name(struct check *check, struct str name)
{
	if (is_device_member(check, name) && !is_own_name(check, name))
		MEM_PUSH(&check->own_names, name);
}

void check_own_names(struct check *check, const struct script *script)
{
	const struct syntax *syntax = &script->syntax;

	for (size_t i = 0; i < script->bindings.count; i++) {
		const struct binding *binding = &script->bindings.items[i];

		if (script->scopes.items[binding->scope].is_class && binding->kind != BIND_FUNCTION)
			note_own_name(check, binding->name);
	}
	for (uint32_t i = 1; i < syntax->count; i++) {
		if (syntax->items[i].kind == SYN_ATTRIBUTE && syntax->items[i].field == SYN_AS_LEFT &&
			syntax->items[syntax->items[i].parent].kind == SYN_ASSIGNMENT)
			note_own_name(check, syntax_child_text(syntax, i, SYN_AS_ATTRIBUTE));
	}
}

/* Returns whether a name that holds the node is called somewhere, or a function is given it to call. */
static bool is_called_elsewhere(const struct script *script, uint32_t node)
{
	const struct syntax *syntax = &script->syntax;
	uint32_t parent = syntax->items[node].parent, call = syntax->items[parent].parent;
	struct str name = syntax_child_text(syntax, parent, SYN_AS_LEFT);

	if (syntax->items[parent].kind == SYN_ARGUMENTS)
		return str_has_word(STR("map partial apply tree_map"),
			str_tail(syntax_child_text(syntax, call, SYN_AS_FUNCTION), '.'));
	if (syntax->items[parent].kind != SYN_ASSIGNMENT || syntax->items[node].field != SYN_AS_RIGHT)
		return false;
	for (uint32_t i = node; i < syntax->count; i++) {
		if (syntax->items[i].kind == SYN_CALL && str_eq(syntax_child_text(syntax, i, SYN_AS_FUNCTION), name))
			return true;
	}
	return false;
}

static bool is_called_as(const struct script *script, uint32_t node)
{
	const struct syntax *syntax = &script->syntax;

	return syntax->items[syntax->items[node].parent].kind == SYN_CALL &&
	       syntax->items[node].field == SYN_AS_FUNCTION;
}

/* A member that objects of the project have, too: of an object that may be one of them. */
enum ownership { OWN_NOT, OWN_PERHAPS, OWN_SURELY };

static enum ownership ownership_of(
	const struct check *check, const struct script *script, uint32_t node, struct str name)
{
	const struct syntax *syntax = &script->syntax;

	if (!is_own_name(check, name))
		return OWN_NOT;
	if (syntax->items[node].field == SYN_AS_LEFT ||
		str_eq(syntax_child_text(syntax, node, SYN_AS_OBJECT), STR("self")))
		return OWN_SURELY;
	return OWN_PERHAPS;
}

/* "x.cuda()" and "x.is_cuda", whatever x is, unless it is known to be something else. */
static bool check_member(struct check *check, const struct script *script, uint32_t node)
{
	const struct syntax *syntax = &script->syntax;
	uint32_t object = syntax_child(syntax, node, SYN_AS_OBJECT);
	uint32_t attribute = syntax_child(syntax, node, SYN_AS_ATTRIBUTE);
	bool called = is_called_as(script, node);
	struct str name = syntax_child_text(syntax, node, SYN_AS_ATTRIBUTE);
	const struct source_rule *rule = rule_printf(check, ".%.*s%s", STR_ARG(name), called ? "()" : "");
	enum ownership own = OWN_NOT;

	if (!rule && !called && is_device_member(check, name) && is_called_elsewhere(script, node))
		rule = rule_printf(check, ".%.*s()", STR_ARG(name));
	if (!rule || !object)
		return false;
	if (rule_is(rule, "src-dynamic")
			? is_foreign(check, script, object, name) || is_cpu_tensor(check, script, object)
			: is_library(check, script, object, name))
		return true;
	if (!called)
		own = ownership_of(check, script, node, name);
	if (own != OWN_SURELY)
		check_place(check, (struct source_place){ .script = script,
					   .node = called ? syntax->items[node].parent : node,
					   .from = syntax->items[attribute].from,
					   .to = syntax->items[attribute].to,
					   .rule = rule,
					   .doubtful = own == OWN_PERHAPS });
	return true;
}

/* "torch.cuda.get_device_properties().major": an attribute of what a function gives. */
static void check_answer(struct check *check, const struct script *script, uint32_t node)
{
	const struct syntax *syntax = &script->syntax;
	struct str attribute = syntax_child_text(syntax, node, SYN_AS_ATTRIBUTE);
	const struct source_rule *rule = NULL;
	struct meanings values;

	resolve(check->project, script, syntax_child(syntax, node, SYN_AS_OBJECT), &values);
	for (size_t i = 0; i < values.count && !rule; i++) {
		struct str function = meaning_name(&values.items[i]);

		if (values.items[i].kind == MEANING_RESULT && str_starts(function, STR("torch.")))
			rule = rule_printf(check, "%.*s().%.*s", STR_ARG(function), STR_ARG(attribute));
	}
	check_use(check, script, node, rule);
}

/* "def cuda(self)" of a class whose body moves something to CUDA: callers cannot tell it from that of a module. */
void check_methods(struct check *check, const struct script *script)
{
	const struct syntax *syntax = &script->syntax;
	size_t known = check->places.count;

	for (size_t i = 0; i < script->bindings.count; i++) {
		const struct binding *binding = &script->bindings.items[i];
		const struct source_place *places = check->places.items;

		if (binding->kind != BIND_FUNCTION || !script->scopes.items[binding->scope].is_class ||
			!is_device_member(check, binding->name))
			continue;
		if (ANY(j, known,
			    places[j].script == script && places[j].node > binding->node &&
				    places[j].node < syntax->items[binding->node].end &&
				    places[j].rule->group != TEXT_ENV))
			check_use(check, script, syntax_child(syntax, binding->node, SYN_AS_NAME),
				rule_of_name_of_member(check, binding->name));
	}
}

/* "torch.unique(x)" of a tensor of the CPU does not wait for the device. */
static bool is_given_cpu(
	const struct check *check, const struct script *script, uint32_t node, const struct meaning *function)
{
	const struct syntax *syntax = &script->syntax;
	uint32_t arguments = syntax_child(syntax, syntax->items[node].parent, SYN_AS_ARGUMENTS);
	uint32_t first = arguments ? syntax_first(syntax, arguments) : 0;

	return rule_is(rule_of_name(check->book, meaning_name(function)), "src-dynamic") &&
	       is_called_as(script, node) && first && is_cpu_tensor(check, script, first);
}

/* The longest name that is not part of a longer one. */
static void check_attribute(struct check *check, const struct script *script, uint32_t node)
{
	const struct syntax *syntax = &script->syntax;
	uint32_t root = node;
	struct meanings values;

	while (syntax->items[root].kind == SYN_ATTRIBUTE)
		root = syntax_child(syntax, root, SYN_AS_OBJECT);
	if (root && syntax->items[root].kind == SYN_IDENTIFIER) {
		resolve(check->project, script, node, &values);
		for (size_t i = 0; i < values.count; i++) {
			const struct meaning *value = &values.items[i];

			if (value->kind != MEANING_NAME || !rule_of_name(check->book, meaning_name(value)))
				continue;
			if (!is_bound_to_rule(check, script, root) && !is_given_cpu(check, script, node, value))
				push_name_use(check, script, node, meaning_name(value));
			return;
		}
	}
	if (!check_member(check, script, node))
		check_answer(check, script, node);
}

/* --- calls */

const struct source_rule *rule_of_option(
	const struct check *check, const struct syntax *syntax, uint32_t keyword, struct str key)
{
	uint32_t call = syntax->items[syntax->items[keyword].parent].parent;
	uint32_t value = syntax_child(syntax, keyword, SYN_AS_VALUE),
		 content = value ? string_content(syntax, value) : 0;
	struct str text = content ? syntax_text(syntax, content) : value ? syntax_text(syntax, value) : STR("");
	struct str callee = str_tail(syntax_child_text(syntax, call, SYN_AS_FUNCTION), '.');
	const struct source_rule *rule;

	if (!str_has_word(STR("Trainer Fabric"), callee))
		return NULL;
	rule = rule_printf(check, "%.*s(%.*s=%.*s)", STR_ARG(callee), STR_ARG(key), STR_ARG(text));
	return rule ? rule : rule_printf(check, "%.*s(%.*s=)", STR_ARG(callee), STR_ARG(key));
}

/* "pin_memory=True", "cuda_sources=..." */
static void check_keyword(struct check *check, const struct script *script, uint32_t node)
{
	const struct syntax *syntax = &script->syntax;
	struct str key = syntax_child_text(syntax, node, SYN_AS_NAME);
	struct str value = syntax_child_text(syntax, node, SYN_AS_VALUE);
	const struct source_rule *rule = NULL;

	if (!key.len || str_eq(value, STR("False")) || str_eq(value, STR("None")))
		return;
	rule = rule_of_option(check, syntax, node, key);
	if (!rule && (!value.len || str_eq(value, STR("True"))))
		rule = rule_printf(check, "%.*s=True", STR_ARG(key));
	if (!rule)
		rule = rule_printf(check, "%.*s=", STR_ARG(key));
	if (!rule)
		rule = rule_exact(check->book, TEXT_ENV, key);
	check_use(check, script, node, rule);
}

static bool is_called(const struct check *check, const struct script *script, uint32_t call, struct str name)
{
	uint32_t function = syntax_child(&script->syntax, call, SYN_AS_FUNCTION);
	struct meanings values;

	resolve(check->project, script, function, &values);
	return ANY(
		i, values.count, values.items[i].kind == MEANING_NAME && str_eq(meaning_name(&values.items[i]), name));
}

/* Uses of a class for extensions that was reported at its import: each one builds something. */
static void check_extensions(struct check *check, const struct script *script)
{
	const struct syntax *syntax = &script->syntax;

	for (size_t i = 0; i < script->bindings.count; i++) {
		const struct binding *binding = &script->bindings.items[i];
		const struct source_rule *rule = binding->kind == BIND_NAME
							 ? rule_exact(check->book, TEXT_NAME, binding->qualified)
							 : NULL;

		if (!rule_is(rule, "src-extension") || !str_starts(rule->name, STR("torch.")))
			continue;
		for (uint32_t node = syntax->items[binding->node].end; node < syntax->count; node++) {
			if (syntax->items[node].kind == SYN_IDENTIFIER &&
				syntax->items[syntax->items[node].parent].kind != SYN_DOTTED_NAME &&
				str_eq(syntax_text(syntax, node), binding->name))
				check_use(check, script, node, rule);
		}
	}
}

/* Returns whether a text is among sources that are compiled: "*.cu" of glob, "a.cu" of CUDAExtension. */
static bool is_compiled(const struct syntax *syntax, uint32_t node)
{
	enum { UP_MOST = 12 };

	for (unsigned i = 0; i < UP_MOST && node; i++, node = syntax->items[node].parent) {
		struct str name = syntax->items[node].kind == SYN_CALL
					  ? str_tail(syntax_child_text(syntax, node, SYN_AS_FUNCTION), '.')
					  : STR("");

		if (str_has_word(STR("glob rglob CUDAExtension load CppExtension Extension"), name) ||
			(syntax->items[node].kind == SYN_KEYWORD &&
				str_eq(syntax_child_text(syntax, node, SYN_AS_NAME), STR("sources"))))
			return true;
	}
	return false;
}

/* "x.to(0)": before PyTorch 2.6 an integer is a device of CUDA. */
static void check_number(struct check *check, const struct script *script, uint32_t call, uint32_t first)
{
	const struct syntax *syntax = &script->syntax;
	uint32_t function = syntax_child(syntax, call, SYN_AS_FUNCTION);

	if (syntax->items[first].kind == SYN_INTEGER &&
		str_eq(syntax_child_text(syntax, function, SYN_AS_ATTRIBUTE), STR("to")) &&
		!is_library(check, script, syntax_child(syntax, function, SYN_AS_OBJECT), STR("to")))
		check_use(check, script, call, rule_exact(check->book, TEXT_NAME, STR(".to(int)")));
}

/* Returns whether the text of a call is a name with rules of its own: most calls need no further look. */
static bool may_be(const struct syntax *syntax, uint32_t call, struct str last)
{
	return str_ends(syntax_child_text(syntax, call, SYN_AS_FUNCTION), last);
}

/* getattr(x, "cuda")() */
static void check_getattr(struct check *check, const struct script *script, uint32_t call, uint32_t object)
{
	const struct syntax *syntax = &script->syntax;
	uint32_t name = object ? syntax_next(syntax, object) : 0;
	uint32_t content = name ? string_content(syntax, name) : 0;
	struct str text = content ? syntax_text(syntax, content) : STR("");
	bool called = is_called_as(script, call) || is_called_elsewhere(script, call);
	const struct source_rule *rule = text.len ? rule_printf(check, ".%.*s%s", STR_ARG(text), called ? "()" : "")
						  : NULL;

	if (rule_is(rule, "src-device-call") && !is_library(check, script, object, text))
		check_use(check, script, name, rule);
}

/* Returns whether a call makes a tensor of float64. */
static bool makes_double(const struct check *check, const struct script *script, uint32_t node)
{
	const struct syntax *syntax = &script->syntax;
	uint32_t arguments = syntax_child(syntax, node, SYN_AS_ARGUMENTS);
	uint32_t type = arguments ? argument_named(syntax, arguments, STR("dtype")) : 0;
	struct str text = type ? syntax_text(syntax, type) : STR("");

	return syntax->items[node].kind == SYN_CALL && arguments &&
	       (may_be(syntax, node, STR(".double")) ||
		       ((str_ends(text, STR(".float64")) || str_ends(text, STR(".double"))) &&
			       is_sure_tensor(check, script, node)));
}

/* Returns whether an argument may be one. */
static bool is_double(const struct check *check, const struct script *script, uint32_t node)
{
	uint32_t values[VALUES_MOST];
	unsigned count = 0;
	bool found = makes_double(check, script, node);

	if (script->syntax.items[node].kind == SYN_IDENTIFIER)
		count = values_of_name(script, node, values);
	while (count && !found)
		found = makes_double(check, script, values[--count]);
	return found;
}

/* A call that does not take float64 on every target. */
static void check_double(struct check *check, const struct script *script, uint32_t node)
{
	struct meanings values;

	resolve(check->project, script, syntax_child(&script->syntax, node, SYN_AS_FUNCTION), &values);
	for (size_t i = 0; i < values.count; i++) {
		if (values.items[i].kind == MEANING_NAME)
			check_use(check, script, node,
				rule_printf(check, "%.*s(float64)", STR_ARG(meaning_name(&values.items[i]))));
	}
}

static void check_call(struct check *check, const struct script *script, uint32_t node)
{
	const struct syntax *syntax = &script->syntax;
	uint32_t arguments = syntax_child(syntax, node, SYN_AS_ARGUMENTS), first;
	struct meanings values;

	if (!arguments)
		return;
	first = syntax_first(syntax, arguments);
	if (may_be(syntax, node, STR("Scaler")) && !argument_named(syntax, arguments, STR("device")) &&
		(!first || syntax->items[first].kind == SYN_KEYWORD) &&
		is_called(check, script, node, STR("torch.amp.GradScaler")))
		check_use(check, script, node, rule_exact(check->book, TEXT_NAME, STR("torch.amp.GradScaler()")));
	if (first)
		check_number(check, script, node, first);
	if (may_be(syntax, node, STR("getattr"))) {
		resolve(check->project, script, node, &values);
		for (size_t i = 0; i < values.count; i++)
			push_name_use(check, script, node, meaning_name(&values.items[i]));
		if (!values.count)
			check_getattr(check, script, node, first);
	}
	if (first && is_double(check, script, first))
		check_double(check, script, node);
}

/* The row of a call with that argument: "torch.compile(backend=eager)"; "f(=False)" of one without a keyword. */
static const struct source_rule *rule_of_argument(
	const struct check *check, const struct syntax *syntax, struct str function, uint32_t argument)
{
	bool is_named = syntax->items[argument].kind == SYN_KEYWORD;
	uint32_t value = is_named ? syntax_child(syntax, argument, SYN_AS_VALUE) : argument;
	struct str keyword = syntax_child_text(syntax, is_named ? argument : 0, SYN_AS_NAME);
	struct str text = value ? syntax_text(syntax, value) : STR("");
	if (!text.len)
		return NULL;
	if (syntax->items[value].kind == SYN_STRING && text.len >= 2)
		text = str_sub(text, 1, text.len - 1);
	return rule_printf(check, "%.*s(%.*s=%.*s)", STR_ARG(function), STR_ARG(keyword), STR_ARG(text));
}

/* torch.compile with another back end than the usual one has a row of its own, and so has a compile mode. */
static bool check_compile(struct check *check, const struct script *script, uint32_t node)
{
	const struct syntax *syntax = &script->syntax;
	uint32_t call = syntax->items[node].parent, arguments;
	const struct source_rule *rule = NULL;
	struct meanings values;

	if (syntax->items[call].kind != SYN_CALL ||
		!(may_be(syntax, call, STR("compile")) || may_be(syntax, call, STR("compile_mode"))))
		return false;
	arguments = syntax_child(syntax, call, SYN_AS_ARGUMENTS);
	resolve(check->project, script, syntax_child(syntax, call, SYN_AS_FUNCTION), &values);
	for (size_t i = 0; i < values.count && arguments && !rule; i++) {
		struct str name = values.items[i].kind == MEANING_NAME ? meaning_name(&values.items[i]) : STR("");

		for (uint32_t at = syntax_first(syntax, arguments); at && name.len && !rule;
			at = syntax_next(syntax, at))
			rule = rule_of_argument(check, syntax, name, at);
	}
	check_use(check, script, call, rule);
	return rule;
}

void check_names(struct check *check, const struct script *script)
{
	const struct syntax *syntax = &script->syntax;

	check_imports(check, script);
	check_extensions(check, script);
	for (uint32_t i = 1; i < syntax->count; i++) {
		const struct syntax_node *node = &syntax->items[i];

		if (node->kind == SYN_CALL)
			check_call(check, script, i);
		else if (node->kind == SYN_KEYWORD)
			check_keyword(check, script, i);
		else if (node->kind == SYN_STRING_CONTENT && str_ends(syntax_text(syntax, i), STR(".cu")) &&
			 is_compiled(syntax, i))
			check_use(check, script, i, rule_exact(check->book, TEXT_NAME, STR(".cu")));
		else if (node->kind == SYN_ATTRIBUTE &&
			 !(syntax->items[node->parent].kind == SYN_ATTRIBUTE && node->field == SYN_AS_OBJECT) &&
			 !check_compile(check, script, i))
			check_attribute(check, script, i);
	}
}
