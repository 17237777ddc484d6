/* The causes of a report: its findings by rule and origin, and what follows from them. */
#include "base/mem.h"
#include "report/sections.h"

static const struct doc_column columns[] = {
	{ .label = "report.severity", .width = 8 },
	{ .label = "report.share", .width = SHARE_COLUMNS, .number = true },
	{ .label = "report.cause", .gap = 2, .fit = COLUMN_WRAP },
};
static const struct doc_table table = { .columns = columns, .count = ARRAY_SIZE(columns), .bare = true };

bool causes_sum_up(const struct result *result)
{
	return result->cause_count && result->cause_count < result->finding_count;
}

static void put_cause(struct doc *doc, const struct result *result, const struct result_cause *cause)
{
	doc_row(doc);
	doc_cell(doc);
	doc_tag(doc, SET_SEVERITY, word_for(&severity_words, cause->severity));
	doc_close(doc);
	doc_cell_text(doc, doc_percent_of(doc, cause->share_ppm));
	doc_cell(doc);
	doc_message(doc, &cause->text);
	for (size_t i = 0; i < cause->advice_count; i++)
		doc_say(doc, BLOCK_ADVICE, &cause->advice[i]);
	for (size_t i = 0; i < result->cause_count; i++) {
		if (str_eq(result->causes[i].under, cause->id))
			doc_say(doc, BLOCK_ADVICE, &result->causes[i].text);
	}
	doc_close(doc);
	doc_close(doc);
}

void causes_build(struct doc *doc, const struct result *result)
{
	size_t leading = 0, shown = 0, most;

	if (!causes_sum_up(result))
		return;
	for (size_t i = 0; i < result->cause_count; i++)
		leading += !result->causes[i].under.len;
	most = doc_shown(doc, leading, SHORT_LIST);
	doc_section(doc, "report.causes");
	doc_table(doc, &table);
	for (size_t i = 0; i < result->cause_count && shown < most; i++) {
		if (result->causes[i].under.len)
			continue;
		put_cause(doc, result, &result->causes[i]);
		shown++;
	}
	doc_close(doc);
	if (shown < leading)
		doc_say_count(doc, BLOCK_PARAGRAPH, "report.more-causes", leading - shown);
	if (doc_is(doc, DOC_TEXT) && !doc->options.all)
		doc_say_count(doc, BLOCK_PARAGRAPH, "report.causes-findings", result->finding_count);
	doc_close(doc);
}
