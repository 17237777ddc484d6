/* The head of a report, its targets, and what its dumps did not show. */
#include "report/sections/summary.h"

#include <inttypes.h>

#include "assess/model/words.h"
#include "base/memory/mem.h"
#include "report/doc/headline.h"
#include "report/drawings/drawing.h"
#include "report/drawings/time_bars.h"
#include "report/sections/agreement.h"
#include "report/sections/capture.h"
#include "report/sections/policy.h"
#include "report/sections/target_card.h"

/* --- head */

/* The day of a time stamp. */
static struct str date_of(struct str stamp)
{
	enum { DAY_BYTES = 10 };

	return stamp.len > DAY_BYTES ? str_sub(stamp, 0, DAY_BYTES) : stamp;
}

/* A dot on a page, elsewhere what is given. */
static void put_separator(struct doc *doc, const char *plain)
{
	doc_text(doc_in(doc, DOC_HTML), STR(" \xc2\xb7 "));
	doc_text(doc_in(doc, DOC_PLAIN), str_from(plain));
}

static void put_title(struct doc *doc, const struct result *result, const char *title_id)
{
	if (doc_is(doc, DOC_HTML) && headline_is_title(result, title_id)) {
		doc_say_styled(doc, BLOCK_TITLE, SPAN_PLAIN, headline_line(&doc->arena, doc->options.lang, result));
		return;
	}
	doc_title(doc, title_id);
	doc_printf(doc_in(doc, DOC_TEXT), " - opcheck %.*s, %.*s %.*s (%.*s %.*s)", STR_ARG(result->tool_version),
		STR_ARG(doc_label_of(doc, "report.database")), STR_ARG(date_of(result->db.built_at)),
		STR_ARG(doc_label_of(doc, "report.build")), STR_ARG(result->db.build));
	doc_close(doc);
}

static void put_count(struct doc *doc, uint64_t count, const char *id)
{
	put_separator(doc, ", ");
	doc_text(doc, doc_text_with(doc, id, NUMBER("count", count)));
}

static void put_input(struct doc *doc, const struct result *result, size_t at)
{
	const struct result_input *input = &result->inputs[at];

	doc_open(doc, BLOCK_META);
	doc_styled(doc, SPAN_STRONG_NAME, input->name);
	put_separator(doc, ": ");
	doc_text(doc, input->format);
	if (input->torch_era.len)
		doc_printf(doc, " %.*s %.*s", STR_ARG(doc_label_of(doc, "report.from")), STR_ARG(input->torch_era));
	if (input->counted_in.len) {
		put_separator(doc, ", ");
		doc_printf(
			doc, "%.*s %.*s", STR_ARG(doc_label_of(doc, "report.counted-in")), STR_ARG(input->counted_in));
	} else if (input->steps) {
		put_count(doc, input->steps, "report.steps");
	}
	put_count(doc, input->rows, "report.rows");
	if (input->ranks > 1)
		put_count(doc, input->ranks, "report.ranks");
	doc_close(doc);
	device_build(doc, result, at);
}

void assumptions_build(struct doc *doc, const struct result *result)
{
	for (size_t i = 0; i < result->assumption_count; i++)
		doc_say_styled(doc, BLOCK_META, SPAN_STRONG,
			doc_text_with(doc, "report.assumption", BLANK("operator", result->assumptions[i].name),
				BLANK("status", op_status_name(result->assumptions[i].status))));
}

void inputs_build(struct doc *doc, const struct result *result)
{
	for (size_t i = 0; i < result->input_count; i++)
		put_input(doc, result, i);
	doc_open(doc_in(doc, DOC_HTML | DOC_MD), BLOCK_META); /* a page has the digest of the database at its end */
	doc_printf(doc, "opcheck %.*s \xc2\xb7 %.*s %.*s", STR_ARG(result->tool_version),
		STR_ARG(doc_label_of(doc, "report.database")), STR_ARG(date_of(result->db.built_at)));
	doc_printf(doc_in(doc, DOC_MD), " \xc2\xb7 %.*s ", STR_ARG(doc_label_of(doc, "report.build")));
	doc_styled(doc_in(doc, DOC_MD), SPAN_CODE, result->db.build);
	doc_close(doc);
	if (result->db.pack && !result->db.pack->is_signed)
		doc_say_with(doc, BLOCK_META, "report.unsigned-pack", BLANK("sha256", result->db.pack->sha256));
}

