/* The findings of a report. */
#include "report/sections/findings.h"

#include "assess/model/words.h"
#include "base/memory/mem.h"
#include "base/view/ascii.h"
#include "report/sections/policy.h"

enum { SHORT_NOTES = 3 };

static const struct doc_column columns[] = {
	{ .label = "report.severity", .width = 8 },
	{ .label = "report.share", .width = SHARE_COLUMNS, .number = true },
	{ .label = "report.finding", .gap = 2, .fit = COLUMN_WRAP },
	{ .label = "report.rule", .formats = DOC_HTML | DOC_MD, .css = "rule" },
};
const struct doc_table finding_table = {
	.columns = columns, .count = ARRAY_SIZE(columns), .bare = true, .row_css = "finding"
};

bool is_safe_word(struct str name)
{
	for (size_t i = 0; i < name.len; i++) {
		char c = name.ptr[i];

		if (!is_word(c) && c != ':' && c != '.' && c != '-')
			return false;
	}
	return name.len && name.ptr[0] != '-';
}

void correction_build(struct doc *doc, const struct result_finding *finding)
{
	if (finding->severity != SEVERITY_NOTE && is_safe_word(finding->operator_name) && finding->target.len)
		doc_say_with(doc_in(doc, doc->options.all ? 0 : DOC_HTML), BLOCK_META, "report.correction",
			BLANK("operator", finding->operator_name), BLANK("target", finding->target));
}

void finding_open(struct doc *doc, enum severity severity, struct str share)
{
	doc_row(doc);
	doc_cell_tag(doc, SET_SEVERITY, word_for(&severity_words, severity));
	doc_cell_text(doc, share);
	doc_cell(doc);
}

static void put_finding(struct doc *doc, const struct result_finding *finding)
{
	finding_open(doc, finding->severity, doc_percent_of(doc, finding->share_ppm));
	doc_message(doc, &finding->what);
	standing_build(doc, finding);
	/* a page has it in the operator's row */
	doc_say_each(doc_in(doc, finding->operator_name.len ? DOC_PLAIN : 0), BLOCK_ADVICE, finding->advice,
		finding->advice_count);
	correction_build(doc, finding);
	doc_cell_styled(doc, SPAN_CODE, str_from(finding->what.id));
}

static void put_listed(struct doc *doc, const void *ctx, size_t at)
{
	put_finding(doc, (const struct result_finding *)ctx + at);
}

static void put_list(struct doc *doc, const struct result_finding *findings, size_t count)
{
	struct doc_table list = finding_table;

	if (!count)
		return;
	list.row_count = count;
	list.put_row = put_listed;
	list.ctx = findings;
	doc_table(doc, &list);
	doc_table_end(doc);
}

/* --- notes, which are many: on a page behind a click, else summed up by rule */

/* The notes of one rule from the first of them on: a few, and what the others come to. */
static void put_notes_of_rule(struct doc *doc, const struct result *result, size_t first)
{
	const char *rule = result->findings[first].what.id;
	int64_t share_ppm = 0;
	size_t count = 0;

	doc_table(doc, &finding_table);
	for (size_t i = first; i < result->finding_count; i++) {
		const struct result_finding *finding = &result->findings[i];

		if (strcmp(finding->what.id, rule) != 0)
			continue;
		if (doc->options.all || count < SHORT_NOTES)
			put_finding(doc, finding);
		else
			share_ppm += finding->share_ppm;
		count++;
	}
	doc_table_end(doc);
	if (!doc->options.all && count > SHORT_NOTES)
		doc_say_with(doc, BLOCK_PARAGRAPH,
			doc->options.rows ? "report.more-notes-in-json" : "report.more-notes",
			NUMBER("count", count - SHORT_NOTES), BLANK("rule", str_from(rule)),
			BLANK("share", doc_percent_of(doc, share_ppm)));
}

static void put_notes(struct doc *doc, const struct result *result, size_t from)
{
	const struct result_finding *notes = result->findings + from;
	size_t count = result->finding_count - from, shown = doc_shown(doc, count, count);

	if (!count)
		return;
	if (doc_is(doc, DOC_HTML)) {
		doc_open(doc, BLOCK_MORE);
		doc_say_printf(doc, BLOCK_SUMMARY, "%zu %.*s", count, STR_ARG(doc_label_of(doc, "report.notes")));
		put_list(doc, notes, shown);
		doc_say_more(doc, "report.more-findings", count - shown);
		doc_close(doc);
		return;
	}
	for (size_t i = 0; i < count; i++) {
		if (ALL(j, i, strcmp(notes[j].what.id, notes[i].what.id) != 0))
			put_notes_of_rule(doc, result, from + i);
	}
}

bool findings_listed(const struct doc *doc, const struct result *result)
{
	return doc->format != DOC_TEXT || doc->options.all || !result->cause_count;
}

/* Findings are sorted by severity: errors and warnings stand before the first note. A page that lists causes has them
   behind a click: they say the same once more, operator by operator. */
void findings_build(struct doc *doc, const struct result *result)
{
	bool again = result->cause_count && result->finding_count,
	     alone = doc->options.section.len && doc_is(doc, DOC_PLAIN);
	size_t grave = 0, shown;

	if (!alone && !findings_listed(doc, result))
		return;
	while (grave < result->finding_count && result->findings[grave].severity != SEVERITY_NOTE)
		grave++;
	shown = doc_shown(doc, grave, SHORT_LIST);
	doc_section(doc, "report.findings");
	if (!result->finding_count)
		doc_say_label(doc, BLOCK_PARAGRAPH, "report.no-findings");
	if (doc->left_out && !alone) {
		doc_say_count(doc_in(doc, DOC_HTML), BLOCK_META, "report.known-left-out", doc->left_out);
		doc_say_count(doc_in(doc, DOC_PLAIN), BLOCK_PARAGRAPH, "report.known-left-out", doc->left_out);
	}
	if (again) {
		doc_open(doc, BLOCK_MORE);
		doc_say_count(
			doc_in(doc, DOC_HTML), BLOCK_SUMMARY, "report.findings-one-by-one", result->finding_count);
	}
	put_list(doc, result->findings, shown);
	doc_say_more(doc, "report.more-findings", grave - shown);
	put_notes(doc, result, grave);
	if (again)
		doc_close(doc);
	doc_close(doc);
}

void blockers_build(struct doc *doc, const struct result *result)
{
	enum { MOST = 10 };
	size_t errors = 0;

	while (errors < result->finding_count && result->findings[errors].severity == SEVERITY_ERROR)
		errors++;
	doc_section(doc, "report.blockers");
	put_list(doc, result->findings, errors < MOST ? errors : MOST);
	doc_say_more(doc, "report.more-findings", errors > MOST ? errors - MOST : 0);
	doc_close(doc);
}

void waived_build(struct doc *doc, const struct result *result)
{
	size_t shown = doc_shown(doc, result->waived_count, SHORT_LIST);

	doc_section(doc, "report.waived");
	put_list(doc, result->waived, shown);
	doc_say_more(doc, "report.more-findings", result->waived_count - shown);
	doc_close(doc);
}
