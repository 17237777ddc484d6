/* A badge: the endpoint of shields.io, and the same as a picture. Unknown is never painted green. */
#include <inttypes.h>

#include "assess/model/words.h"
#include "base/value/utf8.h"
#include "report/ci/ci.h"
#include "report/doc/headline.h"
#include "report/doc/markup.h"

struct badge {
	struct buf message;
	const struct ci_target *worst;    /* by its word; NULL: there is none */
	enum verdict verdict;             /* the worst */
	enum gate_state gate;             /* the same */
	struct result_interval readiness; /* over all targets */
};

struct paint {
	const char *name, *code;
};

/* "92-96 %", never rounded up to 100 %. */
static void put_range(struct buf *out, struct result_interval range)
{
	enum { PERCENT_PPM = 10000 };
	int64_t lo = range.lo_ppm / PERCENT_PPM, hi = range.hi_ppm / PERCENT_PPM;

	buf_printf(out, " \xc2\xb7 %" PRId64, lo);
	if (hi > lo)
		buf_printf(out, "\xe2\x80\x93%" PRId64, hi);
	buf_add(out, STR(" %"));
}

/* "STOPS, 92-96 %, 3 blockers": of findings that are not waived. */
static void put_message(struct badge *badge, const struct ci_report *report)
{
	CLEANUP(arena_clear) struct arena arena = ARENA_INIT(ARENA_UNLIMITED);
	size_t blockers = SUM(i, report->findings.count,
		!report->findings.items[i].is_waived && report->findings.items[i].severity == SEVERITY_ERROR);

	if (badge->worst && badge->worst->headline.len)
		buf_add(&badge->message, headline_word(report->lang, badge->worst->word));
	else
		buf_add(&badge->message,
			catalog_word(report->lang, "verdict", word_for(&verdict_words, badge->verdict)));
	if (report->targets.count)
		put_range(&badge->message, badge->readiness);
	if (!blockers)
		return;
	buf_add(&badge->message, STR(" \xc2\xb7 "));
	catalog_put(&badge->message, report->lang, MESSAGE(&arena, "report.badge-blockers", NUMBER("count", blockers)));
}

static struct badge badge_of(const struct ci_report *report)
{
	struct badge badge = { .message = BUF_UNLIMITED, .verdict = VERDICT_READY, .readiness = { INT64_MAX, 0 } };

	for (size_t i = 0; i < report->targets.count; i++) {
		const struct ci_target *target = &report->targets.items[i];

		if (!badge.worst || target->word < badge.worst->word)
			badge.worst = target;
		badge.verdict = target->verdict > badge.verdict ? target->verdict : badge.verdict;
		badge.gate = target->gate > badge.gate ? target->gate : badge.gate;
		if (target->readiness.lo_ppm < badge.readiness.lo_ppm)
			badge.readiness.lo_ppm = target->readiness.lo_ppm;
		if (target->readiness.hi_ppm > badge.readiness.hi_ppm)
			badge.readiness.hi_ppm = target->readiness.hi_ppm;
	}
	put_message(&badge, report);
	return badge;
}

static struct paint paint_of(const struct badge *badge)
{
	static const struct paint red = { "red", "#e05d44" }, yellow = { "yellow", "#dfb317" },
				  green = { "brightgreen", "#4c1" };

	if (badge->gate == GATE_FAILED)
		return red;
	if (badge->verdict == VERDICT_INCONCLUSIVE)
		return yellow;
	if (badge->gate == GATE_PASSED || badge->verdict == VERDICT_READY)
		return green;
	return badge->verdict == VERDICT_BLOCKED ? red : yellow;
}

void ci_badge(const struct ci_report *report, struct buf *out)
{
	enum { CACHE_SECONDS = 3600 };
	struct badge badge = badge_of(report);
	struct jsonw json = jsonw_start(out, 1);

	jsonw_object(&json);
	jsonw_key_number(&json, "schemaVersion", 1);
	jsonw_fill(&json, "'label': 'opcheck', 'message': $, 'color': $", buf_str(&badge.message),
		str_from(paint_of(&badge).name));
	jsonw_key_bool(&json, "isError", badge.gate == GATE_FAILED);
	jsonw_key_number(&json, "cacheSeconds", CACHE_SECONDS);
	jsonw_object_end(&json);
	buf_clear(&badge.message);
}

static void put_label(struct buf *out, unsigned left, unsigned width, struct str text, const char *color)
{
	buf_printf(out, "<rect x=\"%u\" width=\"%u\" height=\"20\" fill=\"%s\"/><text x=\"%u\" y=\"14\">", left, width,
		color, left + width / 2);
	html_text(out, text);
	html(out, "</text>\n");
}

void ci_badge_svg(const struct ci_report *report, struct buf *out)
{
	enum { COLUMN = 7, MARGIN = 10, LABEL = 7 * COLUMN + MARGIN };
	struct badge badge = badge_of(report);
	unsigned width = (unsigned)utf8_columns(buf_str(&badge.message)) * COLUMN + MARGIN;

	buf_printf(out,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%u\" height=\"20\" role=\"img\" aria-label=\"",
		LABEL + width);
	html(out, "opcheck: ");
	html_text(out, buf_str(&badge.message));
	html(out, "\" fill=\"#fff\" font-family=\"Verdana,sans-serif\" font-size=\"11\" text-anchor=\"middle\">\n");
	put_label(out, 0, LABEL, STR("opcheck"), "#555");
	put_label(out, LABEL, width, buf_str(&badge.message), paint_of(&badge).code);
	html(out, "</svg>\n");
	buf_clear(&badge.message);
}
