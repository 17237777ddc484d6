#include "report/answers/buckets.h"

#include "assess/model/words.h"
#include "assess/shape/dynamic.h"
#include "base/memory/mem.h"
#include "json/jsonw.h"
#include "report/doc/doc_build.h"
#include "report/doc/html_page.h"
#include "report/doc/sheet.h"
#include "report/record/records.h"

enum { SHARE_PLACES = 6, SHOWN = 10, SHOWN_PLACES = 6, INDENT = 2, COLUMN = 12 };

/* What to do about a dimension that changes in a way. */
static const char *advice_for(enum dynamic_kind kind)
{
	if (kind == DYNAMIC_LAST_BATCH)
		return "bucket-drop-last";
	return kind == DYNAMIC_DATA_DEPENDENT ? "bucket-mask" : "bucket-pad";
}

/* Operators of which the dump does not tell whether their shapes change. */
static uint64_t unknown_operators(const struct result *result)
{
	uint64_t unknown = 0;

	for (size_t i = 0; i < result->operator_count; i++)
		unknown += result->operators[i].dynamic.kind == DYNAMIC_UNKNOWN;
	return unknown;
}

/* Leaves out the plans that only repeat a smaller one that wastes nothing already. */
static size_t telling_plans(const struct bucket_dim *dim)
{
	size_t count = 1;

	while (count < BUCKET_PLANS && dim->plans[count - 1].count == dim->plans[count - 1].most &&
		dim->plans[count - 1].waste_ppm > 0)
		count++;
	return count;
}

/* --- text */

static const struct doc_column fields[] = {
	{ .gap = INDENT, .width = COLUMN - INDENT, .title = STR("") },
	{ .fit = COLUMN_WRAP, .title = STR("") },
};

/* "  in        aten::mm ..." */
static void put_field(struct doc *doc, const char *title_id, struct str value)
{
	doc_row(doc);
	doc_cell_text(doc, doc_label_of(doc, title_id));
	doc_cell_text(doc, value);
}

static void put_dim_head(struct doc *doc, const struct bucket_dim *dim, size_t number)
{
	doc_say_with(doc, BLOCK_META, "bucket-dimension", NUMBER("number", number), NUMBER("min", dim->min),
		NUMBER("max", dim->max), NUMBER("distinct", dim->distinct), NUMBER("steps", dim->steps),
		NUMBER("calls", dim->calls), BLANK("kind", word_for(&dynamic_words, dim->kind)));
}

void bucket_place_put(struct buf *out, const struct bucket_place *place)
{
	buf_printf(out, "%.*s[%u", STR_ARG(place->operator_name), place->argument);
	if (place->tensor)
		buf_printf(out, ".%u", place->tensor);
	buf_printf(out, "][%u]", place->dim);
}

static void put_places(struct doc *doc, const struct bucket_dim *dim)
{
	size_t shown = doc_shown(doc, dim->place_count, SHOWN_PLACES);
	CLEANUP(buf_clear) struct buf text = BUF_UNLIMITED;

	for (size_t i = 0; i < shown; i++) {
		buf_add(&text, i ? STR(", ") : STR(""));
		bucket_place_put(&text, &dim->places[i]);
	}
	if (shown < dim->place_count)
		buf_printf(&text, ", ... +%zu", dim->place_count - shown);
	put_field(doc, "bucket-in", arena_keep(&doc->arena, buf_str(&text)));
}

static void put_sizes(struct buf *out, const struct bucket_plan *plan)
{
	for (size_t i = 0; i < plan->count; i++)
		buf_printf(out, "%s%lld", i ? " " : "", (long long)plan->sizes[i]);
}

/* "  k = 4       3.2 %  13 17 21" */
static void put_plan(struct doc *doc, const struct bucket_plan *plan)
{
	CLEANUP(buf_clear) struct buf sizes = BUF_UNLIMITED;

	put_sizes(&sizes, plan);
	doc_row(doc);
	doc_cell_text(doc, doc_format_of(doc, "k = %u", plan->most));
	doc_cell_text(doc, doc_percent_of(doc, plan->waste_ppm));
	doc_cell_text(doc, arena_keep(&doc->arena, buf_str(&sizes)));
}

