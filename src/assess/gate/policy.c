#include "assess/gate/policy.h"

#include <stdlib.h>

#include "base/memory/hash.h"
#include "base/memory/map.h"
#include "base/memory/mem.h"
#include "opdb/model/status.h"

enum { SOON_DAYS = 14 };

void policy_init(struct policy *policy)
{
	*policy = (struct policy){ .baseline_file.name = STR(""), .arena = ARENA_INIT(ARENA_UNLIMITED) };
}

void policy_clear(struct policy *policy)
{
	waivers_clear(&policy->waivers);
	free(policy->waiver_files);
	baseline_clear(&policy->baseline);
	arena_clear(&policy->arena);
	policy_init(policy);
}

/* Returns whether applying it changes nothing. */
static bool policy_is_empty(const struct policy *policy)
{
	return gate_is_empty(&policy->gate) && ALL(i, BUDGET_KINDS, !policy->budgets.given[i]) &&
	       !policy->waiver_file_count && !policy->baseline_file.name.len && !policy->fail_on_expired_waiver;
}

int policy_add_waivers(struct policy *policy, struct str text, struct str file, struct str sha256, struct err *err)
{
	size_t before = policy->waivers.count, count = policy->waiver_file_count;
	int status = waivers_read(text, file, &policy->arena, &policy->waivers, err);

	if (status) {
		policy->waivers.count = before;
		return status;
	}
	policy->waiver_files = mem_resize(policy->waiver_files, count + 1, sizeof(policy->waiver_files[0]));
	policy->waiver_files[policy->waiver_file_count++] = (struct result_source){ arena_keep(&policy->arena, file),
		arena_keep(&policy->arena, sha256), policy->waivers.count - before };
	return 0;
}

/* --- the baseline */

void policy_set_baseline(struct policy *policy, const struct result *earlier, struct str file, struct str sha256)
{
	baseline_clear(&policy->baseline);
	policy->baseline = baseline_of(earlier, &policy->arena);
	policy->baseline_file = (struct result_source){ arena_keep(&policy->arena, file),
		arena_keep(&policy->arena, sha256), policy->baseline.known_count };
}

/* --- a policy being applied */

struct applying {
	const struct policy *policy;
	struct result *result;
	struct arena *arena; /* the result's */
	int64_t today;
	size_t *tally;               /* findings by waiver, then state */
	struct result_waiver *shown; /* by waiver, then state; without an id until a finding needs it */
	struct map by_operator;      /* findings, before they are separated */
};

static enum waiver_state state_of(const struct applying *apply, const struct waiver *waiver, struct str fact)
{
	if (waiver->until.len && waiver->until_day < apply->today)
		return WAIVER_EXPIRED;
	return waiver->until_fact_changes && !str_eq(waiver->fact, fact) ? WAIVER_FACT_CHANGED : WAIVER_APPLIED;
}

/* The first waiver in force that fits, else the first that would if it were in force. */
static void find_waiver(struct applying *apply, struct result_finding *finding)
{
	const struct waiver_list *waivers = &apply->policy->waivers;
	enum waiver_state best = WAIVER_STATES;
	const struct waiver *waiver;
	struct result_waiver *shown;
	size_t chosen = 0;

	for (size_t i = 0; i < waivers->count && best != WAIVER_APPLIED; i++) {
		enum waiver_state state;

		if (!waiver_fits(&waivers->items[i], finding))
			continue;
		state = state_of(apply, &waivers->items[i], finding->fact);
		if (best == WAIVER_STATES || state == WAIVER_APPLIED) {
			best = state;
			chosen = i;
		}
	}
	if (best == WAIVER_STATES)
		return;
	apply->tally[chosen * WAIVER_STATES + best]++;
	waiver = &waivers->items[chosen];
	shown = &apply->shown[chosen * WAIVER_STATES + best];
	if (!shown->id.len)
		*shown = (struct result_waiver){ arena_keep(apply->arena, waiver->id), best,
			arena_keep(apply->arena, waiver->reason), arena_keep(apply->arena, waiver->owner),
			arena_keep(apply->arena, waiver->ref), arena_keep(apply->arena, waiver->justification),
			arena_keep(apply->arena, waiver->until) };
	finding->waiver = shown;
}

static bool is_waived(const struct result_finding *finding)
{
	return finding->waiver && finding->waiver->state == WAIVER_APPLIED;
}

/* --- the gate */

/* The waiver of an operator that fails a word. */
enum excuse { NO_EXCUSE, WAIVED, KNOWN };

/* A waiver that asks for no rule speaks of the operator, also where no finding says the same as the word. */
static bool operator_is_waived(struct applying *apply, struct str name, struct str target)
{
	const struct waiver_list *waivers = &apply->policy->waivers;

	for (size_t i = 0; i < waivers->count; i++) {
		const struct waiver *waiver = &waivers->items[i];

		if (waiver->until_fact_changes || !waiver_fits_operator(waiver, name, target) ||
			state_of(apply, waiver, STR("")) != WAIVER_APPLIED)
			continue;
		apply->tally[i * WAIVER_STATES + WAIVER_APPLIED]++;
		return true;
	}
	return false;
}

