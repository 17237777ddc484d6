/* The operators of a report as a table. */
#include <inttypes.h>

#include "assess/model/words.h"
#include "base/memory/mem.h"
#include "report/doc/markup.h"
#include "report/sections/findings.h"
#include "report/sections/operator_rows.h"
#include "report/sections/parts.h"
#include "report/sections/place_section.h"
#include "report/sections/verdict.h"

/* --- the table */

enum { WITHOUT_SCRIPT = 30 }; /* rows of a page that need none */
enum { DEVICE_SHARE = 2, FIXED_COLUMNS = 6, KIND_COLUMNS = 14, STATUS_COLUMNS = 14, MIN_NAME_COLUMNS = 24 };

static void put_operator(struct doc *doc, const void *ctx, size_t row)
{
	const struct operator_rows *rows = ctx;
	size_t at = rows->order ? rows->order[row] : row;
	const struct result_operator *op = &rows->result->operators[at];
	int severity = operator_rows_severity(rows, at);

	doc_row(doc);
	doc_cell(doc);
	if (severity < NO_SEVERITY)
		doc_tag(doc, SET_SEVERITY, word_for(&severity_words, (unsigned)severity));
	doc_cell(doc);
	doc_percent(doc, op->share_ppm);
	doc_cell(doc);
	if (rows->estimated < op->verdict_count)
		doc_percent(doc, op->verdicts[rows->estimated].device_ppm);
	doc_cell_number(doc, op->calls);
	doc_cell(doc);
	doc_styled(doc, doc_is(doc, DOC_HTML) ? SPAN_NAME : SPAN_PLAIN, op->name);
	for (size_t i = 0; i < rows->targets; i++) {
		doc_cell(doc);
		doc_attribute(doc, "data-label", rows->result->targets[i].id);
		status_build(doc, &op->verdicts[i]);
	}
	doc_cell_text(doc, doc_word_of(doc, "kind", word_for(&dynamic_words, op->dynamic.kind)));
}

/* All of them, in text as many as the width allows. */
static size_t targets_shown(const struct doc *doc, const struct result *result)
{
	enum { DEFAULT_WIDTH = 80, OTHER = SHARE_COLUMNS + 2 + MIN_NAME_COLUMNS + 1 + KIND_COLUMNS };
	unsigned width = doc->options.width ? doc->options.width : DEFAULT_WIDTH;
	size_t targets = result->target_count;

	while (doc_is(doc, DOC_TEXT) && targets && OTHER + targets * STATUS_COLUMNS > width)
		targets--;
	return targets;
}

static struct doc_table table_of(struct doc *doc, const struct operator_rows *rows)
{
	static const struct doc_column fixed[FIXED_COLUMNS] = {
		{ .label = "report.severity", .formats = DOC_HTML },
		{ .label = "report.share", .width = SHARE_COLUMNS, .number = true },
		[DEVICE_SHARE] = { .label = "estimate.column",
			.width = SHARE_COLUMNS,
			.gap = 1,
			.number = true,
			.formats = 1u << 7 }, /* none, unless there are some */
		{ .label = "report.calls", .number = true, .formats = DOC_HTML },
		{ .label = "report.operator", .gap = 2, .fit = COLUMN_FILL },
		{ .label = "report.shapes", .gap = 1, .width = KIND_COLUMNS },
	};
	size_t targets = rows->targets;
	struct doc_column *columns = arena_alloc(&doc->arena, (FIXED_COLUMNS + targets) * sizeof(columns[0]));

	memcpy(columns, fixed, sizeof(fixed));
	if (rows->estimated < rows->result->target_count)
		columns[DEVICE_SHARE].formats = DOC_PLAIN;
	columns[FIXED_COLUMNS - 1 + targets] = fixed[FIXED_COLUMNS - 1];
	for (size_t i = 0; i < targets; i++)
		columns[FIXED_COLUMNS - 1 + i] = (struct doc_column){ .width = STATUS_COLUMNS,
			.title = doc_format_of(doc, "%s%.*s", doc_is(doc, DOC_TEXT) ? " " : "",
				STR_ARG(rows->result->targets[i].id)) };
	return (struct doc_table){ .columns = columns,
		.count = FIXED_COLUMNS + targets,
		.name = "operators",
		.row_count = doc_is(doc, DOC_HTML) && rows->count > WITHOUT_SCRIPT
				     ? WITHOUT_SCRIPT
				     : doc_shown(doc, rows->count, SHORT_LIST),
		.put_row = put_operator,
		.ctx = rows };
}

/* A choice among the words of a set, or among names, which the script adds. */
struct filter {
	const char *set, *label_id, *all_id;
	const char *values[9]; /* up to a NULL */
};

static void open_select(struct buf *out, enum lang lang, const struct filter *filter)
{
	buf_printf(out, "<select id=\"%s\"", filter->set);
	html_attribute(out, "aria-label", catalog_text(lang, str_from(filter->label_id)));
	html(out, "><option value=\"\">");
	html_label(out, lang, filter->all_id);
}

static void put_select(struct buf *out, enum lang lang, const struct filter *filter)
{
	open_select(out, lang, filter);
	html(out, "</option>");
	for (const char *const *value = filter->values; *value; value++) {
		html(out, "<option");
		html_attribute(out, "value", str_from(*value));
		html(out, ">");
		html_word(out, lang, filter->set, str_from(*value));
		html(out, "</option>");
	}
	html(out, "</select>");
}

