/* What a policy said: of the report, of targets, of findings. */
#include "base/decimal.h"
#include "base/mem.h"
#include "report/sections.h"

/* --- where it came from */

static void put_source(struct doc *doc, const char *id, const struct result_source *source, struct str date)
{
	struct message message = message_of(id);

	message_add(&message, "name", source->name);
	message_add_number(&message, &doc->arena, "count", (int64_t)source->count);
	message_add(&message, "sha256", source->sha256);
	message_add(&message, "date", date);
	doc_say(doc, BLOCK_META, &message);
}

void policy_build(struct doc *doc, const struct result_policy *policy)
{
	for (size_t i = 0; i < policy->waiver_count; i++)
		put_source(doc, "report.waivers", &policy->waivers[i], policy->date);
	if (policy->baseline.name.len)
		put_source(doc, "report.baseline", &policy->baseline, STR(""));
	if (policy->warning_count)
		doc_say_list(doc, BLOCK_NOTES, policy->warnings, policy->warning_count);
}

/* --- checks */

/* "1.25": as many places as the limit of a budget may have, but none that say nothing. */
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

/* What a check counted or measured. */
static struct str figures_of(struct doc *doc, const struct result_check *check)
{
	const char *budget = str_starts(check->name, STR("min-")) ? "report.check-least" : "report.check-most";
	bool expired = str_eq(check->name, STR("expired-waiver"));
	struct message message = message_of(check->is_budget ? budget
					    : expired        ? "report.check-expired"
							     : "report.check-counted");

	if (check->is_budget) {
		message_add(&message, "limit", shares_of(doc, check->limit_ppm, check->limit_ppm));
		message_add(&message, "measured", shares_of(doc, check->lo_ppm, check->hi_ppm));
	} else {
		message_add_number(&message, &doc->arena, "count", (int64_t)check->counted);
		message_add_number(&message, &doc->arena, "waived", (int64_t)check->waived);
		message_add_number(&message, &doc->arena, "known", (int64_t)check->known);
	}
	return doc_message_of(doc, &message);
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
		doc_cell(doc);
		doc_tag(doc, SET_GATE, state_of(&target->checks[i]));
		doc_close(doc);
		doc_cell_text(doc, target->checks[i].name);
		doc_cell_text(doc, figures_of(doc, &target->checks[i]));
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

/* --- findings */

static struct message waiver_message(const struct result_waiver *waiver)
{
	const char *id = waiver->until.len ? "report.waived-until" : "report.waived-by";
	struct message message;

	if (waiver->state == WAIVER_EXPIRED)
		id = "report.waiver-expired";
	else if (waiver->state == WAIVER_FACT_CHANGED)
		id = "report.waiver-fact-changed";
	message = message_of(id);
	message_add(&message, "waiver", waiver->id);
	message_add(&message, "reason", waiver->reason);
	message_add(&message, "owner", waiver->owner.len ? waiver->owner : STR("-"));
	message_add(&message, "ref", waiver->ref.len ? waiver->ref : STR("-"));
	message_add(&message, "until", waiver->until);
	return message;
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
		struct message line = waiver_message(finding->waiver);

		doc_say(doc, page ? BLOCK_META : BLOCK_LINE, &line);
	}
}
