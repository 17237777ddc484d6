/* What a device showed, in the text report. */
#include <inttypes.h>
#include <stdio.h>

#include "base/decimal.h"
#include "base/mem.h"
#include "report/pieces.h"
#include "report/text_page.h"

enum { OUTCOME_COLUMNS = 22, NUMBER_COLUMNS = 12, INDENT = 2, US_PLACES = 3 };

/* The word for a value of a closed set; id is room for its id. */
static struct str word_of(struct buf *id, enum lang lang, const char *set, struct str value)
{
	buf_printf(id, "%s.%.*s", set, STR_ARG(value));
	return catalog_has(LANG_EN, buf_str(id)) ? catalog_text(lang, buf_str(id)) : value;
}

/* --- where a dump was made */

static void add_version(struct buf *out, const char *before, struct str version)
{
	if (version.len)
		buf_printf(out, "%s%s%.*s", out->len ? ", " : "", before, STR_ARG(version));
}

void device_put(struct buf *out, enum lang lang, const struct result_device *device)
{
	CLEANUP(buf_clear) struct buf versions = BUF_INIT(4096), sign = BUF_INIT(256), kind = BUF_INIT(256);
	struct message message = message_of(device->release.len                      ? "report.made-on"
					    : device->plugin.len || device->cann.len ? "report.made-on-unknown"
										     : "report.made-on-untold");

	add_version(&versions, str_eq(device->kind, STR("musa")) ? "torch_musa " : "torch_npu ", device->plugin);
	add_version(&versions, "CANN ", device->cann);
	add_version(&versions, "PyTorch ", device->torch);
	add_version(&versions, "", device->chip);
	add_version(&versions, "", device->release);
	message_add(&message, "device", word_of(&kind, lang, "made-on-device", device->kind));
	message_add(&message, "sign", word_of(&sign, lang, "made-on-sign", device->sign));
	message_add(&message, "versions", buf_str(&versions));
	catalog_put(out, lang, &message);
}

/* Whether the next input was made in the same place: files of one folder are many. */
static bool is_told_below(const struct result *result, size_t input)
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

bool device_put_once(struct buf *out, enum lang lang, const struct result *result, size_t input)
{
	if (!result->inputs[input].device.kind.len || is_told_below(result, input))
		return false;
	device_put(out, lang, &result->inputs[input].device);
	return true;
}

void text_device(struct page *page, size_t input)
{
	CLEANUP(buf_clear) struct buf text = BUF_UNLIMITED;

	if (!device_put_once(&text, page->options->lang, page->result, input))
		return;
	text_put(page, STR("  "));
	textw_wrap(&page->text, buf_str(&text), INDENT, INDENT);
}

/* --- sums */

static void put_number(struct page *page, struct buf *number)
{
	textw_right(&page->text, buf_str(number), NUMBER_COLUMNS);
	buf_reset(number);
}

static void put_sum(struct page *page, const struct agreement_sum *sum)
{
	CLEANUP(buf_clear) struct buf number = BUF_INIT(64);

	textw_left(&page->text, text_word(page, "outcome", sum->outcome), OUTCOME_COLUMNS);
	buf_printf(&number, "%" PRIu64, sum->operators);
	put_number(page, &number);
	buf_printf(&number, "%" PRIu64, sum->calls);
	put_number(page, &number);
	decimal_put(&number, sum->device_ns, US_PLACES);
	put_number(page, &number);
	text_put(page, STR("\n"));
}

static void put_sums(struct page *page, const struct agreement *agreement)
{
	textw_left(&page->text, STR(""), OUTCOME_COLUMNS);
	textw_right(&page->text, text_label(page, "agreement.operators"), NUMBER_COLUMNS);
	textw_right(&page->text, text_label(page, "agreement.calls"), NUMBER_COLUMNS);
	textw_right(&page->text, text_label(page, "agreement.device-us"), NUMBER_COLUMNS);
	text_put(page, STR("\n"));
	for (size_t i = 0; i < agreement->sum_count; i++)
		put_sum(page, &agreement->sums[i]);
}

