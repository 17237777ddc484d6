#include "check/lookup/lookup.h"

#include "base/memory/mem.h"
#include "base/setup/err.h"
#include "base/value/utf8.h"
#include "base/view/str.h"
#include "check/lookup/lookup_related.h"
#include "opdb/db/lists.h"
#include "opdb/resolve/calls.h"

struct lookup;
struct opdb;

/* A full name; behind the first dot of its base stands the overload, of which "default" is the one without a name. */
static void set_name(struct lookup *lookup, struct str ns, struct str rest)
{
	struct str full = arena_printf(&lookup->arena, "%.*s::%.*s", STR_ARG(ns), STR_ARG(rest)), base;

	rest = str_skip(full, ns.len + 2);
	str_cut(&rest, '.', &base);
	lookup->name = str_sub(full, 0, ns.len + 2 + base.len);
	lookup->overload = rest.ptr && !str_eq(rest, STR("default")) ? rest : STR("");
}

/* Returns whether the database has this name, or with "aten::" any of the namespace. */
static int has_name(const struct opdb *db, struct lookup *lookup, struct str name, bool *ret, struct err *err)
{
	struct name_list found = { .max = 1 };
	int status = opdb_names_with_prefix(db, name, &lookup->arena, &found, err);

	*ret = !status && found.count && (str_ends(name, STR("::")) || str_eq(found.items[0], name));
	return status;
}

/* "torch.linalg.svd" as "linalg_svd": the usual name of an operator missing in the tables. "torch.sparse.sum" is
   _sparse_sum, and never the operator of dense tensors. */
static int guess_from_api(const struct opdb *db, struct lookup *lookup, struct str api, bool *ret, struct err *err)
{
	static const char *const begins[] = { "aten::_", "aten::" }; /* the first of sparse tensors alone */
	bool sparse = str_starts(api, STR("torch.sparse."));
	struct str rest = str_skip(api, strlen("torch."));

	for (; rest.len && (!sparse || str_starts(rest, STR("sparse."))); str_cut(&rest, '.', &(struct str){ 0 })) {
		CLEANUP(buf_clear) struct buf name = BUF_UNLIMITED;

		for (size_t i = 0; i < rest.len; i++)
			buf_byte(&name, rest.ptr[i] == '.' ? '_' : rest.ptr[i]);
		for (size_t i = !sparse; i < ARRAY_SIZE(begins); i++) {
			struct str full = arena_printf(&lookup->arena, "%s%.*s", begins[i], STR_ARG(buf_str(&name)));
			int status = has_name(db, lookup, full, ret, err);

			if (!status && !*ret)
				continue;
			set_name(lookup, STR("aten"), str_skip(full, strlen("aten::")));
			return status;
		}
	}
	return 0;
}

static int hint_names(const struct name_list *near, struct err *err)
{
	CLEANUP(buf_clear) struct buf names = BUF_INIT(4096);

	for (size_t i = 0; i < near->count; i++)
		buf_printf(&names, "%s%.*s", i ? ", " : "", STR_ARG(near->items[i]));
	if (near->count)
		err_hint(err, "did you mean %s?", buf_text(&names));
	return -err->code;
}

/* Names near to the one looked up, beside the error that there is. ERR_DB_DAMAGED in its place. */
static int hint_nearest(const struct opdb *db, struct lookup *lookup, struct err *err)
{
	struct name_list near;
	struct err failure = { 0 };
	int status = opdb_nearest_names(db, lookup->name, &lookup->arena, &near, &failure);

	if (status) {
		*err = failure;
		return status;
	}
	return hint_names(&near, err);
}

/* An unknown API: suggest the nearest ones, else operators with similar names. */
static int unknown_api(const struct opdb *db, struct lookup *lookup, struct err *err)
{
	struct name_list near = { 0 };
	int status = opdb_nearest_apis(db, lookup->api, &lookup->arena, &near, err);

	if (status)
		return status;
	err_set(err, ERR_OPERATOR, "no operator is known for the Python name '%s'", shown(lookup->api).text);
	set_name(lookup, STR("aten"), str_tail(lookup->api, '.'));
	status = near.count ? hint_names(&near, err) : hint_nearest(db, lookup, err);
	return err->code == ERR_OPERATOR
		       ? err_hint(err, "give an operator, such as aten::add; a dump shows which ones a call runs")
		       : status;
}

