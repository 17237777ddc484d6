#include "report/sections/operator_details.h"

#include <inttypes.h>

#include "assess/model/words.h"
#include "base/memory/mem.h"
#include "opdb/model/dtype.h"
#include "report/doc/markup.h"
#include "report/drawings/release_drawing.h"
#include "report/sections/agreement.h"
#include "report/sections/release_section.h"
#include "report/sections/verdict.h"

/* --- data types */

/* A row of the table: of one target; of none: the head. */
struct types_row {
	struct str target;
	const struct result_types *types;
	unsigned shown; /* types */
};

/* Facts of a verdict. */
static const struct result_types *types_of_verdict(const struct result *result, const struct result_verdict *verdict)
{
	static const struct result_types nothing = { 0 };

	return verdict->types && verdict->types <= result->type_set_count ? &result->type_sets[verdict->types - 1]
									  : &nothing;
}

/* Those that are known to run somewhere; of those that are refused, the ones that models use. */
static unsigned types_to_show(const struct result_types *types)
{
	enum { USED = DTYPE_FP32 | DTYPE_FP16 | DTYPE_BF16 | DTYPE_FP64 | DTYPE_INT32 | DTYPE_INT64 | DTYPE_BOOL };

	return types->takes | types->tested | types->aicpu | types->aicpu_if | (types->refuses & USED);
}

/* The fate of one type on a target; the first that holds. */
static void put_type(struct buf *out, enum lang lang, const struct result_types *types, unsigned type)
{
	const struct {
		unsigned types;
		const char *css, *id;
	} states[] = { { types->refuses, "no", "types.no" }, { types->aicpu, "slow", "types.aicpu" },
		{ types->aicpu_if, "slow", "types.aicpu-if" }, { types->takes, "yes", "types.yes" },
		{ types->tested, "yes", "types.tested" }, { ~0U, "soft", "types.unknown" } };
	size_t at = 0;

	while (!(states[at].types & type))
		at++;
	buf_printf(out, "<td class=%s>", states[at].css);
	html_label(out, lang, states[at].id);
}

static void put_types_head(struct buf *out, enum lang lang, const void *ctx)
{
	const struct types_row *row = ctx;

	html(out, "<div class=\"wide\"><table class=\"types\"><tr><th scope=\"col\">");
	html_label(out, lang, "types.title");
	for (unsigned i = 0; i < DTYPE_COUNT; i++) {
		if (row->shown >> i & 1)
			buf_printf(out, "<th scope=\"col\">%.*s", STR_ARG(dtype_name(i)));
	}
}

static void put_types_row(struct buf *out, enum lang lang, const void *ctx)
{
	const struct types_row *row = ctx;

	html(out, "<tr><th scope=\"row\">");
	html_text(out, row->target);
	for (unsigned i = 0; i < DTYPE_COUNT; i++) {
		if (row->shown >> i & 1)
			put_type(out, lang, row->types, 1U << i);
	}
}

static void put_types_end(struct buf *out, enum lang lang UNUSED, const void *ctx UNUSED)
{
	html(out, "</table></div>");
}

/* Pieces with the columns of the whole report, so that operators share them. */
static void put_operator_types(struct doc *doc, const struct result *result, const struct result_operator *op)
{
	struct types_row *rows = arena_alloc(&doc->arena, (op->verdict_count + 1) * sizeof(rows[0]));
	unsigned shown = 0;
	bool known = false;

	for (size_t i = 0; i < result->type_set_count; i++)
		shown |= types_to_show(&result->type_sets[i]);
	for (size_t i = 0; i < op->verdict_count; i++)
		known |= types_to_show(types_of_verdict(result, &op->verdicts[i])) != 0;
	if (!known)
		return;
	doc_open(doc, BLOCK_GROUP);
	rows[0].shown = shown;
	doc_figure(doc, put_types_head, &rows[0]);
	for (size_t i = 0; i < op->verdict_count; i++) {
		const struct result_types *types = types_of_verdict(result, &op->verdicts[i]);

		if (!types_to_show(types))
			continue;
		rows[i + 1] = (struct types_row){ op->verdicts[i].target, types, shown };
		doc_figure(doc, put_types_row, &rows[i + 1]);
	}
	doc_figure(doc, put_types_end, rows);
	doc_close(doc);
}

