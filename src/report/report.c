/* The report on one assessment, in the formats that people read. */
#include "report/report.h"

#include "report/html.h"
#include "report/part.h"
#include "report/policy_parts.h"
#include "report/render.h"
#include "report/sections.h"

/* What fits into a comment: the verdict first, then what blocks and what to doubt. */
static void build_short(struct doc *doc, const struct result *result)
{
	verdicts_build(doc, result);
	targets_build(doc, result);
	blockers_build(doc, result);
	capture_build(doc, result);
	inputs_build(doc, result);
}

static void build(struct doc *doc, const struct result *result, size_t left_out)
{
	if (doc_is(doc, DOC_MD) && !doc->options.all) {
		build_short(doc, result);
		return;
	}
	if (doc_is(doc, DOC_MD))
		verdicts_build(doc, result);
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
	build(doc, result, 0);
}

static void render(
	enum doc_format format, const struct result *result, const struct render_options *options, struct buf *out)
{
	struct new_findings fresh = new_findings_of(result, options->new_only);
	struct doc doc = doc_new(format, options);

	doc.scripted = true;
	build(&doc, &fresh.result, fresh.left_out);
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

void render_md(const struct result *result, const struct render_options *options, struct buf *out)
{
	render(DOC_MD, result, options, out);
}
