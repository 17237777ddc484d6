/* What a policy said, in the text report. */
#include "report/policy_parts.h"
#include "report/text_page.h"

void text_policy(struct page *page)
{
	const struct result_policy *policy = &page->result->policy;
	char number[FIGURE_BYTES];

	for (size_t i = 0; i < policy->waiver_count; i++) {
		struct message line = policy_waivers_line(&policy->waivers[i], policy->date, number);

		text_message(page, &line, 0, 2);
	}
	if (policy->baseline.name.len) {
		struct message line = policy_baseline_line(&policy->baseline, number);

		text_message(page, &line, 0, 2);
	}
	for (size_t i = 0; i < policy->warning_count; i++) {
		text_put(page, STR("- "));
		text_message(page, &policy->warnings[i], 2, 2);
	}
}

static enum color gate_color(struct str gate)
{
	return str_eq(gate, STR("failed")) ? COLOR_RED : str_eq(gate, STR("passed")) ? COLOR_GREEN : COLOR_NONE;
}

static void put_check(struct page *page, const struct result_check *check)
{
	enum { WORD_COLUMNS = 8, NAME_COLUMNS = 23 };
	struct policy_figures figures;
	struct message line = policy_check_line(check, &figures);
	struct str state = check->failed ? STR("failed") : STR("passed");
	struct buf cell = BUF_INIT(256);
	struct textw plain = page->text;

	plain.out = &cell;
	textw_left(&plain, text_word(page, "report.gate", state), WORD_COLUMNS);
	text_put(page, STR("  "));
	textw_colored(&page->text, gate_color(state), buf_str(&cell));
	textw_left(&page->text, check->name, NAME_COLUMNS);
	text_put(page, STR(" "));
	text_message(page, &line, 2 + WORD_COLUMNS + NAME_COLUMNS + 1, 2 + WORD_COLUMNS);
	buf_clear(&cell);
}

void text_gate(struct page *page)
{
	const struct result *result = page->result;
	bool any = false;

	for (size_t i = 0; i < result->target_count; i++) {
		const struct result_target *target = &result->targets[i];

		if (!target->check_count)
			continue;
		if (!any)
			text_heading(page, "report.gate");
		any = true;
		text_put(page, target->id);
		text_put(page, STR(": "));
		textw_colored(&page->text, gate_color(target->gate), text_word(page, "report.gate", target->gate));
		text_put(page, STR("\n"));
		for (size_t j = 0; j < target->check_count; j++)
			put_check(page, &target->checks[j]);
	}
}

void text_standing(struct page *page, const struct result_finding *finding, unsigned indent)
{
	struct message known = message_of("report.known");

	if (str_eq(finding->age, STR("known"))) {
		buf_printf(page->text.out, "%*s", (int)indent, "");
		text_message(page, &known, indent, indent);
	}
	if (finding->waiver) {
		struct message line = policy_waiver_line(finding->waiver);

		buf_printf(page->text.out, "%*s", (int)indent, "");
		text_message(page, &line, indent, indent);
	}
}

void text_waived(struct page *page)
{
	const struct result *result = page->result;
	size_t shown = page->options->all || result->waived_count <= SHORT_LIST ? result->waived_count : SHORT_LIST;

	if (!result->waived_count)
		return;
	text_heading(page, "report.waived");
	for (size_t i = 0; i < shown; i++)
		text_finding(page, &result->waived[i]);
	if (shown < result->waived_count)
		text_count(page, "report.more-findings", result->waived_count - shown);
}