/* --- releases */

/* Its status on every release, if the report lists it as a blocker. */
static void put_releases(struct doc *doc, const struct result_releases *releases, struct str name)
{
	size_t count = releases->blocker_count < BLOCKERS_LISTED ? releases->blocker_count : BLOCKERS_LISTED;

	for (size_t i = 0; i < count; i++) {
		if (str_eq(releases->blockers[i].operator_name, name)) {
			doc_say_label(doc, BLOCK_SOFT, "releases.title");
			release_strip_draw(doc, releases, &releases->blockers[i]);
			spans_build(doc, &releases->blockers[i]);
			return;
		}
	}
	if (!releases->count)
		return;
	if (releases->blockers_left)
		doc_say_count(doc, BLOCK_LINE_SOFT, "releases.not-listed", count);
	else
		doc_say_count(doc, BLOCK_LINE, "releases.nowhere-blocked", releases->count);
}

/* --- shapes */

static struct str steps_of(struct doc *doc, const struct result_shape *shape)
{
	CLEANUP(buf_clear) struct buf text = BUF_UNLIMITED;

	for (size_t i = 0; i < shape->step_count; i++) {
		const struct result_runs *run = &shape->steps[i];

		buf_printf(&text, run->first == run->last ? "%s%" PRIu32 : "%s%" PRIu32 "\xe2\x80\x93%" PRIu32,
			i ? ", " : "", run->first, run->last);
	}
	return arena_keep(&doc->arena, buf_str(&text));
}

void shape_build(struct doc *doc, const struct result_shape *shape)
{
	struct str types = shape->dtypes;
	bool single = shape->step_count == 1 && shape->steps[0].first == shape->steps[0].last;

	while (str_ends(types, STR(", -"))) /* up to the last one that there is */
		types = str_chop(types, 3);
	doc_open(doc, BLOCK_ITEM);
	doc_styled(doc, SPAN_CODE,
		doc_format_of(doc, "%.*s%s%.*s%s", STR_ARG(shape->overload), shape->overload.len ? " " : "",
			STR_ARG(shape->dims), shape->cut ? " \xe2\x80\xa6" : ""));
	if (types.len && !str_eq(types, STR("-")))
		doc_printf(doc, " %.*s", STR_ARG(types));
	doc_printf(doc, " \xc3\x97 %" PRIu64 " ", shape->calls);
	doc_styled(doc, SPAN_SOFT,
		doc_text_with(
			doc, single ? "report.in-step" : "report.in-steps", BLANK("steps", steps_of(doc, shape))));
	doc_close(doc);
}

static void put_shapes(struct doc *doc, const struct result_operator *op)
{
	enum { LISTED = 8 };

	if (!op->shape_count)
		return;
	doc_say_printf(doc, BLOCK_SOFT, "%.*s (%" PRIu64 ")", STR_ARG(doc_label_of(doc, "report.shape-list")),
		op->shape_total);
	doc_open(doc, BLOCK_LIST);
	for (size_t i = 0; i < op->shape_count && i < LISTED; i++)
		shape_build(doc, &op->shapes[i]);
	doc_close(doc);
}

void operator_details_build(struct doc *doc, const struct result *result, const struct result_operator *op)
{
	for (size_t i = 0; i < op->verdict_count; i++)
		verdict_build(doc, &op->verdicts[i]);
	put_operator_types(doc, result, op);
	put_releases(doc, &result->releases, op->name);
	doc_open(doc, BLOCK_PARAGRAPH);
	doc_word(doc, "kind", word_for(&dynamic_words, op->dynamic.kind));
	doc_text(doc, STR(": "));
	doc_message(doc, &op->dynamic.evidence);
	doc_close(doc);
	put_shapes(doc, op);
	observed_build(doc, &op->observed);
}
