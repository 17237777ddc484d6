#include "opdb/resolve/overlay_apply.h"

#include "base/memory/hash.h"
#include "opdb/db/overlay_facts.h"

/* Returns whether the fact is about the overload (NULL: some overload) on the release of the question. */
static bool is_about(const struct overlay_fact *fact, const struct question *question, const struct name_facts *name,
	const struct str *overload)
{
	return fact->target == question->release->target && fact->places[question->release->place] &&
	       str_eq(fact->ns, name->ns) && str_eq(fact->base, name->base) &&
	       (!fact->overload.ptr || !overload || str_eq(fact->overload, *overload));
}

/* Returns whether the fact holds without further conditions. */
static bool is_certain(const struct overlay_fact *fact, const struct question *question)
{
	return !fact->dtypes.len && (!fact->chip || fact->chip == question->chip);
}

/* An exact overload before the name as a whole, a chip before all chips. */
static unsigned specificity(const struct overlay_fact *fact)
{
	return (fact->overload.ptr ? 2u : 0u) + (fact->chip ? 1u : 0u);
}

/* Calls each with the facts about an overload, the least specific first, among equals the earliest. */
static void visit_facts(const struct question *question, const struct name_facts *name, const struct str *overload,
	void (*each)(void *ctx, const struct overlay_fact *fact), void *ctx)
{
	const struct overlays *overlays = question->resolver->db->overlays;
	uint64_t hash = overlays ? hash_str(hash_str(hash_seed(), name->ns), name->base) : 0;

	for (unsigned level = 0; overlays && level < 4; level++) {
		struct map_cursor at = map_start(&overlays->map, hash);

		while (map_next(&overlays->map, &at)) {
			const struct overlay_fact *fact = &overlays->items[at.index];

			if (specificity(fact) == level && is_about(fact, question, name, overload))
				each(ctx, fact);
		}
	}
}

/* --- facts that hold */

struct decision {
	const struct question *question;
	const struct overlay_fact *status, *flag; /* the ones that have the last word */
	unsigned flags;
	struct cites cites;
};

static void apply_fact(void *ctx, const struct overlay_fact *fact)
{
	struct decision *decision = ctx;

	if (!is_certain(fact, decision->question))
		return;
	if (fact->has_status)
		decision->status = fact;
	decision->flag = fact;
	decision->flags |= fact->flags | FLAG_OVERLAY;
	cite_overlay(&decision->cites, fact);
}

static struct decision decision_on(
	const struct question *question, const struct name_facts *name, const struct str *overload)
{
	struct decision decision = { .question = question };

	visit_facts(question, name, overload, apply_fact, &decision);
	return decision;
}

/* Derivation of the status, and the answer of the shipped facts. */
static struct str via_overlay(const struct decision *decision, enum op_status shipped, struct str via)
{
	const struct overlay_fact *fact = decision->status ? decision->status : decision->flag;

	if (!decision->status)
		return JOIN(decision->question, via, STR("; overlay "), fact->label, STR(": "), fact->reason);
	return JOIN(decision->question, STR("overlay "), fact->label, STR(": "), fact->reason, STR("; without it "),
		op_status_name(shipped), via.len ? STR(": ") : STR(""), via);
}

void overlay_prove(
	const struct question *question, const struct name_facts *name, const struct overload *op, struct proof *ret)
{
	struct decision decision;

	if (!question->resolver->db->overlays)
		return;
	decision = decision_on(question, name, &op->overload);
	if (!decision.flag)
		return;
	ret->via = via_overlay(&decision, ret->status, ret->via);
	ret->flags = decision.flags | (decision.status ? 0 : ret->flags);
	if (decision.status) {
		ret->status = decision.status->status;
		ret->switched = false;
	}
	cite_all(&decision.cites, &ret->cites);
	ret->cites = decision.cites;
}

void overlay_answer(const struct question *question, const struct name_facts *name, struct answer *ret)
{
	const struct str none = { 0 };
	struct decision decision;
	struct answer site;

	if (!question->resolver->db->overlays)
		return;
	decision = decision_on(question, name, &none);
	if (!decision.flag)
		return;
	site = (struct answer){ 0 };
	ret->via = via_overlay(&decision, ret->status, ret->via);
	ret->flags = decision.flags | (decision.status ? 0 : ret->flags);
	if (decision.status)
		ret->certain = ret->best = ret->status = decision.status->status;
	evidence_put(question, &decision.cites, &site);
	evidence_join(question, &site, ret);
}

/* --- facts that may hold */

struct limitation {
	const struct question *question;
	struct site_limit *items; /* NULL while they are counted */
	size_t count;
	unsigned flags; /* of what is certain */
	struct cites cites;
};

/* "bf16 on 310P: cpu-fallback reported-broken (overlay site.tsv:7 (0123456789ab): reason)" */
static struct str limit_text(const struct question *question, const struct overlay_fact *fact)
{
	struct str text = fact->dtypes;

	if (fact->chip)
		text = JOIN(question, text, text.len ? STR(" on ") : STR(""), fact->chip->family);
	text = JOIN(question, text, STR(":"));
	if (fact->has_status)
		text = JOIN(question, text, STR(" "), op_status_name(fact->status));
	for (unsigned i = 0; i < OP_FLAG_COUNT; i++) {
		if (fact->flags & (1u << i))
			text = JOIN(question, text, STR(" "), op_flag_name(i));
	}
	return JOIN(question, text, STR(" (overlay "), fact->label, STR(": "), fact->reason, STR(")"));
}

static void add_limit(void *ctx, const struct overlay_fact *fact)
{
	struct limitation *limitation = ctx;
	const struct chip *chip = limitation->question->chip;
	struct site_limit *item;

	if (is_certain(fact, limitation->question)) {
		limitation->flags |= fact->overload.ptr ? 0 : fact->flags;
		return;
	}
	if (fact->chip && chip && fact->chip != chip)
		return;
	item = limitation->items ? &limitation->items[limitation->count] : NULL;
	limitation->count++;
	if (!item)
		return;
	*item = (struct site_limit){
		limit_text(limitation->question, fact), fact->types, fact->has_status, fact->status,
		FLAG_OVERLAY | (fact->types ? FLAG_DTYPE_LIMITED : 0u) | (fact->chip && !chip ? FLAG_SOC_LIMITED : 0u)
	};
	cite_overlay(&limitation->cites, fact);
}

void overlay_limit(
	const struct question *question, const struct name_facts *name, struct str overload, struct answer *ret)
{
	struct limitation limitation;
	struct answer site;

	if (!question->resolver->db->overlays || question->status_only)
		return;
	limitation = (struct limitation){ .question = question };
	visit_facts(question, name, overload.len ? &overload : NULL, add_limit, &limitation);
	ret->site_flags = limitation.flags;
	if (!limitation.count)
		return;
	limitation.items = resolver_alloc(question->resolver, limitation.count * sizeof(limitation.items[0]));
	if (!limitation.items)
		return;
	limitation.count = 0;
	site = (struct answer){ 0 };
	visit_facts(question, name, overload.len ? &overload : NULL, add_limit, &limitation);
	ret->site_limits = limitation.items;
	ret->site_limit_count = limitation.count;
	evidence_put(question, &limitation.cites, &site);
	evidence_join(question, &site, ret);
}
