/* The report on one assessment, in the formats that people read. */
#include "report/report.h"

#include "report/answers/bucket_section.h"
#include "report/doc/glossary.h"
#include "report/doc/html_page.h"
#include "report/doc/markup.h"
#include "report/sections/agreement.h"
#include "report/sections/capture.h"
#include "report/sections/causes.h"
#include "report/sections/cost_sections.h"
#include "report/sections/findings.h"
#include "report/sections/implied_section.h"
#include "report/sections/operators.h"
#include "report/sections/policy.h"
#include "report/sections/questions.h"
#include "report/sections/release_section.h"
#include "report/sections/source.h"
#include "report/sections/step_section.h"
#include "report/sections/summary.h"
#include "report/sections/time_section.h"
#include "report/sections/traffic_section.h"
#include "report/sections/training_section.h"

/* What fits into a comment: the verdict first, then what was weak in the dump and what blocks. */
static void build_short(struct doc *doc, const struct result *result)
{
	shown_build(doc, result);
	verdicts_build(doc, result);
	weaknesses_build(doc, result);
	targets_build(doc, result);
	questions_build(doc, result);
	blockers_build(doc, result);
	notes_build(doc, result);
	inputs_build(doc, result);
}

/* What people decide by ends here: paper goes on with a new page. */
static void put_page_end(struct buf *out, enum lang lang, const void *ctx)
{
	(void)lang;
	(void)ctx;
	html(out, "<div class=\"page-end\"></div>\n");
}

static void build_sections(struct doc *doc, const struct result *result, size_t left_out)
{
	bool listed; /* findings, one by one */

	if (result->source) {
		source_build(doc, result, left_out);
		return;
	}
	if (doc_is(doc, DOC_MD) && !doc->options.all) {
		build_short(doc, result);
		return;
	}
	if (doc_is(doc, DOC_MD)) {
		shown_build(doc, result);
		verdicts_build(doc, result);
	}
	head_build(doc, result, "report.title");
	doc_open(doc, BLOCK_MAIN);
	if (!doc_is(doc, DOC_MD))
		shown_build(doc, result);
	weaknesses_build(doc, result);
	targets_build(doc, result);
	questions_build(doc, result);
	if (!doc_is(doc, DOC_HTML))
		gate_build(doc, result);
	listed = !doc_is(doc, DOC_TEXT) || doc->options.all || !result->cause_count;
	causes_build(doc, result, listed ? 0 : left_out);
	if (listed)
		findings_build(doc, result, left_out);
	waived_build(doc, result);
	time_build(doc, result);
	if (doc_is(doc, DOC_HTML))
		doc_figure(doc, put_page_end, NULL);
	releases_build(doc, result);
	steps_build(doc, result);
	padding_build(doc, result);
	costs_build(doc, result);
	operators_build(doc, result);
	training_build(doc, result);
	implied_build(doc, result);
	agreements_build(doc, result);
	traffic_build(doc, result);
	notes_build(doc, result);
	ignored_build(doc, result);
	glossary_build(doc, result);
	doc_close(doc);
}

void report_build(struct doc *doc, const struct result *result)
{
	build_sections(doc, result, 0);
}

/* The same result without the findings that a baseline has; how many these are. */
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
	size_t left_out = options->new_only ? leave_out_known(&doc.arena, &shown) : 0;

	struct render_options other_options = *options;
	struct doc other;

	doc.scripted = true;
	build_sections(&doc, &shown, left_out);
	if (format == DOC_HTML && options->all_langs) {
		other_options.lang = lang_other(options->lang);
		other = doc_new(format, &other_options);
		other.second = true;
		build_sections(&other, &shown, left_out);
		doc.other = &other;
	}
	html_put_page(&doc, result, result->source ? "source.title" : "report.title", out);
	if (doc.other)
		doc_clear(&other);
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
