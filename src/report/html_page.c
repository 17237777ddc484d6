/* An HTML file of its own: no network, readable without scripts. */
#include "base/mem.h"
#include "base/sha256.h"
#include "base/utf8.h"
#include "report/doc_build.h"
#include "report/render.h"
#include "report/markup.h"

void html_put_policy(struct buf *out)
{
	char style[SHA256_BASE64_BYTES], script[SHA256_BASE64_BYTES];

	sha256_base64(str_from(report_css), style);
	sha256_base64(str_from(report_js), script);
	buf_printf(out,
		"default-src 'none'; style-src 'sha256-%s'; script-src 'sha256-%s'; base-uri 'none'; form-action "
		"'none'",
		style, script);
}

/* From the doctype to the opened body. */
static void put_head(struct buf *out, enum lang lang, const char *title_id, struct str subject)
{
	html(out, "<!DOCTYPE html>\n<html");
	html_attribute(out, "lang", lang_name(lang));
	html(out, ">\n<head>\n<meta charset=\"utf-8\">\n"
		  "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
	html(out, "<meta http-equiv=\"Content-Security-Policy\" content=\"");
	html_put_policy(out);
	html(out, "\">\n<title>");
	html_label(out, lang, title_id);
	html(out, " \xc2\xb7 ");
	html_text(out, subject);
	html(out, "</title>\n<style>");
	buf_add(out, str_from(report_css));
	html(out, "</style>\n</head>\n<body>\n");
}

/* The page in another language, which is nothing to a browser until the script shows it. */
static void put_other(const struct doc *doc, enum lang first, const char *title_id, struct str subject, struct buf *out)
{
	CLEANUP(buf_clear) struct buf title = BUF_UNLIMITED;
	enum lang lang = doc->options.lang;

	html(out, "<template id=\"other-language\"");
	html_attribute(out, "lang", lang_name(lang));
	html_attribute(out, "data-name", catalog_text(lang, STR("lang.name")));
	html_attribute(out, "data-first", catalog_text(first, STR("lang.name")));
	buf_printf(&title, "%.*s \xc2\xb7 %.*s", STR_ARG(catalog_text(lang, str_from(title_id))), STR_ARG(subject));
	html_attribute(out, "data-title", buf_str(&title));
	html(out, ">\n");
	doc_put_html(doc, out);
	html(out, "</template>\n");
}

static void put_file(struct doc *doc, const struct result *result, const char *title_id, struct buf *out)
{
	struct str subject = result && result->input_count ? result->inputs[0].name : STR("opcheck");

	put_head(out, doc->options.lang, title_id, subject);
	doc_put_html(doc, out);
	if (doc->other)
		put_other(doc->other, doc->options.lang, title_id, subject, out);
	if (doc->scripted) {
		html(out, "<script>");
		buf_add(out, str_from(report_js));
		html(out, "</script>\n");
	}
	html(out, "</body>\n</html>\n");
}

/* Behind the text stands a mark by which a bot finds its own comment to update it. */
static void put_comment(struct doc *doc, const char *title_id, struct buf *out)
{
	enum { COMMENT_POINTS = 60000, SUMMARY_BYTES = 1000000 }; /* GitHub takes 65,536 and 1 MiB */
	CLEANUP(buf_clear) struct buf text = BUF_UNLIMITED;
	bool whole = doc->options.all;
	enum lang lang = doc->options.lang;

	doc_put(doc, &text);
	md_put_head(out, lang, buf_str(&text), whole ? SUMMARY_BYTES : utf8_offset(buf_str(&text), COMMENT_POINTS));
	buf_printf(out, "\n<!-- opcheck %.*s -->\n", (int)strcspn(title_id, "."), title_id);
}

void html_put_page(struct doc *doc, const struct result *result, const char *title_id, struct buf *out)
{
	if (doc->format == DOC_MD) {
		put_comment(doc, title_id, out);
		return;
	}
	if (doc->format != DOC_HTML) {
		doc_put(doc, out);
		return;
	}
	put_file(doc, result, title_id, out);
	doc_clear(doc);
}
