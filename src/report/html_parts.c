#include "report/html_parts.h"

#include "base/decimal.h"

void html_label(struct buf *out, enum lang lang, const char *id)
{
	html_text(out, catalog_text(lang, str_from(id)));
}

void html_word(struct buf *out, enum lang lang, const char *set, struct str value)
{
	struct buf id = BUF_INIT(256);

	buf_printf(&id, "%s.%.*s", set, STR_ARG(value));
	html_text(out, catalog_has(LANG_EN, buf_str(&id)) ? catalog_text(lang, buf_str(&id)) : value);
	buf_clear(&id);
}

void html_tag(struct buf *out, enum lang lang, const char *prefix, const char *set, struct str value)
{
	html(out, "<span class=\"tag ");
	buf_printf(out, "%s", prefix);
	html_text(out, value);
	html(out, "\">");
	html_word(out, lang, set, value);
	html(out, "</span>");
}

void html_message(struct buf *out, enum lang lang, const struct message *message)
{
	struct buf text = BUF_UNLIMITED;

	catalog_put(&text, lang, message);
	html_text(out, buf_str(&text));
	buf_clear(&text);
}

void html_percent(struct buf *out, int64_t ppm)
{
	decimal_put(out, (ppm + (ppm < 0 ? -500 : 500)) / 1000, 1);
	html(out, " %");
}

void html_advice(struct buf *out, enum lang lang, const struct message *advice, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		html(out, "<div class=\"advice\">");
		html_message(out, lang, &advice[i]);
		html(out, "</div>");
	}
}

static void put_no_address(struct buf *out, enum lang lang, struct str text)
{
	html_text(out, text);
	html(out, " <span class=\"soft\">(");
	html_label(out, lang, "report.no-address");
	html(out, ")</span>");
}

static void put_evidence(struct buf *out, enum lang lang, const struct result_evidence *evidence, size_t count)
{
	if (!count) {
		html(out, "<li>");
		html_label(out, lang, "report.no-evidence");
		html(out, "</li>");
	}
	for (size_t i = 0; i < count; i++) {
		html(out, "<li>");
		html_text(out, evidence[i].kind);
		html(out, ": ");
		if (evidence[i].ref.len)
			html_link(out, evidence[i].ref);
		else
			put_no_address(out, lang, evidence[i].text);
		if (evidence[i].date.len) {
			html(out, ", ");
			html_text(out, evidence[i].date);
		}
		html(out, "</li>");
	}
}

static void put_span(struct buf *out, enum lang lang, const char *id, struct str release)
{
	if (!release.len)
		return;
	html(out, ", ");
	html_label(out, lang, id);
	html(out, " ");
	html_text(out, release);
}

void html_verdict(struct buf *out, enum lang lang, const struct result_verdict *verdict)
{
	html(out, "<p><strong class=\"name\">");
	html_text(out, verdict->target);
	html(out, "</strong> ");
	html_tag(out, lang, "s-", "status", verdict->status);
	if (verdict->via.len) {
		html(out, " <span class=\"soft\">");
		html_text(out, verdict->via);
		html(out, "</span>");
	}
	for (size_t i = 0; i < verdict->flag_count; i++) {
		html(out, " <code>");
		html_text(out, verdict->flags[i]);
		html(out, "</code>");
	}
	put_span(out, lang, "report.since", verdict->since);
	put_span(out, lang, "report.until", verdict->until);
	html(out, "</p>");
	for (size_t i = 0; i < verdict->condition_count; i++) {
		html(out, "<p>");
		html_message(out, lang, &verdict->conditions[i]);
		html(out, "</p>");
	}
	html_advice(out, lang, verdict->advice, verdict->advice_count);
	html(out, "<ul>");
	put_evidence(out, lang, verdict->evidence, verdict->evidence_count);
	html(out, "</ul>");
}
