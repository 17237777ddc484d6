#include "assess/compare/agree.h"

#include <stdlib.h>

#include "base/memory/mem.h"
#include "base/value/figure.h"
#include "base/value/words.h"
#include "opdb/model/answer.h"

/* Outcomes of a call, from best to worst. */
enum fate { ON_DEVICE, ON_AICPU, ON_HOST, RAISES, FATE_COUNT };

/* From the best to the worst that may become of a call. */
struct fates {
	enum fate best, worst;
};

/* --- what was predicted */

/* The outcome that a status implies for every call. A package may be there or not, so needs-package says nothing
   against any sight. */
static bool fates_of_status(enum op_status status, struct fates *ret)
{
	static const struct fates fates[OP_STATUS_COUNT] = {
		[OP_NATIVE] = { ON_DEVICE, ON_DEVICE },
		[OP_NATIVE_JIT] = { ON_DEVICE, ON_DEVICE },
		[OP_COMPOSITE] = { ON_DEVICE, ON_DEVICE },
		[OP_EQUIVALENT] = { ON_DEVICE, ON_DEVICE },
		[OP_CPU_FALLBACK] = { ON_HOST, ON_HOST },
		[OP_UNSUPPORTED] = { RAISES, RAISES },
		[OP_NEEDS_PACKAGE] = { ON_DEVICE, RAISES },
	};

	if (status == OP_UNKNOWN)
		return false;
	*ret = fates[status];
	return true;
}

static void widen(struct fates *fates, struct fates other)
{
	fates->best = other.best < fates->best ? other.best : fates->best;
	fates->worst = other.worst > fates->worst ? other.worst : fates->worst;
}

/* A verdict is an interval: calls of other overloads than the one that decides, flags that hold in some cases, and
   conditions that the dump could not tell. */
static bool fates_of(const struct result_verdict *verdict, struct fates *ret)
{
	if (!fates_of_status(verdict->status, ret))
		return false;
	for (size_t i = 0; i < verdict->overload_count; i++) {
		struct fates overload;

		if (fates_of_status(verdict->overloads[i].status, &overload))
			widen(ret, overload);
	}
	if (verdict->flags & FLAG_AICPU)
		widen(ret, (struct fates){ ret->best, ON_AICPU });
	if (verdict->flags & FLAG_HOST_PATH)
		widen(ret, (struct fates){ ret->best, ON_HOST });
	if (verdict->condition_count || (verdict->flags & FLAG_REPORTED_BROKEN))
		widen(ret, (struct fates){ ret->best, RAISES });
	return true;
}

/* --- what was seen */

/* A call that returned ran somewhere. False for one of which nothing is known. */
static bool fates_of_sight(enum where where, struct fates *ret)
{
	static const struct fates sights[WHERE_COUNT] = {
		[WHERE_DEVICE] = { ON_DEVICE, ON_DEVICE },
		[WHERE_AICPU] = { ON_AICPU, ON_AICPU },
		[WHERE_HOST] = { ON_HOST, ON_HOST },
		[WHERE_RAISED] = { RAISES, RAISES },
		[WHERE_RAN] = { ON_DEVICE, ON_HOST },
	};

	*ret = sights[where];
	return where >= WHERE_RAN && where <= WHERE_RAISED;
}

enum agreement_outcome agree_outcome(const struct result_verdict *verdict, enum where where)
{
	struct fates predicted, observed;

	if (!fates_of_sight(where, &observed))
		return OUTCOME_NOT_OBSERVABLE;
	if (!fates_of(verdict, &predicted))
		return OUTCOME_NOT_PREDICTED;
	if (observed.worst < predicted.best)
		return OUTCOME_WORSE;
	if (observed.best > predicted.worst)
		return OUTCOME_BETTER;
	return observed.best == observed.worst ? OUTCOME_AGREES : OUTCOME_NOT_OBSERVABLE;
}

const struct result_verdict *verdict_on(const struct result_operator *op, struct str target)
{
	size_t at = STR_POSITION(op->verdicts, op->verdict_count, target);

	return at == STR_NONE ? NULL : &op->verdicts[at];
}

/* --- entries */

