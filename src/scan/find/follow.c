#include "scan/find/follow.h"

#include "base/memory/hash.h"
#include "base/view/ascii.h"
#include "scan/find/check_names.h"
#include "scan/find/check_strings.h"

enum { DEPTH_MOST = 12, SLOT_NONE = 0 };

/* Something that holds values: a literal, a name in its scope, an attribute; one of a group. */
struct slot {
	uint64_t hash;
	uint32_t parent;
	uint8_t sure;    /* a bit by group of texts */
	struct str name; /* of an attribute */
};

struct following {
	struct check *check;
	const struct script *script;
	const struct syntax *syntax;
	MEM_LIST(struct slot) slots; /* the first is none */
	struct map by_hash;
	struct map defined; /* functions and classes of the project, by name */
	MEM_LIST(struct str) names;
};

/* --- groups */

static uint32_t root_slot(struct following *following, uint32_t slot)
{
	while (following->slots.items[slot].parent != slot) {
		uint32_t above = following->slots.items[slot].parent;

		following->slots.items[slot].parent = following->slots.items[above].parent;
		slot = above;
	}
	return slot;
}

static uint32_t slot_of_hash(struct following *following, uint64_t hash, struct str name)
{
	struct map_cursor at = map_start(&following->by_hash, hash);
	uint32_t slot = (uint32_t)following->slots.count;

	while (map_next(&following->by_hash, &at)) {
		if (following->slots.items[at.index].hash == hash)
			return at.index;
	}
	map_add(&following->by_hash, hash, slot);
	MEM_PUSH(&following->slots, ((struct slot){ .hash = hash, .parent = slot, .name = name }));
	return slot;
}

static uint32_t join_slots(struct following *following, uint32_t a, uint32_t b)
{
	if (a == SLOT_NONE || b == SLOT_NONE)
		return a == SLOT_NONE ? b : a;
	a = root_slot(following, a);
	b = root_slot(following, b);
	following->slots.items[b].parent = a;
	following->slots.items[a].sure |= following->slots.items[b].sure;
	return a;
}

static void mark_sure(struct following *following, uint32_t slot, enum text_group group)
{
	if (slot != SLOT_NONE)
		following->slots.items[root_slot(following, slot)].sure |= (uint8_t)(1u << group);
}

/* --- slots of expressions */

enum { OF_LITERAL = 1, OF_NAME, OF_ATTRIBUTE, OF_RESULT, OF_KEYS };

static uint64_t hash_in(const struct script *script, uint32_t place, unsigned what)
{
	return hash_mix(hash_seed() ^ (uintptr_t)script, ((uint64_t)what << 32 | place) + UINT64_C(0x9e3779b97f4a7c15));
}

static uint32_t slot_of_literal(struct following *following, const struct script *script, uint32_t node)
{
	return slot_of_hash(following, hash_in(script, node, OF_LITERAL), STR(""));
}

static uint32_t slot_in_scope(struct following *following, const struct script *script, uint32_t scope, struct str name)
{
	return slot_of_hash(following, hash_str(hash_in(script, scope, OF_NAME), name), STR(""));
}

static uint32_t slot_of_attribute(struct following *following, struct str name)
{
	return slot_of_hash(following, hash_str(hash_in(NULL, 0, OF_ATTRIBUTE), name), name);
}

/* The keys of the dictionary that a slot holds. */
static uint32_t slot_of_keys(struct following *following, uint32_t slot)
{
	uint64_t hash = following->slots.items[slot].hash;

	return slot == SLOT_NONE ? SLOT_NONE : slot_of_hash(following, hash_mix(hash | 1, OF_KEYS), STR(""));
}

static const struct binding *import_of(const struct script *script, uint32_t scope, struct str name)
{
	struct map_cursor at = binding_start(script, scope, name);
	const struct binding *binding;

	while ((binding = binding_next(script, scope, name, &at))) {
		if (binding->kind == BIND_NAME)
			return binding;
	}
	return NULL;
}

static uint32_t slot_qualified(struct following *following, struct str module, struct str name, unsigned depth);

