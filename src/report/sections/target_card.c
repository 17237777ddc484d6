#include "report/sections/target_card.h"

#include <inttypes.h>

#include "assess/model/words.h"
#include "base/memory/mem.h"
#include "base/view/ascii.h"
#include "base/value/words.h"
#include "report/doc/markup.h"
#include "report/drawings/time_bars.h"
#include "report/sections/fix_words.h"
#include "report/sections/policy.h"

/* --- the bar's legend */

struct legend {
	struct target_place places[TARGET_PLACES];
	size_t count;
	struct str shares[TARGET_PLACES];
};

static void put_legend(struct buf *out, enum lang lang, const void *ctx)
{
	const struct legend *legend = ctx;

	html(out, "<ul class=\"legend\">");
	for (size_t i = 0; i < legend->count; i++) {
		buf_printf(out, "<li><i class=\"w-%s\"></i>", strchr(legend->places[i].id, '.') + 1);
		html_label(out, lang, legend->places[i].id);
		html(out, " ");
		html_text(out, legend->shares[i]);
		html(out, "</li>");
	}
	html(out, "</ul>\n");
}

/* "96.9–99.4 %" */
static struct str figure_of(struct doc *doc, struct result_interval share)
{
	struct str text = doc_interval_of(doc, share);
	size_t dash = str_find(text, STR("-"));

	return dash == STR_NONE ? text
				: doc_format_of(doc, "%.*s\xe2\x80\x93%.*s", STR_ARG(str_sub(text, 0, dash)),
					  STR_ARG(str_skip(text, dash + 1)));
}

/* --- effort and risks: numbers with their nouns */

struct counted {
	const char *id;
	uint64_t count;
};

/* "2 edits, 1 package"; a text of its own for nothing. */
static void put_counted(
	struct doc *doc, const char *label_id, const struct counted *counted, size_t count, const char *none_id)
{
	CLEANUP(buf_clear) struct buf text = BUF_UNLIMITED;

	for (size_t i = 0; i < count; i++) {
		if (counted[i].count)
			buf_printf(&text, "%s%.*s",
				!text.len                         ? ""
				: doc->options.lang == LANG_ZH_CN ? "\xe3\x80\x81"
								  : ", ",
				STR_ARG(doc_text_with(doc, counted[i].id, NUMBER("count", counted[i].count))));
	}
	doc_say_label(doc, BLOCK_KEY, label_id);
	doc_say_styled(doc, BLOCK_VALUE, SPAN_PLAIN,
		text.len ? arena_keep(&doc->arena, buf_str(&text)) : doc_label_of(doc, none_id));
}

static void put_effort(struct doc *doc, const struct result_target *target)
{
	static const char *const ids[EFFORT_COUNT] = {
		[EFFORT_FLAG] = "card.edits",
		[EFFORT_CONFIG] = "card.edits",
		[EFFORT_RECIPE] = "card.edits",
		[EFFORT_PACKAGE] = "card.packages",
		[EFFORT_UPGRADE] = "card.upgrades",
		[EFFORT_AVOID] = "card.types",
		[EFFORT_PORT] = "card.ports",
	};
	struct counted counted[] = { { "card.edits", 0 }, { "card.packages", 0 }, { "card.upgrades", 0 },
		{ "card.types", 0 }, { "card.ports", 0 }, { "card.further", target->fixes_left } };

	for (size_t i = 0; i < target->fix_count * ARRAY_SIZE(counted); i++) {
		struct counted *one = &counted[i % ARRAY_SIZE(counted)];
		const struct result_fix *fix = &target->fixes[i / ARRAY_SIZE(counted)];

		one->count += strcmp(one->id, ids[fix->effort]) == 0;
	}
	put_counted(doc, "card.effort", counted, ARRAY_SIZE(counted), "card.no-effort");
}

/* Operators with findings of these rules on the target. */
static uint64_t count_of(const struct result *result, struct str target, struct str rules)
{
	uint64_t count = 0;

	for (size_t i = 0; i < result->finding_count; i++) {
		const struct result_finding *finding = &result->findings[i];

		count += str_eq(finding->target, target) && str_has_word(rules, str_from(finding->what.id));
	}
	return count;
}

static uint64_t open_questions(const struct result *result, struct str target)
{
	uint64_t count = 0;

	for (size_t i = 0; i < result->question_count; i++) {
		for (size_t j = 0; j < result->questions[i].deciding_count; j++)
			count += str_eq(result->questions[i].deciding[j].target, target);
	}
	return count;
}