/* Whoever pads the dimension that this one is made of pads this one, too. */
static void put_relation(struct doc *doc, const struct bucket_dim *dim)
{
	if (dim->factor)
		put_field(doc, "bucket-follows",
			doc_text_with(doc, "bucket-follows-text", NUMBER("factor", dim->factor),
				NUMBER("number", dim->follows + 1)));
}

static void put_dim(struct doc *doc, const struct bucket_dim *dim, size_t number)
{
	static const struct doc_column plan_columns[] = {
		{ .gap = INDENT, .width = 8, .title = STR("") },
		{ .gap = 1, .width = 9, .number = true, .title = STR("") },
		{ .gap = 2, .fit = COLUMN_WRAP, .title = STR("") },
	};

	doc_section(doc, NULL);
	put_dim_head(doc, dim, number);
	doc_table(doc, &(struct doc_table){ .columns = fields, .count = ARRAY_SIZE(fields), .bare = true });
	put_places(doc, dim);
	put_relation(doc, dim);
	put_field(doc, "bucket-do", doc_label_of(doc, advice_for(dim->kind)));
	doc_table_end(doc);
	doc_table(doc, &(struct doc_table){ .columns = plan_columns, .count = ARRAY_SIZE(plan_columns), .bare = true });
	for (size_t i = 0; i < telling_plans(dim); i++)
		put_plan(doc, &dim->plans[i]);
	doc_table_end(doc);
	doc_close(doc);
}

static void put_count(struct doc *doc, const char *id, uint64_t count)
{
	doc_section(doc, NULL);
	doc_say_count(doc, BLOCK_PARAGRAPH, id, count);
	doc_close(doc);
}

static void build_plan(struct doc *doc, const struct bucket_list *list, const struct result *result)
{
	size_t shown = doc_shown(doc, list->count, SHOWN);
	uint64_t unknown = unknown_operators(result);

	for (size_t i = 0; i < result->input_count; i++)
		doc_say_with(doc, BLOCK_PARAGRAPH, "bucket-title", BLANK("name", result->inputs[i].name));
	if (list->count)
		doc_say_label(doc, BLOCK_PARAGRAPH, "bucket-legend");
	for (size_t i = 0; i < shown; i++)
		put_dim(doc, &list->items[i], i + 1);
	if (!list->count)
		put_count(doc, "bucket-none", 0);
	if (shown < list->count)
		put_count(doc, "bucket-more", list->count - shown);
	if (list->left_out)
		put_count(doc, "bucket-left-out", list->left_out);
	if (unknown)
		put_count(doc, "bucket-unknown", unknown);
}

/* --- JSON */

static void put_json_plan(struct jsonw *json, const struct bucket_plan *plan)
{
	jsonw_object(json);
	jsonw_key_number(json, "k", plan->most);
	jsonw_key_decimal(json, "waste", plan->waste_ppm, SHARE_PLACES);
	jsonw_key_list(json, "sizes");
	for (size_t i = 0; i < plan->count; i++)
		jsonw_number(json, plan->sizes[i]);
	jsonw_fill(json, "]}");
}

