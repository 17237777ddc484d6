#include "assess/judge/judgement.h"

enum op_status judgement_worst(const struct judgement *judgement)
{
	return judgement->open_types && judgement->worst < OP_UNSUPPORTED ? OP_UNSUPPORTED : judgement->worst;
}

bool judgement_runs_on_device(enum op_status status)
{
	return op_status_class(status) == CLASS_DEVICE;
}

bool judgement_runs(enum op_status status)
{
	return op_status_class(status) <= CLASS_CPU;
}

struct result_types types_taken(const struct answer *answer)
{
	unsigned runs = ~answer->refused;

	return (struct result_types){ answer->accepted & runs, answer->refused, answer->tested, answer->slow & runs,
		answer->maybe_slow & runs & ~answer->slow };
}

void verdict_put_evidence(struct arena *arena, const struct answer *answer, struct result_verdict *ret)
{
	ret->evidence = arena_alloc(arena, (answer->evidence_count + 1) * sizeof(ret->evidence[0]));
	for (size_t i = 0; i < answer->evidence_count; i++) {
		const struct evidence *evidence = &answer->evidence[i];

		ret->evidence[ret->evidence_count++] = (struct result_evidence){ evidence->kind,
			arena_keep(arena, evidence->ref), arena_keep(arena, evidence->text),
			arena_keep(arena, evidence->date) };
	}
}
