#include "assess/judge/trial.h"

#include <stdarg.h>

#include "base/memory/mem.h"

static enum op_status worse_of(enum op_status a, enum op_status b)
{
	return a > b ? a : b;
}

void trial_start(struct trial *trial, enum op_status status, unsigned flags)
{
	struct judgement *judgement = trial->judgement;

	judgement->verdict.status = judgement->best = judgement->worst = status;
	judgement->verdict.flags = flags;
}

void trial_widen(struct trial *trial, enum op_status status)
{
	struct judgement *judgement = trial->judgement;

	if (op_status_class(status) == op_status_class(judgement->verdict.status))
		return;
	judgement->best = status < judgement->best ? status : judgement->best;
	judgement->worst = worse_of(judgement->worst, status);
}

void trial_become(struct trial *trial, enum op_status status)
{
	struct judgement *judgement = trial->judgement;

	judgement->verdict.status = worse_of(judgement->verdict.status, status);
	judgement->best = worse_of(judgement->best, status);
	judgement->worst = worse_of(judgement->worst, status);
}

struct message *trial_condition(struct trial *trial, const char *id)
{
	struct result_verdict *verdict = &trial->judgement->verdict;
	struct message *condition;

	if (!verdict->conditions)
		verdict->conditions = arena_alloc(trial->judge->arena, MAX_CONDITIONS * sizeof(verdict->conditions[0]));
	condition = &verdict->conditions[verdict->condition_count++];
	*condition = *MESSAGE(trial->judge->arena, id, COPY("operator", trial->op->name),
		COPY("target", str_from(trial->target->id)));
	return condition;
}

void trial_via(struct trial *trial, const char *format, ...)
{
	CLEANUP(buf_clear) struct buf text = BUF_UNLIMITED;
	va_list args;

	if (trial->judge->brief)
		return;
	buf_printf(&text, "%.*s; ", STR_ARG(trial->judgement->verdict.via));
	va_start(args, format);
	buf_vprintf(&text, format, args);
	va_end(args);
	trial->judgement->verdict.via = arena_keep(trial->judge->arena, buf_str(&text));
}
