#include "opdb/resolve/calls.h"

#include "base/memory/buf.h"
#include "base/memory/mem.h"
#include "base/view/ascii.h"
#include "opdb/resolve/arguments.h"
#include "opdb/resolve/held.h"
#include "opdb/resolve/name.h"

/* Composites that call composites: PyTorch's own chains are shorter. */
enum { DEEPEST_LEAF = 4 };

/* Facts that pass from a leaf to the composite. */
enum {
	PASSED_ON = FLAG_HOST_PATH | FLAG_AICPU | FLAG_JIT_COMPILE | FLAG_DTYPE_LIMITED | FLAG_SOC_LIMITED |
		    FLAG_REPORTED_BROKEN
};

static int copy_text(struct resolver *resolver, const struct buf *text, struct str *ret, struct err *err)
{
	resolver->full |= !arena_copy(&resolver->arena, buf_str(text), ret);
	return resolver_check(resolver, err);
}

/* --- composite bodies */

static struct str calls_of(const struct name_facts *name, struct str op)
{
	for (const struct leaf *leaf = name->leaves; leaf; leaf = leaf->next) {
		if (str_eq(leaf->op, op))
			return leaf->calls;
	}
	return STR("");
}

static bool calls_base(struct str calls, struct str base)
{
	struct str call = { 0 };

	while (calls.len && str_cut(&calls, ' ', &call)) {
		if (str_eq(base_of(call), base))
			return true;
	}
	return false;
}

/* Returns whether the overload may be meant and runs a composite body. */
static bool is_meant(const struct overload_answer *answer, struct str base, struct str overload)
{
	struct str rest = str_skip(answer->name, base.len);

	if (overload.len && !(rest.len && str_eq(str_skip(rest, 1), overload)))
		return false;
	return answer->status == OP_COMPOSITE && (overload.len || !answer->aside);
}

/* Returns whether all overloads that may be meant call the operator of this base. */
static bool all_call(const struct name_facts *name, const struct answer *answer, struct str overload, struct str base)
{
	for (size_t i = 0; i < answer->overload_count; i++) {
		const struct overload_answer *one = &answer->overloads[i];

		if (is_meant(one, name->base, overload) && !calls_base(calls_of(name, one->name), base))
			return false;
	}
	return true;
}

/* The first overload that may be meant says what there is to ask of the others. */
static void add_calls(const struct name_facts *name, const struct answer *answer, struct str overload, struct buf *ret)
{
	struct str calls = STR(""), call = { 0 };

	for (size_t i = 0; i < answer->overload_count && !calls.len; i++) {
		if (is_meant(&answer->overloads[i], name->base, overload))
			calls = calls_of(name, answer->overloads[i].name);
	}
	while (calls.len && str_cut(&calls, ' ', &call)) {
		struct str base = base_of(call);

		if (str_eq(base, name->base) || str_has_word(buf_str(ret), base) ||
			!all_call(name, answer, overload, base))
			continue;
		buf_printf(ret, "%s%.*s", ret->len ? " " : "", STR_ARG(base));
	}
}

static bool knows_calls(const struct known_calls *known, const struct target *target)
{
	const struct release *release = target->release;

	return known->first && known->first->target == release->target && known->chip == target->chip &&
	       known->first->place <= release->place && release->place <= known->last->place;
}

int resolve_calls(struct resolver *resolver, const struct target *target, const struct op_query *query, struct str *ret,
	struct err *err)
{
	CLEANUP(buf_clear) struct buf text = BUF_UNLIMITED;
	bool whole = !query->overload.len; /* the name */
	struct question question = { .resolver = resolver,
		.release = target->release,
		.chip = target->chip,
		.reading = READING_REACHED,
		.no_notes = true };
	const struct name_facts *name;
	struct answer answer;
	int code = facts_get(&resolver->facts, query->ns, query->base, &name, err);

	*ret = STR("");
	if (code || !name->leaves)
		return code;
	if (whole && knows_calls(name->calls, target)) {
		*ret = name->calls->calls;
		return 0;
	}
	resolver_watch(resolver, name);
	code = answer_name(&question, name, STR(""), &answer, err);
	if (code)
		return code;
	if (answer.status == OP_COMPOSITE)
		add_calls(name, &answer, query->overload, &text);
	code = copy_text(resolver, &text, ret, err);
	if (!code && whole)
		*name->calls = (struct known_calls){ target->release, resolver_held_until(resolver, target->release),
			target->chip, *ret };
	return code;
}

/* --- what holds for them */

/* An operator whose calls are followed, and how deep it is called. */
struct descent {
	const struct question *question;
	const struct name_facts *name;
	struct str overload;
	unsigned depth;
	struct err *err;
};

static int follow_calls(const struct descent *descent, struct answer *ret);

