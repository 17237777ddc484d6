#include "assess/judge/trial_reading.h"

#include "base/value/words.h"
#include "op/profile.h"
#include "op/profile_links.h"

/* Where an operator may have come from: what it ran inside of, as far as the dump tells, else anything that was
   recorded. */
struct callers {
	const struct judge *judge;
	struct str name;
};

/* Operators looked at on the way up from one: PyTorch's own chains are far shorter. */
enum { MOST_ANCESTORS = 64 };

/* The links of a name; they are sorted by it. */
static const struct op_link *parents_of(const struct judge *judge, struct str name, size_t *ret_count)
{
	size_t count = 0, low = 0;
	const struct op_link *links = judge->profile ? profile_links(judge->profile, RELATION_PARENT, &count) : NULL;

	for (size_t high = count; low < high;) {
		size_t middle = low + (high - low) / 2;

		if (str_cmp(links[middle].name, name) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	for (*ret_count = 0; low + *ret_count < count && str_eq(links[low + *ret_count].name, name); ++*ret_count)
		;
	return links ? links + low : NULL;
}

enum ancestry { NOT_INSIDE, INSIDE, NOT_TOLD };

struct ancestors {
	struct str items[MOST_ANCESTORS];
	size_t count;
	enum ancestry found;
};

static void add_ancestor(struct ancestors *ancestors, struct str name, struct str wanted)
{
	if (str_eq(name, wanted) || str_eq(name, STR(LINK_COMPILED_REGION)))
		ancestors->found = INSIDE;
	else if ((!str_has(name, STR("::")) && !str_eq(name, STR(LINK_DATA_LOADER))) ||
		 ancestors->count == MOST_ANCESTORS)
		ancestors->found = NOT_TOLD;
	if (!STR_IS_AMONG(ancestors->items, ancestors->count, name) && ancestors->count < MOST_ANCESTORS)
		ancestors->items[ancestors->count++] = name;
}

/*
 * Whether a name ran inside of an operator, or inside of compiled code, which would hold another one elsewhere. A node
 * of autograd does not answer that: what it calls was chosen when the forward operator ran.
 */
static enum ancestry ran_inside(const struct judge *judge, struct str name, struct str wanted)
{
	struct ancestors ancestors = { .items = { name }, .count = 1 };

	for (size_t at = 0; at < ancestors.count && ancestors.found != INSIDE; at++) {
		size_t count;
		const struct op_link *parents = parents_of(judge, ancestors.items[at], &count);

		for (size_t i = 0; i < count && ancestors.found != INSIDE; i++)
			add_ancestor(&ancestors, parents[i].other, wanted);
	}
	return ancestors.found;
}

static bool may_call(void *ctx, struct str name)
{
	const struct callers *callers = ctx;
	const struct operators *operators = callers->judge->operators;
	size_t count;
	enum ancestry inside = NOT_TOLD;

	parents_of(callers->judge, callers->name, &count);
	if (count)
		inside = ran_inside(callers->judge, callers->name, name);
	return inside == NOT_TOLD ? STR_IS_AMONG(operators->items, operators->count, name) : inside == INSIDE;
}

bool trial_called_by_name(const struct judge *judge, const struct op *op)
{
	struct callers callers = { judge, op->name };

	return resolve_called_by_name(judge->resolver, op->ns, op->base, may_call, &callers);
}

/* A composite that chose this operator may be among the rows that are missing, or not. */
void trial_reading(struct trial *trial, const struct answer *answer)
{
	struct message *condition;

	if (answer->status != OP_EQUIVALENT || !trial->judge->rows_hidden ||
		!trial_called_by_name(trial->judge, trial->op) ||
		op_status_class(answer->explicit_status) == op_status_class(answer->status))
		return;
	trial_widen(trial, answer->explicit_status);
	condition = trial_condition(trial, "op-called-by-name");
	message_add(condition, "status", op_status_name(answer->explicit_status));
}
