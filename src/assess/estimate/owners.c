#include "assess/estimate/owners.h"

#include "base/memory/mem.h"

/* Roles of operators on the target. */
enum role { ROLE_NOTHING, ROLE_KERNEL, ROLE_HOST };

struct finding_owners {
	const struct owners_request *request;
	const struct profile_use *uses;
	enum role *roles;      /* by use */
	uint64_t *turns, *own; /* by use: in the ordered steps, and as an outermost kernel */
	bool *works;           /* by use: it or a part of it worked on the device of the dump */
	struct owners *ret;
};

static enum role role_of(const struct owners_request *request, size_t op, enum work_class class)
{
	enum op_status status = request->judgements[op].verdict.status;

	if (status == OP_CPU_FALLBACK || (request->host_work && request->host_work[op]))
		return ROLE_HOST;
	if (class == WORK_NONE || (status != OP_NATIVE && status != OP_NATIVE_JIT && status != OP_EQUIVALENT))
		return ROLE_NOTHING;
	return ROLE_KERNEL;
}

/* around is the outermost kernel or call of the host. */
static uint32_t enter_call(void *ctx, uint32_t use, uint32_t around)
{
	struct finding_owners *finding = ctx;

	finding->turns[use]++;
	if (around != NO_USE) {
		finding->works[around] |= finding->works[use];
		finding->ret->owner[use] = finding->roles[around] == ROLE_KERNEL ? around : NO_USE;
		return around;
	}
	if (finding->roles[use] == ROLE_NOTHING)
		return NO_USE;
	finding->own[use]++;
	finding->ret->owner[use] = finding->roles[use] == ROLE_KERNEL ? use : NO_USE;
	return use;
}

/* Returns whether a table shows that an operator spends its time in others of its class. */
static bool is_wrapper(const struct owners_request *request, size_t index)
{
	const struct op *op = &request->operators->items[index];
	enum work_class class = request->calls->costs[op->uses[0]].class;

	if (request->calls->launched)
		return op->self_device_ns <= 0;
	if (op->self_cpu_ns * 2 >= op->cpu_total_ns)
		return false;
	for (size_t i = 0; i < request->operators->count; i++) {
		const struct op *other = &request->operators->items[i];

		if (i != index && other->use_count && request->calls->costs[other->uses[0]].class == class &&
			other->self_cpu_ns * 2 >= other->cpu_total_ns && other->self_cpu_ns > 0)
			return true;
	}
	return false;
}

/* Of calls that the order does not show, those of the same operator speak. */
static void settle_operator(struct finding_owners *finding, size_t index)
{
	const struct op *op = &finding->request->operators->items[index];
	uint64_t turns = 0, own = 0;
	bool wrapper = !finding->request->calls->ordered && op->use_count && is_wrapper(finding->request, index);

	for (size_t i = 0; i < op->use_count; i++) {
		turns += finding->turns[op->uses[i]];
		own += finding->own[op->uses[i]];
	}
	for (size_t i = 0; i < op->use_count; i++) {
		uint32_t use = op->uses[i];

		if (finding->roles[use] != ROLE_KERNEL || wrapper ||
			(finding->request->calls->launched && !finding->works[use])) /* on the host there, too */
			continue;
		if (finding->turns[use]) {
			finding->ret->own[use] = (double)finding->own[use] / (double)finding->turns[use];
			continue;
		}
		finding->ret->own[use] = turns ? (double)own / (double)turns : 1;
		finding->ret->owner[use] = use;
	}
}

void owners_find(struct arena *arena, const struct owners_request *request, struct owners *ret)
{
	size_t count;
	struct finding_owners finding = {
		.request = request, .uses = profile_uses(request->calls->profile, &count), .ret = ret
	};

	*ret = (struct owners){ arena_alloc(arena, (count + 1) * sizeof(ret->own[0])),
		arena_alloc(arena, (count + 1) * sizeof(ret->owner[0])) };
	finding.roles = arena_alloc(arena, (count + 1) * sizeof(finding.roles[0]));
	finding.turns = arena_alloc(arena, (count + 1) * sizeof(finding.turns[0]));
	finding.own = arena_alloc(arena, (count + 1) * sizeof(finding.own[0]));
	finding.works = arena_alloc(arena, (count + 1) * sizeof(finding.works[0]));
	for (size_t i = 0; i < count; i++) {
		ret->owner[i] = NO_USE;
		finding.works[i] = calls_work(request->calls, i);
	}
	for (size_t i = 0; i < request->operators->count; i++) {
		const struct op *op = &request->operators->items[i];

		for (size_t k = 0; k < op->use_count; k++)
			finding.roles[op->uses[k]] = role_of(request, i, request->calls->costs[op->uses[k]].class);
	}
	calls_walk(request->calls->profile, enter_call, &finding);
	for (size_t i = 0; i < request->operators->count; i++)
		settle_operator(&finding, i);
}
