#include "report/sections/source.h"

#include <inttypes.h>
#include <stdlib.h>

#include "assess/model/words.h"
#include "base/memory/mem.h"
#include "record/kinds.h"
#include "report/doc/sheet.h"
#include "report/sections/parts.h"
#include "report/sections/operator_index.h"
#include "report/sections/policy.h"
#include "report/sections/summary.h"

/* --- the document */

static bool same_place(const struct result_finding *a, const struct result_finding *b)
{
	return a->site->line == b->site->line && a->site->column == b->site->column &&
	       strcmp(a->what.id, b->what.id) == 0 && str_eq(a->operator_name, b->operator_name) &&
	       str_eq(a->site->path, b->site->path) && a->site->action == b->site->action;
}

static bool same_file(const struct result_finding *a, const struct result_finding *b)
{
	return str_eq(a->site->path, b->site->path);
}

/* Returns the number of findings from the first on, of `count`, that are `same` as it. */
static size_t run_length(const struct result_finding *findings, size_t count,
	bool (*same)(const struct result_finding *a, const struct result_finding *b))
{
	size_t run = 1;

	while (run < count && same(findings, &findings[run]))
		run++;
	return run;
}

static const struct doc_column columns[] = {
	{ .label = "source.place", .gap = 2, .width = 8, .fit = COLUMN_SPILL },
	{ .label = "source.action", .gap = 1, .width = 11 },
	{ .label = "report.finding", .gap = 1, .fit = COLUMN_WRAP },
	{ .label = "report.rule", .formats = DOC_HTML | DOC_MD, .css = "rule" },
};

/* "npu@...: torch.npu.Stream", for each target that the findings of one place are about; of a single target its name
   stands at the top already. */
static void put_replacements(struct doc *doc, const struct result_finding *findings, size_t count, bool name_targets)
{
	for (size_t i = 0; i < count; i++) {
		struct str replacement = findings[i].site->replacement;

		if (!replacement.len && findings[i].site->action != SOURCE_MUST_CHANGE)
			continue;
		doc_open(doc, BLOCK_ADVICE);
		if (name_targets) {
			doc_styled(doc, SPAN_NAME, findings[i].target);
			doc_text(doc, STR(": "));
		}
		if (replacement.len)
			doc_styled(doc, SPAN_CODE, replacement);
		else
			doc_label(doc, "source.nothing-instead");
		doc_close(doc);
	}
}

/* Findings of one place, one a target. */
static void put_place(struct doc *doc, const struct result_finding *findings, size_t count, bool name_targets)
{
	const struct result_site *site = findings->site;
	size_t operators = findings->operator_count; /* of a dump, that the API calls */

	doc_row(doc);
	doc_cell_text(doc, doc_format_of(doc, "%" PRIu32 ":%" PRIu32, site->line, site->column));
	doc_cell_text(doc, doc_word_of(doc, "action", word_for(&source_action_words, site->action)));
	doc_cell(doc);
	doc_styled(doc, SPAN_CODE, site->expression);
	doc_text(doc, STR(": "));
	doc_message(doc, &findings->what);
	standing_build(doc, findings);
	put_replacements(doc, findings, count, name_targets);
	if (operators)
		doc_say_with(doc, BLOCK_META, "source.calls",
			BLANK("operators", doc_names_of(doc, findings->operators, operators, operators)),
			BLANK("share", doc_percent_of(doc, findings->share_ppm)));
	doc_cell_styled(doc, SPAN_CODE, str_from(findings->what.id));
}

/* "train.py: 3 places must change, 1 to check", and each of them. */
static void put_file(struct doc *doc, const struct result_finding *findings, size_t count, bool name_targets)
{
	static const struct doc_table table = {
		.columns = columns, .count = ARRAY_SIZE(columns), .bare = true, .row_css = "finding"
	};
	size_t places[SOURCE_ACTIONS] = { 0 };

	for (size_t i = 0; i < count; i += run_length(&findings[i], count - i, same_place))
		places[findings[i].site->action]++;
	doc_open(doc, BLOCK_DETAILS);
	doc_attribute(doc, "open", STR(""));
	doc_say_with(doc, BLOCK_SUMMARY, "source.file", BLANK("path", findings->site->path),
		NUMBER("must", places[SOURCE_MUST_CHANGE]), NUMBER("check", places[SOURCE_CHECK]));
	doc_table(doc, &table);
	for (size_t i = 0, run; i < count; i += run) {
		run = run_length(&findings[i], count - i, same_place);
		put_place(doc, &findings[i], run, name_targets);
	}
	doc_table_end(doc);
	doc_close(doc);
}

/* Orders pointers to findings of one list by file, and keeps their order in each. */
static int order_by_file(const void *a, const void *b)
{
	const struct result_finding *left = *(const struct result_finding *const *)a,
				    *right = *(const struct result_finding *const *)b;
	int order = str_order(&left->site->path, &right->site->path);

	return order ? order : (left > right) - (left < right);
}

