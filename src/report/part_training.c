/* What each target is good for: training, or inference alone. */
#include "base/mem.h"
#include "report/load_pieces.h"
#include "report/part.h"

static bool is_shown(const struct result *result)
{
	return result->training_count;
}

/* --- JSON */

static void json_gradient(struct jsonw *json, const struct result_gradient *gradient)
{
	jsonw_object(json);
	jsonw_key_str(json, "forward", gradient->forward);
	jsonw_key_str(json, "forward_status", op_status_name(gradient->forward_status));
	jsonw_key_str(json, "backward", gradient->backward);
	jsonw_key_str(json, "backward_status", op_status_name(gradient->backward_status));
	jsonw_key_bool(json, "recorded", gradient->recorded);
	jsonw_object_end(json);
}

static void json(struct jsonw *json, const struct result *result)
{
	jsonw_list(json);
	for (size_t i = 0; i < result->training_count; i++) {
		const struct result_training *training = &result->training[i];

		jsonw_object(json);
		jsonw_key_str(json, "target", training->target);
		jsonw_key_bool(json, "recorded", training->recorded);
		jsonw_key_str(json, "forward", word_for(&verdict_words, training->forward));
		jsonw_key_str(json, "whole", word_for(&verdict_words, training->whole));
		jsonw_key(json, "gradients");
		jsonw_list(json);
		for (size_t j = 0; j < training->gradient_count; j++)
			json_gradient(json, &training->gradients[j]);
		jsonw_list_end(json);
		jsonw_object_end(json);
	}
	jsonw_list_end(json);
}

static void load_gradient(struct loader *loader, const cJSON *object, struct result_gradient *ret)
{
	ret->forward = value_text(loader, object, "forward");
	ret->forward_status = value_enum(loader, object, "forward_status", &op_status_words);
	ret->backward = value_text(loader, object, "backward");
	ret->backward_status = value_enum(loader, object, "backward_status", &op_status_words);
	ret->recorded = value_bool(loader, object, "recorded");
}

static void load_one(struct loader *loader, const cJSON *object, struct result_training *ret)
{
	ret->target = value_line(loader, object, "target");
	ret->recorded = value_bool(loader, object, "recorded");
	ret->forward = value_enum(loader, object, "forward", &verdict_words);
	ret->whole = value_enum(loader, object, "whole", &verdict_words);
	LOAD_LIST(loader, object, "gradients", ret->gradients, ret->gradient_count, load_gradient);
}

static void load(struct loader *loader, const cJSON *root, struct result *ret)
{
	LOAD_LIST(loader, root, "training", ret->training, ret->training_count, load_one);
}

/* --- the section */

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

static void build(struct doc *doc, const struct result *result)
{
	doc_section(doc, "report.training");
	doc_open(doc, doc_is(doc, DOC_HTML) ? BLOCK_LIST : BLOCK_GROUP);
	for (size_t i = 0; i < result->training_count; i++) {
		if (doc->options.all || doc_is(doc, DOC_HTML) || is_news(&result->training[i]))
			put_target(doc, &result->training[i]);
	}
	doc_close(doc);
	doc_close(doc);
}

const struct report_part part_training = { "training", is_shown, json, load, build };