/* The operator that a Python API is about, of several the one of the same name; none where it calls several. */
static int take_api(const struct opdb *db, struct lookup *lookup, struct str api, struct err *err)
{
	struct name_list found = { .max = 0 };
	struct api_calls calls = { 0 };
	struct str last = str_tail(api, '.');
	int status = opdb_names_of_api(db, api, &lookup->arena, &found, err);
	bool known = found.count;
	size_t best = 0;

	for (size_t i = 0; i < found.count; i++)
		best = str_eq(str_skip(found.items[i], strlen("aten::")), last) ? i : best;
	lookup->api = api;
	if (!status)
		status = opdb_api_calls(db, api, &lookup->arena, &calls, err);
	if (!status && found.count)
		set_name(lookup, STR("aten"), str_skip(found.items[best], strlen("aten::")));
	else if (!status && !calls.count)
		status = guess_from_api(db, lookup, api, &known, err);
	if (!status && !known && !calls.count)
		return unknown_api(db, lookup, err);
	if (!status)
		lookup->calls = arena_alloc(&lookup->arena, (calls.count + 1) * sizeof(lookup->calls[0]));
	for (size_t i = 0; !status && i < calls.count; i++)
		lookup->calls[lookup->call_count++].call = calls.items[i];
	return status;
}

/* Python names and how they begin in full. */
static const struct {
	struct str prefix, full;
} python_names[] = {
	{ STR("torch."), STR("torch.") },
	{ STR("nn."), STR("torch.nn.") },
	{ STR("F."), STR("torch.nn.functional.") },
	{ STR("Tensor."), STR("torch.Tensor.") },
	{ STR("optim."), STR("torch.optim.") },
};

static bool is_namespace(const struct opdb *db, struct str ns)
{
	return namespace_find(db, ns, STR(""));
}

/* Names the operator of a namespace if the database has it. */
static int try_name(const struct opdb *db, struct lookup *lookup, struct str ns, struct str base, struct err *err)
{
	bool known;
	int status = has_name(
		db, lookup, arena_printf(&lookup->arena, "%.*s::%.*s", STR_ARG(ns), STR_ARG(base)), &known, err);

	if (!status && known)
		set_name(lookup, ns, base);
	return status;
}

/* "aten.isin.default", as graphs of torch.compile print it, or "torchvision.ops.nms" of Python. */
static int take_dotted(const struct opdb *db, struct lookup *lookup, struct str given, struct err *err)
{
	struct str rest = given, ns;
	bool known = false;
	int status;

	str_cut(&rest, '.', &ns);
	status = has_name(db, lookup, arena_printf(&lookup->arena, "%.*s::", STR_ARG(ns)), &known, err);
	known |= is_namespace(db, ns);
	if (!status && known && str_has(rest, STR(".")))
		status = try_name(db, lookup, ns, str_tail(rest, '.'), err);
	if (!lookup->name.len)
		set_name(lookup, known ? ns : STR("aten"), known ? rest : given);
	return status;
}

/* Where a bare name is looked for that is not one of aten: Python modules, then namespaces, in this order. */
static const char *const modules[] = { "torch.nn.", "torch.", "torch.nn.functional.", "torch.optim." };
static const struct str libraries[] = { STR("torchvision"), STR("npu"), STR("mmcv"), STR("atb") };

