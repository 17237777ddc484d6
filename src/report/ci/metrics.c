/* Figures of a report as OpenMetrics, for merge requests of GitLab and for Prometheus. */
#include "report/ci/ci.h"

#include "base/value/decimal.h"

enum { SHARE_PLACES = 6 };

static void put_family(struct buf *out, const char *name, const char *help)
{
	buf_printf(out, "# HELP %s %s\n# TYPE %s gauge\n", name, help, name);
}

/* name="value" behind what is there; a saved report may have any text in its place. */
static void put_label(struct buf *out, const char *name, struct str value)
{
	buf_printf(out, "%s%s=\"", out->len ? "," : "", name);
	for (size_t i = 0; i < value.len; i++) {
		if (value.ptr[i] == '"' || value.ptr[i] == '\\')
			buf_byte(out, '\\');
		if (value.ptr[i] != '\n')
			buf_byte(out, value.ptr[i]);
	}
	buf_byte(out, '"');
}

/* A line: its name, its labels, a share. */
static void put_share(struct buf *out, const char *name, const struct ci_target *target, const char *bound, int64_t ppm)
{
	CLEANUP(buf_clear) struct buf labels = BUF_UNLIMITED;

	put_label(&labels, "target", target->id);
	if (bound)
		put_label(&labels, "bound", str_from(bound));
	buf_printf(out, "%s{%.*s} ", name, STR_ARG(buf_str(&labels)));
	decimal_put(out, ppm, SHARE_PLACES);
	buf_byte(out, '\n');
}

static void put_targets(const struct ci_report *report, struct buf *out)
{
	static const char readiness[] = "opcheck_readiness_ratio", blocked[] = "opcheck_blocked_time_ratio";

	put_family(out, readiness, "Share that runs on the device itself: what is certain, and what may.");
	for (size_t i = 0; i < report->targets.count; i++) {
		const struct ci_target *target = &report->targets.items[i];

		put_share(out, readiness, target, "lo", target->readiness.lo_ppm);
		put_share(out, readiness, target, "hi", target->readiness.hi_ppm);
	}
	put_family(out, blocked, "Share of operators that stop the run.");
	for (size_t i = 0; i < report->targets.count; i++)
		put_share(out, blocked, &report->targets.items[i], NULL, report->targets.items[i].blocked_ppm);
}

/* Findings of a rule that concern a target and are not waived. */
static size_t count_findings(const struct ci_report *report, const struct ci_target *target, size_t rule_at)
{
	size_t count = 0;

	for (size_t i = 0; i < report->findings.count; i++) {
		const struct ci_finding *finding = &report->findings.items[i];

		count += finding->rule_at == rule_at && !finding->is_waived && ci_concerns(finding, target);
	}
	return count;
}

void ci_metrics(const struct ci_report *report, struct buf *out)
{
	CLEANUP(buf_clear) struct buf labels = BUF_UNLIMITED;

	put_targets(report, out);
	put_family(out, "opcheck_findings", "Findings that are not waived.");
	for (size_t i = 0; i < report->targets.count; i++) {
		for (size_t rule = 0; rule < report->rules.count; rule++) {
			size_t count = count_findings(report, &report->targets.items[i], rule);

			if (!count)
				continue;
			buf_reset(&labels);
			put_label(&labels, "target", report->targets.items[i].id);
			put_label(&labels, "rule", report->rules.items[rule]);
			buf_printf(out, "opcheck_findings{%.*s} %zu\n", STR_ARG(buf_str(&labels)), count);
		}
	}
	buf_add(out, STR("# EOF\n"));
}
