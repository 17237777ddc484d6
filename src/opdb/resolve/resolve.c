#include "opdb/resolve/resolve.h"

#include "base/memory/buf.h"
#include "base/memory/mem.h"
#include "opdb/db/lists.h"
#include "opdb/db/names.h"
#include "opdb/resolve/name.h"
#include "opdb/resolve/prove.h"

enum { NAME_BYTES = 4096 };

int resolve_base(struct resolver *resolver, const struct target *target, const struct op_query *query,
	struct answer *ret, struct err *err)
{
	struct question question = { .resolver = resolver,
		.release = target->release,
		.chip = target->chip,
		.reading = query->reading,
		.unnamed = str_eq(query->overload, STR("default")),
		.of_library = query->of_library,
		.dense = query->dense };
	const struct name_facts *name;
	struct answer answer;
	int code = facts_get(&resolver->facts, query->ns, query->base, &name, err);

	if (!code)
		code = answer_name(&question, name, question.unnamed ? STR("") : query->overload, &answer, err);
	if (!code)
		code = resolver_check(resolver, err);
	if (!code)
		*ret = answer;
	return code;
}

bool resolve_called_by_name(const struct resolver *resolver, struct str ns, struct str base,
	bool (*recorded)(void *ctx, struct str name), void *ctx)
{
	const struct special *special = str_eq(ns, STR("aten")) ? special_find(resolver->db, base) : NULL;
	struct str names = special && special->rule ? special->rule->reached_from : STR(""), name = { 0 };
	bool listed = names.len > 0;

	while (names.len && str_cut(&names, ';', &name)) {
		CLEANUP(buf_clear) struct buf full = BUF_INIT(NAME_BYTES);

		buf_printf(&full, "aten::%.*s", STR_ARG(name));
		if (recorded(ctx, buf_str(&full)))
			return false;
	}
	return listed;
}

int resolve_all(struct resolver *resolver, const struct target *target,
	int (*each)(void *ctx, const struct overload_answer *overload), void *ctx, struct err *err)
{
	struct question question = { .resolver = resolver,
		.release = target->release,
		.chip = target->chip,
		.reading = READING_REACHED,
		.dense = true };
	unsigned place = target->release->torch_place;
	struct name_list names = { 0 };
	int code = opdb_names_with_prefix(resolver->db, STR("aten::"), &resolver->arena, &names, err);

	for (size_t i = 0; !code && i < names.count; i++) {
		const struct name_facts *name;

		code = facts_get(&resolver->facts, STR("aten"), str_skip(names.items[i], 6), &name, err);
		for (const struct overload *op = code ? NULL : name->overloads; op && !code; op = op->next) {
			struct overload_answer overload;
			struct proof proof;

			if (!torch_fact_at(op, place))
				continue;
			code = prove(&question, name, op, &proof, err);
			if (code)
				return code;
			overload = overload_answer(&question, &proof);
			code = each(ctx, &overload);
		}
	}
	return code ? code : resolver_check(resolver, err);
}

bool resolve_is_of_library(
	const struct resolver *resolver, struct str ns, bool (*recorded)(void *ctx, struct str ns), void *ctx)
{
	const struct namespace_rule *space = str_eq(ns, STR("aten")) ? NULL : namespace_find(resolver->db, ns, STR(""));
	const struct namespace_rule *others = resolver->db->namespaces.items;

	return space && space->kind == NAMESPACE_EXTENSION &&
	       ANY(i, resolver->db->namespaces.count,
		       &others[i] != space && str_eq(others[i].package[TARGET_NPU], space->package[TARGET_NPU]) &&
			       recorded(ctx, others[i].ns));
}

bool resolve_is_third_party(const struct resolver *resolver, struct str ns)
{
	const struct namespace_rule *space = namespace_find(resolver->db, ns, STR(""));

	return !str_eq(ns, STR("aten")) &&
	       (!space || space->kind == NAMESPACE_PACKAGE || space->kind == NAMESPACE_EXTENSION ||
		       space->kind == NAMESPACE_FOREIGN || space->kind == NAMESPACE_VENDOR);
}

int resolve_dynamic_tags(struct resolver *resolver, struct str ns, struct str base, unsigned *ret, struct err *err)
{
	static const struct {
		struct str text;
		enum dynamic_tag tag;
	} tags[] = {
		{ STR("data_dependent_output"), TAG_DATA_DEPENDENT_OUTPUT },
		{ STR("dynamic_output_shape"), TAG_DYNAMIC_OUTPUT_SHAPE },
	};
	const struct name_facts *name;
	int code = facts_get(&resolver->facts, ns, base, &name, err);

	if (code)
		return code;
	*ret = 0;
	for (const struct overload *op = name->overloads; op; op = op->next) {
		for (const struct torch_fact *fact = op->torch; fact; fact = fact->next) {
			for (size_t i = 0; i < ARRAY_SIZE(tags); i++)
				*ret |= str_has(fact->tags, tags[i].text) ? tags[i].tag : 0u;
		}
	}
	return 0;
}

int resolve_known_in(struct resolver *resolver, struct str ns, struct str base, struct str *ret, struct err *err)
{
	const struct name_facts *name;
	int code = facts_get(&resolver->facts, ns, base, &name, err);

	if (!code)
		*ret = name->known_in;
	return code;
}

int resolve_signatures(struct resolver *resolver, const struct op_query *query,
	int (*each)(void *ctx, struct str overload, struct str signature), void *ctx, struct err *err)
{
	const struct name_facts *name;
	int code = facts_get(&resolver->facts, query->ns, query->base, &name, err);

	for (const struct overload *op = code ? NULL : name->overloads; op && !code; op = op->next) {
		for (const struct signature *one = op->signatures; one && !code; one = one->next)
			code = one->dimname ? 0 : each(ctx, op->overload, one->text);
	}
	return code;
}
