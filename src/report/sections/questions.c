/* What the dump leaves open: a question with the verdict on each target for each answer. */
#include "report/sections/questions.h"

#include <string.h>

#include "assess/model/words.h"

static const char type_param[] = "dtypes";

/* "yes: npu@v2.7.1-26.0.0 inconclusive, musa@v2.7.1 ready" */
static void put_answer(struct doc *doc, const struct result_answer *answer)
{
	doc_open(doc, BLOCK_ITEM);
	doc_word(doc, "answer", answer->value);
	for (size_t i = 0; i < answer->verdict_count; i++) {
		doc_printf(doc, "%s%.*s ", i ? ", " : ": ", STR_ARG(answer->verdicts[i].target));
		doc_word(doc, "verdict", word_for(&verdict_words, answer->verdicts[i].verdict));
	}
	doc_close(doc);
}

/* Whether two questions are the same but for the type: their texts have the same blanks, in the same order. */
static bool differ_in_type_alone(const struct result_question *a, const struct result_question *b)
{
	if (a->text.count != b->text.count || a->answer_count != b->answer_count)
		return false;
	for (size_t i = 0; i < a->text.count; i++) {
		const struct message_param *one = &a->text.params[i], *other = &b->text.params[i];

		if (strcmp(one->name, type_param) != 0 && !str_eq(one->value, other->value))
			return false;
	}
	for (size_t i = 0; i < a->answer_count; i++) {
		for (size_t j = 0; j < a->answers[i].verdict_count; j++) {
			if (a->answers[i].verdicts[j].verdict != b->answers[i].verdicts[j].verdict)
				return false;
		}
	}
	return true;
}

/* Asks several questions as one: "Do you run in bf16/fp16?" */
static struct message join_questions(struct doc *doc, const struct result_question *questions, size_t count)
{
	struct message text = questions->text;

	for (size_t i = 0; i < text.count; i++) {
		struct str *types = &text.params[i].value;

		if (strcmp(text.params[i].name, type_param) != 0)
			continue;
		for (size_t j = 1; j < count; j++)
			*types = doc_format_of(
				doc, "%.*s/%.*s", STR_ARG(*types), STR_ARG(questions[j].text.params[i].value));
	}
	return text;
}

void questions_build(struct doc *doc, const struct result *result)
{
	if (!result->question_count)
		return;
	doc_section(doc, "report.questions");
	for (size_t i = 0, end; i < result->question_count; i = end) {
		const struct result_question *question = &result->questions[i];
		struct message text;

		for (end = i + 1; end < result->question_count; end++) {
			if (!differ_in_type_alone(question, &result->questions[end]))
				break;
		}
		text = join_questions(doc, question, end - i);
		doc_say(doc, BLOCK_PARAGRAPH, &text);
		doc_open(doc, BLOCK_LIST);
		for (size_t j = 0; j < question->answer_count; j++)
			put_answer(doc, &question->answers[j]);
		doc_close(doc);
	}
	doc_say_label(doc, BLOCK_SOFT, "report.questions-about");
	doc_close(doc);
}
