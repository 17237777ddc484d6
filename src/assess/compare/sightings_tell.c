/* What was seen on a device, as a report tells it. */
#include "assess/judge/readiness.h"
#include "assess/compare/sightings.h"
#include "base/decimal.h"
#include "base/mem.h"
#include "base/sha256.h"

enum { MAX_EVIDENCE = 6, US_PLACES = 3 };

static const char *const where_names[] = {
	[SIGHTED_CALLED] = "called",
	[SIGHTED_RAN] = "ran",
	[SIGHTED_DEVICE] = "device",
	[SIGHTED_AICPU] = "ai-cpu",
	[SIGHTED_HOST] = "host",
	[SIGHTED_RAISED] = "raised",
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

static void tell_tasks(struct arena *arena, const struct sighting *sighting, struct result_observed *ret)
{
	struct message *message;

	if (sighting->tasks > sighting->aicpu_tasks) {
		message = add_evidence(arena, ret, sighting->launch.len ? "seen-launch" : "seen-tasks");
		message_add_number(message, arena, "tasks", (int64_t)(sighting->tasks - sighting->aicpu_tasks));
		add_time(message, arena, sighting->tasks_ns - sighting->aicpu_ns);
		if (sighting->launch.len)
			message_add_copy(message, arena, "launch", sighting->launch);
	}
	if (sighting->aicpu_tasks) {
		message = add_evidence(arena, ret, "seen-aicpu");
		message_add_number(message, arena, "tasks", (int64_t)sighting->aicpu_tasks);
		add_time(message, arena, sighting->aicpu_ns);
	}
}

/* Where nothing tells where it ran. */
static void tell_calls(struct arena *arena, const struct sighting *sighting, struct result_observed *ret)
{
	if (sighting->where == SIGHTED_RAN)
		message_add_number(
			add_evidence(arena, ret, "seen-calls"), arena, "calls", (int64_t)sighting->most_calls);
	else
		add_evidence(arena, ret, "seen-name");
	if (sighting->event_times)
		add_evidence(arena, ret, "seen-event-times");
}

void sighting_describe(struct arena *arena, const struct sighting *sighting, uint64_t calls, int64_t self_device_ns,
	struct result_observed *ret)
{
	struct message *message;

	*ret = (struct result_observed){ .where = str_from(where_names[sighting->where]) };
	if (sighting->exceptions)
		add_evidence(arena, ret, "seen-exception");
	if (sighting->warnings)
		add_evidence(arena, ret, "seen-warning");
	if (sighting->copies)
		message_add_number(add_evidence(arena, ret, "seen-copies"), arena, "calls", (int64_t)sighting->copies);
	if (self_device_ns > 0 && !sighting->event_times) {
		message = add_evidence(arena, ret, "seen-device-time");
		message_add_number(message, arena, "calls", (int64_t)calls);
		add_time(message, arena, self_device_ns);
	}
	tell_tasks(arena, sighting, ret);
	if (sighting->where <= SIGHTED_RAN)
		tell_calls(arena, sighting, ret);
}

/* --- findings */

static struct result_finding *add_finding(struct arena *arena, struct finding_list *findings, const char *rule,
	struct str operator_name, struct str about, int64_t share)
{
	enum { DIGITS = 16 };
	struct result_finding finding = { .what = message_of(rule),
		.operator_name = operator_name,
		.target = STR(""),
		.share_ppm = share,
		.severity = severity_name(rule_find(str_from(rule))->severity) };
	struct sha256 *sha = sha256_new();
	char hex[SHA256_HEX_BYTES];

	sha256_add_field(sha, str_from(rule));
	sha256_add_field(sha, about);
	sha256_add_field(sha, STR(""));
	sha256_end(sha, hex);
	finding.fingerprint = arena_keep(arena, (struct str){ hex, DIGITS });
	MEM_PUSH(findings, finding);
	return &findings->items[findings->count - 1];
}

void findings_of_sighting(struct arena *arena, struct finding_list *findings, const struct sightings *all,
	const struct sighting *sighting, const struct result_operator *op)
{
	const char *rule = sighting->exceptions                     ? "observed-raised"
			   : sighting->warnings || sighting->copies ? "observed-fallback"
								    : NULL;
	struct result_finding *finding;

	if (rule) {
		finding = add_finding(arena, findings, rule, op->name, op->name, op->share_ppm);
		message_add(&finding->what, "operator", op->name);
	}
	if (!sighting->aicpu_tasks)
		return;
	finding = add_finding(
		arena, findings, "observed-aicpu", op->name, op->name, share_ppm(sighting->aicpu_ns, all->device_ns));
	message_add(&finding->what, "operator", op->name);
	message_add_number(&finding->what, arena, "tasks", (int64_t)sighting->aicpu_tasks);
	add_time(&finding->what, arena, sighting->aicpu_ns);
}

void findings_of_kernels(struct arena *arena, struct finding_list *findings, const struct sightings *all)
{
	for (size_t i = 0; i < all->kernel_count; i++) {
		const struct sighted_kernel *kernel = &all->kernels[i];
		struct result_finding *finding = add_finding(arena, findings, "observed-aicpu-kernel", STR(""),
			kernel->type, share_ppm(kernel->device_ns, all->device_ns));

		message_add_copy(&finding->what, arena, "type", kernel->type);
		message_add_number(&finding->what, arena, "tasks", (int64_t)kernel->tasks);
		add_time(&finding->what, arena, kernel->device_ns);
	}
}
