/* What the dump leaves open: a question with the verdict on each target for each answer. */
#include "report/sections.h"

/* "yes: npu@v2.7.1-26.0.0 inconclusive, musa@v2.7.1 ready" */
static void put_answer(struct doc *doc, const struct result_answer *answer)
{
	doc_open(doc, BLOCK_ITEM);
	doc_word(doc, "answer", answer->value);
	for (size_t i = 0; i < answer->verdict_count; i++) {
		doc_printf(doc, "%s%.*s ", i ? ", " : ": ", STR_ARG(answer->verdicts[i].target));
		doc_text(doc, doc_word_of(doc, "verdict", word_for(&verdict_words, answer->verdicts[i].verdict)));
	}
	doc_close(doc);
}

void questions_build(struct doc *doc, const struct result *result)
{
	if (!result->question_count)
		return;
	doc_section(doc, "report.questions");
	for (size_t i = 0; i < result->question_count; i++) {
		doc_say(doc, BLOCK_PARAGRAPH, &result->questions[i].text);
		doc_open(doc, BLOCK_LIST);
		for (size_t j = 0; j < result->questions[i].answer_count; j++)
			put_answer(doc, &result->questions[i].answers[j]);
		doc_close(doc);
	}
	doc_say_label(doc, BLOCK_SOFT, "report.questions-about");
	doc_close(doc);
}
