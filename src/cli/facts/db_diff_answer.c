#include "cli/facts/db_diff_answer.h"

#include <limits.h>

#include "json/jsonw.h"
#include "opdb/model/chip.h"
#include "opdb/model/dtype.h"
#include "record/kinds.h"
#include "report/doc/doc_build.h"
#include "report/doc/html_page.h"
#include "report/doc/sheet.h"

static void put_diff_head(struct doc *doc, const struct diff *diff)
{
	doc_open(doc, BLOCK_PARAGRAPH);
	doc_styled(doc, SPAN_CODE, diff->old_name);
	doc_text(doc_in(doc, DOC_TEXT), STR(" -> "));
	doc_text(doc_in(doc, DOC_HTML | DOC_MD), STR(" \xe2\x86\x92 "));
	doc_styled(doc, SPAN_CODE, diff->new_name);
	doc_text(doc, STR(": "));
	for (unsigned i = 0; i < CHANGE_COUNT; i++)
		doc_printf(doc, "%s%zu %.*s", i ? ", " : "", diff->counts[i], STR_ARG(op_change_name(i)));
	doc_close(doc);
}

/* "better   aten::isin: cpu-fallback -> native" */
static void put_diff_line(struct doc *doc, const void *ctx, size_t at)
{
	const struct change *change = &((const struct diff *)ctx)->changes.items[at];
	const struct op_difference *what = &change->what;

	doc_row(doc);
	doc_cell_text(doc, op_change_name(what->change));
	doc_cell(doc);
	doc_text(doc, change->release);
	doc_text(doc, change->release.len && what->name.len ? STR(" ") : STR(""));
	if (what->name.len)
		doc_printf(doc, "%.*s: %.*s -> %.*s", STR_ARG(what->name), STR_ARG(op_status_name(what->before)),
			STR_ARG(op_status_name(what->after)));
}

/* A change, or in CSV a detail, as a row. JSON leaves the texts out that are "". */
struct diff_row {
	struct str release, name, change, before, after, types, chips, report;
};

static const struct field row_fields[] = {
	{ "release", &kind_text, AT(diff_row, release), OPTIONAL },
	{ "operator", &kind_text, AT(diff_row, name), OPTIONAL },
	{ "change", &kind_text, AT(diff_row, change) },
	{ "before", &kind_text, AT(diff_row, before), OPTIONAL },
	{ "after", &kind_text, AT(diff_row, after), OPTIONAL },
	{ "types", &kind_text, AT(diff_row, types), OPTIONAL },
	{ "chips", &kind_text, AT(diff_row, chips), OPTIONAL },
	{ "report", &kind_text, AT(diff_row, report), OPTIONAL },
	{ 0 },
};
static const struct record row_record = { sizeof(struct diff_row), row_fields };

/* Statuses are those of an operator; a release alone was added or removed. */
static struct diff_row row_of(const struct change *change)
{
	const struct op_difference *what = &change->what;
	struct diff_row row = { change->release, what->name, op_change_name(what->change), STR(""), STR(""), STR(""),
		STR(""), STR("") };

	if (what->name.len) {
		row.before = op_status_name(what->before);
		row.after = op_status_name(what->after);
	}
	return row;
}

/* Members of a detail in JSON, by its aspect. */
struct detail_row {
	struct op_detail what;
	struct str aspect, *releases, *chips;
	size_t release_count, chip_count;
	bool is_unit, has_types, is_report;
};

static const struct field detail_fields[] = {
	{ "operator", &kind_text, AT(detail_row, what.name) },
	{ "aspect", &kind_text, AT(detail_row, aspect) },
	{ "releases", &kind_texts, ITEMS(detail_row, releases, release_count) },
	{ "chips", &kind_texts, AT(detail_row, chips), OPTIONAL, AT(detail_row, chip_count), AT(detail_row, is_unit) },
	{ "dtypes", &kind_flags, AT(detail_row, what.dtypes), OPTIONAL, .when = AT(detail_row, has_types),
		.words = &dtype_words },
	{ "before", &kind_text, AT(detail_row, what.before) },
	{ "after", &kind_text, AT(detail_row, what.after) },
	{ "kernels_before", &kind_text, AT(detail_row, what.kernels[0]), OPTIONAL, .when = AT(detail_row, is_unit) },
	{ "kernels_after", &kind_text, AT(detail_row, what.kernels[1]), OPTIONAL, .when = AT(detail_row, is_unit) },
	{ "report", &kind_text, AT(detail_row, what.text), OPTIONAL, .when = AT(detail_row, is_report) },
	{ "ref", &kind_text, AT(detail_row, what.ref), OPTIONAL, .when = AT(detail_row, is_report) },
	{ 0 },
};
static const struct record detail_record = { sizeof(struct detail_row), detail_fields };

static void put_detail_json(struct jsonw *json, const struct diff_detail *detail, size_t releases)
{
	CLEANUP(arena_clear) struct arena arena = ARENA_INIT(ARENA_UNLIMITED);
	struct detail_row row = { .what = detail->what,
		.aspect = diff_aspect_name(detail->what.aspect),
		.releases = arena_alloc(&arena, (releases + 1) * sizeof(row.releases[0])),
		.chips = arena_alloc(&arena, (CHAR_BIT * sizeof(unsigned) + 1) * sizeof(row.chips[0])),
		.is_unit = detail->what.aspect == ASPECT_UNIT,
		.has_types = detail->what.aspect != ASPECT_REPORT,
		.is_report = detail->what.aspect == ASPECT_REPORT };
	const struct chip *chip;

	for (size_t i = 0; i < releases && detail->release.len; i++)
		row.releases[row.release_count++] = detail[i].release;
	for (unsigned i = 0; (chip = chip_at(TARGET_NPU, i)); i++) {
		if (row.what.chips >> i & 1)
			row.chips[row.chip_count++] = chip->family;
	}
	record_put(json, &detail_record, &row);
}

