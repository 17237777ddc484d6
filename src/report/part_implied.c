/* Operators that a program calls on a target though they were not recorded. */
#include "base/mem.h"
#include "report/html_parts.h"
#include "report/load_pieces.h"
#include "report/part.h"
#include "report/pieces.h"

static bool shown(const struct result *result)
{
	return result->implied_count;
}

/* --- JSON */

static void json(struct jsonw *json, const struct result *result)
{
	jsonw_list(json);
	for (size_t i = 0; i < result->implied_count; i++) {
		const struct result_implied *implied = &result->implied[i];

		jsonw_object(json);
		jsonw_key_str(json, "name", implied->name);
		jsonw_key(json, "because");
		json_put_message(json, &implied->because);
		jsonw_key(json, "verdicts");
		jsonw_object(json);
		for (size_t j = 0; j < implied->verdict_count; j++) {
			jsonw_key_view(json, implied->verdicts[j].target);
			json_put_verdict(json, &implied->verdicts[j]);
		}
		jsonw_object_end(json);
		jsonw_object_end(json);
	}
	jsonw_list_end(json);
}

static void load_one(struct loader *loader, const cJSON *object, struct result_implied *ret)
{
	ret->name = value_text(loader, object, "name");
	load_message(loader, value_member(loader, object, "because"), &ret->because);
	LOAD_OBJECT(loader, object, "verdicts", ret->verdicts, ret->verdict_count, load_verdict);
}

static void load(struct loader *loader, const cJSON *root, struct result *ret)
{
	LOAD_LIST(loader, root, "implied", ret->implied, ret->implied_count, load_one);
}

/* --- text */

static bool runs(const struct result_verdict *verdict)
{
	return !str_eq(verdict->status, STR("unsupported")) && !str_eq(verdict->status, STR("needs-package")) &&
	       !str_eq(verdict->status, STR("unknown")) && !str_eq(verdict->status, STR("cpu-fallback"));
}

/* Whether it is more than a name in a list. */
static bool is_trouble(const struct result_implied *implied)
{
	for (size_t i = 0; i < implied->verdict_count; i++) {
		if (!runs(&implied->verdicts[i]))
			return true;
	}
	return false;
}

static void text_one(struct page *page, const struct result_implied *implied)
{
	CLEANUP(buf_clear) struct buf line = BUF_UNLIMITED;

	buf_printf(&line, "%.*s: ", STR_ARG(implied->name));
	for (size_t i = 0; i < implied->verdict_count; i++)
		buf_printf(&line, "%s%.*s %.*s", i ? ", " : "",
			STR_ARG(text_word(page, "status", implied->verdicts[i].status)),
			STR_ARG(implied->verdicts[i].target));
	buf_add(&line, STR("; "));
	catalog_put(&line, page->options->lang, &implied->because);
	text_put(page, STR("- "));
	textw_wrap(&page->text, buf_str(&line), 2, 2);
}

/* Those that do not run on a device one by one; the others only when all is asked for. */
static void text(struct page *page)
{
	size_t fine = 0;

	text_heading(page, "report.implied");
	for (size_t i = 0; i < page->result->implied_count; i++) {
		if (page->options->all || is_trouble(&page->result->implied[i]))
			text_one(page, &page->result->implied[i]);
		else
			fine++;
	}
	if (fine)
		text_count(page, "report.implied-fine", fine);
}

/* --- HTML */

static void html_row(struct buf *out, enum lang lang, const struct result_implied *implied)
{
	html(out, "<tr><td class=\"name\">");
	html_text(out, implied->name);
	html(out, "</td><td>");
	html_message(out, lang, &implied->because);
	html(out, "</td><td>");
	for (size_t i = 0; i < implied->verdict_count; i++) {
		html(out, "<div>");
		html_tag(out, lang, "s-", "status", implied->verdicts[i].status);
		html(out, " ");
		html_text(out, implied->verdicts[i].target);
		html(out, "</div>");
	}
	html(out, "</td></tr>\n");
}

static void page(struct buf *out, enum lang lang, const struct result *result)
{
	html(out, "<h2>");
	html_label(out, lang, "report.implied");
	html(out, "</h2>\n<p>");
	html_label(out, lang, "report.implied-about");
	html(out, "</p>\n<div class=\"scroll\"><table>\n<thead><tr><th>");
	html_label(out, lang, "report.operator");
	html(out, "</th><th>");
	html_label(out, lang, "report.why");
	html(out, "</th><th>");
	html_label(out, lang, "report.status");
	html(out, "</th></tr></thead>\n<tbody>\n");
	for (size_t i = 0; i < result->implied_count; i++)
		html_row(out, lang, &result->implied[i]);
	html(out, "</tbody>\n</table></div>\n");
}

const struct report_part part_implied = { "implied", shown, json, load, text, page };
