/* What a device showed, in the HTML report. */
#include <inttypes.h>

#include "base/decimal.h"
#include "base/mem.h"
#include "report/html_parts.h"
#include "report/pieces.h"

enum { US_PLACES = 3 };

void html_device(struct buf *out, enum lang lang, const struct result *result, size_t input)
{
	CLEANUP(buf_clear) struct buf text = BUF_UNLIMITED;

	if (!device_put_once(&text, lang, result, input))
		return;
	html(out, "<p class=\"meta\">");
	html_text(out, buf_str(&text));
	html(out, "</p>\n");
}

static void head_cell(struct buf *out, enum lang lang, const char *id, bool is_number)
{
	buf_add(out, is_number ? STR("<th scope=\"col\" class=\"n\">") : STR("<th scope=\"col\">"));
	html_label(out, lang, id);
	html(out, "</th>");
}

static void put_sums(struct buf *out, enum lang lang, const struct agreement *agreement)
{
	html(out, "<div class=\"scroll\"><table>\n<thead><tr>");
	head_cell(out, lang, "agreement.outcome", false);
	head_cell(out, lang, "agreement.operators", true);
	head_cell(out, lang, "agreement.calls", true);
	head_cell(out, lang, "agreement.device-us", true);
	html(out, "</tr></thead>\n<tbody>\n");
	for (size_t i = 0; i < agreement->sum_count; i++) {
		const struct agreement_sum *sum = &agreement->sums[i];

		html(out, "<tr><td>");
		html_word(out, lang, "outcome", sum->outcome);
		buf_printf(out, "</td><td class=\"n\">%" PRIu64 "</td><td class=\"n\">%" PRIu64, sum->operators,
			sum->calls);
		html(out, "</td><td class=\"n\">");
		decimal_put(out, sum->device_ns, US_PLACES);
		html(out, "</td></tr>\n");
	}
	html(out, "</tbody>\n</table></div>\n");
}

static void put_row(struct buf *out, enum lang lang, const struct agreement_entry *entry)
{
	CLEANUP(buf_clear) struct buf text = BUF_UNLIMITED;

	agreement_put_entry(&text, lang, entry);
	html(out, "<tr class=\"finding\"><td>");
	html_word(out, lang, "outcome", entry->outcome);
	html(out, "</td><td>");
	html_text(out, buf_str(&text));
	html(out, "</td></tr>\n");
}

static void put_rows(struct buf *out, enum lang lang, const struct agreement *agreement, bool quiet)
{
	html(out, "<div class=\"scroll\"><table>\n<tbody>\n");
	for (size_t i = 0; i < agreement->entry_count; i++) {
		if (agreement_entry_is_quiet(&agreement->entries[i]) == quiet)
			put_row(out, lang, &agreement->entries[i]);
	}
	html(out, "</tbody>\n</table></div>\n");
}

static size_t count_rows(const struct agreement *agreement, bool quiet)
{
	size_t count = 0;

	for (size_t i = 0; i < agreement->entry_count; i++)
		count += agreement_entry_is_quiet(&agreement->entries[i]) == quiet;
	return count;
}

/* What is wrong in full; what agrees or cannot be told behind a click. */
void html_agreement(struct buf *out, enum lang lang, const struct agreement *agreement)
{
	CLEANUP(buf_clear) struct buf score = BUF_UNLIMITED;
	struct message about = message_of(agreement->made_on ? "agreement.about-own" : "agreement.about");

	message_add(&about, "target", agreement->target);
	agreement_put_score(&score, lang, agreement);
	html(out, "<p>");
	html_message(out, lang, &about);
	html(out, "</p>\n<p><strong>");
	html_text(out, buf_str(&score));
	html(out, "</strong></p>\n");
	put_sums(out, lang, agreement);
	if (count_rows(agreement, false))
		put_rows(out, lang, agreement, false);
	if (!count_rows(agreement, true))
		return;
	buf_printf(out, "<details class=\"more\"><summary>%zu ", count_rows(agreement, true));
	html_label(out, lang, "agreement.quiet");
	html(out, "</summary>\n");
	put_rows(out, lang, agreement, true);
	html(out, "</details>\n");
}

void html_agreements(struct buf *out, enum lang lang, const struct result *result)
{
	for (size_t i = 0; i < result->agreement_count; i++) {
		html(out, "<h2>");
		html_label(out, lang, "report.agreement");
		html(out, "</h2>\n");
		html_agreement(out, lang, &result->agreements[i]);
	}
}

/* For the details of an operator. */
void html_observed(struct buf *out, enum lang lang, const struct result_observed *observed)
{
	if (!observed->where.len)
		return;
	html(out, "<p>");
	html_label(out, lang, "report.seen");
	html(out, ": ");
	html_word(out, lang, "observed", observed->where);
	for (size_t i = 0; i < observed->evidence_count; i++) {
		buf_add(out, i ? STR("; ") : STR(" ("));
		html_message(out, lang, &observed->evidence[i]);
	}
	buf_add(out, observed->evidence_count ? STR(")</p>") : STR("</p>"));
}