static void put_risks(struct doc *doc, const struct result *result, const struct result_target *target)
{
	const struct counted counted[] = {
		{ "card.wrong", count_of(result, target->id, STR("op-reported-wrong")) },
		{ "card.crashes", count_of(result, target->id, STR("op-reported-crash op-reported-broken")) },
		{ "card.unknown", count_of(result, target->id, STR("op-unknown")) },
		{ "card.implied", count_of(result, target->id, STR("op-implied")) },
		{ "card.untested", count_of(result, target->id, STR("op-untested")) },
		{ "card.compiles", count_of(result, target->id, STR("op-compiles shape-recompile")) },
		{ "card.questions", open_questions(result, target->id) },
	};

	put_counted(doc, "card.risks", counted, ARRAY_SIZE(counted), "card.no-risks");
}

/* --- the card */

static void put_head(struct doc *doc, const struct result_target *target)
{
	doc_open(doc, BLOCK_CARD_NAME);
	doc_styled(doc, SPAN_NAME, target->id);
	doc_text(doc, STR(" "));
	doc_tag(doc, SET_VERDICT, word_for(&verdict_words, target->verdict));
	doc_close(doc);
	doc_open(doc, BLOCK_META);
	doc_printf(doc, "PyTorch %.*s%s%.*s", STR_ARG(target->torch), target->cann.len ? " \xc2\xb7 CANN " : "",
		STR_ARG(target->cann));
	if (target->date.len)
		doc_printf(
			doc, " \xc2\xb7 %.*s", STR_ARG(doc_text_with(doc, "card.facts", BLANK("date", target->date))));
	doc_close(doc);
}

/* The first action, and the readiness of the target after it. */
static void put_first_fix(struct doc *doc, const struct result_target *target)
{
	const struct result_fix *fix = target->fixes;

	if (target->fix_count)
		doc_say_with(doc, BLOCK_ADVICE, "report.first-fix",
			BLANK("kind", doc_word_of(doc, "fix", word_for(&fix_words, fix->kind))),
			BLANK("what", fix_called(doc, fix)), BLANK("effort", fix_effort(doc, fix)),
			BLANK("before", doc_interval_of(doc, target->readiness.time)),
			BLANK("after", doc_interval_of(doc, fix->readiness)), NUMBER("blockers", fix->blockers));
}

static void put_counts(struct doc *doc, const struct result_target *target)
{
	doc_open(doc, BLOCK_LIST);
	for (size_t i = 0; i < target->count_count; i++) {
		doc_open(doc, BLOCK_ITEM);
		doc_tag(doc, SET_STATUS, op_status_name(target->counts[i].status));
		doc_printf(doc, " %" PRIu64 " ", target->counts[i].operators);
		doc_styled(doc, SPAN_SOFT,
			doc_format_of(doc, "(%.*s)", STR_ARG(doc_percent_of(doc, target->counts[i].time_ppm))));
		doc_close(doc);
	}
	doc_close(doc);
}

void target_card_build(struct doc *doc, const struct result *result, size_t target)
{
	const struct result_target *on = &result->targets[target];
	struct legend *legend = arena_alloc(&doc->arena, sizeof(*legend));

	legend->count = target_places(on, legend->places);
	for (size_t i = 0; i < legend->count; i++)
		legend->shares[i] = figure_of(doc, legend->places[i].share);
	doc_open(doc, BLOCK_CARD);
	put_head(doc, on);
	if (on->reason.id)
		doc_say(doc, BLOCK_PARAGRAPH, &on->reason);
	put_first_fix(doc, on);
	place_bar_build(doc, on, result->shown_ppm);
	doc_figure(doc, put_legend, legend);
	doc_open(doc, BLOCK_KEYS);
	doc_say_label(doc, BLOCK_KEY, "report.on-device");
	doc_say_styled(doc, BLOCK_VALUE, SPAN_PLAIN, figure_of(doc, on->readiness.time));
	doc_say_label(doc, BLOCK_KEY, "report.at-all");
	doc_say_styled(doc, BLOCK_VALUE, SPAN_PLAIN, figure_of(doc, on->coverage.time));
	put_effort(doc, on);
	put_risks(doc, result, on);
	doc_close(doc);
	put_counts(doc, on);
	if (on->gate != GATE_NONE) {
		doc_open(doc, BLOCK_META);
		doc_printf(doc, "%.*s: ", STR_ARG(doc_label_of(doc, "report.gate")));
		doc_word(doc, "report.gate", word_for(&gate_state_words, on->gate));
		doc_close(doc);
	}
	checks_build(doc, on);
	doc_close(doc);
}