static void put_details_json(struct jsonw *json, const struct diff *diff)
{
	jsonw_key_list(json, "details");
	for (size_t i = 0, count; i < diff->details.count; i += count) {
		count = diff_details_same(&diff->details, i);
		put_detail_json(json, &diff->details.items[i], count);
	}
	jsonw_list_end(json);
	if (diff->details.left_out)
		jsonw_key_number(json, "details_left_out", (int64_t)diff->details.left_out);
}

static void put_diff_json(struct buf *out, const struct diff *diff)
{
	struct jsonw json = jsonw_start(out, 2);

	jsonw_fill(&json, "{'before': $, 'after': $, 'counts': {", diff->old_name, diff->new_name);
	for (unsigned i = 0; i < CHANGE_COUNT; i++) {
		jsonw_key_view(&json, op_change_name(i));
		jsonw_number(&json, (int64_t)diff->counts[i]);
	}
	jsonw_object_end(&json);
	jsonw_key_list(&json, "changes");
	for (size_t i = 0; i < diff->changes.count; i++) {
		struct diff_row row = row_of(&diff->changes.items[i]);

		record_put(&json, &row_record, &row);
	}
	jsonw_list_end(&json);
	put_details_json(&json, diff);
	jsonw_object_end(&json);
}

/* A row for each change, then one for each release of each detail. */
static void put_csv(struct buf *out, const struct diff *diff)
{
	static const struct sheet_shape shape = { "db-diff.title", &row_record };
	CLEANUP(arena_clear) struct arena arena = ARENA_INIT(ARENA_UNLIMITED);
	struct sheet sheet;

	sheet_begin(&sheet, &shape, STR("csv"), NULL, out);
	for (size_t i = 0; i < diff->changes.count; i++) {
		struct diff_row row = row_of(&diff->changes.items[i]);

		row.name = row.name.len ? row.name : STR("*");
		sheet_row(&sheet, &row);
	}
	for (size_t i = 0; i < diff->details.count; i++) {
		const struct diff_detail *detail = &diff->details.items[i];
		const struct op_detail *what = &detail->what;

		sheet_row(&sheet, &(struct diff_row){ detail->release, what->name, diff_aspect_name(what->aspect),
					  what->before, what->after, dtypes_text(&arena, what->dtypes, " "),
					  chips_text(&arena, TARGET_NPU, what->chips, ", "), what->text });
	}
	sheet_end(&sheet);
}

static void put_diff_row(struct doc *doc, const void *ctx, size_t at)
{
	struct diff_row row = row_of(&((const struct diff *)ctx)->changes.items[at]);

	doc_row(doc);
	doc_cell_text(doc, row.change);
	doc_cell_styled(doc, SPAN_CODE, row.release);
	doc_cell_styled(doc, SPAN_CODE, row.name.len ? row.name : STR("*"));
	doc_cell_styled(doc, SPAN_CODE, row.before);
	doc_cell_styled(doc, SPAN_CODE, row.after);
}

static void build_diff(struct doc *doc, const struct diff *diff)
{
	static const struct doc_column lines[] = { { .width = 8 }, { .gap = 1, .fit = COLUMN_WRAP } };
	static const struct doc_column columns[] = { { .title = STR("change") }, { .title = STR("release") },
		{ .title = STR("operator") }, { .title = STR("before") }, { .title = STR("after") } };

	put_diff_head(doc, diff);
	doc_table(doc_in(doc, DOC_TEXT), &(struct doc_table){ .columns = lines,
						 .count = ARRAY_SIZE(lines),
						 .bare = true,
						 .row_count = diff->changes.count,
						 .put_row = put_diff_line,
						 .ctx = diff });
	doc_table_end(doc);
	doc_table_of(doc_in(doc, DOC_HTML | DOC_MD), columns, diff->changes.count, put_diff_row, diff);
	doc_table_end(doc);
	if (!diff->details.count)
		return;
	doc_section(doc, "db-diff.details");
	diff_details_build(doc, &diff->details);
	doc_close(doc);
}

/* Lines are for other programs, too: none is wrapped. */
void db_diff_put_document(struct buf *out, const struct diff *diff, struct str format, enum lang lang)
{
	enum { NO_WRAP = 1 << 20 };
	struct doc doc = answer_doc(
		format, &(struct render_options){ .width = NO_WRAP, .lang = lang }, "db-diff.title");

	build_diff(&doc, diff);
	answer_doc_put(&doc, "db-diff.title", out);
}

int db_diff_put(const void *answer, struct str format, const struct render_options *render, struct buf *out,
	struct err *err UNUSED)
{
	if (str_eq(format, STR("json")))
		put_diff_json(out, answer);
	else if (str_eq(format, STR("csv")))
		put_csv(out, answer);
	else
		db_diff_put_document(out, answer, format, render->lang);
	return 0;
}