static struct agreement_entry entry_of(const struct agree_item *item)
{
	struct agreement_entry entry = { .operator_name = item->name,
		.outcome = item->outcome,
		.implied = item->implied,
		.predicted = item->verdict ? item->verdict->status : OP_STATUS_COUNT,
		.observed = WHERE_ABSENT,
		.calls = item->calls,
		.self_device_ns = item->self_device_ns };

	if (item->observed) {
		entry.observed = item->observed->where;
		entry.evidence = item->observed->evidence;
		entry.evidence_count = item->observed->evidence_count;
	}
	if (entry.outcome == OUTCOME_COUNT)
		entry.outcome = item->verdict && item->observed ? agree_outcome(item->verdict, item->observed->where)
								: OUTCOME_NOT_OBSERVABLE;
	return entry;
}

static int by_weight(const void *a, const void *b)
{
	const struct agreement_entry *left = a, *right = b;

	return ORDER(left->outcome, right->outcome) ?:
	       ORDER(right->self_device_ns, left->self_device_ns) ?:
	       ORDER(right->calls, left->calls) ?:
	       str_cmp(left->operator_name, right->operator_name);
}

static void put_entries(struct arena *arena, const struct agree_item *items, size_t count, struct agreement *ret)
{
	ret->entries = arena_alloc(arena, (count + 1) * sizeof(ret->entries[0]));
	ret->entry_count = count;
	for (size_t i = 0; i < count; i++)
		ret->entries[i] = entry_of(&items[i]);
	if (count)
		qsort(ret->entries, count, sizeof(ret->entries[0]), by_weight);
}

/* --- sums */

static void put_sums(struct arena *arena, struct agreement *ret)
{
	ret->sums = arena_alloc(arena, OUTCOME_COUNT * sizeof(ret->sums[0]));
	for (size_t i = 0; i < ret->entry_count; i++) {
		const struct agreement_entry *entry = &ret->entries[i];
		struct agreement_sum *sum;

		if (!ret->sum_count || ret->sums[ret->sum_count - 1].outcome != entry->outcome)
			ret->sums[ret->sum_count++] = (struct agreement_sum){ .outcome = entry->outcome };
		sum = &ret->sums[ret->sum_count - 1];
		sum->operators++;
		sum->calls = figure_count(sum->calls, entry->calls);
		sum->device_ns = figure_add(sum->device_ns, entry->self_device_ns > 0 ? entry->self_device_ns : 0);
	}
}

const struct agreement_sum *agreement_sum_of(const struct agreement *agreement, enum agreement_outcome outcome)
{
	return FIND(i, agreement->sums, agreement->sum_count, agreement->sums[i].outcome == outcome);
}

/* Rounded down: what is not all must not pass for all. */
static int64_t share(int64_t part, int64_t whole)
{
	return whole > 0 ? (int64_t)((__int128)part * 1000000 / whole) : -1;
}

static void put_score(struct agreement *ret)
{
	static const enum agreement_outcome decided[] = { OUTCOME_AGREES, OUTCOME_WORSE, OUTCOME_BETTER };
	struct agreement_sum right = { 0 }, all = { 0 };

	for (size_t i = 0; i < ARRAY_SIZE(decided); i++) {
		const struct agreement_sum *sum = agreement_sum_of(ret, decided[i]);

		if (!sum)
			continue;
		all.operators += sum->operators;
		all.calls = figure_count(all.calls, sum->calls);
		all.device_ns = figure_add(all.device_ns, sum->device_ns);
		if (decided[i] == OUTCOME_AGREES)
			right = *sum;
	}
	ret->score = (struct agreement_score){ share((int64_t)right.operators, (int64_t)all.operators),
		share((int64_t)right.calls, (int64_t)all.calls), share(right.device_ns, all.device_ns) };
	ret->state = all.operators ? AGREEMENT_COMPARED : AGREEMENT_NOT_OBSERVABLE;
}

void agree(struct arena *arena, const struct agree_item *items, size_t count, struct agreement *ret)
{
	*ret = (struct agreement){ .target = ret->target, .made_on = ret->made_on };
	put_entries(arena, items, count, ret);
	put_sums(arena, ret);
	put_score(ret);
}
