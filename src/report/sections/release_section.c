/* The verdict on every release: the drawing, the smallest moves, and both as tables. */

#include "report/sections/release_section.h"

#include "assess/model/words.h"
#include "base/memory/mem.h"
#include "report/drawings/release_drawing.h"

/* --- moves */

const char *move_text_id(const struct result_move *move)
{
	if (move->packages)
		return "survey.move-package";
	if (str_eq(move->from, move->to))
		return move->clears ? "survey.move-none" : "survey.move-nowhere";
	if (!move->clears)
		return "survey.move-best";
	return move->back ? "survey.move-back" : "survey.move-clears";
}

static void put_names(
	struct doc *doc, const char *id, const struct result_names *names, const struct result_move *kernels)
{
	enum { MOST = 6 };
	size_t shown = names->count < MOST ? names->count : MOST;

	if (names->total)
		doc_say_with(doc, BLOCK_LINE, id, NUMBER("count", names->total),
			BLANK("names", doc_names_of(doc, names->items, shown, names->total)),
			BLANK("to", kernels ? kernels->kernels : STR("")),
			BLANK("cann", kernels ? kernels->kernels_cann : STR("")));
}

void moves_build(struct doc *doc, const struct result_releases *releases)
{
	doc_open(doc, BLOCK_NOTES);
	for (size_t i = 0; i < releases->move_count; i++) {
		const struct result_move *move = &releases->moves[i];

		doc_open(doc, BLOCK_ITEM);
		doc_say_with(doc, BLOCK_LINE, move_text_id(move), BLANK("from", move->from), BLANK("to", move->to),
			NUMBER("releases", move->releases));
		if (!str_eq(move->from_torch, move->to_torch))
			doc_say_with(doc, BLOCK_LINE, "survey.move-torch", BLANK("from", move->from_torch),
				BLANK("to", move->to_torch));
		put_names(doc, "survey.move-cleared", &move->cleared, NULL);
		put_names(doc, move->packages ? "survey.move-packaged" : "survey.move-left", &move->left, NULL);
		put_names(doc, "survey.move-new", &move->fresh, NULL);
		put_names(doc, "survey.move-aicpu", &move->off_aicpu, move);
		doc_close(doc);
	}
	doc_close(doc);
}

/* --- tables */

static void put_release(struct doc *doc, const void *ctx, size_t at)
{
	const struct result_release *release = &((const struct result *)ctx)->releases.items[at];

	doc_row(doc);
	doc_cell_text(doc, release->id);
	doc_cell_text(doc, release->date);
	doc_cell_tag(doc, SET_VERDICT, word_for(&verdict_words, release->verdict));
	doc_cell_interval(doc, release->readiness.time);
	doc_cell_interval(doc, release->coverage.time);
	doc_cell_number(doc, release->blockers.total);
	doc_cell_number(doc, release->unknown.total);
}

static void put_table(struct doc *doc, const struct result *result)
{
	static const struct doc_column columns[] = {
		{ .label = "survey.release", .css = "name" },
		{ .label = "releases.date", .css = "fixed" },
		{ .label = "report.verdict" },
		{ .label = "report.on-device", .number = true },
		{ .label = "report.at-all", .number = true },
		{ .label = "report.blockers", .number = true },
		{ .label = "survey.unknown", .number = true },
	};

	doc_more(doc, "releases.table");
	doc_table_of(doc, columns, result->releases.count, put_release, result);
	doc_close(doc);
	doc_close(doc);
}

/* "does not run: npu@v1.8.1-2.0.1 to npu@v2.1.0-6.0.0" */
void spans_build(struct doc *doc, const struct result_blocker *blocker)
{
	static const char *const labels[] = { [SPAN_BLOCKED] = "releases.stops",
		[SPAN_UNKNOWN] = "releases.unknown",
		[SPAN_CONDITIONAL] = "releases.limited",
		[SPAN_HOST] = "releases.host" };

	for (size_t i = 0; i < blocker->span_count; i++) {
		const struct result_span *span = &blocker->spans[i];

		doc_say_with(doc, BLOCK_LINE, str_eq(span->first, span->last) ? "releases.at" : "releases.from-to",
			BLANK("state", doc_label_of(doc, labels[span->state])), BLANK("first", span->first),
			BLANK("last", span->last));
	}
}

static void put_blocker(struct doc *doc, const void *ctx, size_t at)
{
	const struct result_blocker *blocker = &((const struct result *)ctx)->releases.blockers[at];

	doc_row(doc);
	doc_cell_text(doc, doc_percent_of(doc, blocker->share_ppm));
	doc_cell_text(doc, blocker->operator_name);
	doc_cell(doc);
	spans_build(doc, blocker);
}

static void put_blockers(struct doc *doc, const struct result *result)
{
	static const struct doc_column columns[] = {
		{ .label = "report.share", .number = true },
		{ .label = "report.operator", .css = "name" },
		{ .label = "releases.where" },
	};

	if (!result->releases.blocker_count)
		return;
	doc_more(doc, "survey.blocked");
	doc_table_of(doc, columns, result->releases.blocker_count, put_blocker, result);
	doc_close(doc);
	if (result->releases.blockers_left)
		doc_say_count(doc, BLOCK_PARAGRAPH, "releases.more-blockers", result->releases.blockers_left);
	doc_close(doc);
}

void releases_build(struct doc *doc, const struct result *result)
{
	if (!result->releases.count)
		return;
	doc_section(doc, "releases.title");
	releases_draw(doc, &result->releases);
	moves_build(doc, &result->releases);
	put_table(doc, result);
	put_blockers(doc, result);
	doc_close(doc);
}
