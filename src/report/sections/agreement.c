/* Predictions compared with a device. */
#include "report/sections/agreement.h"

#include <inttypes.h>

#include "assess/model/words.h"
#include "base/memory/mem.h"
#include "base/view/ascii.h"

enum { OUTCOME_COLUMNS = 22, US_PLACES = 3, MD_ENTRIES = 50 };

/* --- where a dump was made */

static void add_version(struct buf *out, const char *before, struct str version)
{
	if (version.len)
		buf_printf(out, "%s%s%.*s", out->len ? ", " : "", before, STR_ARG(version));
}

/* "made on an Ascend NPU, as its columns tell: torch_npu 2.7.1, CANN 8.5.0". */
static void put_device(struct doc *doc, const struct result_device *device)
{
	CLEANUP(buf_clear) struct buf versions = BUF_INIT(4096);
	const char *id = !str_has_word(STR("npu musa"), device->kind) ? "report.made-on-other"
			 : device->release.len                        ? "report.made-on"
			 : device->plugin.len || device->cann.len     ? "report.made-on-unknown"
								      : "report.made-on-untold";

	add_version(&versions, str_eq(device->kind, STR("musa")) ? "torch_musa " : "torch_npu ", device->plugin);
	add_version(&versions, "CANN ", device->cann);
	add_version(&versions, "PyTorch ", device->torch);
	add_version(&versions, "", device->chip);
	add_version(&versions, "", device->release);
	doc_say_with(doc, BLOCK_META_UNDER, id, BLANK("device", doc_word_of(doc, "made-on-device", device->kind)),
		BLANK("sign", doc_word_of(doc, "made-on-sign", device->sign)), BLANK("versions", buf_str(&versions)));
}

/* Returns whether the next input is from the same machine: a folder has many files. */
static bool is_repeated(const struct result *result, size_t input)
{
	const struct result_input *inputs = result->inputs;
	const struct result_device *a = &inputs[input].device, *b;

	if (input + 1 == result->input_count)
		return false;
	b = &inputs[input + 1].device;
	return str_eq(a->kind, b->kind) && str_eq(a->sign, b->sign) && str_eq(a->torch, b->torch) &&
	       str_eq(a->plugin, b->plugin) && str_eq(a->cann, b->cann) && str_eq(a->chip, b->chip) &&
	       str_eq(a->release, b->release);
}

void device_build(struct doc *doc, const struct result *result, size_t input)
{
	if (result->inputs[input].device.kind.len && !is_repeated(result, input))
		put_device(doc, &result->inputs[input].device);
}

/* --- sums */

static void put_sums(struct doc *doc, const struct agreement *agreement)
{
	static const struct doc_column columns[] = {
		{ .label = "agreement.outcome", .width = OUTCOME_COLUMNS, .headed = DOC_HTML | DOC_MD },
		{ .label = "agreement.operators", .width = 12, .number = true },
		{ .label = "agreement.calls", .width = 12, .number = true },
		{ .label = "agreement.device-us", .width = 12, .number = true },
	};

	doc_table(doc, &(struct doc_table){ .columns = columns, .count = ARRAY_SIZE(columns) });
	for (size_t i = 0; i < agreement->sum_count; i++) {
		const struct agreement_sum *sum = &agreement->sums[i];

		doc_row(doc);
		doc_cell_text(doc, doc_word_of(doc, "outcome", word_for(&outcome_words, sum->outcome)));
		doc_cell_number(doc, sum->operators);
		doc_cell_number(doc, sum->calls);
		doc_cell_text(doc, doc_decimal_of(doc, sum->device_ns, US_PLACES));
	}
	doc_table_end(doc);
}

/* --- operators */

/* " (2 of its tasks ran there; ...)" */
static void put_evidence(struct doc *doc, const struct message *evidence, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		doc_text(doc, i ? STR("; ") : STR(" ("));
		doc_message(doc, &evidence[i]);
	}
	doc_text(doc, count ? STR(")") : STR(""));
}

/* "aten::nonzero: native; seen on the AI CPU (2 of its tasks ran there)" */
static void put_entry_text(struct doc *doc, const struct agreement_entry *entry)
{
	doc_text(doc,
		doc_text_with(doc, entry->predicted != OP_STATUS_COUNT ? "agreement.entry" : "agreement.entry-bare",
			BLANK("operator", entry->operator_name),
			BLANK("predicted", doc_word_of(doc, "status", word_for(&predicted_words, entry->predicted))),
			BLANK("observed", doc_word_of(doc, "observed", word_for(&where_words, entry->observed)))));
	put_evidence(doc, entry->evidence, entry->evidence_count);
	if (entry->implied)
		doc_printf(doc, " %.*s", STR_ARG(doc_label_of(doc, "agreement.implied")));
}

static const struct doc_column entry_columns[] = {
	{ .label = "agreement.outcome", .width = OUTCOME_COLUMNS },
	{ .label = "report.operator", .gap = 1, .fit = COLUMN_WRAP },
};
static const struct doc_table entry_table = {
	.columns = entry_columns, .count = ARRAY_SIZE(entry_columns), .bare = true, .row_css = "finding"
};

