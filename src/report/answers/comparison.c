#include "report/answers/comparison.h"

#include "assess/model/words.h"
#include "base/memory/mem.h"
#include "base/value/utf8.h"
#include "json/jsonw.h"
#include "record/kinds.h"
#include "record/nested.h"
#include "report/answers/answer_screens.h"
#include "report/doc/html_page.h"
#include "report/doc/sheet.h"
#include "report/record/load.h"
#include "report/record/records.h"
#include "report/sections/agreement.h"
#include "report/drawings/estimates.h"

enum { LINE_DEPTH = 2 };

static void put_side(struct doc *doc, const char *id, const struct result *result)
{
	CLEANUP(buf_clear) struct buf inputs = BUF_UNLIMITED;
	const struct message *said;

	for (size_t i = 0; i < result->input_count; i++) {
		buf_add(&inputs, i ? STR(", ") : STR(""));
		utf8_printable(&inputs, result->inputs[i].name);
	}
	said = MESSAGE(&doc->arena, id, COPY("inputs", buf_str(&inputs)), BLANK("build", result->db.build));
	doc_say(doc_in(doc, DOC_MD), BLOCK_ITEM, said);
	doc_say(doc_in(doc, DOC_TEXT | DOC_HTML), BLOCK_META, said);
}

static void put_sides(struct doc *doc, const struct comparison *comparison)
{
	doc_open_styled(doc, DOC_MD, BLOCK_LIST);
	put_side(doc, comparison->from_report ? "compare.by-report" : "compare.by-dump", comparison->predicted);
	put_side(doc, "compare.seen", comparison->seen);
	device_build(doc, comparison->seen, comparison->seen->input_count - 1);
	doc_close(doc);
}

static void put_times(struct doc *doc, const struct comparison *comparison)
{
	static const struct doc_column columns[] = {
		{ .label = "estimate.work", .width = 22, .css = "name" },
		{ .label = "compare.time-estimated", .width = 16, .gap = 1, .number = true },
		{ .label = "compare.time-measured", .width = 10, .gap = 1, .number = true },
		{ .label = "compare.time-ratio", .width = 9, .gap = 1, .number = true },
		{ .label = "compare.time-held", .width = 8, .gap = 2 },
	};

	doc_section(doc, "compare.times");
	doc_table(doc, &(struct doc_table){ .columns = columns, .count = ARRAY_SIZE(columns) });
	for (size_t i = 0; i < comparison->time_count; i++) {
		const struct compared_time *time = &comparison->times[i];

		doc_row(doc);
		doc_cell_text(doc, i ? doc_word_of(doc, "work", time->name) : doc_label_of(doc, "compare.time-all"));
		doc_cell_text(doc, estimate_span(&doc->arena, time->estimated));
		doc_cell_text(doc, estimate_time(&doc->arena, time->measured_ns));
		doc_cell_text(doc, time->milli ? doc_decimal_of(doc, time->milli, 3) : STR("-"));
		doc_cell_text(doc, doc_label_of(doc, time->held ? "compare.time-yes" : "compare.time-no"));
	}
	doc_table_end(doc);
	doc_close(doc);
}

/* In Markdown the score comes first, and where it is from last. */
static void build_comparison(struct doc *doc, const struct comparison *comparison)
{
	doc_open(doc_in(doc, DOC_TEXT | DOC_HTML), BLOCK_HEADER);
	doc_title(doc, "compare.title");
	doc_close(doc);
	put_sides(doc, comparison);
	doc_close(doc);
	doc_open(doc, BLOCK_MAIN);
	doc_section(doc, NULL);
	agreement_build(doc, &comparison->agreement);
	doc_close(doc);
	if (comparison->time_count)
		put_times(doc, comparison);
	doc_close(doc);
	put_sides(doc_in(doc, DOC_MD), comparison);
}

void comparison_put(const struct comparison *comparison, enum doc_format format, const struct render_options *options,
	struct buf *out)
{
	struct doc doc;

	if (format == DOC_TEXT && options->view != VIEW_WHOLE) {
		comparison_screen(comparison, options, out);
		return;
	}
	doc = doc_new(format, options);
	build_comparison(&doc, comparison);
	html_put_page(&doc, comparison->seen, "compare.title", out);
}

/* --- CSV */

struct entry_row {
	struct str target;
	struct agreement_entry entry;
};

static const struct field row_fields[] = {
	{ "target", &kind_text, AT(entry_row, target) },
	{ "operator", &kind_text, AT(entry_row, entry.operator_name) },
	{ "outcome", &kind_enum, AT(entry_row, entry.outcome), .words = &outcome_words },
	{ "predicted", &kind_enum, AT(entry_row, entry.predicted), .words = &predicted_words },
	{ "observed", &kind_enum, AT(entry_row, entry.observed), .words = &where_words },
	{ "calls", &kind_count, AT(entry_row, entry.calls) },
	{ "self_device_us", &kind_milli, AT(entry_row, entry.self_device_ns) },
	{ 0 },
};
static const struct record row_record = { sizeof(struct entry_row), row_fields };

void comparison_put_csv(const struct comparison *comparison, struct buf *out)
{
	static const struct sheet_shape shape = { "compare.title", &row_record };
	const struct agreement *agreement = &comparison->agreement;
	struct sheet sheet;

	sheet_begin(&sheet, &shape, STR("csv"), NULL, out);
	for (size_t i = 0; i < agreement->entry_count; i++)
		sheet_row(&sheet, &(struct entry_row){ agreement->target, agreement->entries[i] });
	sheet_end(&sheet);
}

/* --- JSON */

static const struct field time_fields[] = {
	{ "class", &kind_text, AT(compared_time, name) },
	{ "estimated", &kind_inline, AT(compared_time, estimated), .record = &time_range_record },
	{ "measured_us", &kind_milli, AT(compared_time, measured_ns) },
	{ "estimated_over_measured", &kind_milli, AT(compared_time, milli), OPTIONAL },
	{ "held", &kind_bool, AT(compared_time, held) },
	{ 0 },
};
static const struct record time_record = { sizeof(struct compared_time), time_fields };

static void put_run(struct jsonw *json, const char *key, const struct result *result, const char *source)
{
	jsonw_key(json, key);
	jsonw_fill(json, "{'source': $, 'tool_version': $, 'db_build': $, 'inputs': [", str_from(source),
		result->tool_version, result->db.build);
	for (size_t i = 0; i < result->input_count; i++) {
		const struct result_input *input = &result->inputs[i];

		jsonw_fill(json, "{'name': $, 'sha256': $, 'format': $", input->name, input->sha256, input->format);
		if (input->device.kind.len)
			record_put_key(json, "device", &device_record, &input->device);
		jsonw_object_end(json);
	}
	jsonw_fill(json, "]}");
}

void comparison_put_json(const struct comparison *comparison, struct buf *out)
{
	struct jsonw json = jsonw_start(out, LINE_DEPTH);

	jsonw_fill(&json, "{'schema_version': $", STR(REPORT_SCHEMA_VERSION));
	put_run(&json, "predicted", comparison->predicted, comparison->from_report ? "report" : "dump");
	put_run(&json, "seen", comparison->seen, "dump");
	record_put_key(&json, "agreement", &agreement_record, &comparison->agreement);
	if (comparison->time_count)
		record_put_list(&json, "device_time", &time_record, comparison->times, comparison->time_count);
	jsonw_object_end(&json);
}