/* All findings that say the same as the word must be waived or known. */
static enum excuse excuse_of(
	struct applying *apply, size_t word, const struct result_operator *op, const struct result_verdict *verdict)
{
	struct map_cursor at = map_start(&apply->by_operator, hash_str(hash_seed(), op->name));
	bool any = false, any_waived = false;

	while (map_next(&apply->by_operator, &at)) {
		const struct result_finding *finding = &apply->result->findings[at.index];

		if (!str_eq(finding->operator_name, op->name) ||
			(finding->target.len && !str_eq(finding->target, verdict->target)) ||
			!gate_word_is_of(word, verdict, str_from(finding->what.id)))
			continue;
		any = true;
		if (is_waived(finding))
			any_waived = true;
		else if (finding->age != AGE_KNOWN)
			return NO_EXCUSE;
	}
	if (!any)
		return operator_is_waived(apply, op->name, verdict->target) ? WAIVED : NO_EXCUSE;
	return any_waived ? WAIVED : KNOWN;
}

static void count_excused(struct result_check *check, enum excuse excuse)
{
	uint64_t *count = excuse == WAIVED ? &check->waived : excuse == KNOWN ? &check->known : &check->counted;

	++*count;
	check->failed = check->counted;
}

static struct result_check check_word(struct applying *apply, size_t word, size_t target)
{
	struct result_check check = { .name = gate_word(word) };

	for (size_t i = 0; i < apply->result->operator_count; i++) {
		const struct result_operator *op = &apply->result->operators[i];
		const struct result_verdict *verdict = &op->verdicts[target];

		if (gate_word_stops(word, verdict, op->dynamic.kind))
			count_excused(&check, excuse_of(apply, word, op, verdict));
	}
	return check;
}

/* Findings in scripts; those about operators are counted by operator. */
static void check_sources(struct applying *apply, size_t word, struct str target, struct result_check *check)
{
	for (size_t i = 0; i < apply->result->finding_count; i++) {
		const struct result_finding *finding = &apply->result->findings[i];

		if (str_eq(finding->target, target) && gate_word_stops_source(word, finding))
			count_excused(check, is_waived(finding)          ? WAIVED
					     : finding->age == AGE_KNOWN ? KNOWN
									 : NO_EXCUSE);
	}
}

/* Operators that were not recorded and will be called on the target, where they do not run on the device. */
static void check_implied(struct applying *apply, struct str target, struct result_check *check)
{
	for (size_t i = 0; i < apply->result->implied_count; i++) {
		const struct result_implied *implied = &apply->result->implied[i];

		for (size_t j = 0; j < implied->verdict_count; j++) {
			const struct result_verdict *verdict = &implied->verdicts[j];

			if (!str_eq(verdict->target, target) || op_status_class(verdict->status) == CLASS_DEVICE)
				continue;
			count_excused(check, operator_is_waived(apply, implied->name, target) ? WAIVED : NO_EXCUSE);
		}
	}
}

static struct result_check check_expired(const struct applying *apply)
{
	struct result_check check = { .name = STR("expired-waiver") };

	for (size_t i = 0; i < apply->policy->waivers.count; i++) {
		const struct waiver *waiver = &apply->policy->waivers.items[i];

		check.counted += (waiver->until.len && waiver->until_day < apply->today) ||
				 apply->tally[i * WAIVER_STATES + WAIVER_FACT_CHANGED];
	}
	check.failed = check.counted;
	return check;
}

static void check_target(struct applying *apply, size_t index)
{
	const struct policy *policy = apply->policy;
	struct result_target *target = &apply->result->targets[index];
	bool failed = false;

	target->check_count = 0; /* a service may have looked at the gate, too */
	target->checks = arena_alloc(apply->arena, (gate_word_count() + BUDGET_KINDS + 1) * sizeof(target->checks[0]));
	for (size_t i = 0; i < gate_word_count(); i++) {
		if (!gate_has(&policy->gate, i))
			continue;
		target->checks[target->check_count] = check_word(apply, i, index);
		if (str_eq(gate_word(i), STR("implied")))
			check_implied(apply, target->id, &target->checks[target->check_count]);
		if (apply->result->source)
			check_sources(apply, i, target->id, &target->checks[target->check_count]);
		target->check_count++;
	}
	for (size_t i = 0; i < BUDGET_KINDS; i++) {
		if (policy->budgets.given[i])
			target->checks[target->check_count++] = budget_check(
				&policy->budgets, i, apply->result, target);
	}
	if (policy->fail_on_expired_waiver)
		target->checks[target->check_count++] = check_expired(apply);
	for (size_t i = 0; i < target->check_count; i++)
		failed |= target->checks[i].failed;
	target->gate = !target->check_count ? GATE_NONE : failed ? GATE_FAILED : GATE_PASSED;
}

/* --- what is said of the waivers */

