#include "opdb/prove.h"
#include "opdb/resolve.h"

/* Composites that call composites: PyTorch's own chains are shorter. */
enum { DEEPEST_LEAF = 4 };

/* What passes from a leaf to the composite. */
enum {
	PASSED_ON = FLAG_HOST_PATH | FLAG_AICPU | FLAG_JIT_COMPILE | FLAG_DTYPE_LIMITED | FLAG_SOC_LIMITED |
		    FLAG_REPORTED_BROKEN
};

static int add_leaves(const struct question *question, const struct name_facts *name, struct str overload,
	unsigned depth, struct answer *ret, struct err *err);

static void pass_on(const struct question *question, struct str op, const struct answer *leaf, struct answer *ret)
{
	if (op_status_class(leaf->status) != CLASS_DEVICE)
		ret->leaves = JOIN(question, ret->leaves, ret->leaves.len ? STR(", ") : STR(""), op, STR(": "),
			op_status_name(leaf->status));
	else if (leaf->flags & (FLAG_DTYPE_LIMITED | FLAG_REPORTED_BROKEN))
		ret->leaves = JOIN(question, ret->leaves, ret->leaves.len ? STR(", ") : STR(""), op, STR(": limited"));
	if (leaf->status > ret->leaf)
		ret->leaf = leaf->status;
	if (leaf->leaf > ret->leaf)
		ret->leaf = leaf->leaf;
	ret->flags |= leaf->flags & PASSED_ON;
	ret->refused |= leaf->refused & ~ret->accepted;
	ret->slow |= leaf->slow;
}

/* One call of a composite body. A name that the release lacks was called on another version: nothing follows. */
static int add_call(const struct question *question, struct str op, unsigned depth, struct answer *ret, struct err *err)
{
	size_t dot = str_find(op, STR("."));
	struct str overload = dot == STR_NONE ? STR("") : str_skip(op, dot + 1);
	const struct name_facts *name;
	struct answer leaf;
	int code = facts_get(&question->resolver->facts, STR("aten"), base_of(op), &name, err);

	if (!code)
		code = answer_name(question, name, overload, &leaf, err);
	if (!code)
		code = add_leaves(question, name, overload, depth + 1, &leaf, err);
	if (!code && leaf.status != OP_UNKNOWN)
		pass_on(question, op, &leaf, ret);
	return code;
}

/* Whether the overload is one that was asked about and is a composite on the release. */
static bool follows(const struct answer *answer, struct str op, struct str overload)
{
	for (size_t i = 0; i < answer->overload_count; i++) {
		const struct overload_answer *one = &answer->overloads[i];

		if (str_eq(one->name, op))
			return one->status == OP_COMPOSITE && (overload.len || !one->aside);
	}
	return false;
}

static int add_leaves(const struct question *question, const struct name_facts *name, struct str overload,
	unsigned depth, struct answer *ret, struct err *err)
{
	int code = 0;

	for (const struct leaf *leaf = name->leaves; leaf && !code && depth < DEEPEST_LEAF; leaf = leaf->next) {
		struct str calls = leaf->calls, call = { 0 };

		if (!follows(ret, leaf->op, overload))
			continue;
		while (!code && calls.len && str_cut(&calls, ' ', &call)) {
			if (!str_eq(call, leaf->op))
				code = add_call(question, call, depth, ret, err);
		}
	}
	return code;
}

int resolve_leaves(struct resolver *resolver, const struct target *target, struct str ns, struct str base,
	struct str overload, enum reading reading, struct answer *ret, struct err *err)
{
	struct question question = { resolver, target->release, target->chip, reading, false };
	const struct name_facts *name;
	int code = ret->status == OP_COMPOSITE ? facts_get(&resolver->facts, ns, base, &name, err) : 0;

	if (code || ret->status != OP_COMPOSITE)
		return code;
	code = add_leaves(&question, name, overload, 0, ret, err);
	return code || !resolver->full ? code : err_set(err, ERR_LIMIT, "the answers take too much memory");
}