void head_build(struct doc *doc, const struct result *result, const char *title_id)
{
	doc_open(doc, BLOCK_HEADER);
	put_title(doc, result, title_id);
	inputs_build(doc, result);
	for (size_t i = 0; i < result->db.overlay_count; i++) {
		const struct result_overlay *overlay = &result->db.overlays[i];

		doc_say_with(doc, BLOCK_META, "report.overlay", BLANK("name", overlay->name),
			NUMBER("facts", overlay->facts), BLANK("sha256", overlay->sha256));
	}
	assumptions_build(doc, result);
	policy_build(doc, &result->policy);
	doc_close(doc);
}

/* --- how much is shown */

void shown_build(struct doc *doc, const struct result *result)
{
	static const char *const rules[] = { "capture-device-uncovered", "capture-rows-uncovered" };
	size_t said = 0;

	for (size_t i = 0; i < result->input_count; i++) {
		for (size_t rule = 0; rule < ARRAY_SIZE(rules); rule++)
			said += input_has_warning(&result->inputs[i], rules[rule]);
	}
	if (said && result->shown_ppm < WHOLE_PPM)
		doc_say_with(doc, BLOCK_PARAGRAPH, "report.shown",
			BLANK("share", doc_percent_of(doc, result->shown_ppm)),
			BLANK("basis", doc_word_of(doc, "basis", word_for(&basis_words, result->basis))));
}

/* --- targets */

uint64_t target_blockers(const struct result_target *target)
{
	uint64_t count = 0;

	for (size_t i = 0; i < target->count_count; i++) {
		enum op_status status = target->counts[i].status;

		if (status == OP_UNSUPPORTED || status == OP_NEEDS_PACKAGE)
			count += target->counts[i].operators;
	}
	return count;
}

static void put_target_table(struct doc *doc, const struct result *result)
{
	static const struct doc_column columns[] = {
		{ .label = "report.target", .width = 23 },
		{ .label = "report.verdict", .gap = 1, .width = 19 },
		{ .label = "report.on-device", .gap = 1, .width = 12, .number = true },
		{ .label = "report.at-all", .gap = 1, .width = 12, .number = true },
		{ .label = "report.blockers", .gap = 1, .width = 8, .number = true },
	};

	doc_table(doc_in(doc, DOC_PLAIN), &(struct doc_table){ .columns = columns, .count = ARRAY_SIZE(columns) });
	for (size_t i = 0; i < result->target_count; i++) {
		const struct result_target *target = &result->targets[i];

		doc_row(doc);
		doc_cell_text(doc, target->id);
		doc_cell_tag(doc, SET_VERDICT, word_for(&verdict_words, target->verdict));
		doc_cell_interval(doc, target->readiness.time);
		doc_cell_interval(doc, target->coverage.time);
		doc_cell_number(doc, target_blockers(target));
	}
	doc_table_end(doc);
}

/* "; time: AI Core 95.1-98.2 %, AI CPU 0.0-3.1 %": each microsecond once. */
static void put_where(struct doc *doc, const struct result_target *target)
{
	struct target_place places[TARGET_PLACES];
	size_t count = target_places(target, places);

	for (size_t i = 0; i < count; i++) {
		doc_text(doc, i ? STR(", ") : STR("; "));
		if (!i)
			doc_printf(doc, "%.*s: ", STR_ARG(doc_label_of(doc, "report.where")));
		doc_printf(doc, "%.*s ", STR_ARG(doc_label_of(doc, places[i].id)));
		doc_interval(doc, places[i].share);
	}
}

/* "npu@v2.7.1: PyTorch 2.7.1, CANN 8.5.0, 2026-08-22; native 58 (73.2 %), unsupported 1 (0.1 %); ..." */
static void put_target_line(struct doc *doc, const struct result_target *target)
{
	doc_open(doc, BLOCK_ITEM);
	doc_printf(doc, "%.*s: PyTorch %.*s%s%.*s, %.*s", STR_ARG(target->id), STR_ARG(target->torch),
		target->cann.len ? ", CANN " : "", STR_ARG(target->cann), STR_ARG(target->date));
	for (size_t i = 0; i < target->count_count; i++) {
		const struct result_count *count = &target->counts[i];

		doc_text(doc, i ? STR(", ") : STR("; "));
		doc_word(doc, "status", op_status_name(count->status));
		doc_printf(doc, " %" PRIu64 " (", count->operators);
		doc_percent(doc, count->time_ppm);
		doc_text(doc, STR(")"));
	}
	put_where(doc, target);
	doc_close(doc);
}

