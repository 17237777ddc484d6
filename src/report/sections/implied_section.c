/* Operators that a program calls on a target though they were not recorded. */
#include "report/sections/parts.h"

#include "base/memory/mem.h"

static void put_implied_line(struct doc *doc, const struct result_implied *implied)
{
	doc_open(doc, BLOCK_ITEM);
	doc_text(doc, implied->name);
	for (size_t i = 0; i < implied->verdict_count; i++)
		doc_printf(doc, "%s%.*s %.*s", i ? ", " : ": ",
			STR_ARG(doc_word_of(doc, "status", op_status_name(implied->verdicts[i].status))),
			STR_ARG(implied->verdicts[i].target));
	doc_text(doc, STR("; "));
	doc_message(doc, &implied->because);
	doc_close(doc);
}

/* Those that do not run on a device one by one; the others only when all is asked for. */
static void put_lines(struct doc *doc, const struct result *result)
{
	size_t fine = 0;

	doc_open(doc_in(doc, DOC_PLAIN), BLOCK_LIST);
	for (size_t i = 0; i < result->implied_count; i++) {
		const struct result_implied *implied = &result->implied[i];

		if (doc->options.all || ANY(j, implied->verdict_count, implied->verdicts[j].status >= OP_CPU_FALLBACK))
			put_implied_line(doc, implied);
		else
			fine++;
	}
	doc_close(doc);
	doc_say_more(doc_in(doc, DOC_PLAIN), "report.implied-fine", fine);
}

static void put_table(struct doc *doc, const struct result *result)
{
	static const struct doc_column columns[] = {
		{ .label = "report.operator", .css = "name" },
		{ .label = "report.why" },
		{ .label = "report.status" },
	};

	doc_table(doc, &(struct doc_table){ .columns = columns, .count = ARRAY_SIZE(columns) });
	for (size_t i = 0; i < result->implied_count; i++) {
		const struct result_implied *implied = &result->implied[i];

		doc_row(doc);
		doc_cell_text(doc, implied->name);
		doc_cell_text(doc, doc_message_of(doc, &implied->because));
		doc_cell(doc);
		for (size_t j = 0; j < implied->verdict_count; j++) {
			doc_open(doc, BLOCK_LINE);
			doc_tag(doc, SET_STATUS, op_status_name(implied->verdicts[j].status));
			doc_printf(doc, " %.*s", STR_ARG(implied->verdicts[j].target));
			doc_close(doc);
		}
	}
	doc_table_end(doc);
}

void implied_build(struct doc *doc, const struct result *result)
{
	if (!result->implied_count)
		return;
	doc_section(doc, "report.implied");
	doc_say_label(doc, BLOCK_PARAGRAPH, "report.implied-about");
	put_table(doc_in(doc, DOC_HTML), result);
	put_lines(doc, result);
	doc_close(doc);
}