/* A name in the first of the modules that a script imports all of which has it. */
static uint32_t slot_imported(struct following *following, const struct script *script, struct str name, unsigned depth)
{
	uint32_t slot = SLOT_NONE;

	for (size_t i = 0; i < script->wildcards.count && i < DEPTH_MOST && slot == SLOT_NONE; i++)
		slot = slot_qualified(following, script->wildcards.items[i], name, depth);
	return slot;
}

/* A name that a module of the project defines, or takes from another one. */
static uint32_t slot_qualified(struct following *following, struct str module, struct str name, unsigned depth)
{
	const struct script *script = module.len ? project_module(following->check->project, module) : NULL;
	const struct binding *import = script ? import_of(script, 0, name) : NULL;

	if (!script || ++depth > DEPTH_MOST)
		return SLOT_NONE;
	if (import)
		return slot_qualified(
			following, name_around(import->qualified), str_tail(import->qualified, '.'), depth);
	if (script_binder(script, 0, name) == 0)
		return slot_in_scope(following, script, 0, name);
	return slot_imported(following, script, name, depth);
}

static uint32_t slot_of_name(struct following *following, uint32_t node)
{
	const struct script *script = following->script;
	struct str name = syntax_text(following->syntax, node);
	uint32_t scope = script_binder(script, script->scope_of[node], name);
	const struct binding *import = scope == UINT32_MAX ? NULL : import_of(script, scope, name);

	if (scope == UINT32_MAX)
		return slot_imported(following, script, name, 0);
	if (script->scopes.items[scope].is_class) /* a field is read as an attribute */
		return slot_of_attribute(following, name);
	return import ? slot_qualified(following, name_around(import->qualified), str_tail(import->qualified, '.'), 0)
		      : slot_in_scope(following, script, scope, name);
}

/* An attribute, or a name of a module of the project. */
static uint32_t slot_of_member(struct following *following, uint32_t node)
{
	const struct syntax *syntax = following->syntax;
	struct str name = syntax_child_text(syntax, node, SYN_AS_ATTRIBUTE), object;
	uint32_t root = syntax_child(syntax, node, SYN_AS_OBJECT), scope;
	const struct binding *import = NULL;

	if (root && syntax->items[root].kind == SYN_IDENTIFIER) {
		object = syntax_text(syntax, root);
		scope = script_binder(following->script, following->script->scope_of[root], object);
		import = scope == UINT32_MAX ? NULL : import_of(following->script, scope, object);
	}
	if (!import || !project_module(following->check->project, import->qualified))
		return slot_of_attribute(following, name);
	return slot_qualified(following, import->qualified, name, 0);
}

static uint32_t slot_of(struct following *following, uint32_t node, unsigned depth);

static uint32_t slot_of_children(struct following *following, uint32_t node, unsigned depth)
{
	const struct syntax *syntax = following->syntax;
	bool choice = syntax->items[node].kind == SYN_CONDITIONAL;
	uint32_t slot = SLOT_NONE;
	unsigned place = 0;

	for (uint32_t child = syntax_first(syntax, node); child; child = syntax_next(syntax, child), place++) {
		if (!choice || place != 1) /* its condition */
			slot = join_slots(following, slot, slot_of(following, child, depth));
	}
	return slot;
}

/* The text of a plain literal without quotes and dashes: "--device" is read as device. */
static struct str key_text(const struct syntax *syntax, uint32_t node)
{
	struct str text = node ? syntax_text(syntax, node) : STR("");

	if (!text.len || syntax->items[node].kind != SYN_STRING)
		return STR("");
	while (text.len && memchr("\"'-", text.ptr[0], 3))
		text = str_skip(text, 1);
	while (text.len && memchr("\"'", text.ptr[text.len - 1], 2))
		text = str_chop(text, 1);
	return text;
}

/* Values of a dictionary by their keys; keys by the dictionary. */
static bool is_device(const struct following *following, struct str text)
{
	const struct source_rule *rule = rule_of_text(following->check->book, text);

	return rule && rule->group == TEXT_DEVICE;
}

