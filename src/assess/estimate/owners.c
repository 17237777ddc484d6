#include "assess/estimate/owners.h"

/* Roles of operators on the target. */
enum role { ROLE_NOTHING, ROLE_KERNEL, ROLE_HOST };

struct finding_owners {
	const struct calls *calls;
	const struct judge *judge;
	const struct judgement *judgements;
	struct owner *owners;
	struct finding {
		enum role role;
		bool works;   /* it or a part of it worked on the device of the dump */
		uint64_t own; /* of its turns: as an outermost kernel */
	} * items;            /* by use */
	struct op_turns {
		uint64_t turns, own; /* of all its uses */
		bool wrapper;
	} * operators;
};

static enum role role_of(const struct finding_owners *all, size_t op, enum work_class class)
{
	enum op_status status = all->judgements[op].verdict.status;

	if (status == OP_CPU_FALLBACK || (all->judge->host_work && all->judge->host_work[op]))
		return ROLE_HOST;
	if (class == WORK_NONE || (status != OP_NATIVE && status != OP_NATIVE_JIT && status != OP_EQUIVALENT))
		return ROLE_NOTHING;
	return ROLE_KERNEL;
}

/* around is the outermost kernel or call of the host. */
static uint32_t enter_call(void *ctx, const struct call_turn *turn)
{
	struct finding_owners *all = ctx;
	struct finding *item = &all->items[turn->use];
	uint32_t outermost = turn->around == NO_USE ? turn->use : turn->around;

	if (all->items[outermost].role == ROLE_NOTHING)
		return NO_USE;
	all->owners[turn->use].owner = all->items[outermost].role == ROLE_KERNEL ? outermost : NO_USE;
	all->items[outermost].works |= item->works;
	item->own += turn->around == NO_USE;
	return outermost;
}

/* Returns whether a table shows that an operator spends its time in others of its class. */
static bool is_wrapper(const struct finding_owners *all, size_t index)
{
	const struct operators *operators = all->judge->operators;
	const struct op *op = &operators->items[index];
	enum work_class class = all->calls->items[op->uses[0]].cost.class;

	if (all->calls->launched)
		return op->self_device_ns <= 0;
	if (op->self_cpu_ns * 2 >= op->cpu_total_ns)
		return false;
	return ANY(i, operators->count,
		i != index && operators->items[i].use_count &&
			all->calls->items[operators->items[i].uses[0]].cost.class == class &&
			operators->items[i].self_cpu_ns * 2 >= operators->items[i].cpu_total_ns &&
			operators->items[i].self_cpu_ns > 0);
}

/* Of calls that the order does not show, those of the same operator speak. */
static void settle_use(struct finding_owners *all, uint32_t use, const struct op_turns *of)
{
	const struct finding *item = &all->items[use];
	uint64_t turns = all->calls->items[use].turns;

	if (item->role != ROLE_KERNEL || of->wrapper || (all->calls->launched && !item->works)) /* the host's there */
		return;
	if (turns)
		all->owners[use].own = (double)item->own / (double)turns;
	else
		all->owners[use] = (struct owner){ of->turns ? (double)of->own / (double)of->turns : 1, use };
}

const struct owner *owners_find(
	struct arena *arena, const struct calls *calls, const struct judge *judge, const struct judgement *judgements)
{
	const struct operators *operators = judge->operators;
	const uint32_t *of_uses = operators->of_uses;
	struct finding_owners all = { calls, judge, judgements,
		.owners = arena_alloc(arena, (calls->count + 1) * sizeof(all.owners[0])),
		.items = arena_alloc(arena, (calls->count + 1) * sizeof(all.items[0])),
		.operators = arena_alloc(arena, (operators->count + 1) * sizeof(all.operators[0])) };

	for (size_t i = 0; i < calls->count; i++) {
		all.owners[i].owner = NO_USE;
		all.items[i].works = calls_work(calls, i);
		if (of_uses[i] != NO_OPERATOR)
			all.items[i].role = role_of(&all, of_uses[i], calls->items[i].cost.class);
	}
	calls_walk(calls->profile, enter_call, &all);
	for (size_t i = 0; i < operators->count; i++)
		all.operators[i].wrapper = !calls->ordered && operators->items[i].use_count && is_wrapper(&all, i);
	for (size_t i = 0; i < calls->count && calls->ordered; i++) {
		if (of_uses[i] == NO_OPERATOR)
			continue;
		all.operators[of_uses[i]].turns += calls->items[i].turns;
		all.operators[of_uses[i]].own += all.items[i].own;
	}
	for (size_t i = 0; i < calls->count; i++) {
		if (of_uses[i] != NO_OPERATOR)
			settle_use(&all, (uint32_t)i, &all.operators[of_uses[i]]);
	}
	return all.owners;
}
