#include "assess/finding/reason.h"

#include "base/memory/mem.h"
#include "base/value/decimal.h"

/* "1.2 %" of 12345 millionths. */
static struct str percent_text(struct arena *arena, int64_t ppm)
{
	enum { TENTHS_OF_PERCENT = 1000, PLACES = 1 };
	CLEANUP(buf_clear) struct buf text = BUF_INIT(64);

	if (ppm && ppm < TENTHS_OF_PERCENT / 2)
		return STR("<0.1 %");
	decimal_put(&text, (ppm + TENTHS_OF_PERCENT / 2) / TENTHS_OF_PERCENT, PLACES);
	buf_add(&text, STR(" %"));
	return arena_keep(arena, buf_str(&text));
}

static const struct {
	const char *one_cause, *several;
} sentences[] = {
	[VERDICT_WARNINGS] = { "reason-warnings", "reason-warnings-mostly" },
	[VERDICT_INCONCLUSIVE] = { "reason-inconclusive", "reason-inconclusive-mostly" },
	[VERDICT_BLOCKED] = { "reason-blocked", "reason-blocked-mostly" },
};

/* The first warning that the dumps hide operators. */
static struct str hiding_cause(const struct result *result)
{
	static const struct {
		const char *rule;
		struct str cause;
	} causes[] = {
		{ "capture-truncated", STR("row-limit") },
		{ "capture-top-level", STR("top-level") },
		{ "capture-compiled", STR("compiled") },
		{ "capture-device-uncovered", STR("uncovered") },
		{ "capture-rows-uncovered", STR("rows") },
	};

	for (size_t i = 0; i < result->input_count; i++) {
		const struct result_capture *capture = &result->inputs[i].capture;

		for (size_t at = 0; at < capture->warning_count * ARRAY_SIZE(causes); at++) {
			if (strcmp(capture->warnings[at / ARRAY_SIZE(causes)].id,
				    causes[at % ARRAY_SIZE(causes)].rule) == 0)
				return causes[at % ARRAY_SIZE(causes)].cause;
		}
	}
	return STR("lost");
}

static struct message sentence_without_cause(const struct reason_request *request, struct result *result)
{
	const struct operators *operators = request->weights->operators;
	bool ready = result->targets[request->target].verdict == VERDICT_READY;
	struct message reason;
	int64_t host_work = 0;

	for (size_t i = 0; i < operators->count && ready; i++)
		host_work += (request->judgements[i].verdict.flags & FLAG_HOST_WORK) != 0;
	reason = message_of(host_work          ? "reason-ready-host"
			    : ready            ? "reason-ready"
			    : request->implied ? "reason-implied"
					       : "reason-capture");
	message_add_number(&reason, &result->arena, "operators", (int64_t)operators->count - host_work);
	if (host_work)
		message_add_number(&reason, &result->arena, "host", host_work);
	if (!ready && !request->implied)
		message_add(&reason, "cause", hiding_cause(result));
	return reason;
}

void reason_put(const struct reason_request *request, struct result *result)
{
	struct result_target *target = &result->targets[request->target];
	const struct cause_tally *most;
	struct tally tally;
	struct str share;
	bool all;

	tally_causes(request, result, &tally);
	if (!tally.count) {
		target->reason = sentence_without_cause(request, result);
		return;
	}
	most = tally_largest(&tally);
	all = most->operators == tally.operators;
	share = percent_text(&result->arena, share_ppm(tally.weight, request->weights->whole));
	target->reason = *MESSAGE(&result->arena,
		all ? sentences[target->verdict].one_cause : sentences[target->verdict].several,
		NUMBER("operators", tally.operators), BLANK("share", share), BLANK("cause", most->cause),
		COPY("operator", most->names[0]), NUMBER(all ? NULL : "part", most->operators));
}