static uint32_t slot_of_dictionary(struct following *following, uint32_t node, unsigned depth)
{
	const struct syntax *syntax = following->syntax;
	uint32_t slot = slot_of_literal(following, following->script, node);
	uint32_t keys = slot_of_keys(following, slot);

	for (uint32_t pair = syntax_first(syntax, node); pair; pair = syntax_next(syntax, pair)) {
		uint32_t key = syntax->items[pair].kind == SYN_PAIR ? syntax_child(syntax, pair, SYN_AS_KEY) : 0;
		uint32_t value = key ? syntax_child(syntax, pair, SYN_AS_VALUE) : 0;
		struct str name = key_text(syntax, key);

		if (key)
			join_slots(following, keys, slot_of(following, key, depth));
		if (value)
			join_slots(following, name.len ? slot_of_attribute(following, name) : slot,
				slot_of(following, value, depth));
		if (value && is_device(following, name)) /* {"cuda": "nccl", "cpu": "gloo"}[device.type] */
			join_slots(following, slot, slot_of(following, value, depth));
	}
	return slot;
}

static uint32_t slot_of_subscript(struct following *following, uint32_t node, unsigned depth)
{
	const struct syntax *syntax = following->syntax;
	uint32_t value = syntax_child(syntax, node, SYN_AS_VALUE), index = syntax_child(syntax, node, SYN_AS_SUBSCRIPT);
	struct str key = key_text(syntax, index);

	if (key.len)
		return slot_of_attribute(following, key);
	return value ? slot_of(following, value, depth) : SLOT_NONE;
}

static bool is_defined(const struct following *following, struct str name)
{
	return MAP_FIND(&following->defined, following->names.items, name) != MAP_NONE;
}

/* Slot of a call: that of its argument, of its object, or of the result of a function of the project. */
static uint32_t slot_of_call(struct following *following, uint32_t node, unsigned depth)
{
	const struct syntax *syntax = following->syntax;
	uint32_t function = syntax_child(syntax, node, SYN_AS_FUNCTION);
	uint32_t arguments = syntax_child(syntax, node, SYN_AS_ARGUMENTS);
	uint32_t first = arguments ? syntax_first(syntax, arguments) : 0,
		 second = first ? syntax_next(syntax, first) : 0;
	struct str method = syntax_child_text(syntax, function, SYN_AS_ATTRIBUTE), name = called_name(syntax, node);
	struct meanings values;

	if (str_has_word(STR("str device list tuple set sorted"), name) && first)
		return slot_of(following, first, depth);
	if (str_has_word(STR("lower strip split copy format"), method))
		return slot_of(following, syntax_child(syntax, function, SYN_AS_OBJECT), depth);
	if (str_has_word(STR("get pop getenv setdefault"), name) && second && key_text(syntax, first).len)
		return join_slots(following, slot_of_attribute(following, key_text(syntax, first)),
			slot_of(following, second, depth));
	if (!is_defined(following, name))
		return SLOT_NONE;
	resolve(following->check->project, following->script, function, &values);
	if (!values.count || values.items[0].kind != MEANING_FUNCTION)
		return SLOT_NONE;
	return slot_of_hash(following, hash_in(values.items[0].script, values.items[0].node, OF_RESULT), STR(""));
}

static uint32_t slot_of(struct following *following, uint32_t node, unsigned depth)
{
	static const uint8_t choices[] = { SYN_CONDITIONAL, SYN_BOOLEAN, SYN_PARENTHESES, SYN_LIST, SYN_TUPLE, SYN_SET,
		SYN_CASE_PATTERN, SYN_UNION_PATTERN };

	if (!node || ++depth > DEPTH_MOST)
		return SLOT_NONE;
	if (memchr(choices, following->syntax->items[node].kind, sizeof(choices)))
		return slot_of_children(following, node, depth);
	switch (following->syntax->items[node].kind) {
	case SYN_STRING:
		return slot_of_literal(following, following->script, node);
	case SYN_IDENTIFIER:
		return slot_of_name(following, node);
	case SYN_ATTRIBUTE:
		return slot_of_member(following, node);
	case SYN_SUBSCRIPT:
		return slot_of_subscript(following, node, depth);
	case SYN_CALL:
		return slot_of_call(following, node, depth);
	case SYN_DICTIONARY:
		return slot_of_dictionary(following, node, depth);
	case SYN_BINARY: /* "cuda:" + str(i) */
	case SYN_WALRUS:
	case SYN_LIST_COMPREHENSION:
	case SYN_SET_COMPREHENSION:
	case SYN_GENERATOR:
		return slot_of(following, syntax_first(following->syntax, node), depth);
	default:
		return SLOT_NONE;
	}
}

