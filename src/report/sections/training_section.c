/* Use of each target: training, or inference alone. */
#include "report/sections/parts.h"

#include "assess/model/words.h"

/* "npu@v2.7.1: training is blocked, inference is ready" */
static struct str summary_of(struct doc *doc, const struct result_training *training)
{
	return doc_text_with(doc, training->recorded ? "training-recorded" : "training-not-recorded",
		BLANK("target", training->target),
		BLANK("training", doc_word_of(doc, "verdict", word_for(&verdict_words, training->whole))),
		BLANK("inference", doc_word_of(doc, "verdict", word_for(&verdict_words, training->forward))));
}

static void put_target(struct doc *doc, const struct result_training *training)
{
	doc_open_styled(doc, DOC_HTML, BLOCK_ITEM);
	doc_text(doc_in(doc, DOC_HTML), summary_of(doc, training));
	doc_say_styled(doc_in(doc, DOC_PLAIN), BLOCK_META, SPAN_PLAIN, summary_of(doc, training));
	for (size_t i = 0; i < training->gradient_count; i++) {
		const struct result_gradient *gradient = &training->gradients[i];
		const struct message *said = MESSAGE(&doc->arena, "training-gradient",
			BLANK("forward", gradient->forward),
			BLANK("forward_status", op_status_name(gradient->forward_status)),
			BLANK("backward", gradient->backward),
			BLANK("backward_status", op_status_name(gradient->backward_status)));

		doc_say(doc_in(doc, DOC_HTML), BLOCK_LINE, said);
		doc_say(doc_in(doc, DOC_PLAIN), BLOCK_ITEM, said);
	}
	doc_close(doc);
}

void training_build(struct doc *doc, const struct result *result)
{
	if (!result->training_count)
		return;
	doc_section(doc, "report.training");
	doc_open_styled(doc, DOC_HTML, BLOCK_LIST);
	for (size_t i = 0; i < result->training_count; i++) {
		const struct result_training *training = &result->training[i];
		bool is_news = !training->recorded || training->gradient_count || training->forward != training->whole;

		put_target(doc_in(doc, doc->options.all || is_news ? 0 : DOC_HTML), training);
	}
	doc_close(doc);
	doc_close(doc);
}