static void pass_on(const struct question *question, struct str op, const struct answer *leaf, struct answer *ret)
{
	if (op_status_class(leaf->status) != CLASS_DEVICE)
		ret->leaves = JOIN(question, ret->leaves, ret->leaves.len ? STR(", ") : STR(""), op, STR(": "),
			op_status_name(leaf->status));
	else if (leaf->flags & (FLAG_DTYPE_LIMITED | FLAG_REPORTED_BROKEN))
		ret->leaves = JOIN(question, ret->leaves, ret->leaves.len ? STR(", ") : STR(""), op, STR(": limited"));
	if (!ret->leaf_layouts) {
		ret->dense_leaf = leaf->layouts ? op : leaf->dense_leaf;
		ret->leaf_layouts = leaf->layouts ? leaf->layouts : leaf->leaf_layouts;
	}
	if (leaf->status > ret->leaf)
		ret->leaf = leaf->status;
	if (leaf->leaf > ret->leaf)
		ret->leaf = leaf->leaf;
	ret->flags |= leaf->flags & PASSED_ON;
	ret->refused |= leaf->refused & ~ret->accepted;
	ret->slow |= leaf->slow;
	arguments_join(question->resolver, leaf, ret);
}

/* One call of a composite body. A name that the release lacks was called on another version and is skipped. */
static int follow_call(const struct descent *descent, struct str op, struct answer *ret)
{
	const struct question *question = descent->question;
	struct descent next = {
		.question = question, .overload = overload_of(op), .depth = descent->depth + 1, .err = descent->err
	};
	struct answer leaf;
	int code = facts_get(&question->resolver->facts, STR("aten"), base_of(op), &next.name, descent->err) ?:
		answer_name(question, next.name, next.overload, &leaf, descent->err) ?:
		follow_calls(&next, &leaf);

	if (!code && leaf.status != OP_UNKNOWN)
		pass_on(question, op, &leaf, ret);
	return code;
}

static int follow_calls(const struct descent *descent, struct answer *ret)
{
	const struct leaf *leaf = descent->depth < DEEPEST_LEAF ? descent->name->leaves : NULL;
	int code = 0;

	for (; leaf && !code; leaf = leaf->next) {
		struct str calls = leaf->calls, call = { 0 };
		const struct overload_answer *one = FIND(
			i, ret->overloads, ret->overload_count, str_eq(ret->overloads[i].name, leaf->op));

		if (!one || one->status != OP_COMPOSITE || (one->aside && !descent->overload.len))
			continue;
		while (!code && calls.len && str_cut(&calls, ' ', &call)) {
			if (!str_eq(call, leaf->op))
				code = follow_call(descent, call, ret);
		}
	}
	return code;
}

int resolve_leaves(struct resolver *resolver, const struct target *target, const struct op_query *query,
	struct answer *ret, struct err *err)
{
	struct question question = { .resolver = resolver,
		.release = target->release,
		.chip = target->chip,
		.reading = query->reading,
		.of_library = query->of_library };
	struct descent descent = { .question = &question, .overload = query->overload, .err = err };

	if (ret->status != OP_COMPOSITE)
		return 0;
	return facts_get(&resolver->facts, query->ns, query->base, &descent.name, err) ?:
		follow_calls(&descent, ret) ?:
		resolver_check(resolver, err);
}

/* --- gradients */

static unsigned distance(const struct gradient *gradient, unsigned place)
{
	if (place < gradient->first)
		return gradient->first - place;
	return place > gradient->last ? place - gradient->last : 0;
}

/* A plugin that registers its own gradient has its own formula, which is unknown. */
static bool has_own_gradient(const struct name_facts *name, const struct release *release)
{
	for (const struct overload *op = name->overloads; op; op = op->next) {
		for (const struct kernel *kernel = op->kernels; kernel; kernel = kernel->next) {
			bool autograd = kernel->key == KEY_AUTOGRAD_PRIVATEUSE1 || kernel->key == KEY_AUTOGRAD_XLA;

			if (autograd && kernel_holds(kernel, release))
				return true;
		}
	}
	return false;
}

int resolve_gradient(struct resolver *resolver, const struct target *target, const struct op_query *query,
	struct gradient_answer *ret, struct err *err)
{
	CLEANUP(buf_clear) struct buf text = BUF_UNLIMITED;
	unsigned place = target->release->torch_place, nearest = UINT32_MAX;
	const struct name_facts *name;
	int code = facts_get(&resolver->facts, query->ns, query->base, &name, err);

	*ret = (struct gradient_answer){ .calls = STR("") };
	if (code || has_own_gradient(name, target->release))
		return code;
	for (const struct gradient *at = name->gradients; at; at = at->next)
		nearest = distance(at, place) < nearest ? distance(at, place) : nearest;
	for (const struct gradient *at = name->gradients; at; at = at->next) {
		struct str calls = at->calls, call = { 0 };

		if (distance(at, place) != nearest)
			continue;
		ret->known = true;
		while (calls.len && str_cut(&calls, ' ', &call)) {
			if (!str_has_word(buf_str(&text), call))
				buf_printf(&text, "%s%.*s", text.len ? " " : "", STR_ARG(call));
		}
	}
	return copy_text(resolver, &text, &ret->calls, err);
}