/* --- statements that pass values on */

static void link_nodes(struct following *following, uint32_t a, uint32_t b)
{
	if (a && b)
		join_slots(following, slot_of(following, a, 0), slot_of(following, b, 0));
}

static void link_assignment(struct following *following, uint32_t left, uint32_t right)
{
	const struct syntax *syntax = following->syntax;

	if (!left || !right)
		return;
	if (syntax->items[left].kind != SYN_PATTERNS) {
		uint32_t to = slot_of(following, left, 0), from = slot_of(following, right, 0);

		join_slots(following, to, from);
		join_slots(following, slot_of_keys(following, to), slot_of_keys(following, from));
		return;
	}
	right = syntax_first(syntax, right);
	for (left = syntax_first(syntax, left); left && right;
		left = syntax_next(syntax, left), right = syntax_next(syntax, right))
		link_nodes(following, left, right);
}

/* The slot of a parameter of a function or class of the project: by its keyword, or the one at that place. */
static uint32_t slot_of_parameter(
	const struct meaning *callee, struct following *following, struct str keyword, unsigned place)
{
	const struct script *script = callee->script;
	const struct syntax *syntax = &script->syntax;
	struct str name = keyword.len ? keyword : parameter_at(syntax, callee->node, place);

	if (callee->kind != MEANING_FUNCTION || !syntax_child(syntax, callee->node, SYN_AS_PARAMETERS))
		return keyword.len ? slot_of_attribute(following, keyword) : SLOT_NONE;
	return name.len ? slot_in_scope(following, script, script_scope(script, callee->node), name) : SLOT_NONE;
}

/* The method __init__ of a class of the project, in its place. */
static unsigned enter_class(struct meaning *callee)
{
	const struct script *script = callee->script;
	const struct binding *method = binding_first(script, script_scope(script, callee->node), STR("__init__"));

	if (method && method->kind == BIND_FUNCTION)
		*callee = (struct meaning){ .kind = MEANING_FUNCTION, .script = script, .node = method->node };
	return callee->kind == MEANING_FUNCTION; /* self is not given */
}

static void link_arguments(struct following *following, uint32_t call, uint32_t arguments)
{
	const struct syntax *syntax = following->syntax;
	struct meanings values;
	struct meaning callee;
	unsigned place = 0;

	resolve(following->check->project, following->script, syntax_child(syntax, call, SYN_AS_FUNCTION), &values);
	if (!values.count || (values.items[0].kind != MEANING_FUNCTION && values.items[0].kind != MEANING_CLASS))
		return;
	callee = values.items[0];
	if (callee.kind == MEANING_CLASS)
		place = enter_class(&callee);
	for (uint32_t at = syntax_first(syntax, arguments); at; at = syntax_next(syntax, at), place++) {
		bool named = syntax->items[at].kind == SYN_KEYWORD;
		struct str keyword = syntax_child_text(syntax, named ? at : 0, SYN_AS_NAME);

		join_slots(following, slot_of_parameter(&callee, following, keyword, place),
			slot_of(following, named ? syntax_child(syntax, at, SYN_AS_VALUE) : at, 0));
	}
}

