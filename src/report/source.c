#include "report/source.h"

#include <inttypes.h>

#include "base/mem.h"
#include "report/render.h"
#include "report/sections.h"

/* --- the document */

static void put_counts(struct doc *doc, const struct result *result)
{
	struct message message = message_of("source.read");

	message_add_number(&message, &doc->arena, "files", (int64_t)result->source->files);
	message_add_number(&message, &doc->arena, "lines", (int64_t)result->source->lines);
	doc_say(doc, BLOCK_META, &message);
	if (result->source->left_out)
		doc_say_count(doc, BLOCK_META, "source.left-out", result->source->left_out);
}

/* One target: "npu@... blocked", and how much there is to do. */
static void put_target(struct doc *doc, const struct result_target *target)
{
	doc_open(doc, BLOCK_PARAGRAPH);
	doc_styled(doc, SPAN_STRONG_NAME, target->id);
	doc_text(doc, STR(" "));
	doc_tag(doc, SET_VERDICT, word_for(&verdict_words, target->verdict));
	doc_text(doc, STR(" "));
	doc_message(doc, &target->reason);
	doc_close(doc);
}

static bool same_place(const struct result_finding *a, const struct result_finding *b)
{
	return b && a->site->line == b->site->line && a->site->column == b->site->column &&
	       strcmp(a->what.id, b->what.id) == 0 && str_eq(a->operator_name, b->operator_name) &&
	       str_eq(a->site->path, b->site->path) && a->site->action == b->site->action;
}

static const struct doc_column columns[] = {
	{ .label = "source.place", .width = 24, .fit = COLUMN_SPILL },
	{ .label = "source.action", .gap = 1, .width = 11 },
	{ .label = "report.finding", .gap = 1, .fit = COLUMN_WRAP },
	{ .label = "report.rule", .formats = DOC_HTML | DOC_MD, .css = "rule" },
};

/* "npu@...: torch.npu.Stream", for each target that the findings of one place are about. */
static void put_replacements(struct doc *doc, const struct result_finding *findings, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct message message = message_of("source.instead");

		if (!findings[i].site->replacement.len)
			message.id = "source.nothing-instead";
		message_add(&message, "target", findings[i].target);
		message_add(&message, "replacement", findings[i].site->replacement);
		if (findings[i].site->replacement.len || findings[i].site->action == SOURCE_MUST_CHANGE)
			doc_say(doc, BLOCK_ADVICE, &message);
	}
}

/* Findings of one place, one a target. */
static void put_place(struct doc *doc, const struct result_finding *findings, size_t count)
{
	const struct result_site *site = findings->site;

	doc_row(doc);
	doc_cell_text(
		doc, doc_format_of(doc, "%.*s:%" PRIu32 ":%" PRIu32, STR_ARG(site->path), site->line, site->column));
	doc_cell_text(doc, doc_word_of(doc, "action", word_for(&source_action_words, site->action)));
	doc_cell(doc);
	doc_styled(doc, SPAN_CODE, site->expression);
	doc_text(doc, STR(" "));
	doc_message(doc, &findings->what);
	standing_build(doc, findings);
	put_replacements(doc, findings, count);
	doc_close(doc);
	doc_cell(doc);
	doc_styled(doc, SPAN_CODE, str_from(findings->what.id));
	doc_close(doc);
	doc_close(doc);
}

static void put_places(struct doc *doc, const struct result_finding *findings, size_t count)
{
	static const struct doc_table table = {
		.columns = columns, .count = ARRAY_SIZE(columns), .bare = true, .row_css = "finding"
	};

	if (!count)
		return;
	doc_table(doc, &table);
	for (size_t i = 0, end; i < count; i = end) {
		end = i + 1;
		while (end < count && same_place(&findings[i], &findings[end]))
			end++;
		put_place(doc, &findings[i], end - i);
	}
	doc_close(doc);
}

static void put_unread(struct doc *doc, const struct result_source_tree *tree)
{
	doc_section(doc, "source.unread");
	doc_say_list(doc, BLOCK_NOTES, tree->unread, tree->unread_count);
	doc_close(doc);
}

void source_build(struct doc *doc, const struct result *result, size_t left_out)
{
	head_build(doc, result, "source.title");
	doc_open(doc, BLOCK_MAIN);
	put_counts(doc, result);
	doc_section(doc, "report.targets");
	for (size_t i = 0; i < result->target_count; i++)
		put_target(doc, &result->targets[i]);
	doc_close(doc);
	gate_build(doc, result);
	put_unread(doc, result->source);
	doc_section(doc, "report.findings");
	if (left_out)
		doc_say_count(doc, BLOCK_META, "report.known-left-out", left_out);
	put_places(doc, result->findings, result->finding_count);
	doc_close(doc);
	doc_section(doc, "report.waived");
	put_places(doc, result->waived, result->waived_count);
	doc_close(doc);
	doc_close(doc);
}

/* --- CSV */

static void put_row(const struct result_finding *finding, struct buf *out)
{
	const struct result_site *site = finding->site;
	CLEANUP(buf_clear) struct buf reason = BUF_UNLIMITED;

	catalog_put(&reason, LANG_EN, &finding->what);
	csv_put_text(out, site->path);
	buf_printf(out, ",%" PRIu32 ",%" PRIu32 ",%s,%.*s,", site->line, site->column, finding->what.id,
		STR_ARG(word_for(&source_action_words, site->action)));
	csv_put_text(out, finding->target);
	buf_byte(out, ',');
	csv_put_text(out, site->expression);
	buf_byte(out, ',');
	csv_put_text(out, site->replacement);
	buf_byte(out, ',');
	csv_put_text(out, buf_str(&reason));
	buf_add(out, STR("\r\n"));
}

void source_put_csv(const struct result *result, struct buf *out)
{
	buf_add(out, STR("path,line,column,rule,action,target,expression,replacement,reason\r\n"));
	for (size_t i = 0; i < result->finding_count; i++)
		put_row(&result->findings[i], out);
}
