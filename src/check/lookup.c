#include "check/lookup.h"

#include "base/mem.h"
#include "base/utf8.h"
#include "opdb/resolve/calls.h"
#include "opdb/resolve/history.h"
#include "report/records.h"

/* --- names */

/* A full name; behind the first dot of its base stands the overload, of which "default" is the one without a name. */
static void set_name(struct lookup *lookup, struct str ns, struct str rest)
{
	CLEANUP(buf_clear) struct buf text = BUF_UNLIMITED;
	struct str full, base;

	buf_printf(&text, "%.*s::%.*s", STR_ARG(ns), STR_ARG(rest));
	full = arena_keep(&lookup->arena, buf_str(&text));
	rest = str_skip(full, ns.len + 2);
	str_cut(&rest, '.', &base);
	lookup->name = str_sub(full, 0, ns.len + 2 + base.len);
	lookup->overload = rest.ptr && !str_eq(rest, STR("default")) ? rest : STR("");
}

/* Whether the database has this name, or with "aten::" any of the namespace. */
static int has_name(const struct opdb *db, struct lookup *lookup, struct str name, bool *ret, struct err *err)
{
	struct name_list found = { .max = 1 };
	int status = opdb_names_with_prefix(db, name, &lookup->arena, &found, err);

	*ret = !status && found.count && (str_ends(name, STR("::")) || str_eq(found.items[0], name));
	return status;
}

/* "torch.linalg.svd" as "linalg_svd": how operators are called that no table names. */
static int guess_from_api(const struct opdb *db, struct lookup *lookup, struct str api, bool *ret, struct err *err)
{
	struct str rest = str_skip(api, strlen("torch."));

	for (; rest.len; str_cut(&rest, '.', &(struct str){ 0 })) {
		CLEANUP(buf_clear) struct buf name = BUF_UNLIMITED;
		int status;

		buf_add(&name, STR("aten::"));
		for (size_t i = 0; i < rest.len; i++)
			buf_byte(&name, rest.ptr[i] == '.' ? '_' : rest.ptr[i]);
		status = has_name(db, lookup, buf_str(&name), ret, err);
		if (status || *ret) {
			set_name(lookup, STR("aten"), str_skip(buf_str(&name), strlen("aten::")));
			return status;
		}
	}
	return 0;
}

/* Names near to the one looked up, beside the error that there is. ERR_DB_DAMAGED in its place. */
static int hint_nearest(const struct opdb *db, struct lookup *lookup, struct err *err)
{
	struct name_list near;
	CLEANUP(buf_clear) struct buf names = BUF_INIT(4096);
	struct err failure = { 0 };
	int status = opdb_nearest_names(db, lookup->name, &lookup->arena, &near, &failure);

	if (status) {
		*err = failure;
		return status;
	}
	for (size_t i = 0; i < near.count; i++)
		buf_printf(&names, "%s%.*s", i ? ", " : "", STR_ARG(near.items[i]));
	if (near.count)
		err_hint(err, "did you mean %s?", buf_text(&names));
	return -err->code;
}

/* The operator that a Python API is about; of several the one of the same name. */
static int take_api(const struct opdb *db, struct lookup *lookup, struct str api, struct err *err)
{
	struct name_list found = { .max = 0 };
	struct str rest = api, last = STR("");
	int status = opdb_names_of_api(db, api, &lookup->arena, &found, err);
	bool guessed = found.count;
	size_t best = 0;

	while (str_cut(&rest, '.', &last))
		;
	for (size_t i = 0; i < found.count; i++)
		best = str_eq(str_skip(found.items[i], strlen("aten::")), last) ? i : best;
	lookup->api = api;
	if (!status && found.count)
		set_name(lookup, STR("aten"), str_skip(found.items[best], strlen("aten::")));
	else if (!status)
		status = guess_from_api(db, lookup, api, &guessed, err);
	if (status || guessed)
		return status;
	err_set(err, ERR_OPERATOR, "no operator is known for the Python name '%s'", shown(api).text);
	set_name(lookup, STR("aten"), last);
	status = hint_nearest(db, lookup, err);
	return err->code == ERR_OPERATOR
		       ? err_hint(err, "give an operator, such as aten::add; a dump shows which ones a call runs")
		       : status;
}

/* Python names and how they begin in full. */
static const struct {
	struct str prefix, full;
} python_names[] = {
	{ STR("torch."), STR("torch.") },
	{ STR("nn."), STR("torch.nn.") },
	{ STR("F."), STR("torch.nn.functional.") },
	{ STR("Tensor."), STR("torch.Tensor.") },
};

