#include "server/jobs/outcome.h"

#include <stdio.h>

#include "base/memory/mem.h"
#include "record/kinds.h"
#include "record/load.h"
#include "record/nested.h"

static const struct field verdict_fields[] = {
	{ "target", &kind_line, AT(stored_verdict, target) },
	{ "verdict", &kind_word, AT(stored_verdict, verdict) },
	{ "gate", &kind_word, AT(stored_verdict, gate) },
	{ "lo", &kind_share_or_null, AT(stored_verdict, readiness_lo_ppm) },
	{ "hi", &kind_share_or_null, AT(stored_verdict, readiness_hi_ppm) },
	{ 0 },
};
static const struct record verdict_record = { sizeof(struct stored_verdict), verdict_fields };

static const struct field blocker_fields[] = {
	{ "target", &kind_line, AT(stored_blocker, target) },
	{ "operator", &kind_text, AT(stored_blocker, op) },
	{ "status", &kind_word, AT(stored_blocker, status) },
	{ "share", &kind_share, AT(stored_blocker, share_ppm) },
	{ 0 },
};
static const struct record blocker_record = { sizeof(struct stored_blocker), blocker_fields };

static const struct field fields[] = {
	{ "code", &kind_word, AT(outcome, code), OPTIONAL },
	{ "where", &kind_text, AT(outcome, where), OPTIONAL },
	{ "text", &kind_text, AT(outcome, text), OPTIONAL },
	{ "hint", &kind_text, AT(outcome, hint), OPTIONAL },
	{ "bytes", &kind_count, AT(outcome, bytes) },
	{ "verdicts", &kind_list, AT(outcome, verdicts), OPTIONAL, .count = AT(outcome, verdict_count),
		.record = &verdict_record },
	{ "basis", &kind_word, AT(outcome, basis), OPTIONAL },
	{ "shown", &kind_share, AT(outcome, shown_ppm), OPTIONAL },
	{ "blockers", &kind_list, AT(outcome, blockers), OPTIONAL, .count = AT(outcome, blocker_count),
		.record = &blocker_record },
	{ "used", &kind_texts, AT(outcome, used), OPTIONAL, .count = AT(outcome, used_count) },
	{ 0 },
};
static const struct record outcome_record = { sizeof(struct outcome), fields, .closed = true };

void outcome_put(struct buf *out, const struct outcome *outcome, const struct err *err)
{
	struct outcome failed = { .code = str_from(err->code ? err_name(err->code) : ""),
		.where = str_from(err->where),
		.text = str_from(err->text),
		.hint = str_from(err->hint) };
	struct jsonw json = jsonw_start(out, 0);

	record_put(&json, &outcome_record, err->code ? &failed : outcome);
	if (!err->code)
		buf_add(out, outcome->packed);
}

static void keep_text(char *ret, size_t bytes, struct str text)
{
	snprintf(ret, bytes, "%.*s", STR_ARG(text));
}

bool outcome_read(struct str text, struct arena *arena, struct outcome *ret, struct err *ret_err)
{
	struct loader loader = { .arena = arena };
	struct str line;

	*ret = (struct outcome){ 0 };
	*ret_err = (struct err){ 0 };
	if (!str_cut(&text, '\n', &line) || !record_read(&loader, line, &outcome_record, ret))
		return false;
	ret->packed = text;
	ret_err->code = err_code_named(ret->code.ptr);
	keep_text(ret_err->where, sizeof(ret_err->where), ret->where);
	keep_text(ret_err->text, sizeof(ret_err->text), ret->text);
	keep_text(ret_err->hint, sizeof(ret_err->hint), ret->hint);
	return !ret->code.len == !ret_err->code;
}
