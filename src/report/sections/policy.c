/* Results of a policy: for the report, targets and findings. */
#include "report/sections/policy.h"

#include "assess/model/words.h"
#include "base/memory/mem.h"
#include "base/value/decimal.h"

/* --- where it came from */

static void put_source(struct doc *doc, const char *id, const struct result_source *source, struct str date)
{
	doc_say_with(doc, BLOCK_META, id, BLANK("name", source->name), NUMBER("count", source->count),
		BLANK("sha256", source->sha256), BLANK("date", date));
}

void policy_build(struct doc *doc, const struct result_policy *policy)
{
	for (size_t i = 0; i < policy->waiver_count; i++)
		put_source(doc, "report.waivers", &policy->waivers[i], policy->date);
	if (policy->baseline.name.len)
		put_source(doc, "report.baseline", &policy->baseline, STR(""));
	if (policy->change_count)
		doc_say_list(doc_in(doc, DOC_HTML | DOC_TEXT), BLOCK_NOTES, policy->changes, policy->change_count);
	if (policy->warning_count)
		doc_say_list(doc, BLOCK_NOTES, policy->warnings, policy->warning_count);
}

void changes_since_build(struct doc *doc, const struct result *result)
{
	if (result->policy.change_count)
		doc_say_list(doc, BLOCK_NOTES, result->policy.changes, result->policy.change_count);
}

/* --- checks */

/* "1.25": as many decimals as a budget may have, without trailing zeros. */
static void put_share(struct buf *text, int64_t ppm)
{
	enum { PLACES = 4 };

	decimal_put(text, ppm, PLACES);
	while (text->len > 2 && text->ptr[text->len - 1] == '0' && text->ptr[text->len - 2] != '.')
		text->len--;
}

/* "1.25 %", "1.25-3.0 %" */
static struct str shares_of(struct doc *doc, int64_t lo_ppm, int64_t hi_ppm)
{
	CLEANUP(buf_clear) struct buf text = BUF_INIT(64);

	put_share(&text, lo_ppm);
	if (lo_ppm != hi_ppm) {
		buf_byte(&text, '-');
		put_share(&text, hi_ppm);
	}
	buf_add(&text, STR(" %"));
	return arena_keep(&doc->arena, buf_str(&text));
}

/* The figure of a check. */
static struct str figures_of(struct doc *doc, const struct result_check *check)
{
	if (check->is_budget)
		return doc_text_with(doc,
			str_starts(check->name, STR("min-")) ? "report.check-least" : "report.check-most",
			BLANK("limit", shares_of(doc, check->limit_ppm, check->limit_ppm)),
			BLANK("measured", shares_of(doc, check->lo_ppm, check->hi_ppm)));
	return doc_text_with(doc,
		str_eq(check->name, STR("expired-waiver")) ? "report.check-expired" : "report.check-counted",
		NUMBER("count", check->counted), NUMBER("waived", check->waived), NUMBER("known", check->known));
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
		doc_open(doc, BLOCK_ITEM);
		doc_tag(doc, SET_GATE, state_of(&target->checks[i]));
		doc_text(doc, STR(" "));
		doc_styled(doc, SPAN_CODE, target->checks[i].name);
		doc_text(doc, STR(" "));
		doc_styled(doc, SPAN_SOFT, figures_of(doc, &target->checks[i]));
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
		doc_row(doc);
		doc_cell_tag(doc, SET_GATE, state_of(&target->checks[i]));
		doc_cell_text(doc, target->checks[i].name);
		doc_cell_text(doc, figures_of(doc, &target->checks[i]));
	}
	doc_table_end(doc);
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

/* --- findings */

static void put_waiver(struct doc *doc, enum doc_block style, const struct result_waiver *waiver)
{
	const char *id = waiver->state == WAIVER_EXPIRED        ? "report.waiver-expired"
			 : waiver->state == WAIVER_FACT_CHANGED ? "report.waiver-fact-changed"
			 : waiver->until.len                    ? "report.waived-until"
								: "report.waived-by";

	doc_say_with(doc, style, id, BLANK("waiver", waiver->id), BLANK("reason", waiver->reason),
		BLANK("owner", waiver->owner.len ? waiver->owner : STR("-")),
		BLANK("ref", waiver->ref.len ? waiver->ref : STR("-")), BLANK("until", waiver->until));
}

void standing_build(struct doc *doc, const struct result_finding *finding)
{
	if (finding->age == AGE_KNOWN) {
		doc_text(doc_in(doc, DOC_HTML), STR(" "));
		doc_styled(doc_in(doc, DOC_HTML), SPAN_CODE, doc_label_of(doc, "report.known"));
		doc_say_label(doc_in(doc, DOC_PLAIN), BLOCK_LINE, "report.known");
	}
	if (finding->waiver) {
		put_waiver(doc_in(doc, DOC_HTML), BLOCK_META, finding->waiver);
		put_waiver(doc_in(doc, DOC_PLAIN), BLOCK_LINE, finding->waiver);
	}
}