/* "aten.isin.default", as graphs of torch.compile print it; else a bare name, which belongs to aten. */
static int take_dotted(const struct opdb *db, struct lookup *lookup, struct str given, struct err *err)
{
	CLEANUP(buf_clear) struct buf prefix = BUF_UNLIMITED;
	struct str rest = given, ns;
	bool known = false;
	int status = 0;

	str_cut(&rest, '.', &ns);
	buf_printf(&prefix, "%.*s::", STR_ARG(ns));
	if (rest.len)
		status = has_name(db, lookup, buf_str(&prefix), &known, err);
	if (known)
		set_name(lookup, ns, rest);
	else
		set_name(lookup, STR("aten"), given);
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
		CLEANUP(buf_clear) struct buf api = BUF_UNLIMITED;

		if (!str_starts(given, python_names[i].prefix))
			continue;
		buf_add(&api, python_names[i].full);
		buf_add(&api, str_skip(given, python_names[i].prefix.len));
		return take_api(db, lookup, arena_keep(&lookup->arena, buf_str(&api)), err);
	}
	return take_dotted(db, lookup, given, err);
}

static int unknown_name(const struct opdb *db, struct lookup *lookup, struct err *err)
{
	err_set(err, ERR_OPERATOR, "no operator '%s' in any version", shown(lookup->name).text);
	return hint_nearest(db, lookup, err);
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
	return status || there ? status : unknown_name(db, lookup, err);
}

/* --- answers */

static int ask(struct lookup *lookup, const struct target *target, struct str ns, struct str base, struct err *err)
{
	struct lookup_answer *answer = &lookup->answers[lookup->count];
	struct op_query query = { .ns = ns, .base = base, .overload = lookup->overload };
	struct name_question question = { target, lookup->name, lookup->overload, READING_REACHED };
	struct judged judged;
	int status = judge_name(&lookup->arena, lookup->resolver, &question, &judged, err);

	*answer = (struct lookup_answer){
		.target = target, .verdict = judged.verdict, .judgement = judged.judgement, .answer = judged.answer
	};
	if (!status)
		status = resolve_history(lookup->resolver, target, &query, &answer->history, err);
	if (!status)
		status = recipe_list_take(
			&lookup->recipes, resolver_db(lookup->resolver), &lookup->arena, &answer->verdict, err);
	lookup->count += !status;
	return status;
}

int lookup_run(
	const struct opdb *db, struct str given, const struct target_list *targets, struct lookup *ret, struct err *err)
{
	struct str ns, base;
	int status;

	*ret = (struct lookup){ .arena = ARENA_INIT(ARENA_UNLIMITED), .resolver = resolver_new(db) };
	status = take_name(db, ret, given, err);
	if (!status)
		status = check_name(db, ret, err);
	if (status)
		return status;
	ns = str_sub(ret->name, 0, str_find(ret->name, STR("::")));
	base = str_skip(ret->name, ns.len + 2);
	status = resolve_known_in(ret->resolver, ns, base, &ret->known_in, err);
	ret->answers = arena_alloc(&ret->arena, (targets->count + 1) * sizeof(ret->answers[0]));
	for (size_t i = 0; i < targets->count && !status; i++)
		status = ask(ret, &targets->items[i], ns, base, err);
	return status;
}

void lookup_clear(struct lookup *lookup)
{
	resolver_free(lookup->resolver);
	recipe_list_clear(&lookup->recipes);
	arena_clear(&lookup->arena);
	*lookup = (struct lookup){ 0 };
}

void lookup_put_json(const struct lookup *lookup, struct buf *out)
{
	struct jsonw json = jsonw_start(out, 2);

	jsonw_object(&json);
	jsonw_key_list(&json, "operators");
	jsonw_object(&json);
	jsonw_key_str(&json, "name", lookup->name);
	if (lookup->overload.len)
		jsonw_key_str(&json, "overload", lookup->overload);
	if (lookup->api.len)
		jsonw_key_str(&json, "api", lookup->api);
	jsonw_key_object(&json, "verdicts");
	for (size_t i = 0; i < lookup->count; i++) {
		jsonw_key(&json, lookup->answers[i].target->id);
		record_put(&json, &verdict_record, &lookup->answers[i].verdict);
	}
	jsonw_object_end(&json);
	jsonw_key_object(&json, "facts");
	for (size_t i = 0; i < lookup->count; i++) {
		jsonw_key(&json, lookup->answers[i].target->id);
		lookup_put_facts(&lookup->answers[i], &json);
	}
	jsonw_object_end(&json);
	recipe_list_put_json(&lookup->recipes, &json);
	jsonw_object_end(&json);
	jsonw_list_end(&json);
	jsonw_object_end(&json);
}

int lookup_status(
	struct resolver *resolver, const struct target *target, struct str name, enum op_status *ret, struct err *err)
{
	struct arena arena = ARENA_INIT(ARENA_UNLIMITED);
	struct name_question question = { target, name, STR(""), READING_REACHED };
	struct judged judged;
	int status = judge_name(&arena, resolver, &question, &judged, err);

	if (!status)
		*ret = judged.judgement.status;
	arena_clear(&arena);
	return status;
}