/* "--kind" of add_argument("--kind", default="cuda") is read as an attribute. */
static void link_option(struct following *following, uint32_t arguments)
{
	const struct syntax *syntax = following->syntax;
	static const struct str keywords[] = { STR("default"), STR("choices") };

	for (uint32_t at = syntax_first(syntax, arguments); at && syntax->items[at].kind == SYN_STRING;
		at = syntax_next(syntax, at)) {
		char name[SOURCE_NAME_BYTES];
		struct str key = key_text(syntax, at);

		if (!key.len || key.len > sizeof(name))
			continue;
		for (size_t i = 0; i < key.len; i++)
			name[i] = key.ptr[i] == '-' ? '_' : key.ptr[i];
		key = arena_keep(&following->check->text, (struct str){ name, key.len });
		for (size_t i = 0; i < ARRAY_SIZE(keywords); i++)
			join_slots(following, slot_of_attribute(following, key),
				slot_of(following, argument_named(syntax, arguments, keywords[i]), 0));
	}
}

/* Link a key that is looked up to the keys of its dictionary; "[device.type]" looks up a device. */
static void link_key(struct following *following, uint32_t dictionary, uint32_t key)
{
	uint32_t keys = slot_of_keys(following, slot_of(following, dictionary, 0));

	join_slots(following, keys, slot_of(following, key, 0));
	if (key && str_ends(syntax_text(following->syntax, key), STR(".type")))
		mark_sure(following, keys, TEXT_DEVICE);
}

/* Looks into what is taken as a device or a backend, and at what is compared or looked up by a call. */
static void link_call(struct following *following, uint32_t call)
{
	const struct syntax *syntax = following->syntax;
	uint32_t function = syntax_child(syntax, call, SYN_AS_FUNCTION);
	uint32_t arguments = syntax_child(syntax, call, SYN_AS_ARGUMENTS);
	uint32_t first = arguments ? syntax_first(syntax, arguments) : 0;
	struct str method = syntax_child_text(syntax, function, SYN_AS_ATTRIBUTE), name = called_name(syntax, call);

	if (!first)
		return;
	for (uint32_t at = first; at; at = syntax_next(syntax, at)) {
		bool named = syntax->items[at].kind == SYN_KEYWORD;
		uint32_t value = named ? syntax_child(syntax, at, SYN_AS_VALUE) : at;
		enum syntax_kind kind = syntax->items[value].kind;

		if (!value || kind == SYN_STRING || kind == SYN_INTEGER)
			continue;
		if (argument_wants(following->check, following->script, at, TEXT_DEVICE)) {
			mark_sure(following, slot_of(following, value, 0), TEXT_DEVICE);
			mark_sure(following, slot_of(following, value, 0), TEXT_BACKEND);
		} else if (str_has(syntax_text(syntax, at), STR("backend")) &&
			   argument_wants(following->check, following->script, at, TEXT_BACKEND)) {
			mark_sure(following, slot_of(following, value, 0), TEXT_BACKEND);
		}
	}
	if (str_has_word(STR("startswith endswith replace removeprefix split partition"), method))
		link_nodes(following, syntax_child(syntax, function, SYN_AS_OBJECT), first);
	else if (str_has_word(STR("add_argument add_option"), name))
		link_option(following, arguments);
	else if (is_defined(following, name))
		link_arguments(following, call, arguments);
	if (str_eq(method, STR("get")))
		link_key(following, syntax_child(syntax, function, SYN_AS_OBJECT), first);
}

static void link_return(struct following *following, uint32_t node)
{
	const struct script *script = following->script;
	uint32_t function = script->scopes.items[script->scope_of[node]].node;

	join_slots(following, slot_of_hash(following, hash_in(script, function, OF_RESULT), STR("")),
		slot_of(following, syntax_first(following->syntax, node), 0));
}

static void link_case(struct following *following, uint32_t node)
{
	const struct syntax *syntax = following->syntax;
	uint32_t match = syntax->items[syntax->items[node].parent].parent;

	link_nodes(following, syntax_child(syntax, match, SYN_AS_SUBJECT), syntax_first(syntax, node));
}

static void link_subscript(struct following *following, uint32_t node)
{
	const struct syntax *syntax = following->syntax;
	uint32_t value = syntax_child(syntax, node, SYN_AS_VALUE), index = syntax_child(syntax, node, SYN_AS_SUBSCRIPT);

	if (value && index && syntax->items[index].kind != SYN_INTEGER && syntax->items[index].kind != SYN_SLICE)
		link_key(following, value, index);
}

