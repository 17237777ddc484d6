#include "assess/plan/penalty.h"

#include <stdlib.h>

#include "base/memory/hash.h"
#include "base/memory/mem.h"
#include "base/value/figure.h"

const char *const penalty_sources[2] = { "https://github.com/vllm-project/vllm-ascend/issues/14324",
	"https://github.com/Comfy-Org/ComfyUI/pull/10050" };

static bool compiles(const struct judgement *judgement)
{
	return (judgement->verdict.status == OP_NATIVE_JIT && !(judgement->verdict.flags & FLAG_HOST_WORK)) ||
	       (judgement->verdict.flags & FLAG_JIT_COMPILE);
}

/* --- kernels */

/* Compilations of one rank. */
struct tally {
	uint64_t all, first;
};

/* Counts an operator's shapes to the ranks that ran it. */
static void count_uses(
	const struct profile_use *uses, const struct op *op, struct tally *tallies, struct result_compiling *ret)
{
	ret->operators++;
	for (size_t i = 0; i < op->use_count; i++) {
		const struct profile_use *use = &uses[op->uses[i]];

		if (!use->calls)
			continue;
		tallies[use->stream].all++;
		tallies[use->stream].first += !use->steps.count || step_runs_items(&use->steps)->first <= 1;
		ret->at_least |= !use->shapes.len || use->shapes_cut;
	}
}

struct result_compiling *penalty_of(const struct cost_request *request, size_t target, struct arena *arena)
{
	const struct operators *operators = request->judge->operators;
	const struct chip *chip = request->targets[target].chip;
	size_t stream_count, use_count;
	const struct profile_use *uses = profile_uses(request->judge->profile, &use_count);
	struct result_compiling found = { .mode = chip && chip->jit_default ? COMPILES_BY_CHIP : COMPILES_BY_OPERATOR },
				*ret;
	struct tally *tallies;

	profile_streams(request->judge->profile, &stream_count);
	tallies = mem_zalloc((stream_count + 1) * sizeof(tallies[0]));
	for (size_t i = 0; i < operators->count; i++) {
		if (compiles(&request->judgements[target][i]))
			count_uses(uses, &operators->items[i], tallies, &found);
	}
	for (size_t i = 0; i < stream_count; i++) {
		if (tallies[i].all > found.compiles)
			found.first = 0;
		if (tallies[i].all >= found.compiles) {
			found.compiles = tallies[i].all;
			found.first = tallies[i].first > found.first ? tallies[i].first : found.first;
		}
	}
	free(tallies);
	if (!found.compiles)
		return NULL;
	found.stall_lo_ms = figure_add(0, (int64_t)found.compiles * COMPILE_LO_MS);
	found.stall_hi_ms = figure_add(0, (int64_t)found.compiles * COMPILE_HI_MS);
	ret = arena_alloc(arena, sizeof(*ret));
	*ret = found;
	return ret;
}

/* --- graphs */

enum { MOST_STEPS = 1 << 22 };

/* For each step of a stream a sum of numbers of the uses in it: changes at the ends of their runs first, then added up.
   */
static void add_runs(uint64_t *steps, uint32_t count, const struct step_runs *runs, uint64_t number)
{
	const struct step_run *items = step_runs_items(runs);

	for (size_t i = 0; i < runs->count && items[i].last <= count; i++) {
		steps[items[i].first] += number;
		steps[items[i].last + 1] -= number;
	}
}

static int by_value(const void *a, const void *b)
{
	return ORDER(*(const int64_t *)a, *(const int64_t *)b);
}

/* steps[1] to steps[count] are the steps. */
static uint64_t count_distinct(uint64_t *steps, uint32_t count)
{
	uint64_t distinct = 0;

	for (uint32_t i = 1; i <= count; i++)
		steps[i] += steps[i - 1];
	qsort(steps + 1, count, sizeof(steps[0]), by_value);
	for (uint32_t i = 1; i <= count; i++)
		distinct += steps[i] && (i == 1 || steps[i] != steps[i - 1]);
	return distinct;
}

/* Adds up the uses of a stream; false when they do not tell in which steps they were. */
static bool graphs_of(const struct cost_request *request, uint32_t stream, uint32_t count, uint64_t *ret)
{
	size_t use_count;
	const struct profile_use *uses = profile_uses(request->judge->profile, &use_count);
	CLEANUP(mem_release) uint64_t *steps = mem_zalloc(((size_t)count + 2) * sizeof(steps[0]));
	bool known = true;

	for (size_t i = 0; i < use_count && known; i++) {
		if (uses[i].stream != stream || request->judge->operators->of_uses[i] == NO_OPERATOR || !uses[i].calls)
			continue;
		known = uses[i].shapes.len && !uses[i].shapes_cut && !uses[i].steps.coarse;
		add_runs(steps, count, &uses[i].steps, hash_mix(i + 1, hash_seed() | 1));
	}
	*ret = known ? count_distinct(steps, count) : 0;
	return known;
}

bool penalty_graphs(const struct cost_request *request, uint64_t *ret)
{
	size_t count;
	const struct profile_stream *streams = profile_streams(request->judge->profile, &count);

	*ret = 0;
	if (request->judge->rows_hidden)
		return false;
	for (size_t i = 0; i < count; i++) {
		uint64_t graphs;

		if (!streams[i].steps)
			continue;
		if (streams[i].steps > MOST_STEPS || streams[i].averaged ||
			!graphs_of(request, (uint32_t)i, streams[i].steps, &graphs))
			return false;
		*ret = graphs > *ret ? graphs : *ret;
	}
	return *ret > 0;
}
