#include "scan/find/callings.h"

#include <stdlib.h>

#include "base/value/decimal.h"
#include "opdb/db/names.h"
#include "report/sections/operator_index.h"
#include "scan/find/check_names.h"
#include "scan/find/tensor.h"

enum { CALLS_LISTED = 10 };

/* An operator of the dump that an API calls, and in what percent of the runs of the API. */
struct api_operator {
	uint32_t op;
	unsigned char forward, backward;
};

struct api {
	struct str name;
	struct api_operator *operators;
	size_t count;
	struct str *names; /* of findings about it: of the operators that it calls itself; NULL: none yet */
	size_t name_count;
	int64_t share_ppm; /* of these */
};

/* A line that calls an operator. */
struct calling {
	uint32_t op, script, node;
	uint32_t api;   /* NO_API: the dump has the stack */
	uint16_t order; /* the surest first: recorded, for the operator itself, for its gradient */
};

enum { NO_API = UINT32_MAX, ORDER_RECORDED = 0, ORDER_FORWARD = 1, ORDER_BACKWARD = 200 };

struct linking {
	const struct program *program;
	const struct opdb *db;
	const struct result *dump;
	struct map operators;     /* by name */
	struct arena *arena;      /* the result's */
	struct arena text, names; /* names: of one call */
	struct map api_by_name;
	MEM_LIST(struct api) apis;
	MEM_LIST(struct calling) callings;
	uint64_t over; /* past the most */
	int status;
	struct err *err;
};

/* --- what an API calls */

static uint32_t position_of(const struct linking *linking, const struct result_operator *op)
{
	return (uint32_t)(op - linking->dump->operators);
}

/* "torchvision::nms" of the dump for "torchvision.ops.nms", "mine::add" for "torch.ops.mine.add"; NULL: none. */
static const struct result_operator *operator_named_so(struct linking *linking, struct str name)
{
	struct str lead = STR("torch.ops.");

	if (str_starts(name, lead))
		name = str_skip(name, lead.len);
	name = arena_printf(&linking->text, "%.*s::%.*s", STR_ARG(str_head(name, '.')), STR_ARG(str_tail(name, '.')));
	return operators_find(&linking->operators, linking->dump, name);
}

static void fill_api(struct linking *linking, struct api *api)
{
	const struct result_operator *own = operator_named_so(linking, api->name);
	struct api_calls calls = { 0 };

	linking->status = opdb_api_calls(linking->db, api->name, &linking->text, &calls, linking->err);
	if (linking->status)
		return;
	api->operators = arena_alloc(&linking->text, (calls.count + 2) * sizeof(api->operators[0]));
	for (size_t i = 0; i < calls.count; i++) {
		const struct result_operator *op = operators_find(
			&linking->operators, linking->dump, calls.items[i].name);

		if (op)
			api->operators[api->count++] = (struct api_operator){ position_of(linking, op),
				(unsigned char)calls.items[i].forward, (unsigned char)calls.items[i].backward };
	}
	if (own && !api->count)
		api->operators[api->count++] = (struct api_operator){ position_of(linking, own), 100, 0 };
}

static uint32_t api_named(struct linking *linking, struct str name)
{
	uint32_t known = MAP_FIND(&linking->api_by_name, linking->apis.items, name);
	struct api api = { 0 };

	if (known != MAP_NONE)
		return known;
	api.name = arena_keep(&linking->text, name);
	fill_api(linking, &api);
	map_add_name(&linking->api_by_name, api.name, (uint32_t)linking->apis.count);
	MEM_PUSH(&linking->apis, api);
	return (uint32_t)linking->apis.count - 1;
}

static void push_calling(struct linking *linking, struct calling calling)
{
	if (linking->callings.count >= linking->program->check.places_most)
		linking->over++;
	else
		MEM_PUSH(&linking->callings, calling);
}

static void push_api(struct linking *linking, uint32_t script, uint32_t node, struct str name)
{
	uint32_t index = api_named(linking, name);
	const struct api *api = &linking->apis.items[index];

	for (size_t i = 0; i < api->count; i++) {
		const struct api_operator *op = &api->operators[i];

		push_calling(linking, (struct calling){ .op = op->op,
					      .script = script,
					      .node = node,
					      .api = index,
					      .order = (uint16_t)(op->forward ? ORDER_FORWARD + 100 - op->forward
									      : ORDER_BACKWARD + 100 - op->backward) });
	}
}

/* --- the calls in the scripts */

static void link_call(struct linking *linking, uint32_t index, uint32_t call)
{
	struct str names[MEANINGS_MOST];
	size_t count = names_of_call(
		&linking->program->check, &linking->program->project.scripts[index], call, &linking->names, names);

	for (size_t i = 0; i < count; i++)
		push_api(linking, index, call, names[i]);
	arena_reset(&linking->names);
}

