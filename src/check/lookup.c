#include "check/lookup.h"

#include "base/utf8.h"
#include "opdb/resolve/calls.h"
#include "opdb/resolve/history.h"
#include "report/pieces.h"

/* A bare name belongs to aten; behind the first dot of the base stands the overload. */
static void split_name(struct lookup *lookup, struct str given)
{
	struct buf text = BUF_UNLIMITED;
	struct str name;
	size_t dot;

	if (!str_has(given, STR("::")))
		buf_add(&text, STR("aten::"));
	buf_add(&text, given);
	name = arena_keep(&lookup->arena, buf_str(&text));
	buf_clear(&text);
	dot = str_find(name, STR("::"));
	while (dot < name.len && name.ptr[dot] != '.')
		dot++;
	lookup->name = str_sub(name, 0, dot);
	lookup->overload = dot < name.len ? str_skip(name, dot + 1) : STR("");
}

static int unknown_name(const struct opdb *db, struct lookup *lookup, struct err *err)
{
	struct name_list near;
	struct buf names = BUF_INIT(4096);
	int status = opdb_nearest_names(db, lookup->name, &lookup->arena, &near, err);

	if (status)
		return status;
	err_set(err, ERR_OPERATOR, "no operator '%s' in any version", shown(lookup->name).text);
	for (size_t i = 0; i < near.count; i++)
		buf_printf(&names, "%s%.*s", i ? ", " : "", STR_ARG(near.items[i]));
	if (near.count)
		err_hint(err, "did you mean %s?", buf_text(&names));
	buf_clear(&names);
	return -err->code;
}

/* Names of a namespace that the database has facts about must exist; of others nothing is known anyway. */
static int check_name(const struct opdb *db, struct lookup *lookup, struct err *err)
{
	struct str ns = str_sub(lookup->name, 0, str_find(lookup->name, STR("::")) + 2);
	struct name_list found = { .max = 1 };
	int status = opdb_names_with_prefix(db, ns, &lookup->arena, &found, err);

	if (status || !found.count)
		return status;
	status = opdb_names_with_prefix(db, lookup->name, &lookup->arena, &found, err);
	if (status || (found.count && str_eq(found.items[0], lookup->name)))
		return status;
	return unknown_name(db, lookup, err);
}

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

int lookup_run(const struct opdb *db, struct str given, const struct target *targets, size_t count, struct lookup *ret,
	struct err *err)
{
	struct str ns, base;
	int status;

	*ret = (struct lookup){ .arena = ARENA_INIT(ARENA_UNLIMITED), .resolver = resolver_new(db) };
	split_name(ret, given);
	status = check_name(db, ret, err);
	if (status)
		return status;
	ns = str_sub(ret->name, 0, str_find(ret->name, STR("::")));
	base = str_skip(ret->name, ns.len + 2);
	status = resolve_known_in(ret->resolver, ns, base, &ret->known_in, err);
	ret->answers = arena_alloc(&ret->arena, (count + 1) * sizeof(ret->answers[0]));
	for (size_t i = 0; i < count && !status; i++)
		status = ask(ret, &targets[i], ns, base, err);
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
	jsonw_key(&json, "operators");
	jsonw_list(&json);
	jsonw_object(&json);
	jsonw_key_str(&json, "name", lookup->name);
	if (lookup->overload.len)
		jsonw_key_str(&json, "overload", lookup->overload);
	jsonw_key(&json, "verdicts");
	jsonw_object(&json);
	for (size_t i = 0; i < lookup->count; i++) {
		jsonw_key(&json, lookup->answers[i].target->id);
		json_put_verdict(&json, &lookup->answers[i].verdict);
	}
	jsonw_object_end(&json);
	jsonw_key(&json, "facts");
	jsonw_object(&json);
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
