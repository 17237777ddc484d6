#include "assess/judge/host_work.h"

#include "assess/judge/assume.h"
#include "base/memory/map.h"
#include "base/value/figure.h"
#include "op/profile_links.h"

enum { DEEPEST = 16 };

bool *host_work_find(struct arena *arena, const struct profile *profile, const struct operators *operators,
	const struct assumption_list *assumptions)
{
	bool *host = arena_alloc(arena, operators->count + 1);
	uint64_t *calls = arena_alloc(arena, (operators->count + 1) * sizeof(calls[0]));
	CLEANUP(map_clear) struct map by_name = { 0 };
	size_t link_count;
	const struct op_link *links = profile_links(profile, RELATION_PARENT, &link_count);
	bool added = true;

	for (size_t i = 0; i < operators->count; i++)
		map_add_name(&by_name, operators->items[i].name, (uint32_t)i);
	for (unsigned depth = 0; depth < DEEPEST && added; depth++) {
		memset(calls, 0, operators->count * sizeof(calls[0]));
		for (size_t i = 0; i < link_count; i++) {
			uint32_t child = MAP_FIND(&by_name, operators->items, links[i].name);
			uint32_t parent = MAP_FIND(&by_name, operators->items, links[i].other);

			if (child != MAP_NONE &&
				(str_eq(links[i].other, STR(LINK_DATA_LOADER)) || (parent != MAP_NONE && host[parent])))
				calls[child] = figure_count(calls[child], links[i].calls);
		}
		added = false;
		for (size_t i = 0; i < operators->count; i++) {
			const struct op *op = &operators->items[i];

			if (!host[i] && op->self_device_ns <= 0 && op->calls && calls[i] >= op->calls)
				host[i] = added = true;
		}
	}
	for (size_t i = 0; i < operators->count; i++)
		host[i] &= !assumption_about(assumptions, operators->items[i].name);
	return host;
}

void host_work_judge(struct judgement *judgement)
{
	struct result_verdict verdict = judgement->verdict;

	if (!judgement_runs_on_device(verdict.status))
		verdict.status = OP_NATIVE;
	verdict.flags = FLAG_HOST_WORK;
	verdict.via = STR("host work: only a DataLoader calls it, so the CPU runs it");
	verdict.overload_count = verdict.condition_count = verdict.advice_count = 0;
	verdict.aicpu = (struct result_interval){ 0 };
	*judgement = (struct judgement){ .verdict = verdict, .best = verdict.status, .worst = verdict.status };
}
