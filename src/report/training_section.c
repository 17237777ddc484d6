/* What each target is good for: training, or inference alone. */
#include "base/mem.h"
#include "report/sections.h"

/* "npu@v2.7.1: training is blocked, inference is ready" */
static struct str summary_of(struct doc *doc, const struct result_training *training)
{
	struct message message = message_of(training->recorded ? "training-recorded" : "training-not-recorded");

	message_add(&message, "target", training->target);
	message_add(&message, "training", doc_word_of(doc, "verdict", word_for(&verdict_words, training->whole)));
	message_add(&message, "inference", doc_word_of(doc, "verdict", word_for(&verdict_words, training->forward)));
	return doc_message_of(doc, &message);
}

static struct message gradient_message(const struct result_gradient *gradient)
{
	struct message message = message_of("training-gradient");

	message_add(&message, "forward", gradient->forward);
	message_add(&message, "forward_status", op_status_name(gradient->forward_status));
	message_add(&message, "backward", gradient->backward);
	message_add(&message, "backward_status", op_status_name(gradient->backward_status));
	return message;
}

/* Whether gradients change anything, or have to be looked up at all. */
static bool is_news(const struct result_training *training)
{
	return !training->recorded || training->gradient_count || training->forward != training->whole;
}

static void put_target(struct doc *doc, const struct result_training *training)
{
	bool page = doc_is(doc, DOC_HTML);

	doc_open(doc, page ? BLOCK_ITEM : BLOCK_META);
	doc_text(doc, summary_of(doc, training));
	if (!page)
		doc_close(doc);
	for (size_t i = 0; i < training->gradient_count; i++) {
		struct message message = gradient_message(&training->gradients[i]);

		doc_say(doc, page ? BLOCK_LINE : BLOCK_ITEM, &message);
	}
	if (page)
		doc_close(doc);
}

void training_build(struct doc *doc, const struct result *result)
{
	if (!result->training_count)
		return;
	doc_section(doc, "report.training");
	doc_open(doc, doc_is(doc, DOC_HTML) ? BLOCK_LIST : BLOCK_GROUP);
	for (size_t i = 0; i < result->training_count; i++) {
		if (doc->options.all || doc_is(doc, DOC_HTML) || is_news(&result->training[i]))
			put_target(doc, &result->training[i]);
	}
	doc_close(doc);
	doc_close(doc);
}