/* Of another target than those of this run: that it fits nothing means nothing. */
static bool is_elsewhere(const struct applying *apply, const struct waiver *waiver)
{
	for (size_t i = 0; i < apply->result->target_count; i++) {
		struct waiver target_alone = { .patterns[WAIVER_TARGET] = waiver->patterns[WAIVER_TARGET] };

		if (waiver_fits_operator(&target_alone, STR(""), apply->result->targets[i].id))
			return false;
	}
	return waiver->patterns[WAIVER_TARGET].len;
}

static void warn_of(struct applying *apply, size_t index)
{
	const struct waiver *waiver = &apply->policy->waivers.items[index];
	const size_t *tally = &apply->tally[index * WAIVER_STATES];
	int64_t left = waiver->until_day - apply->today;
	bool expired = waiver->until.len && left < 0, changed = !expired && tally[WAIVER_FACT_CHANGED];
	const char *id = expired                                                  ? "waiver-expired"
			 : changed                                                ? "waiver-fact-changed"
			 : !tally[WAIVER_APPLIED] && !is_elsewhere(apply, waiver) ? "waiver-unused"
			 : waiver->until.len && left <= SOON_DAYS                 ? "waiver-expires-soon"
										  : NULL;
	struct message message;

	if (!id)
		return;
	message = *MESSAGE(
		apply->arena, id, COPY("waiver", waiver->id), COPY("file", waiver->file), NUMBER("line", waiver->line));
	if (expired || strcmp(id, "waiver-expires-soon") == 0)
		message_add_copy(&message, apply->arena, "until", waiver->until);
	if (expired || changed)
		message_add_number(&message, apply->arena, "findings",
			(int64_t)tally[expired ? WAIVER_EXPIRED : WAIVER_FACT_CHANGED]);
	apply->result->policy.warnings[apply->result->policy.warning_count++] = message;
}

static struct result_source keep_source(struct arena *arena, const struct result_source *source)
{
	return (struct result_source){ arena_keep(arena, source->name), arena_keep(arena, source->sha256),
		source->count };
}

static void describe_policy(struct applying *apply)
{
	const struct policy *policy = apply->policy;
	const struct result *result = apply->result;
	struct result_policy *said = &apply->result->policy;
	bool any_known = ANY(i, result->finding_count, result->findings[i].age == AGE_KNOWN);

	said->date = policy->waiver_file_count ? arena_keep(apply->arena, str_from(policy->date)) : STR("");
	said->baseline = keep_source(apply->arena, &policy->baseline_file);
	said->waivers = arena_alloc(apply->arena, (policy->waiver_file_count + 1) * sizeof(said->waivers[0]));
	for (size_t i = 0; i < policy->waiver_file_count; i++)
		said->waivers[said->waiver_count++] = keep_source(apply->arena, &policy->waiver_files[i]);
	said->warnings = arena_alloc(apply->arena, (policy->waivers.count + 1) * sizeof(said->warnings[0]));
	for (size_t i = 0; i < policy->waivers.count; i++)
		warn_of(apply, i);
	/* fingerprints are of a target: against another one all findings look new */
	if (policy->baseline.known_count && result->finding_count && !any_known)
		said->warnings[said->warning_count++] = *MESSAGE(
			apply->arena, "baseline-other", COPY("file", policy->baseline_file.name));
}

/* --- the whole */

/* Both lists keep the order. */
static void move_waived(struct applying *apply)
{
	struct result *result = apply->result;
	size_t kept = 0;

	result->waived = arena_alloc(apply->arena, (result->finding_count + 1) * sizeof(result->waived[0]));
	for (size_t i = 0; i < result->finding_count; i++) {
		if (is_waived(&result->findings[i]))
			result->waived[result->waived_count++] = result->findings[i];
		else
			result->findings[kept++] = result->findings[i];
	}
	result->finding_count = kept;
}

void policy_apply(const struct policy *policy, struct result *result)
{
	size_t states = (policy->waivers.count + 1) * WAIVER_STATES;
	struct applying apply = { .policy = policy, .result = result, .arena = &result->arena };

	if (policy_is_empty(policy))
		return;
	date_days(str_from(policy->date), &apply.today);
	apply.tally = mem_zalloc(states * sizeof(apply.tally[0]));
	apply.shown = arena_alloc(apply.arena, states * sizeof(apply.shown[0]));
	for (size_t i = 0; i < result->finding_count; i++) {
		struct result_finding *finding = &result->findings[i];

		find_waiver(&apply, finding);
		if (policy->baseline_file.name.len)
			finding->age = baseline_has(&policy->baseline, finding->fingerprint) ? AGE_KNOWN : AGE_NEW;
		map_add(&apply.by_operator, hash_str(hash_seed(), finding->operator_name), (uint32_t)i);
	}
	for (size_t i = 0; i < result->target_count; i++)
		check_target(&apply, i);
	describe_policy(&apply);
	if (policy->baseline_file.name.len)
		baseline_compare(&policy->baseline, result);
	move_waived(&apply);
	map_clear(&apply.by_operator);
	free(apply.tally);
}
