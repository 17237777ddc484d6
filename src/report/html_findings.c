/* The findings of the HTML report. */
#include "report/html_parts.h"

static void heading(struct buf *out, enum lang lang, const char *id)
{
	html(out, "<h2>");
	html_label(out, lang, id);
	html(out, "</h2>\n");
}

static void finding_row(struct buf *out, enum lang lang, const struct result_finding *finding)
{
	html(out, "<tr class=\"finding\"><td>");
	html_tag(out, lang, "l-", "severity", finding->severity);
	html(out, "</td><td class=\"n\">");
	html_percent(out, finding->share_ppm);
	html(out, "</td><td>");
	html_message(out, lang, &finding->what);
	html_standing(out, lang, finding);
	html_advice(out, lang, finding->advice, finding->advice_count);
	html(out, "</td><td class=\"rule\"><code>");
	html_text(out, str_from(finding->what.id));
	html(out, "</code></td></tr>\n");
}

static void finding_table(struct buf *out, enum lang lang, const struct result_finding *findings, size_t count)
{
	html(out, "<div class=\"scroll\"><table>\n<tbody>\n");
	for (size_t i = 0; i < count; i++)
		finding_row(out, lang, &findings[i]);
	html(out, "</tbody>\n</table></div>\n");
}

/* Behind a click: they are many. */
static void notes(struct buf *out, enum lang lang, const struct result_finding *findings, size_t count)
{
	html(out, "<details class=\"more\"><summary>");
	buf_printf(out, "%zu ", count);
	html_label(out, lang, "report.notes");
	html(out, "</summary>\n");
	finding_table(out, lang, findings, count);
	html(out, "</details>\n");
}

static void waived(struct buf *out, enum lang lang, const struct result *result)
{
	if (!result->waived_count)
		return;
	heading(out, lang, "report.waived");
	finding_table(out, lang, result->waived, result->waived_count);
}

void html_findings(struct buf *out, enum lang lang, const struct result *result, size_t left_out)
{
	size_t grave = 0;

	while (grave < result->finding_count && !str_eq(result->findings[grave].severity, STR("note")))
		grave++;
	heading(out, lang, "report.findings");
	if (!result->finding_count) {
		html(out, "<p>");
		html_label(out, lang, "report.no-findings");
		html(out, "</p>\n");
	}
	html_left_out(out, lang, left_out);
	if (grave)
		finding_table(out, lang, result->findings, grave);
	if (grave < result->finding_count)
		notes(out, lang, result->findings + grave, result->finding_count - grave);
	waived(out, lang, result);
}
