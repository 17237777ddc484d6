/* What was seen on a device, as a report states it. */
#include "assess/judge/readiness.h"
#include "assess/compare/observations.h"
#include "base/decimal.h"
#include "base/mem.h"

enum { MAX_EVIDENCE = 6, US_PLACES = 3 };

static const enum where where_of[] = {
	[PROOF_CALLED] = WHERE_CALLED,
	[PROOF_RAN] = WHERE_RAN,
	[PROOF_DEVICE] = WHERE_DEVICE,
	[PROOF_AICPU] = WHERE_AICPU,
	[PROOF_HOST] = WHERE_HOST,
	[PROOF_RAISED] = WHERE_RAISED,
};

/* --- evidence */

static struct message *add_evidence(struct arena *arena, struct result_observed *ret, const char *id)
{
	if (!ret->evidence)
		ret->evidence = arena_alloc(arena, MAX_EVIDENCE * sizeof(ret->evidence[0]));
	ret->evidence[ret->evidence_count] = message_of(id);
	return &ret->evidence[ret->evidence_count++];
}

static void add_time(struct message *message, struct arena *arena, int64_t ns)
{
	CLEANUP(buf_clear) struct buf text = BUF_INIT(64);

	decimal_put(&text, ns, US_PLACES);
	message_add_copy(message, arena, "time", buf_str(&text));
}

static void put_tasks(struct arena *arena, const struct observation *observation, struct result_observed *ret)
{
	struct message *message;

	if (observation->tasks > observation->aicpu_tasks) {
		message = add_evidence(arena, ret, observation->launch.len ? "seen-launch" : "seen-tasks");
		message_add_number(message, arena, "tasks", (int64_t)(observation->tasks - observation->aicpu_tasks));
		add_time(message, arena, observation->tasks_ns - observation->aicpu_ns);
		if (observation->launch.len)
			message_add_copy(message, arena, "launch", observation->launch);
	}
	if (observation->aicpu_tasks) {
		message = add_evidence(arena, ret, "seen-aicpu");
		message_add_number(message, arena, "tasks", (int64_t)observation->aicpu_tasks);
		add_time(message, arena, observation->aicpu_ns);
	}
}

/* Where nothing shows where it ran. */
static void put_calls(struct arena *arena, const struct observation *observation, struct result_observed *ret)
{
	if (observation->where == PROOF_RAN)
		message_add_number(
			add_evidence(arena, ret, "seen-calls"), arena, "calls", (int64_t)observation->most_calls);
	else
		add_evidence(arena, ret, "seen-name");
	if (observation->event_times)
		add_evidence(arena, ret, "seen-event-times");
}

void observation_describe(struct arena *arena, const struct observation *observation, uint64_t calls,
	int64_t self_device_ns, struct result_observed *ret)
{
	struct message *message;

	*ret = (struct result_observed){ .where = where_of[observation->where] };
	if (observation->exceptions)
		add_evidence(arena, ret, "seen-exception");
	if (observation->warnings)
		add_evidence(arena, ret, "seen-warning");
	if (observation->copies)
		message_add_number(
			add_evidence(arena, ret, "seen-copies"), arena, "calls", (int64_t)observation->copies);
	if (self_device_ns > 0 && !observation->event_times) {
		message = add_evidence(arena, ret, "seen-device-time");
		message_add_number(message, arena, "calls", (int64_t)calls);
		add_time(message, arena, self_device_ns);
	}
	put_tasks(arena, observation, ret);
	if (observation->where <= PROOF_RAN)
		put_calls(arena, observation, ret);
}

/* --- findings */

void findings_of_observation(struct finding_list *findings, const struct observations *all,
	const struct observation *observation, const struct result_operator *op)
{
	const char *rule = observation->exceptions                        ? "observed-raised"
			   : observation->warnings || observation->copies ? "observed-fallback"
									  : NULL;
	struct result_finding *finding;

	if (rule) {
		finding = finding_add(findings, rule, op->name, STR(""));
		finding->share_ppm = op->share_ppm;
	}
	if (!observation->aicpu_tasks)
		return;
	finding = finding_add(findings, "observed-aicpu", op->name, STR(""));
	finding->share_ppm = share_ppm(observation->aicpu_ns, all->device_ns);
	message_add_number(&finding->what, findings->arena, "tasks", (int64_t)observation->aicpu_tasks);
	add_time(&finding->what, findings->arena, observation->aicpu_ns);
}

void findings_of_kernels(struct finding_list *findings, const struct observations *all)
{
	for (size_t i = 0; i < all->kernel_count; i++) {
		const struct observed_kernel *kernel = &all->kernels[i];
		struct result_finding *finding = finding_add_about(findings, "observed-aicpu-kernel", kernel->type);

		finding->share_ppm = share_ppm(kernel->device_ns, all->device_ns);
		message_add_copy(&finding->what, findings->arena, "type", kernel->type);
		message_add_number(&finding->what, findings->arena, "tasks", (int64_t)kernel->tasks);
		add_time(&finding->what, findings->arena, kernel->device_ns);
	}
}
