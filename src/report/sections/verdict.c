#include "report/sections/verdict.h"

#include "assess/model/words.h"
#include "base/memory/mem.h"
#include "report/doc/doc_build.h"
#include "report/doc/references.h"

/* "bf16, fp16": types that the operator does not accept, or may not. */
static struct str types_not_taken(struct doc *doc, const struct result_verdict *verdict)
{
	CLEANUP(buf_clear) struct buf types = BUF_UNLIMITED;

	for (size_t i = 0; i < verdict->condition_count; i++) {
		const struct message *condition = &verdict->conditions[i];

		for (size_t j = 0; str_starts(str_from(condition->id), STR("op-dtype")) && j < condition->count; j++) {
			if (strcmp(condition->params[j].name, "dtypes") == 0)
				buf_printf(
					&types, "%s%.*s", types.len ? ", " : "", STR_ARG(condition->params[j].value));
		}
	}
	return arena_keep(&doc->arena, buf_str(&types));
}

static bool is_slow_always(const struct result_verdict *verdict)
{
	return verdict->aicpu.lo_ppm == WHOLE_PPM;
}

const struct look status_looks[] = {
	[LOOK_FINE] = { "fine", "" },
	[LOOK_LIMITED] = { "limited", "\xe2\x96\xb2 " },
	[LOOK_STOPS] = { "stops", "\xe2\x9c\x96 " },
	[LOOK_UNKNOWN] = { "unknown", "? " },
};

enum status_look status_look(const struct result_verdict *verdict)
{
	static const enum status_look of_status[OP_STATUS_COUNT] = {
		[OP_NATIVE_JIT] = LOOK_LIMITED,
		[OP_CPU_FALLBACK] = LOOK_LIMITED,
		[OP_UNSUPPORTED] = LOOK_STOPS,
		[OP_NEEDS_PACKAGE] = LOOK_STOPS,
		[OP_UNKNOWN] = LOOK_UNKNOWN,
	};
	enum status_look look = of_status[verdict->status];
	bool limited = verdict->condition_count || verdict->flags & FLAG_REPORTED_BROKEN || is_slow_always(verdict);

	return look == LOOK_FINE && limited ? LOOK_LIMITED : look;
}

struct str status_in_words(struct doc *doc, const struct result_verdict *verdict)
{
	struct str types = types_not_taken(doc, verdict),
		   status = doc_word_of(doc, "status", op_status_name(verdict->status));
	const char *id = verdict->condition_count                ? types.len ? "status.not-types" : "status.conditional"
			 : verdict->flags & FLAG_REPORTED_BROKEN ? "status.reported"
			 : is_slow_always(verdict)               ? "status.aicpu"
								 : NULL;

	return id ? doc_text_with(doc, id, BLANK("status", status), BLANK("types", types)) : status;
}

/* Of the verdict itself, or of an overload: the verdict's conditions hold for those that are as good as it. */
static void put_status_tag(struct doc *doc, const struct result_verdict *verdict, enum op_status status)
{
	if (status == verdict->status && status_look(verdict) == LOOK_LIMITED)
		doc_tag_in_doubt(doc, SET_STATUS, op_status_name(status), status_in_words(doc, verdict));
	else
		doc_tag(doc, SET_STATUS, op_status_name(status));
}

void evidence_build(struct doc *doc, const struct result_evidence *evidence)
{
	size_t cited = references_number(doc->references, evidence->ref);

	doc_open(doc, BLOCK_ITEM);
	doc_word(doc, "evidence", evidence_kind_name(evidence->kind));
	doc_text(doc, STR(": "));
	if (cited) {
		doc_link(doc, SPAN_PLAIN, doc_format_of(doc, "#source-%zu", cited), doc_format_of(doc, "[%zu]", cited));
	} else if (evidence->ref.len) {
		doc_link(doc, SPAN_PLAIN, evidence->ref, STR(""));
	} else {
		doc_text(doc, evidence->text);
		doc_text(doc, STR(" "));
		doc_styled(
			doc, SPAN_SOFT, doc_format_of(doc, "(%.*s)", STR_ARG(doc_label_of(doc, "report.no-address"))));
	}
	if (evidence->date.len)
		doc_printf(doc, ", %.*s", STR_ARG(evidence->date));
	doc_close(doc);
}

