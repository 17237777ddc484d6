#include "opdb/resolve/unit_texts.h"

#include <string.h>

#include "opdb/resolve/evidence.h"

/* When kernels run on the AI CPU, in words: "Sort: the sorted dimension has one element". */
static struct str conditions_of(const struct question *question, struct str kernels, bool chinese)
{
	struct str kernel = { 0 }, text = STR("");

	while (kernels.len && str_cut(&kernels, ' ', &kernel)) {
		const struct unit_condition *known = unit_condition_of(question->resolver->db, kernel);
		struct str words = chinese ? STR("部分调用") : STR("some calls");

		if (known)
			words = chinese ? known->zh : known->en;
		text = question_join(question, true,
			(const struct str[]){ text, text.len ? STR("; ") : STR(""), kernel, STR(": "), words }, 5);
	}
	return text;
}

static void put_conditions(const struct question *question, struct answer *ret)
{
	size_t bytes = ret->units.count * sizeof(ret->units.lines[0]);
	struct unit_answer *lines = resolver_keep(question->resolver, ret->units.lines, bytes);

	if (!lines)
		return;
	for (size_t i = 0; i < ret->units.count; i++) {
		if (lines[i].unit != UNIT_MIXED && lines[i].unit != UNIT_HELPER)
			continue;
		lines[i].when_en = conditions_of(question, lines[i].kernels, false);
		lines[i].when_zh = conditions_of(question, lines[i].kernels, true);
	}
	ret->units.lines = lines;
}

/* Addresses of the calls into CANN and their code. */
static void put_sources(
	const struct question *question, const struct name_facts *name, struct str overload, struct answer *ret)
{
	struct answer found = { .evidence = NULL };

	for (const struct cann_call *call = name->units->calls; call; call = call->next) {
		struct cite made = { .source = call->source, .note = call->path, .ref = call->plugin };
		struct cite code = { .source = call->code_source, .note = call->code, .ref = call->ref };

		if (overload.len && !str_eq(overload_of(call->op), overload))
			continue;
		evidence_add(question, &made, EVIDENCE_SOURCE, &found);
		evidence_add(question, &code, EVIDENCE_SOURCE, &found);
	}
	ret->units.evidence = found.evidence;
	ret->units.evidence_count = found.evidence_count;
}

/* Those of the casts that the op-plugin of a release makes, or the nearest that was read. */
static const struct npu_cast *casts_on(const struct question *question, const struct npu_cast *casts)
{
	unsigned place = question->release->cann_place;
	struct npu_cast *first = NULL, **end = &first;

	for (; casts; casts = casts->next) {
		if (place < casts->first || place > casts->last)
			continue;
		*end = resolver_keep(question->resolver, casts, sizeof(*casts));
		if (!*end)
			break;
		(*end)->next = NULL;
		end = &(*end)->next;
	}
	return first;
}

/* Kernels of the release, and casts of op-plugin before it calls them. */
static void put_casts(const struct question *question, const struct name_facts *name, struct answer *ret)
{
	struct answer found = { .evidence = ret->units.evidence, .evidence_count = ret->units.evidence_count };

	for (const struct overload *op = name->overloads; op; op = op->next) {
		const struct kernel *kernel = kernel_on(op, question->release, name->aten);

		ret->units.calls_cann |= kernel && kernel->op_api;
		ret->units.compiles |= kernel && kernel->acl_op && !kernel->acl_wrapper;
	}
	ret->units.casts = casts_on(question, name->units->casts);
	for (const struct npu_cast *cast = ret->units.casts; cast; cast = cast->next) {
		struct cite made = { .source = cast->source, .note = cast->path, .ref = cast->plugin };

		if (cast->acl_op ? ret->units.compiles : ret->units.calls_cann)
			evidence_add(question, &made, EVIDENCE_SOURCE, &found);
	}
	ret->units.evidence = found.evidence;
	ret->units.evidence_count = found.evidence_count;
}

int resolve_unit_texts(struct resolver *resolver, const struct target *target, const struct op_query *query,
	struct answer *ret, struct err *err)
{
	struct question question = { .resolver = resolver, .release = target->release, .chip = target->chip };
	bool unnamed = str_eq(query->overload, STR("default"));
	const struct name_facts *name;
	int code;

	if (!ret->units.count)
		return 0;
	code = facts_get(&resolver->facts, query->ns, query->base, &name, err)
		       ?: facts_units(&resolver->facts, name, true, err);
	if (code)
		return code;
	put_conditions(&question, ret);
	put_sources(&question, name, unnamed ? STR("") : query->overload, ret);
	put_casts(&question, name, ret);
	return resolver_check(resolver, err);
}
