#include "report/answers/buckets.h"

#include <inttypes.h>

#include "assess/model/words.h"
#include "base/memory/mem.h"
#include "json/jsonw.h"
#include "record/kinds.h"
#include "record/nested.h"
#include "report/doc/doc_build.h"
#include "report/doc/html_page.h"
#include "report/doc/sheet.h"
#include "report/record/records.h"

enum { SHOWN = 10, SHOWN_PLACES = 6, INDENT = 2, COLUMN = 12 };

/* Advice on a dimension by its kind of change. */
static const char *advice_for(enum dynamic_kind kind)
{
	if (kind == DYNAMIC_LAST_BATCH)
		return "bucket-drop-last";
	return kind == DYNAMIC_DATA_DEPENDENT ? "bucket-mask" : "bucket-pad";
}

/* Operators of which the dump does not tell whether their shapes change. */
static uint64_t unknown_operators(const struct result *result)
{
	return SUM(i, result->operator_count, result->operators[i].dynamic.kind == DYNAMIC_UNKNOWN);
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

void bucket_places_put(
	struct buf *out, const struct bucket_place *places, size_t shown, uint64_t total, const char *between)
{
	for (size_t i = 0; i < shown; i++) {
		buf_printf(out, "%s%.*s[%u", i ? between : "", STR_ARG(places[i].operator_name), places[i].argument);
		if (places[i].tensor)
			buf_printf(out, ".%u", places[i].tensor);
		buf_printf(out, "][%u]", places[i].dim);
	}
	if (shown < total)
		buf_printf(out, "%s... +%" PRIu64, between, total - shown);
}

static void put_places(struct doc *doc, const struct bucket_dim *dim)
{
	CLEANUP(buf_clear) struct buf text = BUF_UNLIMITED;

	bucket_places_put(&text, dim->places, doc_shown(doc, dim->place_count, SHOWN_PLACES), dim->place_count, ", ");
	put_field(doc, "bucket-in", arena_keep(&doc->arena, buf_str(&text)));
}

/* "  k = 4       3.2 %  13 17 21" */
static void put_plan(struct doc *doc, const struct bucket_plan *plan)
{
	CLEANUP(buf_clear) struct buf sizes = BUF_UNLIMITED;

	for (size_t i = 0; i < plan->count; i++)
		buf_printf(&sizes, "%s%lld", i ? " " : "", (long long)plan->sizes[i]);
	doc_row(doc);
	doc_cell_text(doc, doc_format_of(doc, "k = %u", plan->most));
	doc_cell_text(doc, doc_percent_of(doc, plan->waste_ppm));
	doc_cell_text(doc, arena_keep(&doc->arena, buf_str(&sizes)));
}

static void put_dim(struct doc *doc, const struct bucket_dim *dim, size_t number)
{
	static const struct doc_column plan_columns[] = {
		{ .gap = INDENT, .width = 8, .title = STR("") },
		{ .gap = 1, .width = 9, .number = true, .title = STR("") },
		{ .gap = 2, .fit = COLUMN_WRAP, .title = STR("") },
	};

	doc_section(doc, NULL);
	doc_say_with(doc, BLOCK_META, "bucket-dimension", NUMBER("number", number), NUMBER("min", dim->min),
		NUMBER("max", dim->max), NUMBER("distinct", dim->distinct), NUMBER("steps", dim->steps),
		NUMBER("calls", dim->calls), BLANK("kind", word_for(&dynamic_words, dim->kind)));
	doc_table(doc, &(struct doc_table){ .columns = fields, .count = ARRAY_SIZE(fields), .bare = true });
	put_places(doc, dim);
	if (dim->factor) /* whoever pads the dimension that this one is made of pads this one, too */
		put_field(doc, "bucket-follows",
			doc_text_with(doc, "bucket-follows-text", NUMBER("factor", dim->factor),
				NUMBER("number", dim->follows + 1)));
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

/* --- a dimension and its plans, as JSON and as rows of CSV */

struct plan_row {
	uint64_t number; /* of its dimension */
	struct bucket_dim dim;
	struct str advice, places;
	struct bucket_plan plan;
	const int64_t *sizes;
};

static const struct field plan_json_fields[] = {
	{ "k", &kind_index, AT(plan_row, plan.most) },
	{ "waste", &kind_share, AT(plan_row, plan.waste_ppm) },
	{ "sizes", &kind_numbers, ITEMS(plan_row, sizes, plan.count) },
	{ 0 },
};
static const struct record plan_json = { sizeof(struct plan_row), plan_json_fields };

static const struct field plan_fields[] = {
	{ "dimension", &kind_count, AT(plan_row, number) },
	{ "kind", &kind_enum, AT(plan_row, dim.kind), .words = &dynamic_words },
	{ "advice", &kind_text, AT(plan_row, advice) },
	{ "min", &kind_number, AT(plan_row, dim.min) },
	{ "max", &kind_number, AT(plan_row, dim.max) },
	{ "distinct", &kind_count, AT(plan_row, dim.distinct) },
	{ "steps", &kind_count, AT(plan_row, dim.steps) },
	{ "calls", &kind_count, AT(plan_row, dim.calls) },
	{ "k", &kind_index, AT(plan_row, plan.most) },
	{ "waste", &kind_share, AT(plan_row, plan.waste_ppm) },
	{ "sizes", &kind_numbers, ITEMS(plan_row, sizes, plan.count) },
	{ "places", &kind_text, AT(plan_row, places) },
	{ 0 },
};
static const struct record plan_record = { sizeof(struct plan_row), plan_fields };

static const struct field value_fields[] = {
	{ "size", &kind_number, AT(bucket_value, size) },
	{ "calls", &kind_count, AT(bucket_value, calls) },
	{ 0 },
};
static const struct record value_record = { sizeof(struct bucket_value), value_fields, .tuple = true };

struct dim_row {
	struct bucket_dim dim;
	bool coarse; /* values are joined */
	uint64_t follows;
	struct dim_advice {
		struct str rule, text;
	} advice;
	const struct plan_row *plans;
	size_t plan_count;
};

static const struct field advice_fields[] = {
	{ "rule", &kind_text, AT(dim_advice, rule) },
	{ "text", &kind_text, AT(dim_advice, text) },
	{ 0 },
};
static const struct record advice_record = { sizeof(struct dim_advice), advice_fields };

static const struct field dim_fields[] = {
	{ "kind", &kind_enum, AT(dim_row, dim.kind), .words = &dynamic_words },
	{ "min", &kind_number, AT(dim_row, dim.min) },
	{ "max", &kind_number, AT(dim_row, dim.max) },
	{ "distinct", &kind_count, AT(dim_row, dim.distinct) },
	{ "steps", &kind_count, AT(dim_row, dim.steps) },
	{ "calls", &kind_count, AT(dim_row, dim.calls) },
	{ "coarse", &kind_bool, AT(dim_row, coarse) },
	{ "follows", &kind_count, AT(dim_row, follows), OPTIONAL, .when = AT(dim_row, dim.factor) },
	{ "factor", &kind_number, AT(dim_row, dim.factor), OPTIONAL },
	{ "advice", &kind_object, AT(dim_row, advice), .record = &advice_record },
	{ "values", &kind_list, ITEMS(dim_row, dim.values, dim.value_count), .record = &value_record },
	{ "plans", &kind_list, ITEMS(dim_row, plans, plan_count), .record = &plan_json },
	{ "places", &kind_list, ITEMS(dim_row, dim.places, dim.place_count), .record = &bucket_place_record },
	{ 0 },
};
static const struct record dim_record = { sizeof(struct dim_row), dim_fields };

/* Those of all dimensions, BUCKET_PLANS each. */
static struct plan_row *plan_rows(const struct bucket_list *list, struct arena *arena)
{
	struct plan_row *rows = arena_alloc(arena, (list->count * BUCKET_PLANS + 1) * sizeof(rows[0]));

	for (size_t i = 0; i < list->count; i++) {
		const struct bucket_dim *dim = &list->items[i];
		CLEANUP(buf_clear) struct buf places = BUF_UNLIMITED;

		bucket_places_put(&places, dim->places, dim->place_count, dim->place_count, " ");
		for (size_t at = 0; at < BUCKET_PLANS; at++)
			rows[i * BUCKET_PLANS + at] = (struct plan_row){ i + 1, *dim, str_from(advice_for(dim->kind)),
				arena_keep(arena, buf_str(&places)), dim->plans[at], dim->plans[at].sizes };
	}
	return rows;
}

static void put_dims(struct jsonw *json, const struct bucket_list *list)
{
	CLEANUP(arena_clear) struct arena arena = ARENA_INIT(ARENA_UNLIMITED);
	const struct plan_row *plans = plan_rows(list, &arena);

	for (size_t i = 0; i < list->count; i++) {
		const struct bucket_dim *dim = &list->items[i];
		struct str advice = str_from(advice_for(dim->kind));
		struct dim_row row = { *dim, dim->value_count < dim->distinct, dim->follows + 1,
			{ advice, catalog_text(LANG_EN, advice) }, plans + i * BUCKET_PLANS, BUCKET_PLANS };

		record_put(json, &dim_record, &row);
	}
}

static void put_buckets_json(const struct bucket_list *list, const struct result *result, struct buf *out)
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
	put_dims(&json, list);
	jsonw_fill(&json, "]}");
}

void buckets_write(const struct bucket_list *list, const struct result *result, struct str form,
	const struct render_options *options, struct buf *out)
{
	static const struct sheet_shape shape = { "bucket-plan", &plan_record };
	CLEANUP(arena_clear) struct arena arena = ARENA_INIT(ARENA_UNLIMITED);
	struct sheet sheet;
	struct doc doc;

	if (str_eq(form, STR("json"))) {
		put_buckets_json(list, result, out);
	} else if (str_eq(form, STR("csv"))) {
		sheet_begin(&sheet, &shape, form, NULL, out);
		sheet_rows(&sheet, plan_rows(list, &arena), list->count * BUCKET_PLANS);
		sheet_end(&sheet);
	} else {
		doc = doc_new(doc_format_of_name(form), options);
		build_plan(&doc, list, result);
		html_put_page(&doc, result, "bucket-plan", out);
	}
}
