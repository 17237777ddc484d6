#include "cli/facts/db_diff_answer.h"

#include "json/jsonw.h"
#include "opdb/model/chip.h"
#include "opdb/model/dtype.h"
#include "report/doc/doc_build.h"
#include "report/doc/doc_put.h"
#include "report/doc/html_page.h"
#include "report/doc/sheet.h"

static void put_head(struct doc *doc, const struct diff *diff)
{
	doc_open(doc, BLOCK_PARAGRAPH);
	doc_styled(doc, SPAN_CODE, diff->old_name);
	doc_text(doc, doc_is(doc, DOC_TEXT) ? STR(" -> ") : STR(" \xe2\x86\x92 "));
	doc_styled(doc, SPAN_CODE, diff->new_name);
	doc_text(doc, STR(": "));
	for (unsigned i = 0; i < CHANGE_COUNT; i++)
		doc_printf(doc, "%s%zu %.*s", i ? ", " : "", diff->counts[i], STR_ARG(op_change_name(i)));
	doc_close(doc);
}

/* "better   aten::isin: cpu-fallback -> native" */
static void put_line(struct doc *doc, const void *ctx, size_t at)
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

static void put_change_json(struct jsonw *json, const struct change *change)
{
	const struct op_difference *what = &change->what;

	jsonw_object(json);
	if (change->release.len)
		jsonw_key_str(json, "release", change->release);
	if (what->name.len)
		jsonw_key_str(json, "operator", what->name);
	jsonw_key_str(json, "change", op_change_name(what->change));
	if (what->name.len)
		jsonw_fill(json, "'before': $, 'after': $", op_status_name(what->before), op_status_name(what->after));
	jsonw_object_end(json);
}

