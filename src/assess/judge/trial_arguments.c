#include "assess/judge/trial_arguments.h"

#include "assess/judge/trial_calls.h"
#include "opdb/model/argument_limit.h"

/* Returns whether some call of an operator meets a limit: the same on every release. */
struct limit_memo {
	struct limit_memo *next;
	const struct argument_limit *limit;
	bool met;
};

static bool is_met(const struct trial *trial, const struct argument_limit *limit)
{
	const struct call_facts *call_facts = trial->judge->call_facts;
	struct limit_memo *memo = call_facts->limits[trial->index];

	while (memo && memo->limit != limit)
		memo = memo->next;
	if (!memo) {
		memo = arena_alloc(call_facts->arena, sizeof(*memo));
		*memo = (struct limit_memo){ call_facts->limits[trial->index], limit,
			trial_test_calls(trial, limit->test) == HOLDS };
		call_facts->limits[trial->index] = memo;
	}
	return memo->met;
}

void trial_arguments(struct trial *trial, const struct answer *answer)
{
	CLEANUP(buf_clear) struct buf en = BUF_UNLIMITED, zh = BUF_UNLIMITED;
	struct arena *arena = trial->judge->arena;
	struct message *condition;

	if (!trial->judge->call_facts || !trial->judge->call_facts->types[trial->index].told)
		return;
	for (size_t i = 0; i < answer->argument_count; i++) {
		const struct argument_limit *limit = answer->arguments[i];

		if (!is_met(trial, limit) || str_has(buf_str(&en), limit->en)) /* overloads have the same */
			continue;
		buf_printf(&en, "%s%.*s", en.len ? "; " : "", STR_ARG(limit->en));
		buf_printf(&zh, "%s%.*s", zh.len ? "；" : "", STR_ARG(limit->zh));
	}
	if (!en.len)
		return;
	trial_widen(trial, OP_UNSUPPORTED);
	condition = trial_condition(trial, "op-argument");
	message_add_copy(condition, arena, "when_en", buf_str(&en));
	message_add_copy(condition, arena, "when_zh", buf_str(&zh));
}