static void put_release(struct doc *doc, const char *id, struct str release)
{
	if (release.len)
		doc_printf(doc, ", %.*s %.*s", STR_ARG(doc_label_of(doc, id)), STR_ARG(release));
}

/* Those that differ from the name, or that the dump has. */
static void put_overloads(struct doc *doc, const struct result_verdict *verdict)
{
	if (!verdict->overload_count)
		return;
	doc_open(doc, BLOCK_LIST);
	for (size_t i = 0; i < verdict->overload_count; i++) {
		doc_open(doc, BLOCK_ITEM);
		doc_styled(doc, SPAN_CODE, verdict->overloads[i].name);
		doc_text(doc, STR(" "));
		put_status_tag(doc, verdict, verdict->overloads[i].status);
		doc_close(doc);
	}
	doc_close(doc);
}

void verdict_build(struct doc *doc, const struct result_verdict *verdict)
{
	doc_open(doc, BLOCK_PARAGRAPH);
	doc_styled(doc, SPAN_STRONG_NAME, verdict->target);
	doc_text(doc, STR(" "));
	put_status_tag(doc, verdict, verdict->status);
	if (verdict->via.len) {
		doc_text(doc, STR(" "));
		doc_styled(doc, SPAN_SOFT, verdict->via);
	}
	for (unsigned i = 0; i < flag_words.count; i++) {
		if (!(verdict->flags >> i & 1))
			continue;
		doc_text(doc, STR(" "));
		doc_styled(doc, SPAN_CODE, word_for(&flag_words, i));
	}
	put_release(doc, "report.since", verdict->since);
	put_release(doc, "report.until", verdict->until);
	doc_close(doc);
	doc_say_each(doc, BLOCK_PARAGRAPH, verdict->conditions, verdict->condition_count);
	doc_say_each(doc, BLOCK_ADVICE, verdict->advice, verdict->advice_count);
	doc_open(doc, BLOCK_LIST);
	if (!verdict->evidence_count)
		doc_say_label(doc, BLOCK_ITEM, "report.no-evidence");
	for (size_t i = 0; i < verdict->evidence_count; i++)
		evidence_build(doc, &verdict->evidence[i]);
	doc_close(doc);
	put_overloads(doc, verdict);
}

/* In text, a mark before a status that does not come from the shipped facts. */
void status_build(struct doc *doc, const struct result_verdict *verdict)
{
	bool assumed = verdict->flags & FLAG_ASSUMED, overlay = verdict->flags & FLAG_OVERLAY;

	if (doc_is(doc, DOC_TEXT)) {
		doc_printf(doc, "%c%.*s",
			assumed                    ? '?'
			: overlay                  ? '*'
			: verdict->condition_count ? '~'
						   : ' ',
			STR_ARG(op_status_name(verdict->status)));
	} else {
		put_status_tag(doc, verdict, verdict->status);
		doc_text(doc, overlay || assumed ? STR(" ") : STR(""));
		doc_styled(doc, SPAN_CODE, overlay ? STR("overlay") : STR(""));
		doc_text(doc, overlay && assumed ? STR(" ") : STR(""));
		doc_styled(doc, SPAN_CODE, assumed ? STR("assumed") : STR(""));
		if (verdict->device_ppm)
			doc_styled(doc_in(doc, DOC_HTML), SPAN_SOFT,
				doc_text_with(doc, "estimate.share",
					BLANK("share", doc_percent_of(doc, verdict->device_ppm))));
	}
}