static void put_detail_json(struct jsonw *json, const struct diff_detail *detail, size_t releases)
{
	const struct op_detail *what = &detail->what;
	const struct chip *chip;

	jsonw_fill(json, "{'operator': $, 'aspect': $, 'releases': [", what->name, diff_aspect_name(what->aspect));
	for (size_t i = 0; i < releases && detail->release.len; i++)
		jsonw_str(json, detail[i].release);
	jsonw_list_end(json);
	if (what->aspect == ASPECT_UNIT) {
		jsonw_key_list(json, "chips");
		for (unsigned i = 0; (chip = chip_at(TARGET_NPU, i)); i++) {
			if (what->chips >> i & 1)
				jsonw_str(json, chip->family);
		}
		jsonw_list_end(json);
	}
	if (what->aspect != ASPECT_REPORT) {
		jsonw_key_list(json, "dtypes");
		for (unsigned i = 0; i < DTYPE_COUNT; i++) {
			if (what->dtypes >> i & 1)
				jsonw_str(json, dtype_name(i));
		}
		jsonw_list_end(json);
	}
	jsonw_fill(json, "'before': $, 'after': $", what->before, what->after);
	if (what->aspect == ASPECT_UNIT)
		jsonw_fill(json, "'kernels_before': $, 'kernels_after': $", what->kernels[0], what->kernels[1]);
	if (what->aspect == ASPECT_REPORT)
		jsonw_fill(json, "'report': $, 'ref': $", what->text, what->ref);
	jsonw_object_end(json);
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

static void put_json(struct buf *out, const struct diff *diff)
{
	struct jsonw json = jsonw_start(out, 2);

	jsonw_fill(&json, "{'before': $, 'after': $, 'counts': {", diff->old_name, diff->new_name);
	for (unsigned i = 0; i < CHANGE_COUNT; i++) {
		jsonw_key_view(&json, op_change_name(i));
		jsonw_number(&json, (int64_t)diff->counts[i]);
	}
	jsonw_object_end(&json);
	jsonw_key_list(&json, "changes");
	for (size_t i = 0; i < diff->changes.count; i++)
		put_change_json(&json, &diff->changes.items[i]);
	jsonw_list_end(&json);
	put_details_json(&json, diff);
	jsonw_object_end(&json);
}

/* The cells of a change, "" for statuses of a whole release. */
static void cells_of(const struct change *change, struct str ret[5])
{
	bool op = change->what.name.len > 0;

	ret[0] = change->release;
	ret[1] = op ? change->what.name : STR("*");
	ret[2] = op_change_name(change->what.change);
	ret[3] = op ? op_status_name(change->what.before) : STR("");
	ret[4] = op ? op_status_name(change->what.after) : STR("");
}

/* A row for each release of each detail, in the place of a change. */
static void put_details_csv(struct sheet *sheet, const struct diff *diff)
{
	CLEANUP(arena_clear) struct arena arena = ARENA_INIT(ARENA_UNLIMITED);

	for (size_t i = 0; i < diff->details.count; i++) {
		const struct diff_detail *detail = &diff->details.items[i];
		const struct op_detail *what = &detail->what;

		sheet_cells(sheet, detail->release, what->name, diff_aspect_name(what->aspect), what->before,
			what->after, dtypes_text(&arena, what->dtypes, " "),
			chips_text(&arena, TARGET_NPU, what->chips, ", "), what->text);
	}
}

static void put_csv(struct buf *out, const struct diff *diff)
{
	static const char *const heads[] = { "release", "operator", "change", "before", "after", "types", "chips",
		"report" };
	static const struct sheet_shape shape = { "db-diff.title", heads, ARRAY_SIZE(heads) };
	struct sheet sheet;

	sheet_begin(&sheet, &shape, STR("csv"), NULL, out);
	for (size_t i = 0; i < diff->changes.count; i++) {
		struct str cells[ARRAY_SIZE(heads)] = { [5] = STR(""), [6] = STR(""), [7] = STR("") };

		cells_of(&diff->changes.items[i], cells);
		sheet_put_cells(&sheet, cells, ARRAY_SIZE(cells));
	}
	put_details_csv(&sheet, diff);
	sheet_end(&sheet);
}

static void put_row(struct doc *doc, const void *ctx, size_t at)
{
	const struct change *change = &((const struct diff *)ctx)->changes.items[at];
	struct str cells[5];

	cells_of(change, cells);
	doc_row(doc);
	doc_cell_text(doc, cells[2]);
	for (size_t i = 0; i < ARRAY_SIZE(cells); i++) {
		if (i == 2)
			continue;
		doc_cell_styled(doc, SPAN_CODE, cells[i]);
	}
}

static void build_diff(struct doc *doc, const struct diff *diff)
{
	static const struct doc_column lines[] = { { .width = 8 }, { .gap = 1, .fit = COLUMN_WRAP } };
	static const struct doc_column columns[] = { { .title = STR("change") }, { .title = STR("release") },
		{ .title = STR("operator") }, { .title = STR("before") }, { .title = STR("after") } };
	bool text = doc_is(doc, DOC_TEXT);

	if (doc_is(doc, DOC_HTML)) {
		doc_title(doc, "db-diff.title");
		doc_close(doc);
	}
	put_head(doc, diff);
	doc_table(doc, &(struct doc_table){ .columns = text ? lines : columns,
			       .count = text ? ARRAY_SIZE(lines) : ARRAY_SIZE(columns),
			       .bare = text,
			       .row_count = diff->changes.count,
			       .put_row = text ? put_line : put_row,
			       .ctx = diff });
	doc_table_end(doc);
	if (!diff->details.count)
		return;
	doc_section(doc, "db-diff.details");
	diff_details_build(doc, &diff->details);
	doc_close(doc);
}

/* Lines are for other programs, too: none is wrapped. */
void db_diff_put_document(struct buf *out, const struct diff *diff, enum doc_format format, enum lang lang)
{
	enum { NO_WRAP = 1 << 20 };
	struct doc doc = doc_new(format, &(struct render_options){ .width = NO_WRAP, .lang = lang });

	build_diff(&doc, diff);
	if (format == DOC_HTML)
		html_put_page(&doc, NULL, "db-diff.title", out);
	else
		doc_put(&doc, out);
}

int db_diff_put(
	const void *answer, struct str format, const struct render_options *render, struct buf *out, struct err *err)
{
	(void)err;
	if (str_eq(format, STR("json")))
		put_json(out, answer);
	else if (str_eq(format, STR("csv")))
		put_csv(out, answer);
	else
		db_diff_put_document(out, answer, doc_format_of_name(format), render->lang);
	return 0;
}