static void put_json_dim(struct jsonw *json, const struct bucket_dim *dim)
{
	struct str advice = str_from(advice_for(dim->kind));

	jsonw_fill(json, "{'kind': $", word_for(&dynamic_words, dim->kind));
	jsonw_key_number(json, "min", dim->min);
	jsonw_key_number(json, "max", dim->max);
	jsonw_key_number(json, "distinct", (int64_t)dim->distinct);
	jsonw_key_number(json, "steps", (int64_t)dim->steps);
	jsonw_key_number(json, "calls", (int64_t)dim->calls);
	jsonw_key_bool(json, "coarse", dim->value_count < dim->distinct);
	if (dim->factor) {
		jsonw_key_number(json, "follows", (int64_t)dim->follows + 1);
		jsonw_key_number(json, "factor", dim->factor);
	}
	jsonw_fill(json, "'advice': {'rule': $, 'text': $}, 'values': [", advice, catalog_text(LANG_EN, advice));
	for (size_t i = 0; i < dim->value_count; i++) {
		jsonw_list(json);
		jsonw_number(json, dim->values[i].size);
		jsonw_number(json, (int64_t)dim->values[i].calls);
		jsonw_list_end(json);
	}
	jsonw_list_end(json);
	jsonw_key_list(json, "plans");
	for (size_t i = 0; i < BUCKET_PLANS; i++)
		put_json_plan(json, &dim->plans[i]);
	jsonw_list_end(json);
	record_put_list(json, "places", &bucket_place_record, dim->places, dim->place_count);
	jsonw_object_end(json);
}

static void put_json(const struct bucket_list *list, const struct result *result, struct buf *out)
{
	struct jsonw json = jsonw_start(out, 2);

	jsonw_object(&json);
	jsonw_key_list(&json, "inputs");
	for (size_t i = 0; i < result->input_count; i++)
		jsonw_str(&json, result->inputs[i].name);
	jsonw_list_end(&json);
	jsonw_key_number(&json, "left_out", (int64_t)list->left_out);
	jsonw_key_number(&json, "unknown_operators", (int64_t)unknown_operators(result));
	jsonw_key_list(&json, "dimensions");
	for (size_t i = 0; i < list->count; i++)
		put_json_dim(&json, &list->items[i]);
	jsonw_fill(&json, "]}");
}

/* --- CSV: a row for each plan */

static void put_csv_plan(
	struct sheet *sheet, const struct bucket_dim *dim, size_t number, const struct bucket_plan *plan)
{
	CLEANUP(buf_clear) struct buf text = BUF_UNLIMITED;
	const int64_t figures[] = { dim->min, dim->max, (int64_t)dim->distinct, (int64_t)dim->steps,
		(int64_t)dim->calls, plan->most };

	sheet_number(sheet, (int64_t)number, 0);
	sheet_cells(sheet, word_for(&dynamic_words, dim->kind), str_from(advice_for(dim->kind)));
	for (size_t i = 0; i < ARRAY_SIZE(figures); i++)
		sheet_number(sheet, figures[i], 0);
	sheet_number(sheet, plan->waste_ppm, SHARE_PLACES);
	put_sizes(&text, plan);
	sheet_cell(sheet, buf_str(&text));
	buf_reset(&text);
	for (size_t i = 0; i < dim->place_count; i++) {
		buf_add(&text, i ? STR(" ") : STR(""));
		bucket_place_put(&text, &dim->places[i]);
	}
	sheet_cell(sheet, buf_str(&text));
}

static void put_csv(const struct bucket_list *list, struct buf *out)
{
	static const char *const heads[] = { "dimension", "kind", "advice", "min", "max", "distinct", "steps", "calls",
		"k", "waste", "sizes", "places" };
	static const struct sheet_shape shape = { "bucket-plan", heads, ARRAY_SIZE(heads) };
	struct sheet sheet;

	sheet_begin(&sheet, &shape, STR("csv"), NULL, out);
	for (size_t i = 0; i < list->count; i++) {
		for (size_t at = 0; at < BUCKET_PLANS; at++)
			put_csv_plan(&sheet, &list->items[i], i + 1, &list->items[i].plans[at]);
	}
	sheet_end(&sheet);
}

void buckets_write(const struct bucket_list *list, const struct result *result, struct str form,
	const struct render_options *options, struct buf *out)
{
	struct doc doc;

	if (str_eq(form, STR("json"))) {
		put_json(list, result, out);
	} else if (str_eq(form, STR("csv"))) {
		put_csv(list, out);
	} else {
		doc = doc_new(doc_format_of_name(form), options);
		build_plan(&doc, list, result);
		html_put_page(&doc, result, "bucket-plan", out);
	}
}
