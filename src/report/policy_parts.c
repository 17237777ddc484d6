#include "report/policy_parts.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/decimal.h"
#include "base/mem.h"

static struct str put_number(char ret[FIGURE_BYTES], uint64_t number)
{
	snprintf(ret, FIGURE_BYTES, "%" PRIu64, number);
	return str_from(ret);
}

/* "1.25 %": as many places as the limit of a budget may have, but none that say nothing. */
static void put_percent(struct buf *text, int64_t ppm)
{
	enum { PLACES = 4 };

	decimal_put(text, ppm, PLACES);
	while (text->len > 2 && text->ptr[text->len - 1] == '0' && text->ptr[text->len - 2] != '.')
		text->len--;
	buf_add(text, STR(" %"));
}

static struct str keep(char ret[FIGURE_BYTES], struct buf *text)
{
	snprintf(ret, FIGURE_BYTES, "%s", buf_text(text));
	buf_clear(text);
	return str_from(ret);
}

static struct str put_share(char ret[FIGURE_BYTES], int64_t ppm)
{
	struct buf text = BUF_INIT(FIGURE_BYTES);

	put_percent(&text, ppm);
	return keep(ret, &text);
}

static struct str put_shares(char ret[FIGURE_BYTES], int64_t lo_ppm, int64_t hi_ppm)
{
	struct buf text = BUF_INIT(FIGURE_BYTES);

	if (lo_ppm != hi_ppm) {
		put_percent(&text, lo_ppm);
		text.len -= strlen(" %");
		buf_byte(&text, '-');
	}
	put_percent(&text, hi_ppm);
	return keep(ret, &text);
}

struct message policy_waivers_line(const struct result_source *source, struct str date, char number[FIGURE_BYTES])
{
	struct message message = message_of("report.waivers");

	message_add(&message, "name", source->name);
	message_add(&message, "count", put_number(number, source->count));
	message_add(&message, "sha256", source->sha256);
	message_add(&message, "date", date);
	return message;
}

struct message policy_baseline_line(const struct result_source *source, char number[FIGURE_BYTES])
{
	struct message message = message_of("report.baseline");

	message_add(&message, "name", source->name);
	message_add(&message, "count", put_number(number, source->count));
	message_add(&message, "sha256", source->sha256);
	return message;
}

struct message policy_waiver_line(const struct result_waiver *waiver)
{
	const char *id = waiver->until.len ? "report.waived-until" : "report.waived-by";
	struct message message;

	if (waiver->state == WAIVER_EXPIRED)
		id = "report.waiver-expired";
	else if (waiver->state == WAIVER_FACT_CHANGED)
		id = "report.waiver-fact-changed";
	message = message_of(id);
	message_add(&message, "waiver", waiver->id);
	message_add(&message, "reason", waiver->reason);
	message_add(&message, "owner", waiver->owner.len ? waiver->owner : STR("-"));
	message_add(&message, "ref", waiver->ref.len ? waiver->ref : STR("-"));
	message_add(&message, "until", waiver->until);
	return message;
}

struct message policy_check_line(const struct result_check *check, struct policy_figures *figures)
{
	struct message message;

	if (check->is_budget) {
		message = message_of(str_starts(check->name, STR("min-")) ? "report.check-least" : "report.check-most");
		message_add(&message, "limit", put_share(figures->limit, check->limit_ppm));
		message_add(&message, "measured", put_shares(figures->measured, check->lo_ppm, check->hi_ppm));
		return message;
	}
	message = message_of(
		str_eq(check->name, STR("expired-waiver")) ? "report.check-expired" : "report.check-counted");
	message_add(&message, "count", put_number(figures->counted, check->counted));
	message_add(&message, "waived", put_number(figures->waived, check->waived));
	message_add(&message, "known", put_number(figures->known, check->known));
	return message;
}

struct new_findings new_findings_of(const struct result *result, bool wanted)
{
	struct new_findings fresh = { .result = *result };

	if (!wanted)
		return fresh;
	fresh.heap = mem_zalloc((result->finding_count + 1) * sizeof(fresh.heap[0]));
	fresh.result.findings = fresh.heap;
	fresh.result.finding_count = 0;
	for (size_t i = 0; i < result->finding_count; i++) {
		if (result->findings[i].age == AGE_KNOWN)
			fresh.left_out++;
		else
			fresh.heap[fresh.result.finding_count++] = result->findings[i];
	}
	return fresh;
}

void new_findings_clear(struct new_findings *findings)
{
	free(findings->heap);
}
