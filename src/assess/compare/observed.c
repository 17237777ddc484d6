#include "assess/compare/observed.h"

#include "assess/compare/agree.h"
#include "assess/compare/observations_report.h"
#include "assess/judge/readiness.h"
#include "base/value/decimal.h"
#include "base/value/figure.h"

/* Also those operators that only a message of the log names. */
struct observed_name {
	struct str name;
	struct result_observed observed;
};

struct observed_names {
	struct observed_name *items;
	size_t count;
};

static void put_operators(const struct observing *all, const struct observations *observations)
{
	for (size_t i = 0; i < all->result->operator_count; i++) {
		struct result_operator *op = &all->result->operators[i];
		const struct observation *observation = &observations->items[all->order[i]];

		observation_describe(&all->result->arena, observation, op->calls, op->self_device_ns, &op->observed);
		findings_of_observation(all->findings, observations, observation, op);
	}
}

static struct observed_names put_names(const struct observing *all, const struct observations *observations)
{
	struct arena *arena = &all->result->arena;
	struct observed_names names = { .count = observations->name_count };

	names.items = arena_alloc(all->scratch, (names.count + 1) * sizeof(names.items[0]));
	for (size_t i = 0; i < names.count; i++) {
		const struct named_observation *named = &observations->names[i];
		struct result_operator op = { .name = arena_keep(arena, named->name) };

		names.items[i].name = op.name;
		observation_describe(arena, &named->observation, 0, 0, &names.items[i].observed);
		findings_of_observation(all->findings, observations, &named->observation, &op);
	}
	return names;
}

/* A verdict on a name that no table shows: whoever wrote the message called it. */
static int judge_name_of_message(const struct observing *all, const struct target *target,
	const struct observed_name *name, struct agree_item *ret, struct err *err)
{
	struct arena *arena = &all->result->arena;
	struct judgement *judgement = arena_alloc(arena, sizeof(*judgement));
	struct name_question question = { arena, all->judge->resolver, target, name->name, STR(""), READING_EXPLICIT };
	struct answer answer;

	*ret = (struct agree_item){ .name = name->name,
		.outcome = OUTCOME_COUNT,
		.verdict = &judgement->verdict,
		.observed = &name->observed };
	return judge_name(&question, judgement, &answer, err);
}

static bool is_made_on(const struct result *result, const struct target *target)
{
	for (size_t i = 0; i < result->input_count; i++) {
		struct str release = result->inputs[i].device.release;

		if (str_eq(release, str_from(target->id)) || str_eq(str_head(release, ':'), target->release->id))
			return true;
	}
	return false;
}

static int put_agreement(const struct observing *all, size_t index, const struct observed_names *names, struct err *err)
{
	struct result *result = all->result;
	const struct target *target = &all->targets[index];
	size_t count = result->operator_count;
	struct agree_item *items = arena_alloc(all->scratch, (count + names->count + 1) * sizeof(items[0]));
	struct agreement *ret = &result->agreements[result->agreement_count++];
	int status = 0;

	for (size_t i = 0; i < count; i++) {
		const struct result_operator *op = &result->operators[i];

		items[i] = (struct agree_item){ .name = op->name,
			.outcome = OUTCOME_COUNT,
			.verdict = &op->verdicts[index],
			.observed = &op->observed,
			.calls = op->calls,
			.self_device_ns = op->self_device_ns };
	}
	for (size_t i = 0; i < names->count && !status; i++)
		status = judge_name_of_message(all, target, &names->items[i], &items[count + i], err);
	*ret = (struct agreement){ .target = result->targets[index].id, .made_on = is_made_on(result, target) };
	if (!status)
		agree(&result->arena, items, count + names->count, ret);
	return status;
}

/* The share of the device's time that the AI CPU was seen to take. */
static int64_t seen_on_aicpu(const struct observations *observations, size_t count)
{
	int64_t aicpu_ns = 0;

	for (size_t i = 0; i < count; i++)
		aicpu_ns = figure_add(aicpu_ns, observations->items[i].aicpu_ns);
	for (size_t i = 0; i < observations->kernel_count; i++)
		aicpu_ns = figure_add(aicpu_ns, observations->kernels[i].device_ns);
	return share_ppm(aicpu_ns, observations->device_ns);
}

/* A target is not ready without a warning where its own device was seen to be slow. */
static void warn_of_seen(const struct observing *all, struct result_target *target, int64_t seen_ppm)
{
	CLEANUP(buf_clear) struct buf share = BUF_INIT(64);

	if (target->verdict != VERDICT_READY)
		return;
	decimal_put(&share, (seen_ppm + 500) / 1000, 1);
	target->verdict = VERDICT_WARNINGS;
	target->reason = message_of("reason-seen-aicpu");
	message_add_copy(&target->reason, &all->result->arena, "share", buf_str(&share));
}

int observed_put(const struct observing *observing, struct err *err)
{
	struct result *result = observing->result;
	struct observations observations;
	struct observed_names names;
	int64_t seen_ppm;
	int status = 0;

	observations_gather(
		observing->scratch, observing->judge, observing->inputs, observing->input_count, &observations);
	if (observations.failure.code) {
		*err = observations.failure;
		return -err->code;
	}
	if (observations.device == DEVICE_UNKNOWN)
		return 0;
	seen_ppm = seen_on_aicpu(&observations, result->operator_count);
	observations.slow = seen_ppm && seen_ppm >= observing->slow_ppm;
	put_operators(observing, &observations);
	names = put_names(observing, &observations);
	findings_of_kernels(observing->findings, &observations);
	result->agreements = arena_alloc(&result->arena, (observing->target_count + 1) * sizeof(result->agreements[0]));
	for (size_t i = 0; i < observing->target_count && !status; i++) {
		struct str plugin = target_kind_name(observing->targets[i].release->target);

		if (!str_eq(plugin, str_from(device_kind_name(observations.device))))
			continue;
		status = put_agreement(observing, i, &names, err);
		if (observations.slow)
			warn_of_seen(observing, &result->targets[i], seen_ppm);
	}
	return status;
}
