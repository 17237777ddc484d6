#include "scan/find/apis.h"

#include <stdlib.h>

#include "opdb/db/apis.h"
#include "opdb/db/names.h"
#include "opdb/resolve/resolve.h"

/* An API, with its action on each target. */
struct known_api {
	struct str name;
	struct str *sources;
	enum source_action *actions;
	bool wanted; /* on some target it is not fine */
};

struct search {
	const struct api_request *request;
	struct resolver *resolver;
	MEM_LIST(struct known_api) apis;
	struct map by_name;
	void (*found)(void *ctx, const struct api_finding *finding);
	void *ctx;
};

/* Support of the operators of an API on a target. */
struct operators {
	bool known, native, missing; /* there is one; one runs on the device; one has neither kernel nor way around */
};

static int ask_operator(
	struct search *search, struct str name, const struct target *target, struct operators *ret, struct err *err)
{
	size_t at = str_find(name, STR("::"));
	struct op_query query = { .ns = str_sub(name, 0, at), .base = str_skip(name, at + 2) };
	struct answer answer;
	int status = resolve_base(search->resolver, target, &query, &answer, err);

	ret->known |= !status && answer.status != OP_UNKNOWN;
	ret->native |= !status && answer.status <= OP_EQUIVALENT;
	ret->missing |= !status && answer.status == OP_UNSUPPORTED;
	return status;
}

/* Asks for the operators that the API is about and the one of its name, else for those that each of its samples
   called. */
static int ask_operators(
	struct search *search, struct str api, const struct target *target, struct operators *ret, struct err *err)
{
	enum { ALWAYS = 100 };
	CLEANUP(arena_clear) struct arena arena = ARENA_INIT(ARENA_UNLIMITED);
	struct name_list names = { 0 };
	struct api_calls calls = { 0 };
	int status = opdb_names_of_api(search->request->db, api, &arena, &names, err);

	*ret = (struct operators){ 0 };
	for (size_t i = 0; i < names.count && !status; i++)
		status = ask_operator(search, names.items[i], target, ret, err);
	if (!status && !ret->known && str_eq(name_around(api), STR("torch")))
		status = ask_operator(
			search, arena_printf(&arena, "aten::%.*s", STR_ARG(str_tail(api, '.'))), target, ret, err);
	if (!status && !ret->known)
		status = opdb_api_calls(search->request->db, api, &arena, &calls, err);
	for (size_t i = 0; i < calls.count && !status; i++) {
		if (calls.items[i].forward == ALWAYS)
			status = ask_operator(search, calls.items[i].name, target, ret, err);
	}
	return status;
}

/* By the documents where they speak of it, else by its operators; a check if both disagree. */
static int ask_target(struct search *search, struct known_api *api, size_t at, struct err *err)
{
	const struct target *target = &search->request->targets[at];
	struct api_support support;
	struct operators operators;
	int status = opdb_api_support(search->request->db, api->name, target->release, &support, err);

	api->actions[at] = SOURCE_FINE;
	api->sources[at] = STR("");
	if (status || support.says == API_SUPPORTED)
		return status;
	status = ask_operators(search, api->name, target, &operators, err);
	if (status || (support.says == API_NOT_SAID && !operators.missing))
		return status;
	api->actions[at] = !operators.known || (operators.native && !operators.missing) ? SOURCE_CHECK
											: SOURCE_MUST_CHANGE;
	if (support.says == API_NOT_SUPPORTED)
		api->sources[at] = arena_keep(search->request->arena, support.url);
	api->wanted = true;
	return 0;
}

static int ask_api(struct search *search, struct str name, struct known_api **ret, struct err *err)
{
	uint32_t known = MAP_FIND(&search->by_name, search->apis.items, name);
	struct known_api api = { .name = name };
	int status = 0;

	if (known == MAP_NONE) {
		size_t count = search->request->target_count;

		api.name = arena_keep(search->request->arena, name);
		api.actions = arena_alloc(search->request->arena, (count + 1) * sizeof(api.actions[0]));
		api.sources = arena_alloc(search->request->arena, (count + 1) * sizeof(api.sources[0]));
		for (size_t i = 0; i < count && !status; i++)
			status = ask_target(search, &api, i, err);
		known = (uint32_t)search->apis.count;
		map_add_name(&search->by_name, api.name, known);
		MEM_PUSH(&search->apis, api);
	}
	*ret = &search->apis.items[known];
	return status;
}

/* Returns whether the function called begins with a name that is imported from PyTorch: most calls need no further
   look. A method may be one of anything, and is left out. */
static bool is_of_torch(const struct script *script, uint32_t call)
{
	const struct syntax *syntax = &script->syntax;
	uint32_t root = syntax_child(syntax, call, SYN_AS_FUNCTION);
	const struct binding *binding;
	uint32_t scope;

	while (root && syntax->items[root].kind == SYN_ATTRIBUTE)
		root = syntax_child(syntax, root, SYN_AS_OBJECT);
	if (!root || syntax->items[root].kind != SYN_IDENTIFIER)
		return false;
	scope = script_binder(script, script->scope_of[root], syntax_text(syntax, root));
	if (scope == UINT32_MAX)
		return false;
	binding = binding_first(script, scope, syntax_text(syntax, root));
	return binding && binding->kind == BIND_NAME && str_starts(binding->qualified, STR("torch"));
}

static int search_call(struct search *search, const struct script *script, uint32_t call, struct err *err)
{
	const struct program *program = search->request->program;
	struct meanings values;
	struct known_api *api;
	int status = 0;

	resolve(&program->project, script, syntax_child(&script->syntax, call, SYN_AS_FUNCTION), &values);
	for (size_t i = 0; i < values.count && !status; i++) {
		struct str name = meaning_name(&values.items[i]);

		if (values.items[i].kind != MEANING_NAME || !str_starts(name, STR("torch.")) ||
			rule_of_name(&program->book, name))
			continue;
		status = ask_api(search, name, &api, err);
		for (size_t j = 0; j < search->request->target_count && !status && api->wanted; j++) {
			struct api_finding finding = { script, call, api->name, api->sources[j],
				&search->request->targets[j], api->actions[j] };

			if (api->actions[j] != SOURCE_FINE)
				search->found(search->ctx, &finding);
		}
	}
	return status;
}

int apis_find(const struct api_request *request, void (*found)(void *ctx, const struct api_finding *finding), void *ctx,
	struct err *err)
{
	const struct project *project = &request->program->project;
	struct search search = {
		.request = request, .resolver = resolver_new(request->db), .found = found, .ctx = ctx
	};
	int status = 0;

	resolver_set_texts(search.resolver, false);
	for (size_t i = 0; i < project->count && !status; i++) {
		const struct script *script = &project->scripts[i];

		for (uint32_t node = 1; script->kind == SCRIPT_PYTHON && node < script->syntax.count && !status;
			node++) {
			if (script->syntax.items[node].kind == SYN_CALL && is_of_torch(script, node))
				status = search_call(&search, script, node, err);
		}
	}
	resolver_free(search.resolver);
	free(search.apis.items);
	map_clear(&search.by_name);
	return status;
}