/* The depth at which a choice is short enough to read. */
static uint32_t shown_depth(const struct result_places *places)
{
	enum { MOST = 300 };
	uint32_t depth = 0;
	size_t shown = 0;

	for (size_t deeper = 1; deeper && shown <= MOST; depth++, shown += deeper) {
		deeper = 0;
		for (size_t i = 0; i < places->count; i++)
			deeper += places->items[i].depth == depth;
	}
	return depth > 1 ? depth - 1 : 1;
}

/* Modules or lines, each with the positions of all that is inside. */
static void put_places(struct buf *out, enum lang lang, const struct result_places *places)
{
	const char *label = places->kind == PLACES_MODULES ? "report.filter-module" : "report.filter-line";
	uint32_t depth = shown_depth(places);

	if (!places->count)
		return;
	open_select(out, lang, &(struct filter){ "module", label, label, { 0 } });
	for (size_t i = 0; i < places->count; i++) {
		const struct result_place *place = &places->items[i];
		size_t last = i; /* inside */

		if (place->depth >= depth)
			continue;
		while (last + 1 < places->count && places->items[last + 1].depth > place->depth)
			last++;
		html(out, "<option");
		html_attribute(out, "value", place->path);
		buf_printf(out, " data-at=\"%zu %zu\">", i, last);
		for (uint32_t level = 0; level < place->depth; level++)
			html(out, "&emsp;");
		html_text(out, place_name(place));
	}
	html(out, "</select>");
}

/* Controls of the page's filters. */
static void put_controls(struct buf *out, enum lang lang, const void *ctx)
{
	static const struct filter filters[] = {
		{ "target", "report.filter-target", "report.filter-target", { 0 } },
		{ "status", "report.status", "report.filter-status",
			{ "native", "native-jit", "composite", "equivalent", "cpu-fallback", "unsupported",
				"needs-package", "unknown" } },
		{ "kind", "report.shapes", "report.filter-shapes",
			{ "static", "warm-up", "late", "last-batch", "bounded", "unbounded", "data-dependent",
				"unknown" } },
		{ "namespace", "report.filter-namespace", "report.filter-namespace", { 0 } },
		{ "rule", "report.filter-rule", "report.filter-rule", { 0 } },
	};

	html(out, "<div class=\"controls js-only\"><input id=\"search\" type=\"search\"");
	html_attribute(out, "placeholder", catalog_text(lang, STR("report.search")));
	html_attribute(out, "aria-label", catalog_text(lang, STR("report.search")));
	html(out, ">");
	for (size_t i = 0; i < ARRAY_SIZE(filters); i++)
		put_select(out, lang, &filters[i]);
	put_places(out, lang, &((const struct result *)ctx)->places);
	html(out, "<output id=\"shown\" class=\"soft\"></output></div>\n");
}

/* In text a column is too narrow for conditions: those of the operators that are listed stand below. */
static void put_conditions(struct doc *doc, const struct result *result, size_t operators)
{
	for (size_t i = 0; i < operators; i++) {
		const struct result_operator *op = &result->operators[i];

		for (size_t j = 0; j < op->verdict_count; j++) {
			if (op->verdicts[j].condition_count)
				doc_say_with(doc_in(doc, DOC_TEXT), BLOCK_PARAGRAPH, "report.condition-of",
					BLANK("operator", op->name), BLANK("target", op->verdicts[j].target),
					BLANK("status", status_in_words(doc, &op->verdicts[j])));
		}
	}
}

void operators_build(struct doc *doc, const struct result *result)
{
	const struct operator_rows *rows = operator_rows_of(doc, result, targets_shown(doc, result));
	struct doc_table table = table_of(doc, rows);
	CLEANUP(buf_clear) struct buf names = BUF_UNLIMITED; /* of targets without a column */

	for (size_t i = rows->targets; i < result->target_count; i++)
		buf_printf(&names, "%s%.*s", names.len ? ", " : "", STR_ARG(result->targets[i].id));
	doc_section(doc, "report.operators");
	doc_figure(doc, put_controls, result);
	doc_table(doc, &table);
	doc_close(doc);
	put_conditions(doc, result, table.row_count);
	if (names.len)
		doc_say_with(doc, BLOCK_PARAGRAPH, "report.further-targets",
			NUMBER("count", result->target_count - rows->targets), BLANK("targets", buf_str(&names)));
	if (result->db.overlay_count)
		doc_say_label(doc_in(doc, DOC_PLAIN), BLOCK_PARAGRAPH, "report.overlay-mark");
	if (result->assumption_count)
		doc_say_label(doc_in(doc, DOC_PLAIN), BLOCK_PARAGRAPH, "report.assumption-mark");
	if (rows->count) {
		operator_data_build(doc, rows);
		doc_say_count(doc_in(doc, DOC_HTML), BLOCK_NO_SCRIPT, "report.rows-by-script", rows->count);
	}
	doc_say_more(doc, "report.more-operators",
		result->operator_count - (doc_is(doc, DOC_HTML) ? rows->count : table.row_count));
	doc_close(doc);
}
