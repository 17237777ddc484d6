#include "report/buckets.h"

#include "assess/shape/dynamic.h"
#include "base/mem.h"
#include "json/jsonw.h"
#include "report/pieces.h"
#include "report/textw.h"

enum { SHARE_PLACES = 6, SHOWN = 10, SHOWN_PLACES = 6, WIDTH = 80, INDENT = 2, COLUMN = 12 };

/* What to do about a dimension that changes in a way. */
static const char *advice_for(struct str kind)
{
	if (str_eq(kind, STR("last-batch")))
		return "bucket-drop-last";
	return str_eq(kind, STR("data-dependent")) ? "bucket-mask" : "bucket-pad";
}

/* Operators of which the dump does not tell whether their shapes change. */
static uint64_t unknown_operators(const struct result *result)
{
	uint64_t unknown = 0;

	for (size_t i = 0; i < result->operator_count; i++)
		unknown += str_eq(result->operators[i].dynamic.kind, STR("unknown"));
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

struct page {
	const struct render_options *options;
	struct buf *out;
	struct textw text;
};

/* "  in        aten::mm ...", wrapped behind the first column. */
static void put_field(struct page *page, const char *title_id, struct str value)
{
	struct str title = catalog_text(page->options->lang, str_from(title_id));
	struct buf printable = textw_printable(value);

	buf_printf(page->out, "%*s", INDENT, "");
	textw_left(&page->text, title, COLUMN - INDENT);
	textw_wrap(&page->text, buf_str(&printable), COLUMN, COLUMN);
	buf_clear(&printable);
}

static void put_statement(struct page *page, const struct message *message, unsigned indent)
{
	struct buf text = BUF_UNLIMITED, printable;

	catalog_put(&text, page->options->lang, message);
	printable = textw_printable(buf_str(&text));
	textw_wrap(&page->text, buf_str(&printable), 0, indent);
	buf_clear(&printable);
	buf_clear(&text);
}

static void put_number(struct message *message, struct arena *arena, const char *name, uint64_t value)
{
	message_add_number(message, arena, name, (int64_t)value);
}

static void put_dim_head(struct page *page, const struct bucket_dim *dim, size_t number)
{
	struct arena arena = ARENA_INIT(ARENA_UNLIMITED);
	struct message head = message_of("bucket-dimension");

	put_number(&head, &arena, "number", number);
	message_add_number(&head, &arena, "min", dim->min);
	message_add_number(&head, &arena, "max", dim->max);
	put_number(&head, &arena, "distinct", dim->distinct);
	put_number(&head, &arena, "steps", dim->steps);
	put_number(&head, &arena, "calls", dim->calls);
	message_add(&head, "kind", dim->kind);
	buf_byte(page->out, '\n');
	put_statement(page, &head, INDENT);
	arena_clear(&arena);
}

static void put_place(struct buf *out, const struct bucket_place *place)
{
	buf_printf(out, "%.*s[%u", STR_ARG(place->operator_name), place->argument);
	if (place->tensor)
		buf_printf(out, ".%u", place->tensor);
	buf_printf(out, "][%u]", place->dim);
}

static void put_places(struct page *page, const struct bucket_dim *dim)
{
	size_t shown = page->options->all || dim->place_count <= SHOWN_PLACES ? dim->place_count : SHOWN_PLACES;
	struct buf text = BUF_UNLIMITED;

	for (size_t i = 0; i < shown; i++) {
		buf_add(&text, i ? STR(", ") : STR(""));
		put_place(&text, &dim->places[i]);
	}
	if (shown < dim->place_count)
		buf_printf(&text, ", ... +%zu", dim->place_count - shown);
	put_field(page, "bucket-in", buf_str(&text));
	buf_clear(&text);
}

static void put_sizes(struct buf *out, const struct bucket_plan *plan)
{
	for (size_t i = 0; i < plan->count; i++)
		buf_printf(out, "%s%lld", i ? " " : "", (long long)plan->sizes[i]);
}

/* "  k = 4       3.2 %  13 17 21", with the sizes wrapped. */
static void put_plan(struct page *page, const struct bucket_plan *plan)
{
	struct buf sizes = BUF_UNLIMITED, line = BUF_UNLIMITED;
	int64_t tenths = (plan->waste_ppm + 500) / 1000;

	put_sizes(&sizes, plan);
	buf_printf(&line, "  k = %-4u %5lld.%lld %%  ", plan->most, (long long)(tenths / 10), (long long)(tenths % 10));
	buf_add(page->out, buf_str(&line));
	textw_wrap(&page->text, buf_str(&sizes), (unsigned)line.len, (unsigned)line.len);
	buf_clear(&sizes);
	buf_clear(&line);
}

/* Whoever pads the dimension that this one is made of pads this one, too. */
static void put_relation(struct page *page, const struct bucket_dim *dim)
{
	struct arena arena = ARENA_INIT(ARENA_UNLIMITED);
	struct message relation = message_of("bucket-follows-text");
	struct buf text = BUF_UNLIMITED;

	if (dim->factor) {
		message_add_number(&relation, &arena, "factor", dim->factor);
		message_add_number(&relation, &arena, "number", (int64_t)dim->follows + 1);
		catalog_put(&text, page->options->lang, &relation);
		put_field(page, "bucket-follows", buf_str(&text));
	}
	buf_clear(&text);
	arena_clear(&arena);
}

static void put_dim(struct page *page, const struct bucket_dim *dim, size_t number)
{
	struct message advice = message_of(advice_for(dim->kind));
	struct buf text = BUF_UNLIMITED;

	put_dim_head(page, dim, number);
	put_places(page, dim);
	put_relation(page, dim);
	catalog_put(&text, page->options->lang, &advice);
	put_field(page, "bucket-do", buf_str(&text));
	for (size_t i = 0; i < telling_plans(dim); i++)
		put_plan(page, &dim->plans[i]);
	buf_clear(&text);
}

static void put_count(struct page *page, const char *id, uint64_t count)
{
	struct arena arena = ARENA_INIT(ARENA_UNLIMITED);
	struct message message = message_of(id);

	put_number(&message, &arena, "count", count);
	buf_byte(page->out, '\n');
	put_statement(page, &message, 0);
	arena_clear(&arena);
}

static void put_title(struct page *page, const struct result *result, bool planned)
{
	struct message title = message_of("bucket-title");

	for (size_t i = 0; i < result->input_count; i++) {
		struct message line = title;

		message_add(&line, "name", result->inputs[i].name);
		put_statement(page, &line, 0);
	}
	if (planned) {
		struct message legend = message_of("bucket-legend");

		put_statement(page, &legend, 0);
	}
}

void buckets_put_text(const struct bucket_list *list, const struct result *result, const struct render_options *options,
	struct buf *out)
{
	unsigned width = options->width ? options->width : WIDTH;
	struct page page = { options, out, { .out = out, .width = width, .color = options->color } };
	size_t shown = options->all || list->count <= SHOWN ? list->count : SHOWN;
	uint64_t unknown = unknown_operators(result);

	put_title(&page, result, list->count > 0);
	for (size_t i = 0; i < shown; i++)
		put_dim(&page, &list->items[i], i + 1);
	if (!list->count)
		put_count(&page, "bucket-none", 0);
	if (shown < list->count)
		put_count(&page, "bucket-more", list->count - shown);
	if (list->left_out)
		put_count(&page, "bucket-left-out", list->left_out);
	if (unknown)
		put_count(&page, "bucket-unknown", unknown);
}

/* --- JSON */

static void put_json_plan(struct jsonw *json, const struct bucket_plan *plan)
{
	jsonw_object(json);
	jsonw_key_number(json, "k", plan->most);
	jsonw_key_decimal(json, "waste", plan->waste_ppm, SHARE_PLACES);
	jsonw_key(json, "sizes");
	jsonw_list(json);
	for (size_t i = 0; i < plan->count; i++)
		jsonw_number(json, plan->sizes[i]);
	jsonw_list_end(json);
	jsonw_object_end(json);
}

static void put_json_place(struct jsonw *json, const struct bucket_place *place)
{
	jsonw_object(json);
	jsonw_key_str(json, "operator", place->operator_name);
	jsonw_key_str(json, "kind", place->kind);
	jsonw_key_number(json, "argument", place->argument);
	jsonw_key_number(json, "tensor", place->tensor);
	jsonw_key_number(json, "dim", place->dim);
	jsonw_object_end(json);
}

static void put_json_advice(struct jsonw *json, struct str kind)
{
	const char *id = advice_for(kind);

	jsonw_key(json, "advice");
	jsonw_object(json);
	jsonw_key_str(json, "rule", str_from(id));
	jsonw_key_str(json, "text", catalog_text(LANG_EN, str_from(id)));
	jsonw_object_end(json);
}

static void put_json_dim(struct jsonw *json, const struct bucket_dim *dim)
{
	jsonw_object(json);
	jsonw_key_str(json, "kind", dim->kind);
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
	put_json_advice(json, dim->kind);
	jsonw_key(json, "values");
	jsonw_list(json);
	for (size_t i = 0; i < dim->value_count; i++) {
		jsonw_list(json);
		jsonw_number(json, dim->values[i].size);
		jsonw_number(json, (int64_t)dim->values[i].calls);
		jsonw_list_end(json);
	}
	jsonw_list_end(json);
	jsonw_key(json, "plans");
	jsonw_list(json);
	for (size_t i = 0; i < BUCKET_PLANS; i++)
		put_json_plan(json, &dim->plans[i]);
	jsonw_list_end(json);
	jsonw_key(json, "places");
	jsonw_list(json);
	for (size_t i = 0; i < dim->place_count; i++)
		put_json_place(json, &dim->places[i]);
	jsonw_list_end(json);
	jsonw_object_end(json);
}

void buckets_put_json(const struct bucket_list *list, const struct result *result, struct buf *out)
{
	struct jsonw json = jsonw_start(out, 2);

	jsonw_object(&json);
	jsonw_key(&json, "inputs");
	jsonw_list(&json);
	for (size_t i = 0; i < result->input_count; i++)
		jsonw_str(&json, result->inputs[i].name);
	jsonw_list_end(&json);
	jsonw_key_number(&json, "left_out", (int64_t)list->left_out);
	jsonw_key_number(&json, "unknown_operators", (int64_t)unknown_operators(result));
	jsonw_key(&json, "dimensions");
	jsonw_list(&json);
	for (size_t i = 0; i < list->count; i++)
		put_json_dim(&json, &list->items[i]);
	jsonw_list_end(&json);
	jsonw_object_end(&json);
}

/* --- CSV: a row for each plan */

static void put_csv_plan(
	const struct bucket_dim *dim, size_t number, const struct bucket_plan *plan, struct str places, struct buf *out)
{
	struct buf sizes = BUF_UNLIMITED;

	put_sizes(&sizes, plan);
	buf_printf(out, "%zu,%.*s,%s,%lld,%lld,%llu,%llu,%llu,%u,%lld.%06lld,", number, STR_ARG(dim->kind),
		advice_for(dim->kind), (long long)dim->min, (long long)dim->max, (unsigned long long)dim->distinct,
		(unsigned long long)dim->steps, (unsigned long long)dim->calls, plan->most,
		(long long)(plan->waste_ppm / 1000000), (long long)(plan->waste_ppm % 1000000));
	csv_put_text(out, buf_str(&sizes));
	buf_byte(out, ',');
	csv_put_text(out, places);
	buf_add(out, STR("\r\n"));
	buf_clear(&sizes);
}

void buckets_put_csv(const struct bucket_list *list, struct buf *out)
{
	buf_add(out, STR("dimension,kind,advice,min,max,distinct,steps,calls,k,waste,sizes,places\r\n"));
	for (size_t i = 0; i < list->count; i++) {
		const struct bucket_dim *dim = &list->items[i];
		struct buf places = BUF_UNLIMITED;

		for (size_t at = 0; at < dim->place_count; at++) {
			buf_add(&places, at ? STR(" ") : STR(""));
			put_place(&places, &dim->places[at]);
		}
		for (size_t at = 0; at < BUCKET_PLANS; at++)
			put_csv_plan(dim, i + 1, &dim->plans[at], buf_str(&places), out);
		buf_clear(&places);
	}
}
