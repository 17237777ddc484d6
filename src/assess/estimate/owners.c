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
static void settle_operator(struct finding_owners *all, size_t index)
{
	const struct calls *calls = all->calls;
	const struct op *op = &all->judge->operators->items[index];
	uint64_t turns = 0, own = 0;
	bool wrapper = !calls->ordered && op->use_count && is_wrapper(all, index);

	for (size_t i = 0; i < op->use_count; i++) {
		turns += calls->items[op->uses[i]].turns;
		own += all->items[op->uses[i]].own;
	}
	for (size_t i = 0; i < op->use_count; i++) {
		uint32_t use = op->uses[i];
		const struct finding *item = &all->items[use];
		uint64_t use_turns = calls->items[use].turns;

		if (item->role != ROLE_KERNEL || wrapper || (calls->launched && !item->works)) /* the host's there */
			continue;
		if (use_turns) {
			all->owners[use].own = (double)item->own / (double)use_turns;
			continue;
		}
		all->owners[use] = (struct owner){ turns ? (double)own / (double)turns : 1, use };
	}
}

const struct owner *owners_find(
	struct arena *arena, const struct calls *calls, const struct judge *judge, const struct judgement *judgements)
{
	struct finding_owners all = { calls, judge, judgements,
		.owners = arena_alloc(arena, (calls->count + 1) * sizeof(all.owners[0])),
		.items = arena_alloc(arena, (calls->count + 1) * sizeof(all.items[0])) };

	for (size_t i = 0; i < calls->count; i++) {
		all.owners[i].owner = NO_USE;
		all.items[i].works = calls_work(calls, i);
	}
	for (size_t i = 0; i < judge->operators->count; i++) {
		const struct op *op = &judge->operators->items[i];

		for (size_t k = 0; k < op->use_count; k++) {
			op_fetch_ahead(op, calls->items, k);
			all.items[op->uses[k]].role = role_of(&all, i, calls->items[op->uses[k]].cost.class);
		}
	}
	calls_walk(calls->profile, enter_call, &all);
	for (size_t i = 0; i < judge->operators->count; i++)
		settle_operator(&all, i);
	return all.owners;
}