/* Takes "Conv2d" for torch.nn.Conv2d, if some module has the name. */
static int try_modules(const struct opdb *db, struct lookup *lookup, struct str given, struct err *err)
{
	int status = 0;

	for (size_t i = 0; i < ARRAY_SIZE(modules) && !status && !lookup->api.len; i++) {
		struct str api = arena_printf(&lookup->arena, "%s%.*s", modules[i], STR_ARG(given));
		struct name_list found = { .max = 1 };
		struct api_calls calls = { 0 };

		status = opdb_names_of_api(db, api, &lookup->arena, &found, err)
				 ?: opdb_api_calls(db, api, &lookup->arena, &calls, err);
		if (!status && (found.count || calls.count))
			status = take_api(db, lookup, api, err);
	}
	return status;
}

/* "isin" of aten, "Conv2d" of a module, "nms" of a library, "flash_attn" for all of a namespace without known names. */
static int take_bare(const struct opdb *db, struct lookup *lookup, struct str given, struct err *err)
{
	int status = try_name(db, lookup, STR("aten"), given, err);
	bool listed = true;

	if (!status && !lookup->name.len)
		status = try_modules(db, lookup, given, err);
	for (size_t i = 0; i < ARRAY_SIZE(libraries) && !status && !lookup->name.len && !lookup->api.len; i++)
		status = try_name(db, lookup, libraries[i], given, err);
	if (status || lookup->name.len || lookup->api.len)
		return status;
	if (is_namespace(db, given))
		status = has_name(db, lookup, arena_printf(&lookup->arena, "%.*s::", STR_ARG(given)), &listed, err);
	if (listed)
		set_name(lookup, STR("aten"), given);
	else
		set_name(lookup, given, STR("*"));
	return status;
}

static int take_name(const struct opdb *db, struct lookup *lookup, struct str given, struct err *err)
{
	size_t colons = str_find(given, STR("::"));

	if (colons != STR_NONE) {
		set_name(lookup, str_sub(given, 0, colons), str_skip(given, colons + 2));
		return 0;
	}
	if (str_starts(given, STR("torch.ops.")))
		return take_dotted(db, lookup, str_skip(given, strlen("torch.ops.")), err);
	for (size_t i = 0; i < ARRAY_SIZE(python_names); i++) {
		if (str_starts(given, python_names[i].prefix))
			return take_api(db, lookup,
				arena_printf(&lookup->arena, "%.*s%.*s", STR_ARG(python_names[i].full),
					STR_ARG(str_skip(given, python_names[i].prefix.len))),
				err);
	}
	return str_has(given, STR(".")) ? take_dotted(db, lookup, given, err) : take_bare(db, lookup, given, err);
}

/* Names of a namespace that the database has the names of must exist; of others its namespace says what is known. */
static int check_name(const struct opdb *db, struct lookup *lookup, struct err *err)
{
	size_t colons = str_find(lookup->name, STR("::"));
	bool there;
	int status = has_name(db, lookup, str_sub(lookup->name, 0, colons + 2), &there, err);

	if (status || !there || !opdb_has_whole_namespace(db, str_sub(lookup->name, 0, colons)))
		return status;
	status = has_name(db, lookup, lookup->name, &there, err);
	if (!status && !there && str_starts(lookup->name, STR("npu::_npu_"))) { /* torch_npu defines these in atb */
		struct str atb = arena_printf(
			&lookup->arena, "atb::%.*s", STR_ARG(str_skip(lookup->name, strlen("npu::"))));

		status = has_name(db, lookup, atb, &there, err);
		lookup->name = there ? atb : lookup->name;
	}
	if (status || there)
		return status;
	err_set(err, ERR_OPERATOR, "no operator '%s' in any version", shown(lookup->name).text);
	status = hint_nearest(db, lookup, err);
	return err->code == ERR_OPERATOR ? err_hint(err, "`opcheck op --all -t npu` lists those of a release") : status;
}

/* Set the name, the overload and the API with its calls of a lookup, as lookup_run takes them. ERR_OPERATOR with the
   nearest names, ERR_DB_DAMAGED, ERR_LIMIT. */
static int lookup_take_name(const struct opdb *db, struct lookup *lookup, struct str given, struct err *err)
{
	int status = take_name(db, lookup, given, err);

	return !status && lookup->name.len ? check_name(db, lookup, err) : status;
}