static void put_entry(struct doc *doc, const struct agreement_entry *entry)
{
	doc_row(doc);
	doc_cell_text(doc, doc_word_of(doc, "outcome", word_for(&outcome_words, entry->outcome)));
	doc_cell(doc);
	put_entry_text(doc, entry);
}

static void put_item(struct doc *doc, const struct agreement_entry *entry)
{
	doc_open(doc, BLOCK_ITEM);
	doc_styled(doc, SPAN_STRONG, doc_word_of(doc, "outcome", word_for(&outcome_words, entry->outcome)));
	doc_text(doc, STR(" "));
	put_entry_text(doc, entry);
	doc_close(doc);
}

enum which { WRONG = 1 << 0, QUIET = 1 << 1 };

/* Agreeing and undecidable ones are many and need no work. */
static bool is_of(const struct agreement_entry *entry, unsigned which)
{
	bool quiet = entry->outcome == OUTCOME_AGREES || entry->outcome == OUTCOME_NOT_OBSERVABLE ||
		     entry->outcome == OUTCOME_NOT_SEEN;

	return which & (quiet ? QUIET : WRONG);
}

/* At most so many of them. */
static void put_each(struct doc *doc, const struct agreement *agreement, unsigned which, size_t most,
	void (*put)(struct doc *doc, const struct agreement_entry *entry))
{
	for (size_t i = 0, count = 0; i < agreement->entry_count && count < most; i++) {
		if (!is_of(&agreement->entries[i], which))
			continue;
		put(doc, &agreement->entries[i]);
		count++;
	}
}

/* In one list. */
static void put_entries_of(struct doc *doc, const struct agreement *agreement, unsigned which, size_t most)
{
	doc_open(doc_in(doc, DOC_MD), BLOCK_LIST);
	put_each(doc, agreement, which, most, put_item);
	doc_close(doc);
	doc_table(doc_in(doc, DOC_TEXT | DOC_HTML), &entry_table);
	put_each(doc, agreement, which, most, put_entry);
	doc_table_end(doc);
}

static size_t count_entries(const struct agreement *agreement, unsigned which)
{
	return SUM(i, agreement->entry_count, is_of(&agreement->entries[i], which));
}

/* Wrong ones in full; agreeing and undecidable ones after a click, or only if all is asked for. */
static void put_entries(struct doc *doc, const struct agreement *agreement)
{
	size_t wrong = count_entries(agreement, WRONG), quiet = count_entries(agreement, QUIET);
	size_t shown = doc_shown(doc, wrong, doc_is(doc, DOC_MD) ? MD_ENTRIES : SHORT_LIST);

	if (doc->options.all && !doc_is(doc, DOC_HTML)) {
		put_entries_of(doc, agreement, WRONG | QUIET, SIZE_MAX);
		return;
	}
	if (wrong)
		put_entries_of(doc, agreement, WRONG, shown);
	doc_say_more(doc, "agreement.more", wrong - shown);
	if (!quiet)
		return;
	doc_open(doc_in(doc, DOC_HTML), BLOCK_MORE);
	doc_say_printf(doc, BLOCK_SUMMARY, "%zu %.*s", quiet, STR_ARG(doc_label_of(doc, "agreement.quiet")));
	put_entries_of(doc, agreement, QUIET, SIZE_MAX);
	doc_close(doc);
}

/* "73.2 %", rounded down so that 99.99 % never prints as 100 %; "-" if unknown. */
static struct str score_of(struct doc *doc, int64_t ppm)
{
	return ppm < 0 ? STR("-") : doc_format_of(doc, "%.*s %%", STR_ARG(doc_decimal_of(doc, ppm / 1000, 1)));
}

static void put_score(struct doc *doc, const struct agreement *agreement)
{
	const struct agreement_score *score = &agreement->score;

	doc_say_styled(doc, BLOCK_PARAGRAPH, SPAN_STRONG,
		doc_text_with(doc, agreement->state == AGREEMENT_COMPARED ? "agreement.score" : "agreement.no-score",
			BLANK("operators", score_of(doc, score->operators_ppm)),
			BLANK("calls", score_of(doc, score->calls_ppm)),
			BLANK("time", score_of(doc, score->time_ppm))));
}

void agreement_build(struct doc *doc, const struct agreement *agreement)
{
	put_score(doc_in(doc, DOC_MD), agreement);
	doc_say_with(doc, BLOCK_PARAGRAPH, agreement->made_on ? "agreement.about-own" : "agreement.about",
		BLANK("target", agreement->target));
	put_score(doc_in(doc, DOC_HTML), agreement);
	put_sums(doc, agreement);
	put_score(doc_in(doc, DOC_TEXT), agreement);
	put_entries(doc, agreement);
}

void agreements_build(struct doc *doc, const struct result *result)
{
	for (size_t i = 0; i < result->agreement_count; i++) {
		doc_section(doc, "report.agreement");
		agreement_build(doc, &result->agreements[i]);
		doc_close(doc);
	}
}

void observed_build(struct doc *doc, const struct result_observed *observed)
{
	if (observed->where == WHERE_NONE)
		return;
	doc_open(doc, BLOCK_PARAGRAPH);
	doc_label(doc, "report.seen");
	doc_text(doc, STR(": "));
	doc_word(doc, "observed", word_for(&where_words, observed->where));
	put_evidence(doc, observed->evidence, observed->evidence_count);
	doc_close(doc);
}
