#include "assess/gate/baseline.h"

#include <stdlib.h>

#include "assess/model/words.h"
#include "base/memory/mem.h"

static void add_known(
	struct baseline *baseline, struct arena *arena, const struct result_finding *findings, size_t count)
{
	for (size_t i = 0; i < count; i++)
		baseline->known[baseline->known_count++] = (struct baseline_finding){
			arena_keep(arena, findings[i].fingerprint), arena_keep(arena, findings[i].target)
		};
}

struct baseline baseline_of(const struct result *earlier, struct arena *arena)
{
	struct baseline ret = { .base = { earlier->basis, earlier->shown_ppm } };

	ret.known = mem_zalloc((earlier->finding_count + earlier->waived_count + 1) * sizeof(ret.known[0]));
	add_known(&ret, arena, earlier->findings, earlier->finding_count);
	add_known(&ret, arena, earlier->waived, earlier->waived_count);
	qsort(ret.known, ret.known_count, sizeof(ret.known[0]), str_order);
	ret.targets = arena_alloc(arena, (earlier->target_count + 1) * sizeof(ret.targets[0]));
	for (size_t i = 0; i < earlier->target_count; i++) {
		const struct result_target *target = &earlier->targets[i];

		if (target->headline.why.id)
			ret.targets[ret.target_count++] = (struct baseline_target){ arena_keep(arena, target->id),
				target->headline.word };
	}
	return ret;
}

void baseline_clear(struct baseline *baseline)
{
	free(baseline->known);
	*baseline = (struct baseline){ 0 };
}

bool baseline_has(const struct baseline *baseline, struct str fingerprint)
{
	return baseline->known_count &&
	       bsearch(&fingerprint, baseline->known, baseline->known_count, sizeof(baseline->known[0]), str_order);
}

/* --- changes */

static void add_change(struct result *result, const struct message *change)
{
	result->policy.changes[result->policy.change_count++] = *change;
}

/* Findings that the result lacks and could have: it has their target. */
static size_t count_fixed(const struct baseline *baseline, const struct result *result)
{
	size_t fixed = 0, count = result->finding_count + result->waived_count;
	CLEANUP(mem_release) struct str *now = mem_zalloc((count + 1) * sizeof(now[0]));

	for (size_t i = 0; i < count; i++)
		now[i] = i < result->finding_count ? result->findings[i].fingerprint
						   : result->waived[i - result->finding_count].fingerprint;
	qsort(now, count, sizeof(now[0]), str_order);
	for (size_t i = 0; i < baseline->known_count; i++) {
		const struct baseline_finding *known = &baseline->known[i];
		bool could = !known->target.len || STR_IS_AMONG(result->targets, result->target_count, known->target);

		fixed += could && (!i || !str_eq(known[-1].fingerprint, known->fingerprint)) &&
			 !bsearch(&known->fingerprint, now, count, sizeof(now[0]), str_order);
	}
	return fixed;
}

void baseline_compare(const struct baseline *baseline, struct result *result)
{
	struct arena *arena = &result->arena;
	size_t pairs = result->target_count * baseline->target_count;
	size_t known = SUM(i, result->finding_count, baseline_has(baseline, result->findings[i].fingerprint));

	result->policy.changes = arena_alloc(arena, (pairs + 1) * sizeof(result->policy.changes[0]));
	if (!share_bases_compare(baseline->base, (struct share_base){ result->basis, result->shown_ppm })) {
		add_change(result, MESSAGE(arena, "baseline-captures",
					   BLANK("before", shown_share(arena, baseline->base.shown_ppm)),
					   BLANK("after", shown_share(arena, result->shown_ppm)),
					   BLANK("basis_before", word_for(&basis_words, baseline->base.basis)),
					   BLANK("basis_after", word_for(&basis_words, result->basis))));
		return;
	}
	add_change(result, MESSAGE(arena, "baseline-changes", NUMBER("fixed", count_fixed(baseline, result)),
				   NUMBER("new", result->finding_count - known)));
	for (size_t i = 0; i < pairs; i++) {
		const struct result_target *now = &result->targets[i / baseline->target_count];
		const struct baseline_target *then = &baseline->targets[i % baseline->target_count];

		if (str_eq(now->id, then->id) && now->headline.why.id && now->headline.word != then->word)
			add_change(result, MESSAGE(arena, "baseline-word", BLANK("target", now->id),
						   BLANK("before", word_for(&headline_words, then->word)),
						   BLANK("after", word_for(&headline_words, now->headline.word))));
	}
}