/* Findings in scripts alone, by file: those about operators of a dump have no place of their own. */
static void put_places(struct doc *doc, const struct result_finding *findings, size_t count, bool name_targets)
{
	const struct result_finding **order = arena_alloc(
		&doc->arena, (count + 1) * sizeof(const struct result_finding *));
	struct result_finding *placed = arena_alloc(&doc->arena, (count + 1) * sizeof(placed[0]));
	size_t placed_count = 0;

	for (size_t i = 0; i < count; i++) {
		if (findings[i].site)
			order[placed_count++] = &findings[i];
	}
	qsort(order, placed_count, sizeof(const struct result_finding *), order_by_file);
	for (size_t i = 0; i < placed_count; i++)
		placed[i] = *order[i];
	for (size_t i = 0, run; i < placed_count; i += run) {
		run = run_length(&placed[i], placed_count - i, same_file);
		put_file(doc, &placed[i], run, name_targets);
	}
}

void source_build(struct doc *doc, const struct result *result)
{
	const struct result_source_tree *tree = result->source;

	head_build(doc, result, "source.title");
	doc_open(doc, BLOCK_MAIN);
	doc_say_with(doc, BLOCK_META, "source.read", NUMBER("files", tree->files), NUMBER("lines", tree->lines));
	if (tree->magics)
		doc_say_count(doc, BLOCK_META, "source.magics", tree->magics);
	if (tree->left_out)
		doc_say_count(doc, BLOCK_META, "source.left-out", tree->left_out);
	doc_section(doc, "report.targets");
	for (size_t i = 0; i < result->target_count; i++) {
		const struct result_target *target = &result->targets[i];

		doc_open(doc, BLOCK_PARAGRAPH);
		doc_styled(doc, SPAN_STRONG_NAME, target->id);
		doc_text(doc, STR(" "));
		doc_tag(doc, SET_VERDICT, word_for(&verdict_words, target->verdict));
		doc_text(doc, STR(" "));
		doc_message(doc, &target->reason);
		doc_close(doc);
	}
	doc_close(doc);
	gate_build(doc, result);
	doc_section(doc, "source.unread");
	doc_say_list(doc, BLOCK_NOTES, tree->unread, tree->unread_count);
	doc_close(doc);
	callings_build(doc, result);
	doc_section(doc, "report.findings");
	if (doc->left_out)
		doc_say_count(doc, BLOCK_META, "report.known-left-out", doc->left_out);
	put_places(doc, result->findings, result->finding_count, result->target_count > 1);
	doc_close(doc);
	doc_section(doc, "report.waived");
	put_places(doc, result->waived, result->waived_count, result->target_count > 1);
	doc_close(doc);
	doc_close(doc);
}

/* --- CSV */

struct source_row {
	struct result_site site;
	enum source_action action;
	struct str rule, target, reason, operators;
	int64_t share_ppm;
};

static const struct field row_fields[] = {
	{ "path", &kind_text, AT(source_row, site.path) },
	{ "line", &kind_index, AT(source_row, site.line) },
	{ "column", &kind_index, AT(source_row, site.column) },
	{ "rule", &kind_text, AT(source_row, rule) },
	{ "action", &kind_enum, AT(source_row, action), .words = &source_action_words },
	{ "target", &kind_text, AT(source_row, target) },
	{ "expression", &kind_text, AT(source_row, site.expression) },
	{ "replacement", &kind_text, AT(source_row, site.replacement) },
	{ "reason", &kind_text, AT(source_row, reason) },
	{ 0 }, /* beside a dump: */
	{ 0 },
	{ 0 },
};
static const struct field dump_fields[] = {
	{ "operators", &kind_text, AT(source_row, operators) },
	{ "time_share", &kind_share, AT(source_row, share_ppm) },
	{ 0 },
};

static void put_source_row(struct sheet *sheet, const struct result_finding *finding, const struct result_site *site)
{
	CLEANUP(buf_clear) struct buf reason = BUF_UNLIMITED, operators = BUF_UNLIMITED;

	catalog_put(&reason, LANG_EN, &finding->what);
	for (size_t i = 0; i < finding->operator_count; i++)
		buf_printf(&operators, "%s%.*s", i ? " " : "", STR_ARG(finding->operators[i]));
	if (!finding->site)
		buf_add(&operators, finding->operator_name);
	sheet_row(sheet, &(struct source_row){ *site,
				 /* from the gravest on, both */
				 finding->site ? site->action : (enum source_action)finding->severity,
				 str_from(finding->what.id), finding->target, buf_str(&reason), buf_str(&operators),
				 finding->share_ppm });
}

/* A finding about an operator has a row for each line that calls it, one without a line where none is known. */
void source_put_csv(const struct result *result, struct buf *out)
{
	struct field fields[ARRAY_SIZE(row_fields)];
	const struct record record = { sizeof(struct source_row), fields };
	const struct sheet_shape shape = { "source.title", &record };
	struct map by_name = callings_map(result);
	struct sheet sheet;

	memcpy(fields, row_fields, sizeof(fields));
	if (result->input_count)
		memcpy(&fields[ARRAY_SIZE(fields) - ARRAY_SIZE(dump_fields)], dump_fields, sizeof(dump_fields));
	sheet_begin(&sheet, &shape, STR("csv"), NULL, out);
	for (size_t i = 0; i < result->finding_count; i++) {
		const struct result_finding *finding = &result->findings[i];
		const struct result_callings *callings = finding->site ? NULL
								       : callings_find(&by_name, result,
										 finding->operator_name);

		if (!callings)
			put_source_row(&sheet, finding, finding->site ? finding->site : &(struct result_site){ 0 });
		for (size_t j = 0; callings && j < callings->call_count; j++)
			put_source_row(&sheet, finding, &callings->calls[j].site);
	}
	sheet_end(&sheet);
	map_clear(&by_name);
}