/* Why each verdict is what it is; reports of earlier versions do not say. */
static void put_reasons(struct doc *doc, const struct result *result)
{
	for (size_t i = 0; i < result->target_count; i++) {
		const struct result_target *target = &result->targets[i];

		if (!target->reason.id)
			continue;
		doc_open(doc_in(doc, DOC_PLAIN), BLOCK_LINE);
		doc_styled(doc, SPAN_STRONG, target->id);
		doc_text(doc, STR(": "));
		doc_message(doc, &target->reason);
		doc_close(doc);
	}
}

void targets_build(struct doc *doc, const struct result *result)
{
	doc_section_headed(doc, DOC_HTML, "report.targets", NULL);
	doc_svg_patterns(doc);
	doc_open(doc_in(doc, DOC_HTML), BLOCK_CARDS);
	for (size_t i = 0; i < result->target_count; i++)
		target_card_build(doc, result, i);
	doc_close(doc);
	put_target_table(doc, result);
	doc_open(doc_in(doc, DOC_PLAIN), BLOCK_LIST);
	for (size_t i = 0; i < result->target_count; i++)
		put_target_line(doc, &result->targets[i]);
	doc_close(doc);
	put_reasons(doc, result);
	doc_open(doc, BLOCK_SOFT);
	doc_text(doc, doc_text_with(doc, "report.basis",
			      BLANK("basis", doc_word_of(doc, "basis", word_for(&basis_words, result->basis))),
			      NUMBER("operators", result->operator_count)));
	doc_break(doc);
	doc_label(doc, "report.interval-about");
	doc_close(doc);
	doc_close(doc);
}

/* --- digests */

static void put_digest(struct doc *doc, struct str name, struct str digest)
{
	doc_open(doc, BLOCK_META);
	doc_printf(doc, "%.*s: ", STR_ARG(name));
	doc_styled(doc, SPAN_CODE, digest);
	doc_close(doc);
}

void digests_build(struct doc *doc, const struct result *result)
{
	doc_section(doc, "report.digests");
	for (size_t i = 0; i < result->input_count; i++)
		put_digest(doc, result->inputs[i].name, result->inputs[i].sha256);
	put_digest(doc, doc_label_of(doc, "report.database"), result->db.build);
	doc_close(doc);
}

/* --- names other than operators */

/* Number of names of each class, in the order of the list. */
static void put_ignored_classes(struct doc *doc, const struct result *result)
{
	doc_open(doc_in(doc, DOC_PLAIN), BLOCK_PARAGRAPH);
	for (size_t i = 0; i < result->ignored_count;) {
		size_t from = i;

		while (i < result->ignored_count && result->ignored[i].name_class == result->ignored[from].name_class)
			i++;
		doc_printf(doc, "%s%zu ", from ? ", " : "", i - from);
		doc_word(doc, "class", word_for(&name_class_words, result->ignored[from].name_class));
	}
	doc_close(doc);
}

static void put_ignored(struct doc *doc, const void *ctx, size_t at)
{
	const struct result_ignored *ignored = &((const struct result *)ctx)->ignored[at];

	doc_row(doc);
	doc_cell_text(doc, doc_word_of(doc, "class", word_for(&name_class_words, ignored->name_class)));
	doc_cell_text(doc, ignored->name);
	doc_cell_number(doc, ignored->calls);
}

void ignored_build(struct doc *doc, const struct result *result)
{
	static const struct doc_column columns[] = {
		{ .label = "report.class" },
		{ .label = "report.operator", .css = "name" },
		{ .label = "report.calls", .number = true },
	};

	size_t shown = doc_shown(doc, result->ignored_count, result->ignored_count);

	if (!result->ignored_count)
		return;
	doc_section(doc, "report.ignored");
	doc_open(doc_in(doc, DOC_HTML), BLOCK_DETAILS);
	doc_say_printf(doc, BLOCK_SUMMARY, "%zu \xc2\xb7 %.*s", result->ignored_count,
		STR_ARG(doc_label_of(doc, "report.ignored-about")));
	doc_table_of(doc, columns, shown, put_ignored, result);
	doc_close(doc);
	doc_say_more(doc, "report.more-rows", result->ignored_count - shown);
	doc_close(doc);
	put_ignored_classes(doc, result);
	doc_close(doc);
}
