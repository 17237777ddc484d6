#include "assess/compare/observations_report.h"

#include "assess/judge/readiness.h"
#include "base/memory/mem.h"
#include "base/value/decimal.h"

enum { MAX_EVIDENCE = 6, US_PLACES = 3 };

/* --- evidence */

static void add_evidence(struct arena *arena, struct result_observed *ret, const struct message *evidence)
{
	if (!ret->evidence)
		ret->evidence = arena_alloc(arena, MAX_EVIDENCE * sizeof(ret->evidence[0]));
	ret->evidence[ret->evidence_count++] = *evidence;
}

static struct str time_text(struct arena *arena, int64_t ns)
{
	CLEANUP(buf_clear) struct buf text = BUF_INIT(64);

	decimal_put(&text, ns, US_PLACES);
	return arena_keep(arena, buf_str(&text));
}

static void put_tasks(struct arena *arena, const struct observation *observation, struct result_observed *ret)
{
	struct str launch = observation->launch;

	if (observation->tasks > observation->aicpu_tasks)
		add_evidence(arena, ret,
			MESSAGE(arena, launch.len ? "seen-launch" : "seen-tasks",
				NUMBER("tasks", observation->tasks - observation->aicpu_tasks),
				BLANK("time", time_text(arena, observation->tasks_ns - observation->aicpu_ns)),
				COPY(launch.len ? "launch" : NULL, launch)));
	if (observation->aicpu_tasks)
		add_evidence(arena, ret,
			MESSAGE(arena, "seen-aicpu", NUMBER("tasks", observation->aicpu_tasks),
				BLANK("time", time_text(arena, observation->aicpu_ns))));
}

void observation_describe(struct arena *arena, const struct observation *observation, uint64_t calls,
	int64_t self_device_ns, struct result_observed *ret)
{
	*ret = (struct result_observed){ .where = observation->where };
	if (observation->exceptions)
		add_evidence(arena, ret, &(struct message){ .id = "seen-exception" });
	if (observation->warnings)
		add_evidence(arena, ret, &(struct message){ .id = "seen-warning" });
	if (observation->copies)
		add_evidence(arena, ret, MESSAGE(arena, "seen-copies", NUMBER("calls", observation->copies)));
	if (self_device_ns > 0 && !observation->event_times)
		add_evidence(arena, ret,
			MESSAGE(arena, "seen-device-time", NUMBER("calls", calls),
				BLANK("time", time_text(arena, self_device_ns))));
	put_tasks(arena, observation, ret);
	if (observation->where > WHERE_RAN)
		return;
	add_evidence(arena, ret, /* nothing shows where it ran */
		observation->where == WHERE_RAN ? MESSAGE(arena, "seen-calls", NUMBER("calls", observation->most_calls))
						: &(const struct message){ .id = "seen-name" });
	if (observation->event_times)
		add_evidence(arena, ret, &(struct message){ .id = "seen-event-times" });
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
	finding->severity = all->slow ? SEVERITY_WARNING : SEVERITY_NOTE;
	finding->share_ppm = share_ppm(observation->aicpu_ns, all->device_ns);
	message_add_number(&finding->what, findings->arena, "tasks", (int64_t)observation->aicpu_tasks);
	message_add(&finding->what, "time", time_text(findings->arena, observation->aicpu_ns));
}

void findings_of_kernels(struct finding_list *findings, const struct observations *all)
{
	for (size_t i = 0; i < all->kernel_count; i++) {
		const struct observed_kernel *kernel = &all->kernels[i];
		struct result_finding *finding = finding_add_about(findings, "observed-aicpu-kernel", kernel->type);

		finding->severity = all->slow ? SEVERITY_WARNING : SEVERITY_NOTE;
		finding->share_ppm = share_ppm(kernel->device_ns, all->device_ns);
		message_add_copy(&finding->what, findings->arena, "type", kernel->type);
		message_add_number(&finding->what, findings->arena, "tasks", (int64_t)kernel->tasks);
		message_add(&finding->what, "time", time_text(findings->arena, kernel->device_ns));
	}
}