/* Operators that training adds. A name that the release lacks belongs to another version's formula. */
static int ask_gradient(struct lookup *lookup, struct lookup_answer *ret, const struct op_query *query, struct err *err)
{
	struct gradient_answer gradient;
	struct answer answer;
	struct str base = { 0 };
	int status = resolve_gradient(lookup->resolver, ret->target, query, &gradient, err);

	if (status || !gradient.calls.len)
		return status;
	ret->backward = arena_alloc(&lookup->arena, gradient.calls.len * sizeof(ret->backward[0]));
	while (!status && str_cut(&gradient.calls, ' ', &base)) {
		status = resolve_base(lookup->resolver, ret->target,
			&(struct op_query){ .ns = query->ns, .base = base }, &answer, err);
		if (!status && answer.status != OP_UNKNOWN)
			ret->backward[ret->backward_count++] = (struct lookup_backward){ base, answer.status };
	}
	return status;
}

static int ask_target(
	struct lookup *lookup, const struct target *target, struct str ns, struct str base, struct err *err)
{
	struct lookup_answer *answer = &lookup->answers[lookup->count];
	struct op_query query = { .ns = ns, .base = base, .overload = lookup->overload };
	struct name_question question = { &lookup->arena, lookup->resolver, target, lookup->name, lookup->overload,
		READING_REACHED };
	int status;

	*answer = (struct lookup_answer){ .target = target };
	status = judge_name(&question, &answer->judgement, &answer->answer, err) ?:
		resolve_history(lookup->resolver, target, &query, &answer->history, err) ?:
		ask_gradient(lookup, answer, &query, err) ?:
		lookup_find_related(lookup, answer, &query, err) ?:
		recipe_list_take(&lookup->recipes, resolver_db(lookup->resolver), &lookup->arena,
			&answer->judgement.verdict, err);
	lookup->count += !status;
	return status;
}

static int ask_operator(struct lookup *lookup, struct err *err)
{
	struct str ns = str_sub(lookup->name, 0, str_find(lookup->name, STR("::")));
	struct str base = str_skip(lookup->name, ns.len + 2);
	int status = resolve_known_in(lookup->resolver, ns, base, &lookup->known_in, err);

	lookup->answers = arena_alloc(&lookup->arena, (lookup->targets->count + 1) * sizeof(lookup->answers[0]));
	for (size_t i = 0; i < lookup->targets->count && !status; i++)
		status = ask_target(lookup, &lookup->targets->items[i], ns, base, err);
	return status;
}

static int ask_call(struct lookup *lookup, struct lookup_call *call, struct err *err)
{
	int status = 0;

	call->verdicts = arena_alloc(&lookup->arena, (lookup->targets->count + 1) * sizeof(call->verdicts[0]));
	for (size_t i = 0; i < lookup->targets->count && !status; i++) {
		struct name_question question = { &lookup->arena, lookup->resolver, &lookup->targets->items[i],
			call->call.name, STR(""), READING_REACHED };
		struct judgement judgement;
		struct answer answer;

		status = judge_name(&question, &judgement, &answer, err);
		if (!status)
			call->verdicts[call->verdict_count++] = judgement.verdict;
	}
	return status;
}

int lookup_run(
	const struct opdb *db, struct str given, const struct target_list *targets, struct lookup *ret, struct err *err)
{
	int status;

	*ret = (struct lookup){
		.arena = ARENA_INIT(ARENA_UNLIMITED), .resolver = resolver_new(db), .targets = targets
	};
	status = lookup_take_name(db, ret, given, err);
	if (!status && ret->name.len)
		status = ask_operator(ret, err);
	for (size_t i = 0; i < ret->call_count && !status; i++)
		status = ask_call(ret, &ret->calls[i], err);
	return status;
}

void lookup_clear(struct lookup *lookup)
{
	resolver_free(lookup->resolver);
	recipe_list_clear(&lookup->recipes);
	arena_clear(&lookup->arena);
	*lookup = (struct lookup){ 0 };
}
