/* A prediction beside a run on the device, as Markdown and as a page of its own. */
#include <inttypes.h>
#include <stdio.h>

#include "base/decimal.h"
#include "base/mem.h"
#include "report/comparison.h"
#include "report/html.h"
#include "report/html_parts.h"
#include "report/mdw.h"
#include "report/pieces.h"

enum { US_PLACES = 3, MD_ENTRIES = 50 };

/* --- Markdown */

static void md_label(struct buf *out, enum lang lang, const char *id)
{
	md_text(out, catalog_text(lang, str_from(id)));
}

static void md_sums(struct buf *out, enum lang lang, const struct agreement *agreement)
{
	static const char *const heads[] = { "agreement.outcome", "agreement.operators", "agreement.calls",
		"agreement.device-us" };

	for (size_t i = 0; i < ARRAY_SIZE(heads); i++) {
		buf_add(out, STR("| "));
		md_label(out, lang, heads[i]);
		buf_byte(out, ' ');
	}
	buf_add(out, STR("|\n|---|---:|---:|---:|\n"));
	for (size_t i = 0; i < agreement->sum_count; i++) {
		const struct agreement_sum *sum = &agreement->sums[i];
		CLEANUP(buf_clear) struct buf id = BUF_INIT(256);

		buf_printf(&id, "outcome.%.*s", STR_ARG(sum->outcome));
		buf_add(out, STR("| "));
		md_label(out, lang, buf_text(&id));
		buf_printf(out, " | %" PRIu64 " | %" PRIu64 " | ", sum->operators, sum->calls);
		decimal_put(out, sum->device_ns, US_PLACES);
		buf_add(out, STR(" |\n"));
	}
}

static void md_entry(struct buf *out, enum lang lang, const struct agreement_entry *entry)
{
	CLEANUP(buf_clear) struct buf text = BUF_UNLIMITED, id = BUF_INIT(256);

	buf_printf(&id, "outcome.%.*s", STR_ARG(entry->outcome));
	agreement_put_entry(&text, lang, entry);
	buf_add(out, STR("- **"));
	md_label(out, lang, buf_text(&id));
	buf_add(out, STR("** "));
	md_text(out, buf_str(&text));
	buf_byte(out, '\n');
}

static void md_entries(struct buf *out, const struct render_options *options, const struct agreement *agreement)
{
	struct message more = message_of("agreement.more");
	char count[24];
	size_t shown = 0, left = 0;

	for (size_t i = 0; i < agreement->entry_count; i++) {
		const struct agreement_entry *entry = &agreement->entries[i];
		bool quiet = agreement_entry_is_quiet(entry);

		if (!options->all && (quiet || shown == MD_ENTRIES)) {
			left += !quiet;
			continue;
		}
		md_entry(out, options->lang, entry);
		shown++;
	}
	if (!left)
		return;
	snprintf(count, sizeof(count), "%zu", left);
	message_add(&more, "count", str_from(count));
	buf_byte(out, '\n');
	catalog_put(out, options->lang, &more);
	buf_byte(out, '\n');
}

static void md_side(struct buf *out, enum lang lang, const char *id, const struct result *result)
{
	CLEANUP(buf_clear) struct buf inputs = BUF_UNLIMITED, text = BUF_UNLIMITED;
	struct message message = message_of(id);

	comparison_put_inputs(&inputs, result);
	message_add(&message, "inputs", buf_str(&inputs));
	message_add(&message, "build", result->db.build);
	catalog_put(&text, lang, &message);
	buf_add(out, STR("- "));
	md_text(out, buf_str(&text));
	buf_byte(out, '\n');
}

void comparison_put_md(const struct comparison *comparison, const struct render_options *options, struct buf *out)
{
	CLEANUP(buf_clear) struct buf score = BUF_UNLIMITED, device = BUF_UNLIMITED;
	CLEANUP(buf_clear) struct buf about = BUF_UNLIMITED;
	const struct agreement *agreement = &comparison->agreement;
	struct message message = message_of(agreement->made_on ? "agreement.about-own" : "agreement.about");

	agreement_put_score(&score, options->lang, agreement);
	buf_add(out, STR("**"));
	md_text(out, buf_str(&score));
	buf_add(out, STR("**\n\n"));
	message_add(&message, "target", agreement->target);
	catalog_put(&about, options->lang, &message);
	md_text(out, buf_str(&about));
	buf_add(out, STR("\n\n"));
	md_sums(out, options->lang, agreement);
	buf_byte(out, '\n');
	md_entries(out, options, agreement);
	buf_byte(out, '\n');
	md_side(out, options->lang, comparison->from_report ? "compare.by-report" : "compare.by-dump",
		comparison->predicted);
	md_side(out, options->lang, "compare.seen", comparison->seen);
	if (device_put_once(&device, options->lang, comparison->seen, comparison->seen->input_count - 1)) {
		buf_add(out, STR("- "));
		md_text(out, buf_str(&device));
		buf_byte(out, '\n');
	}
}

/* --- HTML */

static void html_side(struct buf *out, enum lang lang, const char *id, const struct result *result)
{
	CLEANUP(buf_clear) struct buf inputs = BUF_UNLIMITED;
	struct message message = message_of(id);

	comparison_put_inputs(&inputs, result);
	message_add(&message, "inputs", buf_str(&inputs));
	message_add(&message, "build", result->db.build);
	html(out, "<p class=\"meta\">");
	html_message(out, lang, &message);
	html(out, "</p>\n");
}

void comparison_put_html(const struct comparison *comparison, const struct render_options *options, struct buf *out)
{
	enum lang lang = options->lang;

	html_put_head(comparison->seen, lang, "compare.title", out);
	html(out, "<header>\n<h1>");
	html_label(out, lang, "compare.title");
	html(out, "</h1>\n");
	html_side(out, lang, comparison->from_report ? "compare.by-report" : "compare.by-dump", comparison->predicted);
	html_side(out, lang, "compare.seen", comparison->seen);
	html_device(out, lang, comparison->seen, comparison->seen->input_count - 1);
	html(out, "</header>\n<main>\n");
	html_agreement(out, lang, &comparison->agreement);
	html(out, "</main>\n</body>\n</html>\n");
}
