/* The findings of the text report. */
#include <stdio.h>

#include "report/text_page.h"

enum { SEVERITY_COLUMNS = 8, INDENT = SEVERITY_COLUMNS + SHARE_COLUMNS + 2, SHORT_NOTES = 3 };

static enum color severity_color(struct str severity)
{
	return str_eq(severity, STR("error")) ? COLOR_RED : str_eq(severity, STR("warning")) ? COLOR_YELLOW : COLOR_DIM;
}

void text_finding(struct page *page, const struct result_finding *finding)
{
	struct buf share = text_percent(finding->share_ppm), cell = BUF_INIT(256);
	struct textw plain = page->text;

	plain.out = &cell;
	textw_left(&plain, text_word(page, "severity", finding->severity), SEVERITY_COLUMNS);
	textw_colored(&page->text, severity_color(finding->severity), buf_str(&cell));
	textw_right(&page->text, buf_str(&share), SHARE_COLUMNS);
	text_put(page, STR("  "));
	text_message(page, &finding->what, INDENT, INDENT);
	text_standing(page, finding, INDENT);
	for (size_t i = 0; i < finding->advice_count; i++) {
		buf_printf(page->text.out, "%*s-> ", INDENT, "");
		text_message(page, &finding->advice[i], INDENT + 3, INDENT + 3);
	}
	buf_clear(&share);
	buf_clear(&cell);
}

/* "... and 56 more of shape-varying, 38.1 % in all" */
static void put_more_notes(struct page *page, const char *rule, size_t more, int64_t share_ppm)
{
	struct message message = message_of("report.more-notes");
	struct buf share = text_percent(share_ppm);
	char count[24];

	snprintf(count, sizeof(count), "%zu", more);
	message_add(&message, "count", str_from(count));
	message_add(&message, "rule", str_from(rule));
	message_add(&message, "share", buf_str(&share));
	text_message(page, &message, 0, 0);
	buf_clear(&share);
}

static bool is_note(const struct result_finding *finding)
{
	return str_eq(finding->severity, STR("note"));
}

/* The notes of one rule from the first of them on: a few, and what the others come to. */
static void put_notes_of_rule(struct page *page, size_t first)
{
	const struct result *result = page->result;
	const char *rule = result->findings[first].what.id;
	int64_t share_ppm = 0;
	size_t count = 0;

	for (size_t i = first; i < result->finding_count; i++) {
		const struct result_finding *finding = &result->findings[i];

		if (strcmp(finding->what.id, rule) != 0)
			continue;
		if (page->options->all || count < SHORT_NOTES)
			text_finding(page, finding);
		else
			share_ppm += finding->share_ppm;
		count++;
	}
	if (!page->options->all && count > SHORT_NOTES)
		put_more_notes(page, rule, count - SHORT_NOTES, share_ppm);
}

static bool is_first_of_rule(const struct result *result, size_t from, size_t at)
{
	for (size_t i = from; i < at; i++) {
		if (strcmp(result->findings[i].what.id, result->findings[at].what.id) == 0)
			return false;
	}
	return true;
}

/* Findings are sorted by severity: errors and warnings stand before the first note. */
void text_findings(struct page *page)
{
	const struct result *result = page->result;
	size_t grave = 0, shown;

	while (grave < result->finding_count && !is_note(&result->findings[grave]))
		grave++;
	shown = page->options->all || grave <= SHORT_LIST ? grave : SHORT_LIST;
	text_heading(page, "report.findings");
	if (!result->finding_count) {
		text_put(page, text_label(page, "report.no-findings"));
		text_put(page, STR("\n"));
	}
	if (page->left_out)
		text_count(page, "report.known-left-out", page->left_out);
	for (size_t i = 0; i < shown; i++)
		text_finding(page, &result->findings[i]);
	if (shown < grave)
		text_count(page, "report.more-findings", grave - shown);
	for (size_t i = grave; i < result->finding_count; i++) {
		if (is_first_of_rule(result, grave, i))
			put_notes_of_rule(page, i);
	}
}