/* "a @ b", where one of them surely is a tensor. */
static void link_sign(struct linking *linking, uint32_t index, uint32_t node)
{
	static const struct {
		struct str sign, api;
	} signs[] = { { STR("@"), STR("torch.matmul") }, { STR("+"), STR("torch.add") }, { STR("-"), STR("torch.sub") },
		{ STR("*"), STR("torch.mul") }, { STR("/"), STR("torch.div") },
		{ STR("//"), STR("torch.floor_divide") }, { STR("%"), STR("torch.remainder") },
		{ STR("**"), STR("torch.pow") }, { STR("<"), STR("torch.lt") }, { STR("<="), STR("torch.le") },
		{ STR(">"), STR("torch.gt") }, { STR(">="), STR("torch.ge") }, { STR("=="), STR("torch.eq") },
		{ STR("!="), STR("torch.ne") } };
	const struct script *script = &linking->program->project.scripts[index];
	const struct check *check = &linking->program->check;
	uint32_t left = syntax_first(&script->syntax, node), right = left ? syntax_next(&script->syntax, left) : 0;
	struct str sign = syntax_sign(&script->syntax, node);

	for (size_t i = 0; i < ARRAY_SIZE(signs); i++) {
		if (str_eq(signs[i].sign, sign) &&
			(is_sure_tensor(check, script, left) || is_sure_tensor(check, script, right)))
			push_api(linking, index, node, signs[i].api);
	}
}

static void link_scripts(struct linking *linking)
{
	const struct project *project = &linking->program->project;

	for (uint32_t i = 0; i < project->count && !linking->status; i++) {
		const struct script *script = &project->scripts[i];

		for (uint32_t node = 1;
			script->kind == SCRIPT_PYTHON && node < script->syntax.count && !linking->status; node++) {
			enum syntax_kind kind = script->syntax.items[node].kind;

			if (kind == SYN_CALL)
				link_call(linking, i, node);
			else if (kind == SYN_BINARY || kind == SYN_COMPARISON)
				link_sign(linking, i, node);
		}
	}
}

/* --- the stacks of the dump */

/* "pkg/train.py" and 12 of "pkg/train.py(12): main" */
static bool read_frame(struct str frame, struct str *ret_path, uint64_t *ret_line)
{
	size_t end = str_find(frame, STR("): ")), paren = end == STR_NONE ? 0 : end;

	while (paren && frame.ptr[paren] != '(')
		paren--;
	*ret_path = str_sub(frame, 0, paren);
	return paren && decimal_unsigned(str_sub(frame, paren + 1, end), ret_line) && *ret_line;
}

/* Returns whether one path is the end of the other, in whole names. */
static bool is_same_file(struct str a, struct str b)
{
	while (str_starts(a, STR("./")))
		a = str_skip(a, 2);
	while (str_starts(b, STR("./")))
		b = str_skip(b, 2);
	if (a.len > b.len)
		return is_same_file(b, a);
	return a.len && str_ends(b, a) && (a.len == b.len || a.ptr[0] == '/' || b.ptr[b.len - a.len - 1] == '/');
}

/* The first node that begins on the line, which holds all others that do; 0: none. */
static uint32_t node_on_line(const struct syntax *syntax, uint64_t line)
{
	uint32_t from;
	size_t node;

	if (syntax->origin || line > syntax->lines.count)
		return 0;
	from = syntax->lines.items[line - 1];
	node = BISECT(i, syntax->count, i && syntax->items[i].from >= from);
	if (node >= syntax->count ||
		(line < syntax->lines.count && syntax->items[node].from >= syntax->lines.items[line]))
		return 0;
	return (uint32_t)node;
}

static void link_frame(struct linking *linking, uint32_t op, struct str frame)
{
	const struct project *project = &linking->program->project;
	struct str path;
	uint64_t line;

	if (!read_frame(frame, &path, &line))
		return;
	for (uint32_t i = 0; i < project->count; i++) {
		const struct script *script = &project->scripts[i];
		uint32_t node = 0;

		if (script->kind == SCRIPT_PYTHON && is_same_file(script->path, path))
			node = node_on_line(&script->syntax, line);
		if (node)
			push_calling(linking, (struct calling){ op, i, node, .api = NO_API, .order = ORDER_RECORDED });
	}
}

/* --- what the report has of them */

static int by_operator(const void *a, const void *b)
{
	const struct calling *left = a, *right = b;

	return ORDER(left->op, right->op) ?: ORDER(left->order, right->order) ?: ORDER(left->script, right->script)
	       ?: ORDER(left->node, right->node);
}

static struct result_call call_of(struct linking *linking, const struct calling *calling)
{
	const struct script *script = &linking->program->project.scripts[calling->script];
	const struct syntax *syntax = &script->syntax;
	struct source_place place = { .script = script, .node = calling->node };
	struct result_call call = { .origin = CALL_RECORDED };

	call.site.path = place_path(linking->arena, script->path);
	call.site.expression = place_text(linking->arena, syntax_text(syntax, calling->node));
	call.site.replacement = STR("");
	syntax_place(syntax, place_anchor(&place), &call.site.line, &call.site.column);
	syntax_place(syntax, syntax->items[calling->node].to, &call.site.end_line, &call.site.end_column);
	if (calling->api != NO_API) {
		call.origin = CALL_OF_API;
		call.api = arena_keep(linking->arena, linking->apis.items[calling->api].name);
	}
	return call;
}

