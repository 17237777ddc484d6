/* The report on one assessment, in the formats that people read. */
#include "report/report.h"

#include "base/memory/mem.h"
#include "report/answers/bucket_section.h"
#include "report/doc/glossary.h"
#include "report/doc/headline.h"
#include "report/doc/html_page.h"
#include "report/doc/markup.h"
#include "report/doc/doc_put.h"
#include "report/screen/report_screen.h"
#include "report/screen/source_screen.h"
#include "report/sections/agreement.h"
#include "report/sections/capture.h"
#include "report/sections/parts.h"
#include "report/drawings/estimates.h"
#include "report/sections/findings.h"
#include "report/sections/policy.h"
#include "report/sections/questions.h"
#include "report/sections/release_section.h"
#include "report/sections/source.h"
#include "report/sections/summary.h"
#include "report/sections/time_section.h"

/* A part of a report, and the formats that have it. The id names those that stand alone, with "section.ID" in
   web/i18n. */
struct part {
	void (*build)(struct doc *doc, const struct result *result);
	unsigned formats;
	const char *id;
};

/* Below the last part that people decide by, paper goes on with a new page. */
static void put_page_end(struct buf *out, enum lang lang UNUSED, const void *ctx UNUSED)
{
	html(out, "<div class=\"page-end\"></div>\n");
}

static void page_end_build(struct doc *doc, const struct result *result UNUSED)
{
	doc_figure(doc, put_page_end, NULL);
}

enum { DOC_ALL = DOC_TEXT | DOC_HTML | DOC_MD };

/* The text of a comment: the headlines first, then weaknesses of the dump and blockers. */
static const struct part short_parts[] = {
	{ headline_build, DOC_MD },
	{ shown_build, DOC_MD },
	{ headlines_build, DOC_MD },
	{ estimate_lines_build, DOC_MD },
	{ changes_since_build, DOC_MD },
	{ weaknesses_build, DOC_MD },
	{ targets_build, DOC_MD },
	{ questions_build, DOC_MD },
	{ blockers_build, DOC_MD },
	{ notes_build, DOC_MD },
	{ inputs_build, DOC_MD },
};
static const struct part first_parts[] = {
	{ headline_build, DOC_MD },
	{ shown_build, DOC_MD },
	{ headlines_build, DOC_MD },
	{ changes_since_build, DOC_MD },
};
static const struct part main_parts[] = {
	{ shown_build, DOC_TEXT | DOC_HTML },
	{ weaknesses_build, DOC_ALL, "limits" },
	{ targets_build, DOC_ALL, "targets" },
	{ questions_build, DOC_ALL, "questions" },
	{ gate_build, DOC_PLAIN, "gate" },
	{ causes_build, DOC_ALL, "causes" },
	{ findings_build, DOC_ALL, "findings" },
	{ waived_build, DOC_ALL, "waived" },
	{ time_build, DOC_HTML },
	{ page_end_build, DOC_HTML },
	{ releases_build, DOC_HTML },
	{ steps_build, DOC_HTML },
	{ padding_build, DOC_HTML },
	{ estimates_build, DOC_ALL, "estimate" },
	{ costs_build, DOC_ALL, "costs" },
	{ operators_build, DOC_ALL, "operators" },
	{ training_build, DOC_ALL, "training" },
	{ implied_build, DOC_ALL, "implied" },
	{ agreements_build, DOC_ALL, "agreement" },
	{ traffic_build, DOC_ALL, "traffic" },
	{ notes_build, DOC_ALL, "notes" },
	{ ignored_build, DOC_ALL, "ignored" },
	{ sources_build, DOC_HTML },
	{ glossary_build, DOC_HTML },
	{ digests_build, DOC_HTML },
};

static const struct part *find_part(struct str id)
{
	return FIND(i, main_parts, ARRAY_SIZE(main_parts), main_parts[i].id && str_eq(str_from(main_parts[i].id), id));
}

bool report_has_section(struct str id)
{
	return find_part(id);
}

void report_put_sections(struct buf *out)
{
	for (size_t i = 0; i < ARRAY_SIZE(main_parts); i++) {
		if (main_parts[i].id)
			buf_printf(out, "%s%s", out->len ? ", " : "", main_parts[i].id);
	}
}

#define BUILD_PARTS(doc, result, parts) build_parts(doc, result, parts, ARRAY_SIZE(parts))

static void build_parts(struct doc *doc, const struct result *result, const struct part *parts, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (parts[i].formats & doc->format)
			parts[i].build(doc, result);
	}
}

void report_build(struct doc *doc, const struct result *result)
{
	if (doc->options.section.len && doc_is(doc, DOC_PLAIN)) {
		find_part(doc->options.section)->build(doc, result);
		return;
	}
	if (result->source) {
		source_build(doc, result);
		return;
	}
	if (doc->format == DOC_MD && !doc->options.all) {
		BUILD_PARTS(doc, result, short_parts);
		return;
	}
	if (doc_is(doc, DOC_HTML))
		sources_collect(doc, result);
	BUILD_PARTS(doc, result, first_parts);
	head_build(doc, result, "report.title");
	doc_open(doc, BLOCK_MAIN);
	BUILD_PARTS(doc, result, main_parts);
	doc_close(doc);
}

/* Copy the result without the findings of a baseline; returns their number. */
static size_t leave_out_known(struct arena *arena, struct result *result)
{
	struct result_finding *kept = arena_alloc(arena, (result->finding_count + 1) * sizeof(kept[0]));
	size_t count = 0, all = result->finding_count;

	for (size_t i = 0; i < all; i++) {
		if (result->findings[i].age != AGE_KNOWN)
			kept[count++] = result->findings[i];
	}
	result->findings = kept;
	result->finding_count = count;
	return all - count;
}

static void render(
	enum doc_format format, const struct result *result, const struct render_options *options, struct buf *out)
{
	struct doc doc = doc_new(format, options);
	struct result shown = *result; /* its lists are those of the other */
	struct render_options other_options = *options;
	struct doc other;

	doc.scripted = true;
	doc.left_out = options->new_only ? leave_out_known(&doc.arena, &shown) : 0;
	report_build(&doc, &shown);
	if (format == DOC_HTML && options->all_langs) {
		other_options.lang = lang_other(options->lang);
		other = doc_new(format, &other_options);
		other.second = true;
		other.left_out = doc.left_out;
		report_build(&other, &shown);
		doc.other = &other;
	}
	html_put_page(&doc, result, result->source ? "source.title" : "report.title", out);
	if (doc.other)
		doc_clear(&other);
}

/* The first screen, and what -v adds to it. */
static void put_view(const struct result *result, const struct render_options *options, struct buf *out)
{
	struct doc doc;

	report_screen(result, options, out);
	if (options->view != VIEW_CAUSES)
		return;
	doc = doc_new(DOC_TEXT, options);
	causes_build(&doc, result);
	operators_build(&doc, result);
	doc_put(&doc, out);
}

void render_text(const struct result *result, const struct render_options *options, struct buf *out)
{
	bool whole = options->view == VIEW_WHOLE || options->section.len || !headline_known(result);

	if (!whole && result->source && options->view != VIEW_CAUSES)
		source_screen(result, options, out);
	else if (whole || result->source)
		render(DOC_TEXT, result, options, out);
	else
		put_view(result, options, out);
}

void render_html(const struct result *result, const struct render_options *options, struct buf *out)
{
	render(DOC_HTML, result, options, out);
}

void render_md(const struct result *result, const struct render_options *options, struct buf *out)
{
	render(DOC_MD, result, options, out);
}