void agreement_put_score(struct buf *out, enum lang lang, const struct agreement *agreement)
{
	const int64_t shares[] = { agreement->score.operators_ppm, agreement->score.calls_ppm,
		agreement->score.time_ppm };
	static const char *const names[] = { "operators", "calls", "time" };
	struct message message = message_of(
		str_eq(agreement->state, STR("compared")) ? "agreement.score" : "agreement.no-score");
	struct buf texts[ARRAY_SIZE(shares)];

	for (size_t i = 0; i < ARRAY_SIZE(shares); i++) {
		texts[i] = BUF_INIT(64);
		/* rounded down, as the score is: what is not all does not look like it */
		if (shares[i] >= 0)
			decimal_put(&texts[i], shares[i] / 1000, 1);
		buf_add(&texts[i], shares[i] < 0 ? STR("-") : STR(" %"));
		message_add(&message, names[i], buf_str(&texts[i]));
	}
	catalog_put(out, lang, &message);
	for (size_t i = 0; i < ARRAY_SIZE(shares); i++)
		buf_clear(&texts[i]);
}

/* --- operators */

/* "aten::nonzero: native; seen on the AI CPU (2 of its tasks ran there)" */
void agreement_put_entry(struct buf *out, enum lang lang, const struct agreement_entry *entry)
{
	CLEANUP(buf_clear) struct buf observed = BUF_INIT(256), predicted = BUF_INIT(256);
	struct message message = message_of(entry->predicted.len ? "agreement.entry" : "agreement.entry-bare");

	message_add(&message, "operator", entry->operator_name);
	message_add(&message, "predicted", word_of(&predicted, lang, "status", entry->predicted));
	message_add(&message, "observed", word_of(&observed, lang, "observed", entry->observed));
	catalog_put(out, lang, &message);
	for (size_t i = 0; i < entry->evidence_count; i++) {
		buf_add(out, i ? STR("; ") : STR(" ("));
		catalog_put(out, lang, &entry->evidence[i]);
	}
	buf_add(out, entry->evidence_count ? STR(")") : STR(""));
	if (entry->implied) {
		buf_byte(out, ' ');
		buf_add(out, catalog_text(lang, STR("agreement.implied")));
	}
}

static void put_entry(struct page *page, const struct agreement_entry *entry)
{
	CLEANUP(buf_clear) struct buf text = BUF_UNLIMITED;
	struct buf printable;

	textw_left(&page->text, text_word(page, "outcome", entry->outcome), OUTCOME_COLUMNS);
	text_put(page, STR(" "));
	agreement_put_entry(&text, page->options->lang, entry);
	printable = textw_printable(buf_str(&text));
	textw_wrap(&page->text, buf_str(&printable), OUTCOME_COLUMNS + 1, OUTCOME_COLUMNS + 1);
	buf_clear(&printable);
}

/* What agrees and what cannot be told is many, and nobody's work. */
bool agreement_entry_is_quiet(const struct agreement_entry *entry)
{
	return str_eq(entry->outcome, STR("agrees")) || str_eq(entry->outcome, STR("not-observable")) ||
	       str_eq(entry->outcome, STR("not-seen"));
}

static void put_entries(struct page *page, const struct agreement *agreement)
{
	size_t shown = 0, more = 0;

	for (size_t i = 0; i < agreement->entry_count; i++) {
		if (!page->options->all && (agreement_entry_is_quiet(&agreement->entries[i]) || shown == SHORT_LIST)) {
			more += !agreement_entry_is_quiet(&agreement->entries[i]);
			continue;
		}
		put_entry(page, &agreement->entries[i]);
		shown++;
	}
	if (more)
		text_count(page, "agreement.more", more);
}

void text_agreement(struct page *page, const struct agreement *agreement)
{
	CLEANUP(buf_clear) struct buf score = BUF_UNLIMITED;
	struct message about = message_of(agreement->made_on ? "agreement.about-own" : "agreement.about");

	message_add(&about, "target", agreement->target);
	text_message(page, &about, 0, 0);
	put_sums(page, agreement);
	agreement_put_score(&score, page->options->lang, agreement);
	textw_wrap(&page->text, buf_str(&score), 0, 0);
	put_entries(page, agreement);
}

void text_agreements(struct page *page)
{
	const struct result *result = page->result;

	for (size_t i = 0; i < result->agreement_count; i++) {
		text_heading(page, "report.agreement");
		text_agreement(page, &result->agreements[i]);
	}
}
