#include "report/render.h"

#include "base/memory/mem.h"
#include "report/csv.h"
#include "report/record/records.h"
#include "report/report.h"

const struct renderer renderers[] = {
	{ "text", "text/plain; charset=utf-8", ".txt", 0, render_text },
	{ "json", "application/json", ".json", SHOWS_DIGESTS | SHOWS_HISTORY | SHOWS_RELEASES, render_json },
	{ "html", "text/html; charset=utf-8", ".html", SHOWS_DIGESTS | SHOWS_HISTORY | SHOWS_RELEASES, render_html },
	{ "md", "text/markdown; charset=utf-8", ".md", 0, render_md },
	{ "csv", "text/csv; charset=utf-8", ".csv", SHOWS_HISTORY, render_csv },
	{ "sarif", "application/sarif+json", ".sarif", 0, .of_findings = ci_sarif },
	{ "junit", "application/xml", ".junit.xml", 0, .of_findings = ci_junit },
	{ "codequality", "application/json", ".codequality.json", 0, .of_findings = ci_codequality },
	{ "annotations", "text/plain; charset=utf-8", ".annotations.txt", 0, .of_findings = ci_annotations },
	{ "badge", "application/json", ".badge.json", 0, .of_findings = ci_badge },
	{ "metrics", "application/openmetrics-text; version=1.0.0; charset=utf-8", ".metrics.txt", 0,
		.of_findings = ci_metrics },
	{ "svg", "image/svg+xml", ".svg", 0, .of_findings = ci_badge_svg },
};
const size_t renderer_count = ARRAY_SIZE(renderers);

const struct renderer *renderer_find(struct str name)
{
	return FIND(i, renderers, renderer_count, str_eq(str_from(renderers[i].name), name));
}

const struct renderer *renderer_of_path(struct str path)
{
	const struct renderer *longest = NULL;

	for (size_t i = 0; i < renderer_count; i++) {
		if (str_ends(path, str_from(renderers[i].suffix)) &&
			(!longest || strlen(renderers[i].suffix) > strlen(longest->suffix)))
			longest = &renderers[i];
	}
	return longest;
}

/* Returns whether a severity is listed. */
static bool is_listed(const struct render_options *options, enum severity severity)
{
	return !options->severities || options->severities >> severity & 1;
}

/* Keep the findings and causes that the options list; the copies live in the arena. */
static void keep_listed(struct arena *arena, const struct render_options *options, struct result *result)
{
	struct result_finding *findings = arena_alloc(arena, (result->finding_count + 1) * sizeof(findings[0]));
	struct result_cause *causes = arena_alloc(arena, (result->cause_count + 1) * sizeof(causes[0]));
	size_t finding_count = 0, cause_count = 0;

	for (size_t i = 0; i < result->finding_count; i++) {
		if (is_listed(options, result->findings[i].severity))
			findings[finding_count++] = result->findings[i];
	}
	for (size_t i = 0; i < result->cause_count; i++) {
		if (is_listed(options, result->causes[i].severity))
			causes[cause_count++] = result->causes[i];
	}
	result->findings = findings;
	result->finding_count = finding_count;
	result->causes = causes;
	result->cause_count = cause_count;
}

void render_report(const struct renderer *renderer, const struct result *result, const struct render_options *options,
	struct buf *out)
{
	CLEANUP(arena_clear) struct arena arena = ARENA_INIT(ARENA_UNLIMITED);
	struct result listed = *result; /* its lists are those of the other */
	struct ci_report report;

	if (options->severities)
		keep_listed(&arena, options, &listed);
	if (renderer->of_result) {
		renderer->of_result(&listed, options, out);
		return;
	}
	ci_gather(&listed, options, &report);
	renderer->of_findings(&report, out);
	ci_clear(&report);
}
