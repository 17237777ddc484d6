/* What a policy said, in the HTML report. */
#include <stdio.h>

#include "report/html_parts.h"
#include "report/policy_parts.h"

static void line(struct buf *out, enum lang lang, const struct message *what)
{
	html(out, "<p class=\"meta\">");
	html_message(out, lang, what);
	html(out, "</p>\n");
}

void html_standing(struct buf *out, enum lang lang, const struct result_finding *finding)
{
	if (str_eq(finding->age, STR("known"))) {
		html(out, " <code>");
		html_label(out, lang, "report.known");
		html(out, "</code>");
	}
	if (finding->waiver) {
		struct message what = policy_waiver_line(finding->waiver);

		line(out, lang, &what);
	}
}

void html_left_out(struct buf *out, enum lang lang, size_t count)
{
	struct message what = message_of("report.known-left-out");
	char number[FIGURE_BYTES];

	if (!count)
		return;
	snprintf(number, sizeof(number), "%zu", count);
	message_add(&what, "count", str_from(number));
	line(out, lang, &what);
}

static void put_check(struct buf *out, enum lang lang, const struct result_check *check)
{
	struct policy_figures figures;
	struct message what = policy_check_line(check, &figures);

	html(out, "<li>");
	html_tag(out, lang, "g-", "report.gate", check->failed ? STR("failed") : STR("passed"));
	html(out, " <code>");
	html_text(out, check->name);
	html(out, "</code> <span class=\"soft\">");
	html_message(out, lang, &what);
	html(out, "</span></li>\n");
}

void html_checks(struct buf *out, enum lang lang, const struct result_target *target)
{
	if (!target->check_count)
		return;
	html(out, "<ul>\n");
	for (size_t i = 0; i < target->check_count; i++)
		put_check(out, lang, &target->checks[i]);
	html(out, "</ul>\n");
}

void html_policy(struct buf *out, enum lang lang, const struct result_policy *policy)
{
	char number[FIGURE_BYTES];

	for (size_t i = 0; i < policy->waiver_count; i++) {
		struct message what = policy_waivers_line(&policy->waivers[i], policy->date, number);

		line(out, lang, &what);
	}
	if (policy->baseline.name.len) {
		struct message what = policy_baseline_line(&policy->baseline, number);

		line(out, lang, &what);
	}
	if (!policy->warning_count)
		return;
	html(out, "<ul class=\"notes\">\n");
	for (size_t i = 0; i < policy->warning_count; i++) {
		html(out, "<li>");
		html_message(out, lang, &policy->warnings[i]);
		html(out, "</li>\n");
	}
	html(out, "</ul>\n");
}
