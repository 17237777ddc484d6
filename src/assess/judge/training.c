#include "assess/judge/training.h"

#include <stdlib.h>

#include "assess/judge/readiness.h"
#include "base/memory/mem.h"
#include "opdb/resolve/calls.h"

/* One target under way. */
struct training_trial {
	const struct implied_request *request;
	const struct target *target;
	const struct judgement *judgements;        /* of the recorded operators */
	MEM_LIST(struct judgement) forward, whole; /* without gradients, and with them */
	MEM_LIST(struct result_gradient) gradients;
	bool recorded;
	struct err *err;
};

/* An operator that was recorded, and its status. */
struct differentiated {
	const struct op *op;
	enum op_status status;
	bool host_work;
};

static const struct judgement *recorded_judgement(const struct training_trial *trial, struct str base)
{
	size_t at = recorded_aten(trial->request->operators, base);

	return at == STR_NONE ? NULL : &trial->judgements[at];
}

/* Notes an operator whose backward operator is of a worse class. */
static void note_gradient(
	struct training_trial *trial, const struct differentiated *of, struct str base, enum op_status backward)
{
	struct arena *arena = trial->request->arena;
	struct result_gradient gradient = { .forward = arena_keep(arena, of->op->name),
		.recorded = recorded_judgement(trial, base) != NULL,
		.forward_status = of->status,
		.backward_status = backward };

	if (op_status_class(backward) <= op_status_class(of->status))
		return;
	gradient.backward = arena_printf(arena, "aten::%.*s", STR_ARG(base));
	MEM_PUSH(&trial->gradients, gradient);
}

/* One backward operator of a formula. Another backend's name in a formula is what the formula calls: the program did
   not. */
static int judge_backward(struct training_trial *trial, const struct differentiated *of, struct str base)
{
	const struct judgement *recorded = recorded_judgement(trial, base);
	struct judgement looked_up = { 0 };
	struct answer answer;
	int code;

	if (recorded) {
		note_gradient(trial, of, base, recorded->verdict.status);
		return 0;
	}
	code = resolve_base(trial->request->resolver, trial->target,
		&(struct op_query){ .ns = STR("aten"), .base = base }, &answer, trial->err);
	if (code)
		return code;
	if (answer.status == OP_UNKNOWN) /* the formula is that of a version that has it */
		return 0;
	note_gradient(trial, of, base, answer.status);
	looked_up.verdict.status = looked_up.best = looked_up.worst = answer.status;
	if (!trial->recorded)
		MEM_PUSH(&trial->whole, looked_up);
	return 0;
}

/* An operator that another backend's takes the place of is differentiated by that one's formula. */
static int judge_gradients(struct training_trial *trial, const struct differentiated *of)
{
	const struct op *op = of->op;
	struct gradient_answer gradient;
	struct str base = { 0 };
	int code;

	if (of->host_work || !str_eq(op->ns, STR("aten")) || of->status == OP_EQUIVALENT || of->status == OP_COMPOSITE)
		return 0;
	code = resolve_gradient(trial->request->resolver, trial->target,
		&(struct op_query){ .ns = op->ns, .base = op->base }, &gradient, trial->err);
	while (!code && gradient.calls.len && str_cut(&gradient.calls, ' ', &base))
		code = judge_backward(trial, of, base);
	return code;
}

static int judge_training(struct training_trial *trial)
{
	const struct operators *operators = trial->request->operators;
	int code = 0;

	for (size_t i = 0; i < operators->count && !code; i++) {
		MEM_PUSH(&trial->whole, trial->judgements[i]);
		if (str_has(operators->items[i].base, STR("_backward"))) /* also "_log_softmax_backward_data" */
			continue;
		MEM_PUSH(&trial->forward, trial->judgements[i]);
		code = judge_gradients(
			trial, &(struct differentiated){ &operators->items[i], trial->judgements[i].verdict.status,
				       trial->judgements[i].verdict.flags & FLAG_HOST_WORK });
	}
	return code;
}

static int by_name(const void *a, const void *b)
{
	const struct result_gradient *left = a, *right = b;

	return str_cmp(left->forward, right->forward) ?: str_cmp(left->backward, right->backward);
}

int training_judge(const struct implied_request *request, bool hidden, struct result *result, struct err *err)
{
	size_t name_count;
	const struct profile_name *names = profile_names(request->profile, &name_count);
	bool recorded = ANY(i, name_count, names[i].name.name_class == NAME_AUTOGRAD);
	int code = 0;

	result->training = arena_alloc(request->arena, (request->target_count + 1) * sizeof(result->training[0]));
	for (size_t i = 0; i < request->target_count && !code; i++) {
		struct training_trial trial = { .request = request,
			.target = &request->targets[i],
			.judgements = request->judgements[i],
			.recorded = recorded,
			.err = err };
		struct target_doubts doubts = { hidden, readiness_is_slow(request->weights, request->judgements[i]) };

		code = judge_training(&trial);
		MEM_SORT(&trial.gradients, by_name);
		if (!code)
			result->training[result->training_count++] = (struct result_training){
				.target = arena_keep(request->arena, str_from(trial.target->id)),
				.recorded = recorded,
				.forward = readiness_verdict(trial.forward.items, trial.forward.count, doubts),
				.whole = readiness_verdict(trial.whole.items, trial.whole.count, doubts),
				.gradients = arena_keep_bytes(request->arena, trial.gradients.items,
					trial.gradients.count * sizeof(trial.gradients.items[0])),
				.gradient_count = trial.gradients.count
			};
		free(trial.forward.items);
		free(trial.whole.items);
		free(trial.gradients.items);
	}
	return code;
}
