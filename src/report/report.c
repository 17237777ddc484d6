/* The report on one assessment, in the formats that people read. */
#include "report/report.h"

#include "report/html.h"
#include "report/part.h"
#include "report/policy_parts.h"
#include "report/render.h"
#include "report/sections.h"

static void report_build_fresh(struct doc *doc, const struct result *result, size_t left_out)
{
	head_build(doc, result, "report.title");
	doc_open(doc, BLOCK_MAIN);
	targets_build(doc, result);
	if (!doc_is(doc, DOC_HTML))
		gate_build(doc, result);
	findings_build(doc, result, left_out);
	waived_build(doc, result);
	costs_build(doc, result);
	operators_build(doc, result);
	for (size_t i = 0; i < report_part_count; i++) {
		if (report_parts[i]->shown(result))
			report_parts[i]->build(doc, result);
	}
	capture_build(doc, result);
	ignored_build(doc, result);
	doc_close(doc);
}

void report_build(struct doc *doc, const struct result *result)
{
	report_build_fresh(doc, result, 0);
}

static void render(
	enum doc_format format, const struct result *result, const struct render_options *options, struct buf *out)
{
	struct new_findings fresh = new_findings_of(result, options->new_only);
	struct doc doc = doc_new(format, options);

	doc.scripted = true;
	report_build_fresh(&doc, &fresh.result, fresh.left_out);
	html_put_page(&doc, &fresh.result, "report.title", out);
	new_findings_clear(&fresh);
}

void render_text(const struct result *result, const struct render_options *options, struct buf *out)
{
	render(DOC_TEXT, result, options, out);
}

void render_html(const struct result *result, const struct render_options *options, struct buf *out)
{
	render(DOC_HTML, result, options, out);
}
