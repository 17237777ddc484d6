/* What a dump would be on every release: the drawing, the smallest moves, and both as tables. */
#include <inttypes.h>

#include "base/mem.h"
#include "report/page_sections.h"

/* --- moves */

/* "aten::a, aten::b, ... +3" */
static struct str names_of(struct doc *doc, const struct result_names *names)
{
	enum { MOST = 6 };
	CLEANUP(buf_clear) struct buf text = BUF_UNLIMITED;

	for (size_t i = 0; i < names->count && i < MOST; i++)
		buf_printf(&text, "%s%.*s", i ? ", " : "", STR_ARG(names->items[i]));
	if (names->total > MOST)
		buf_printf(&text, ", ... +%" PRIu64, names->total - MOST);
	return arena_keep(&doc->arena, buf_str(&text));
}

static const char *head_id(const struct result_move *move)
{
	if (str_eq(move->from, move->to))
		return move->clears ? "survey.move-none" : "survey.move-nowhere";
	if (!move->clears)
		return "survey.move-best";
	return move->back ? "survey.move-back" : "survey.move-clears";
}

static void put_head(struct doc *doc, const struct result_move *move)
{
	struct message message = message_of(head_id(move));

	message_add(&message, "from", move->from);
	message_add(&message, "to", move->to);
	message_add_number(&message, &doc->arena, "releases", (int64_t)move->releases);
	doc_say(doc, BLOCK_LINE, &message);
}

static void put_torch(struct doc *doc, const struct result_move *move)
{
	struct message message = message_of("survey.move-torch");

	message_add(&message, "from", move->from_torch);
	message_add(&message, "to", move->to_torch);
	if (!str_eq(move->from_torch, move->to_torch))
		doc_say(doc, BLOCK_LINE, &message);
}

static void put_names(
	struct doc *doc, const char *id, const struct result_names *names, const struct result_move *kernels)
{
	struct message message = message_of(id);

	if (!names->total)
		return;
	message_add_number(&message, &doc->arena, "count", (int64_t)names->total);
	message_add(&message, "names", names_of(doc, names));
	if (kernels) {
		message_add(&message, "to", kernels->kernels);
		message_add(&message, "cann", kernels->kernels_cann);
	}
	doc_say(doc, BLOCK_LINE, &message);
}

void moves_build(struct doc *doc, const struct result_releases *releases)
{
	doc_open(doc, BLOCK_NOTES);
	for (size_t i = 0; i < releases->move_count; i++) {
		const struct result_move *move = &releases->moves[i];

		doc_open(doc, BLOCK_ITEM);
		put_head(doc, move);
		put_torch(doc, move);
		put_names(doc, "survey.move-cleared", &move->cleared, NULL);
		put_names(doc, "survey.move-left", &move->left, NULL);
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
	doc_cell(doc);
	doc_tag(doc, SET_VERDICT, word_for(&verdict_words, release->verdict));
	doc_close(doc);
	doc_cell_interval(doc, release->readiness);
	doc_cell_interval(doc, release->coverage);
	doc_cell_number(doc, release->blockers);
	doc_cell_number(doc, release->unknown);
	doc_close(doc);
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

	doc_open(doc, BLOCK_MORE);
	doc_say_label(doc, BLOCK_SUMMARY, "releases.table");
	doc_table(doc, &(struct doc_table){ .columns = columns,
			       .count = ARRAY_SIZE(columns),
			       .row_count = result->releases.count,
			       .put_row = put_release,
			       .ctx = result });
	doc_close(doc);
	doc_close(doc);
}

/* "does not run: npu@v1.8.1-2.0.1 to npu@v2.1.0-6.0.0" */
static void put_span(struct doc *doc, const struct result_span *span)
{
	static const char *const labels[] = { [SPAN_BLOCKED] = "releases.stops",
		[SPAN_UNKNOWN] = "releases.unknown",
		[SPAN_CONDITIONAL] = "releases.limited" };
	struct message message = message_of(str_eq(span->first, span->last) ? "releases.at" : "releases.from-to");

	message_add(&message, "state", doc_label_of(doc, labels[span->state]));
	message_add(&message, "first", span->first);
	message_add(&message, "last", span->last);
	doc_say(doc, BLOCK_LINE, &message);
}

void spans_build(struct doc *doc, const struct result_blocker *blocker)
{
	for (size_t i = 0; i < blocker->span_count; i++)
		put_span(doc, &blocker->spans[i]);
}

static void put_blocker(struct doc *doc, const void *ctx, size_t at)
{
	const struct result_blocker *blocker = &((const struct result *)ctx)->releases.blockers[at];

	doc_row(doc);
	doc_cell_text(doc, doc_percent_of(doc, blocker->share_ppm));
	doc_cell_text(doc, blocker->operator_name);
	doc_cell(doc);
	spans_build(doc, blocker);
	doc_close(doc);
	doc_close(doc);
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
	doc_open(doc, BLOCK_MORE);
	doc_say_label(doc, BLOCK_SUMMARY, "survey.blocked");
	doc_table(doc, &(struct doc_table){ .columns = columns,
			       .count = ARRAY_SIZE(columns),
			       .row_count = result->releases.blocker_count,
			       .put_row = put_blocker,
			       .ctx = result });
	doc_close(doc);
	if (result->releases.blockers_left)
		doc_say_count(doc, BLOCK_PARAGRAPH, "releases.more-blockers", result->releases.blockers_left);
	doc_close(doc);
}

void releases_build(struct doc *doc, const struct result *result)
{
	if (!doc_is(doc, DOC_HTML) || !result->releases.count)
		return;
	doc_section(doc, "releases.title");
	releases_draw(doc, &result->releases);
	moves_build(doc, &result->releases);
	put_table(doc, result);
	put_blockers(doc, result);
	doc_close(doc);
}
