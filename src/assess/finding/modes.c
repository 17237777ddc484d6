#include "assess/finding/modes.h"

#include "base/mem.h"

/* Operators that a training step calls and evaluation replaces by others. Read in PyTorch 2.6: torch/nn/modules/transformer.py
   (TransformerEncoderLayer.forward, its fast path) and activation.py (MultiheadAttention.forward) want gradients to be off;
   aten/src/ATen/native/Dropout.cpp and Normalization.cpp take other branches in training. */
static const struct str training_only[] = {
	STR("aten::scaled_dot_product_attention"),
	STR("aten::native_dropout"),
	STR("aten::bernoulli_"),
	STR("aten::native_batch_norm"),
	STR("aten::cudnn_batch_norm"),
};

static bool has_operator(const struct result *result, struct str name)
{
	for (size_t i = 0; i < result->operator_count; i++) {
		if (str_eq(result->operators[i].name, name))
			return true;
	}
	return false;
}

static bool has_class(const struct result *result, const char *name_class)
{
	for (size_t i = 0; i < result->ignored_count; i++) {
		if (str_eq(result->ignored[i].name_class, str_from(name_class)))
			return true;
	}
	return false;
}

static bool has_gradients(const struct result *result)
{
	for (size_t i = 0; i < result->operator_count; i++) {
		if (str_has(result->operators[i].name, STR("_backward")))
			return true;
	}
	return has_class(result, "autograd");
}

/* The recorded operators that evaluation replaces. */
static struct str replaced(struct result *result)
{
	CLEANUP(buf_clear) struct buf text = BUF_UNLIMITED;

	for (size_t i = 0; i < ARRAY_SIZE(training_only); i++) {
		if (has_operator(result, training_only[i]))
			buf_printf(&text, "%s%.*s", text.len ? ", " : "", STR_ARG(training_only[i]));
	}
	return arena_keep(&result->arena, buf_str(&text));
}

static struct message *append(struct result *result, const char *rule)
{
	struct message *list = arena_alloc(&result->arena, (result->warning_count + 1) * sizeof(list[0]));

	if (result->warning_count)
		memcpy(list, result->warnings, result->warning_count * sizeof(list[0]));
	list[result->warning_count] = message_of(rule);
	result->warnings = list;
	return &list[result->warning_count++];
}

static bool has_format(const struct result *result, struct str format)
{
	for (size_t i = 0; i < result->input_count; i++) {
		if (str_eq(result->inputs[i].format, format))
			return true;
	}
	return false;
}

void modes_compare(struct result *result)
{
	struct str operators;

	if (has_format(result, STR("execution-trace")) && has_format(result, STR("kineto-trace")))
		append(result, "input-two-formats");
	if (!has_gradients(result)) {
		append(result, "mode-inference-only");
		return;
	}
	if (!has_class(result, "optimizer"))
		append(result, "mode-no-optimizer");
	operators = replaced(result);
	if (operators.len)
		message_add(append(result, "mode-training-only"), "operators", operators);
}
