/* What a policy said: of the report, of targets, of findings. */
#include "report/policy_parts.h"

#include "base/mem.h"
#include "report/sections.h"

void policy_build(struct doc *doc, const struct result_policy *policy)
{
	char number[FIGURE_BYTES];

	for (size_t i = 0; i < policy->waiver_count; i++) {
		struct message line = policy_waivers_line(&policy->waivers[i], policy->date, number);

		doc_say(doc, BLOCK_META, &line);
	}
	if (policy->baseline.name.len) {
		struct message line = policy_baseline_line(&policy->baseline, number);

		doc_say(doc, BLOCK_META, &line);
	}
	if (policy->warning_count)
		doc_say_list(doc, BLOCK_NOTES, policy->warnings, policy->warning_count);
}

static struct str state_of(const struct result_check *check)
{
	return check->failed ? STR("failed") : STR("passed");
}

void checks_build(struct doc *doc, const struct result_target *target)
{
	if (!target->check_count)
		return;
	doc_open(doc, BLOCK_LIST);
	for (size_t i = 0; i < target->check_count; i++) {
		struct policy_figures figures;
		struct message line = policy_check_line(&target->checks[i], &figures);

		doc_open(doc, BLOCK_ITEM);
		doc_tag(doc, SET_GATE, state_of(&target->checks[i]));
		doc_text(doc, STR(" "));
		doc_styled(doc, SPAN_CODE, target->checks[i].name);
		doc_text(doc, STR(" "));
		doc_styled(doc, SPAN_SOFT, doc_message_of(doc, &line));
		doc_close(doc);
	}
	doc_close(doc);
}

static void put_checks(struct doc *doc, const struct result_target *target)
{
	static const struct doc_column columns[] = {
		{ .label = "report.gate", .gap = 2, .width = 8 },
		{ .label = "report.rule", .width = 23 },
		{ .label = "report.why", .gap = 1, .fit = COLUMN_WRAP, .hang = 10 },
	};

	doc_table(doc, &(struct doc_table){ .columns = columns, .count = ARRAY_SIZE(columns), .bare = true });
	for (size_t i = 0; i < target->check_count; i++) {
		struct policy_figures figures;
		struct message line = policy_check_line(&target->checks[i], &figures);

		doc_row(doc);
		doc_cell(doc);
		doc_tag(doc, SET_GATE, state_of(&target->checks[i]));
		doc_close(doc);
		doc_cell_text(doc, target->checks[i].name);
		doc_cell_text(doc, doc_message_of(doc, &line));
		doc_close(doc);
	}
	doc_close(doc);
}

void gate_build(struct doc *doc, const struct result *result)
{
	doc_section(doc, "report.gate");
	for (size_t i = 0; i < result->target_count; i++) {
		const struct result_target *target = &result->targets[i];

		if (!target->check_count)
			continue;
		doc_open(doc, BLOCK_PARAGRAPH);
		doc_text(doc, target->id);
		doc_text(doc, STR(": "));
		doc_tag(doc, SET_GATE, word_for(&gate_state_words, target->gate));
		doc_close(doc);
		put_checks(doc, target);
	}
	doc_close(doc);
}

void standing_build(struct doc *doc, const struct result_finding *finding)
{
	bool page = doc_is(doc, DOC_HTML);

	if (finding->age == AGE_KNOWN && page) {
		doc_text(doc, STR(" "));
		doc_styled(doc, SPAN_CODE, doc_label_of(doc, "report.known"));
	} else if (finding->age == AGE_KNOWN) {
		doc_say_label(doc, BLOCK_LINE, "report.known");
	}
	if (finding->waiver) {
		struct message line = policy_waiver_line(finding->waiver);

		doc_say(doc, page ? BLOCK_META : BLOCK_LINE, &line);
	}
}