/* Of one operator: what was recorded alone where there is any, else the calls of the operator, else of its gradient. */
static void put_callings(struct linking *linking, uint32_t op, size_t from, struct result_callings *ret)
{
	const struct calling *items = &linking->callings.items[from];
	size_t left = linking->callings.count - from, count = 0;
	unsigned most = 0;

	if (left && items->op == op)
		most = items->order >= ORDER_BACKWARD  ? UINT16_MAX
		       : items->order >= ORDER_FORWARD ? ORDER_BACKWARD - 1
						       : ORDER_RECORDED;
	while (count < left && items[count].op == op && items[count].order <= most)
		count++;
	ret->operator_name = arena_keep(linking->arena, linking->dump->operators[op].name);
	ret->call_total = count;
	ret->call_count = count < CALLS_LISTED ? count : CALLS_LISTED;
	ret->calls = arena_alloc(linking->arena, (ret->call_count + 1) * sizeof(ret->calls[0]));
	for (size_t i = 0; i < ret->call_count; i++)
		ret->calls[i] = call_of(linking, &items[i]);
}

static void put_called_operators(struct linking *linking, struct result_source_tree *tree)
{
	bool *found = mem_zalloc(linking->dump->operator_count + 1);
	size_t at = 0;

	for (size_t i = 0; i < linking->dump->finding_count; i++) {
		const struct result_operator *op = operators_find(
			&linking->operators, linking->dump, linking->dump->findings[i].operator_name);

		if (op)
			found[position_of(linking, op)] = true;
	}
	MEM_SORT(&linking->callings, by_operator);
	tree->callings = arena_alloc(linking->arena, (linking->dump->operator_count + 1) * sizeof(tree->callings[0]));
	for (uint32_t op = 0; op < linking->dump->operator_count; op++) {
		while (at < linking->callings.count && linking->callings.items[at].op < op)
			at++;
		if (found[op])
			put_callings(linking, op, at, &tree->callings[tree->callings_count++]);
	}
	free(found);
}

/* --- the operators of findings in scripts */

/* "torch.Tensor.item" for ".item()", "torch.unique" for itself; "" for anything but an API of PyTorch. */
static struct str api_of_finding(struct linking *linking, struct str name)
{
	if (str_eq(name, STR("[mask]")))
		return STR("torch.Tensor.__getitem__");
	if (str_starts(name, STR(".")) && str_ends(name, STR("()")))
		return arena_printf(&linking->text, "torch.Tensor%.*s", STR_ARG(str_chop(name, 2)));
	return str_starts(name, STR("torch.")) ? str_head(name, '(') : STR("");
}

/* Those of the dump that the API itself calls, not for its gradient. */
static void put_share(struct linking *linking, struct api *api)
{
	api->names = arena_alloc(linking->arena, (api->count + 1) * sizeof(api->names[0]));
	for (size_t i = 0; i < api->count; i++) {
		const struct result_operator *op = &linking->dump->operators[api->operators[i].op];

		if (!api->operators[i].forward)
			continue;
		api->names[api->name_count++] = arena_keep(linking->arena, op->name);
		api->share_ppm += op->share_ppm;
	}
	if (api->share_ppm > WHOLE_PPM)
		api->share_ppm = WHOLE_PPM;
}

static void put_findings(struct linking *linking, struct result *scan)
{
	for (size_t i = 0; i < scan->finding_count && !linking->status; i++) {
		struct result_finding *finding = &scan->findings[i];
		struct str name = api_of_finding(linking, finding->operator_name);
		struct api *api = name.len ? &linking->apis.items[api_named(linking, name)] : NULL;

		if (!api || !api->count)
			continue;
		if (!api->names)
			put_share(linking, api);
		finding->operators = api->names;
		finding->operator_count = api->name_count;
		finding->share_ppm = api->share_ppm;
	}
}

int callings_put(const struct program *program, const struct opdb *db, const struct result *dump, struct result *scan,
	struct err *err)
{
	struct linking linking = { .program = program,
		.db = db,
		.dump = dump,
		.operators = operators_map(dump),
		.arena = &scan->arena,
		.text = ARENA_INIT(ARENA_UNLIMITED),
		.names = ARENA_INIT(ARENA_UNLIMITED),
		.err = err };

	for (uint32_t i = 0; i < dump->operator_count; i++) {
		const struct result_callers *callers = dump->operators[i].callers;

		for (size_t j = 0; callers && j < callers->line_count; j++)
			link_frame(&linking, i, callers->lines[j]);
	}
	link_scripts(&linking);
	if (!linking.status)
		put_findings(&linking, scan);
	if (!linking.status)
		put_called_operators(&linking, scan->source);
	scan->source->left_out += linking.over;
	map_clear(&linking.operators);
	map_clear(&linking.api_by_name);
	free(linking.apis.items);
	free(linking.callings.items);
	arena_clear(&linking.text);
	arena_clear(&linking.names);
	return linking.status;
}
