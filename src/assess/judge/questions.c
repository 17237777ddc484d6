#include "assess/judge/questions.h"

#include "assess/judge/composite.h"
#include "base/memory/mem.h"
#include "opdb/model/dtype.h"

static const struct {
	unsigned type;
	const char *id;
} asked_types[] = {
	{ DTYPE_BF16, "dtype-bf16" },
	{ DTYPE_FP16, "dtype-fp16" },
};
enum { NAMES_SHOWN = 3 };

static bool is_open_anywhere(const struct question_request *request, size_t target_count, size_t op, unsigned type)
{
	return ANY(i, target_count, request->judgements[i][op].open_types & type);
}

/* "uniform_, log_sigmoid and 4 more": the largest shares first. */
static size_t name_operators(
	const struct question_request *request, size_t target_count, unsigned type, struct buf *ret_names)
{
	const struct operators *operators = request->judge->operators;
	size_t count = 0;

	for (size_t rank = 0; rank < operators->count; rank++) {
		size_t op = request->order[rank];

		if (is_open_anywhere(request, target_count, op, type) && count++ < NAMES_SHOWN)
			buf_printf(ret_names, "%s%.*s", ret_names->len ? ", " : "", STR_ARG(operators->items[op].name));
	}
	if (count > NAMES_SHOWN)
		buf_add(ret_names, STR(" ..."));
	return count;
}

/* The verdict on every target for a program that computes in these types. */
static int answer_for(const struct question_request *request, unsigned types, struct result *result,
	struct result_answer *ret, struct err *err)
{
	CLEANUP(arena_clear) struct arena scratch = ARENA_INIT(ARENA_UNLIMITED);
	struct judge judge = *request->judge;
	struct judgement *judgements = arena_alloc(&scratch, (judge.operators->count + 1) * sizeof(judgements[0]));
	int status = 0;

	judge.arena = &scratch;
	judge.stated_types = types;
	ret->verdicts = arena_alloc(&result->arena, (result->target_count + 1) * sizeof(ret->verdicts[0]));
	for (size_t i = 0; i < result->target_count && !status; i++) {
		status = judge_all(&judge, &request->targets[i], judgements, err);
		ret->verdicts[ret->verdict_count++] = (struct result_answer_verdict){ result->targets[i].id,
			readiness_verdict(judgements, judge.operators->count,
				(struct target_doubts){
					request->hidden[i], readiness_is_slow(request->weights, judgements) }) };
	}
	return status;
}

/* The targets whose verdict the answer changes, each with the operators that may refuse the type there. */
static void put_deciding(
	const struct question_request *request, unsigned type, struct result *result, struct result_question *question)
{
	const struct result_answer *answers = question->answers;
	const struct operators *operators = request->judge->operators;
	struct arena *arena = &result->arena;

	question->deciding = arena_alloc(arena, (result->target_count + 1) * sizeof(question->deciding[0]));
	for (size_t i = 0; i < result->target_count; i++) {
		struct result_on_target deciding = { .target = result->targets[i].id };

		if (answers[0].verdicts[i].verdict == answers[1].verdicts[i].verdict)
			continue;
		deciding.operators = arena_alloc(arena, (operators->count + 1) * sizeof(deciding.operators[0]));
		for (size_t rank = 0; rank < operators->count; rank++) {
			size_t op = request->order[rank];

			if (request->judgements[i][op].open_types & type)
				deciding.operators[deciding.operator_count++] = arena_keep(
					arena, operators->items[op].name);
		}
		question->deciding[question->deciding_count++] = deciding;
	}
}

static int ask_about(const struct question_request *request, size_t which, const struct result_answer *no,
	struct result *result, struct err *err)
{
	CLEANUP(buf_clear) struct buf names = BUF_UNLIMITED;
	unsigned type = asked_types[which].type;
	size_t count = name_operators(request, result->target_count, type, &names);
	struct result_question *question = &result->questions[result->question_count];
	int status;

	if (!count)
		return 0;
	result->question_count++;
	*question = (struct result_question){ .id = str_from(asked_types[which].id),
		.text = *MESSAGE(&result->arena, "question-dtype",
			BLANK("dtypes", dtype_name((unsigned)__builtin_ctz(type))), COPY("operators", buf_str(&names)),
			NUMBER("count", count)),
		.answers = arena_alloc(&result->arena, 2 * sizeof(question->answers[0])),
		.answer_count = 2 };
	question->answers[0].value = STR("yes");
	question->answers[1] = *no;
	status = answer_for(request, DTYPE_FP32 | type, result, &question->answers[0], err);
	if (!status)
		put_deciding(request, type, result, question);
	return status;
}

/* The verdict that all answers lead to. */
static enum verdict common_verdict(const struct result *result, size_t target)
{
	enum verdict verdict = result->questions[0].answers[0].verdicts[target].verdict;

	for (size_t i = 0; i < result->question_count; i++) {
		for (size_t j = 0; j < result->questions[i].answer_count; j++) {
			if (result->questions[i].answers[j].verdicts[target].verdict != verdict)
				return VERDICT_INCONCLUSIVE;
		}
	}
	return verdict;
}

int questions_ask(const struct question_request *request, struct result *result, struct err *err)
{
	struct result_answer no = { .value = STR("no") };
	size_t kept = 0;
	int status;

	result->questions = arena_alloc(&result->arena, ARRAY_SIZE(asked_types) * sizeof(result->questions[0]));
	if (ALL(i, request->judge->operators->count, !is_open_anywhere(request, result->target_count, i, ~0u)))
		return 0;
	status = answer_for(request, DTYPE_FP32, result, &no, err);
	for (size_t i = 0; i < ARRAY_SIZE(asked_types) && !status; i++)
		status = ask_about(request, i, &no, result, err);
	for (size_t i = 0; i < result->target_count && !status; i++)
		result->targets[i].verdict = common_verdict(result, i);
	for (size_t i = 0; i < result->question_count; i++) { /* answers to the others change no verdict */
		if (result->questions[i].deciding_count)
			result->questions[kept++] = result->questions[i];
	}
	result->question_count = kept;
	return status;
}
