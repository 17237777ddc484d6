#include "report/doc/html_page.h"

#include "base/memory/mem.h"
#include "base/value/sha256.h"
#include "base/value/utf8.h"
#include "report/doc/doc_build.h"
#include "report/doc/doc_put.h"
#include "report/doc/headline.h"
#include "report/doc/html_doc.h"
#include "report/doc/html_words.h"
#include "report/doc/markup.h"

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
static void put_html_head(struct buf *out, enum lang lang, struct str title)
{
	html(out, "<!DOCTYPE html>\n<html");
	html_attribute(out, "lang", lang_name(lang));
	html(out, ">\n<head>\n<meta charset=\"utf-8\">\n"
		  "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
	html(out, "<meta http-equiv=\"Content-Security-Policy\" content=\"");
	html_put_policy(out);
	html(out, "\">\n<title>");
	html_text(out, title);
	html(out, "</title>\n<style>");
	buf_add(out, str_from(report_css));
	html(out, "</style>\n</head>\n<body>\n");
}

/* The element with the page in another language, inert until the script shows it. */
static void open_other(struct buf *out, const char *element, const struct doc *doc, enum lang first, struct str title)
{
	enum lang lang = doc->options.lang;

	buf_printf(out, "<%s id=\"other-language\"", element);
	html_attribute(out, "lang", lang_name(lang));
	html_attribute(out, "data-name", catalog_text(lang, STR("lang.name")));
	html_attribute(out, "data-first", catalog_text(first, STR("lang.name")));
	html_attribute(out, "data-title", title);
	html(out, ">");
}

static void put_words(const struct html_words *words, struct buf *out)
{
	struct jsonw json = jsonw_start(out, 0);
	size_t from = out->len;

	jsonw_object(&json);
	jsonw_key(&json, "steps");
	html_words_put_steps(words, &json);
	jsonw_key(&json, "words");
	html_words_put(words, &json);
	jsonw_object_end(&json);
	html_compact_json(out, from);
}

/* Behind the page itself, which begins at `from`: the words of the other, or all of it where it has other elements. */
static void put_other(const struct doc *doc, enum lang first, struct str title, struct buf *out, size_t from)
{
	CLEANUP(html_words_clear) struct html_words words = { .bytes = BUF_UNLIMITED };
	CLEANUP(buf_clear) struct buf page = BUF_UNLIMITED;

	doc_put_html(doc, &page);
	if (html_words_compare(&words, str_skip(buf_str(out), from), buf_str(&page))) {
		open_other(out, "script type=\"application/json\"", doc, first, title);
		put_words(&words, out);
		html(out, "</script>\n");
		return;
	}
	open_other(out, "template", doc, first, title);
	buf_add(out, buf_str(&page));
	html(out, "</template>\n");
}

/* Of the page in one of its languages. */
static struct str page_title(struct doc *doc, enum lang lang, const struct result *result, const char *title_id)
{
	struct str subject = result && result->input_count ? result->inputs[0].name : STR("opcheck");

	if (result && headline_is_title(result, title_id))
		return headline_line(&doc->arena, lang, result);
	return doc_format_of(
		doc, "%.*s \xc2\xb7 %.*s", STR_ARG(catalog_text(lang, str_from(title_id))), STR_ARG(subject));
}

static void put_file(struct doc *doc, const struct result *result, const char *title_id, struct buf *out)
{
	size_t from;

	put_html_head(out, doc->options.lang, page_title(doc, doc->options.lang, result, title_id));
	from = out->len;
	doc_put_html(doc, out);
	if (doc->other)
		put_other(doc->other, doc->options.lang, page_title(doc, doc->other->options.lang, result, title_id),
			out, from);
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

struct doc answer_doc(struct str format, const struct render_options *options, const char *title_id)
{
	struct doc doc = doc_new(doc_format_of_name(format), options);

	doc_title(doc_in(&doc, DOC_HTML), title_id);
	doc_close(&doc);
	return doc;
}

void answer_doc_put(struct doc *doc, const char *title_id, struct buf *out)
{
	if (doc->format == DOC_HTML)
		html_put_page(doc, NULL, title_id, out);
	else
		doc_put(doc, out);
}