static void link_node(struct following *following, uint32_t node)
{
	const struct syntax *syntax = following->syntax;
	uint32_t first;

	switch (syntax->items[node].kind) {
	case SYN_ASSIGNMENT:
	case SYN_FOR:
	case SYN_FOR_IN:
		link_assignment(
			following, syntax_child(syntax, node, SYN_AS_LEFT), syntax_child(syntax, node, SYN_AS_RIGHT));
		break;
	case SYN_WALRUS:
	case SYN_DEFAULT_PARAMETER:
	case SYN_TYPED_DEFAULT_PARAMETER:
		link_assignment(
			following, syntax_child(syntax, node, SYN_AS_NAME), syntax_child(syntax, node, SYN_AS_VALUE));
		break;
	case SYN_COMPARISON:
		first = syntax_first(syntax, node);
		link_nodes(following, first, first ? syntax_next(syntax, first) : 0);
		break;
	case SYN_CALL:
		link_call(following, node);
		break;
	case SYN_RETURN:
		link_return(following, node);
		break;
	case SYN_CASE:
		link_case(following, node);
		break;
	case SYN_SUBSCRIPT:
		link_subscript(following, node);
		break;
	default:
		break;
	}
}

/* --- the whole */

static void note_definitions(struct following *following)
{
	const struct project *project = following->check->project;

	for (size_t i = 0; i < project->count; i++) {
		const struct script *script = &project->scripts[i];

		for (size_t j = 0; j < script->bindings.count; j++) {
			const struct binding *binding = &script->bindings.items[j];

			if ((binding->kind != BIND_FUNCTION && binding->kind != BIND_CLASS) ||
				is_defined(following, binding->name))
				continue;
			map_add_name(&following->defined, binding->name, (uint32_t)following->names.count);
			MEM_PUSH(&following->names, binding->name);
		}
	}
}

static void link_project(struct following *following)
{
	const struct project *project = following->check->project;

	for (size_t i = 0; i < project->count; i++) {
		following->script = &project->scripts[i];
		following->syntax = &following->script->syntax;
		if (following->script->kind != SCRIPT_PYTHON)
			continue;
		for (uint32_t node = 1; node < following->syntax->count; node++)
			link_node(following, node);
	}
}

/* Report what is certain by one use of its group, or doubtful by itself. */
static void put_candidates(struct following *following)
{
	struct check *check = following->check;

	for (size_t i = 0; i < check->candidates.count; i++) {
		struct candidate *candidate = &check->candidates.items[i];
		const struct source_place *place = &candidate->place;
		uint32_t slot = slot_of_literal(following, place->script, place->node);

		if (candidate->sense == SENSE_SURE)
			mark_sure(following, slot, place->rule->group);
	}
	for (size_t i = 0; i < check->candidates.count; i++) {
		struct candidate *candidate = &check->candidates.items[i];
		struct source_place place = candidate->place;
		uint32_t slot = root_slot(following, slot_of_literal(following, place.script, place.node));

		place.doubtful = !(following->slots.items[slot].sure & 1u << place.rule->group);
		if (!place.doubtful || candidate->sense == SENSE_DOUBTFUL)
			check_place(check, place);
	}
}

static void put_names(struct following *following)
{
	struct check *check = following->check;

	for (uint32_t i = 1; i < following->slots.count; i++) {
		struct str name = following->slots.items[i].name;

		if (!name.len || !following->slots.items[root_slot(following, i)].sure)
			continue;
		map_add_name(&check->by_device_name, name, (uint32_t)check->device_names.count);
		MEM_PUSH(&check->device_names, name);
	}
}

void follow_candidates(struct check *check)
{
	struct following following = { .check = check };

	if (!check->candidates.count)
		return;
	MEM_PUSH(&following.slots, ((struct slot){ 0 }));
	note_definitions(&following);
	link_project(&following);
	put_candidates(&following);
	put_names(&following);
	free(following.slots.items);
	free(following.names.items);
	map_clear(&following.by_hash);
	map_clear(&following.defined);
}
