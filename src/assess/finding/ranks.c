#include "assess/finding/ranks.h"

#include "assess/finding/headline.h"
#include "base/memory/mem.h"
#include "base/value/figure.h"

struct rank {
	int64_t whole, runs_lo, runs_hi, device_lo, device_hi, slow;
	bool stops, package, open;
};

static int64_t weight_of(const struct profile_use *use, enum basis basis)
{
	int64_t weight = basis == BASIS_DEVICE_TIME ? use->self_device_ns
			 : basis == BASIS_CPU_TIME  ? use->self_cpu_ns
						    : (int64_t)use->calls;

	return weight > 0 ? weight : 0;
}

/* One operator of a rank. */
static void add_judgement(struct rank *rank, const struct judgement *judgement, int64_t weight)
{
	enum op_status worst = judgement_worst(judgement);
	bool blocked = op_status_class(judgement->best) == CLASS_BLOCKED;

	if (judgement->verdict.flags & FLAG_HOST_WORK)
		return;
	rank->whole = figure_add(rank->whole, weight);
	rank->runs_lo = figure_add(rank->runs_lo, judgement_runs(worst) ? weight : 0);
	rank->runs_hi = figure_add(rank->runs_hi, judgement_runs(judgement->best) ? weight : 0);
	rank->device_lo = figure_add(rank->device_lo, judgement_runs_on_device(worst) ? weight : 0);
	rank->device_hi = figure_add(rank->device_hi, judgement_runs_on_device(judgement->best) ? weight : 0);
	if (op_status_class(judgement->best) == CLASS_CPU && worst == judgement->best)
		rank->slow = figure_add(rank->slow, weight);
	else if (judgement_runs_on_device(worst))
		rank->slow = figure_add(
			rank->slow, (int64_t)((__int128)weight * judgement->verdict.aicpu.lo_ppm / WHOLE_PPM));
	rank->stops |= blocked && judgement->verdict.status != OP_NEEDS_PACKAGE;
	rank->package |= blocked && judgement->verdict.status == OP_NEEDS_PACKAGE;
	rank->open |= op_status_class(worst) >= CLASS_BLOCKED;
}

static void add_uses(const struct reason_request *request, const struct profile *profile, struct rank *ranks)
{
	const struct operators *operators = request->weights->operators;
	size_t count;
	const struct profile_use *uses = profile_uses(profile, &count);

	for (size_t i = 0; i < operators->count; i++) {
		const struct op *op = &operators->items[i];

		for (size_t j = 0; j < op->use_count; j++) {
			const struct profile_use *use = &uses[op->uses[j]];

			op_fetch_ahead(op, uses, j);
			add_judgement(
				&ranks[use->stream], &request->judgements[i], weight_of(use, request->weights->basis));
		}
	}
}

static enum headline_word word_of(const struct rank *rank, bool open, int64_t slow_ppm)
{
	return rank->stops                                      ? HEADLINE_STOPS
	       : rank->package                                  ? HEADLINE_PACKAGE
	       : rank->open || open                             ? HEADLINE_UNKNOWN
	       : share_ppm(rank->slow, rank->whole) >= slow_ppm ? HEADLINE_SLOWLY
								: HEADLINE_RUNS;
}

/* The share that line 1 of the target shows first. */
static struct result_interval share_of(const struct rank *rank, enum headline_word word)
{
	bool runs = word == HEADLINE_RUNS || word == HEADLINE_SLOWLY;

	return (struct result_interval){ share_ppm(runs ? rank->device_lo : rank->runs_lo, rank->whole),
		share_ppm(runs ? rank->device_hi : rank->runs_hi, rank->whole) };
}

void headline_put_ranks(const struct reason_request *request, const struct profile *profile, struct result *result)
{
	CLEANUP(arena_clear) struct arena scratch = ARENA_INIT(ARENA_UNLIMITED);
	struct result_target *target = &result->targets[request->target];
	struct result_headline *headline = &target->headline;
	size_t count, worst = SIZE_MAX;
	const struct profile_stream *streams = profile_streams(profile, &count);
	struct rank *ranks;
	bool runs = headline_is_run(target->verdict);
	struct result_interval spread = { WHOLE_PPM, 0 }, all = runs ? target->readiness.time : target->coverage.time;
	enum headline_word worst_word = HEADLINE_WORDS;
	int64_t worst_share = 0;

	if (count < 2)
		return;
	ranks = arena_alloc(&scratch, (count + 1) * sizeof(ranks[0]));
	add_uses(request, profile, ranks);
	for (size_t i = 0; i < count; i++) {
		enum headline_word word = word_of(
			&ranks[i], target->verdict == VERDICT_INCONCLUSIVE, request->weights->slow_ppm);
		struct result_interval share = share_of(&ranks[i], headline->word);

		if (!ranks[i].whole)
			continue;
		headline->ranks++;
		spread.lo_ppm = share.lo_ppm < spread.lo_ppm ? share.lo_ppm : spread.lo_ppm;
		spread.hi_ppm = share.hi_ppm > spread.hi_ppm ? share.hi_ppm : spread.hi_ppm;
		if (word > worst_word || (word == worst_word && share.lo_ppm >= worst_share))
			continue;
		worst = i;
		worst_word = word;
		worst_share = share.lo_ppm;
	}
	if (headline->ranks < 2) {
		headline->ranks = 0;
	} else {
		headline->rank = streams[worst].label.len ? arena_keep(&result->arena, streams[worst].label)
							  : arena_printf(&result->arena, "rank%zu", worst);
		headline->spread = spread;
		if (all.lo_ppm < spread.lo_ppm) /* time of no operator is of no rank */
			headline->spread.lo_ppm = all.lo_ppm;
	}
}
