/* The plan to ready, whose steps can be ticked with a script. */
#include <inttypes.h>

#include "assess/model/words.h"
#include "base/memory/mem.h"
#include "report/doc/markup.h"
#include "report/drawings/curve.h"
#include "report/sections/fix_words.h"
#include "report/sections/parts.h"
#include "report/sections/summary.h"

static bool lifts_many(const struct result_fix *fix)
{
	return fix->kind == FIX_RELEASE || fix->kind == FIX_PACKAGE;
}

/* Three figures that both forms of the table end in. */
static void put_figures(
	struct doc *doc, struct result_interval readiness, struct result_interval coverage, uint64_t blockers)
{
	doc_cell_interval(doc, readiness);
	doc_cell_interval(doc, coverage);
	doc_cell_number(doc, blockers);
}

/* The share left on the AI CPU, if the step changes it. */
static void put_fix_aicpu(struct doc *doc, const struct result_target *target, size_t at)
{
	struct result_interval before = at ? target->fixes[at - 1].aicpu : target->where.aicpu,
			       after = target->fixes[at].aicpu;

	const struct message *said = MESSAGE(&doc->arena, "fix.aicpu", BLANK("before", doc_interval_of(doc, before)),
		BLANK("after", doc_interval_of(doc, after)));

	if (after.lo_ppm == before.lo_ppm && after.hi_ppm == before.hi_ppm)
		return;
	doc_say(doc_in(doc, DOC_TEXT), BLOCK_UNDER, said);
	doc_say(doc_in(doc, DOC_HTML | DOC_MD), BLOCK_LINE_SOFT, said);
}

static void put_fix_line(struct doc *doc, const struct result_target *target, size_t number)
{
	const struct result_fix *fix = &target->fixes[number - 1];

	doc_row(doc);
	doc_cell_text(doc, doc_format_of(doc, "%3zu. %.*s %.*s (%.*s)", number,
				   STR_ARG(doc_word_of(doc, "fix", word_for(&fix_words, fix->kind))),
				   STR_ARG(fix_called(doc, fix)), STR_ARG(fix_effort(doc, fix))));
	put_figures(doc, fix->readiness, fix->coverage, fix->blockers);
	if (lifts_many(fix))
		doc_say_with(doc, BLOCK_UNDER, "fix.lifts",
			BLANK("names", doc_names_of(doc, fix->operators, fix->operator_count, fix->operator_total)));
	put_fix_aicpu(doc, target, number - 1);
}

static void put_change(struct buf *out, const struct result_change *change)
{
	buf_printf(out, " %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64, change->readiness.lo_ppm,
		change->readiness.hi_ppm, change->coverage.lo_ppm, change->coverage.hi_ppm, change->blockers);
}

/* Figures for the script, in millionths: "after", the five figures of a change, and those after a move to another
   release. */
static void put_alone(struct doc *doc, const struct result_fix *fix)
{
	CLEANUP(buf_clear) struct buf text = BUF_UNLIMITED;

	if (!fix->alone)
		return;
	buf_printf(&text, "%" PRIu64, fix->alone->after);
	put_change(&text, &fix->alone->here);
	if (fix->alone->has_moved)
		put_change(&text, &fix->alone->moved);
	doc_attribute(doc, "data-alone", arena_keep(&doc->arena, buf_str(&text)));
	doc_attribute(doc, "data-fix", word_for(&fix_words, fix->kind));
}

/* The result of the ticked fixes, filled in by the script. */
static void put_sum(struct buf *out, enum lang lang, const void *ctx UNUSED)
{
	html(out, "<p class=\"js-only\"><output class=\"sum\"");
	html_attribute(out, "data-text", catalog_text(lang, STR("fix.sum")));
	html(out, "></output></p>\n");
}

static void put_fix_row(struct doc *doc, const struct result_target *target, size_t number)
{
	const struct result_fix *fix = &target->fixes[number - 1];

	doc_row(doc);
	put_alone(doc, fix);
	doc_cell_number(doc, number);
	doc_cell(doc);
	doc_printf(doc, "%.*s ", STR_ARG(doc_word_of(doc, "fix", word_for(&fix_words, fix->kind))));
	doc_styled(doc, SPAN_NAME, fix_called(doc, fix));
	if (fix->operator_total && lifts_many(fix)) {
		doc_open(doc, BLOCK_LINE_SOFT);
		doc_text(doc, doc_names_of(doc, fix->operators, fix->operator_count, fix->operator_count));
		if (fix->operator_total > fix->operator_count)
			doc_printf(doc, ", \xe2\x80\xa6 +%" PRIu64, fix->operator_total - fix->operator_count);
		doc_close(doc);
	}
	put_fix_aicpu(doc, target, number - 1);
	doc_cell_text(doc, fix_effort(doc, fix));
	put_figures(doc, fix->readiness, fix->coverage, fix->blockers);
}

static void put_fix_lines(struct doc *doc, const struct result_target *target, bool first)
{
	static const struct doc_column columns[] = {
		{ .label = "fix.title", .fit = COLUMN_SPILL },
		{ .label = "report.on-device", .gap = 1, .width = 12, .number = true },
		{ .label = "report.at-all", .gap = 1, .width = 12, .number = true },
		{ .label = "report.blockers", .gap = 1, .width = 8, .number = true },
	};
	enum { SHORT_FIXES = 5 };
	size_t shown = doc_shown(doc, target->fix_count, SHORT_FIXES);

	doc_open(doc, BLOCK_GROUP);
	doc_table(doc, &(struct doc_table){ .columns = columns, .count = ARRAY_SIZE(columns), .bare = !first });
	doc_row(doc);
	doc_cell_text(doc, target->id);
	put_figures(doc, target->readiness.time, target->coverage.time, target_blockers(target));
	for (size_t i = 0; i < shown; i++)
		put_fix_line(doc, target, i + 1);
	doc_table_end(doc);
	doc_say_more(doc, "fix.more", target->fix_count - shown);
	if (target->fixes_left)
		doc_say_count(doc, BLOCK_PARAGRAPH, "fix.left", target->fixes_left);
	doc_close(doc);
}

static void put_fix_table(struct doc *doc, const struct result_target *target)
{
	static const struct doc_column columns[] = {
		{ .label = "fix.number", .number = true },
		{ .label = "fix.what" },
		{ .label = "fix.effort" },
		{ .label = "report.on-device", .number = true },
		{ .label = "report.at-all", .number = true },
		{ .label = "report.blockers", .number = true },
	};

	CLEANUP(buf_clear) struct buf base = BUF_UNLIMITED; /* the figures before any fix */

	put_change(&base, &(struct result_change){
				  target->readiness.time, target->coverage.time, (int64_t)target_blockers(target) });
	doc_open(doc, BLOCK_MORE);
	doc_attribute(doc, "open", STR(""));
	doc_attribute(doc, "data-base", arena_keep(&doc->arena, str_skip(buf_str(&base), 1)));
	doc_say_styled(doc, BLOCK_SUMMARY, SPAN_NAME, target->id);
	doc_figure(doc, curve_put, target);
	doc_figure(doc, put_sum, NULL);
	doc_table(doc, &(struct doc_table){ .columns = columns, .count = ARRAY_SIZE(columns) });
	for (size_t i = 0; i < target->fix_count; i++)
		put_fix_row(doc, target, i + 1);
	doc_table_end(doc);
	if (target->fixes_left)
		doc_say_count(doc, BLOCK_SOFT, "fix.left", target->fixes_left);
	doc_close(doc);
}

void fixes_build(struct doc *doc, const struct result *result)
{
	bool any = false;

	doc_section_headed(doc, DOC_HTML | DOC_MD, "fix.title", NULL);
	for (size_t i = 0; i < result->target_count; i++) {
		const struct result_target *target = &result->targets[i];

		if (!target->fix_count)
			continue;
		put_fix_table(doc_in(doc, DOC_HTML | DOC_MD), target);
		put_fix_lines(doc_in(doc, DOC_TEXT), target, !any);
		any = true;
	}
	if (any)
		doc_say_label(doc, BLOCK_SOFT, "fix.about");
	doc_close(doc);
}
