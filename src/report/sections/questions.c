/* Open questions of the dump, with the verdict on each target for each answer. */
#include "report/sections/questions.h"

#include <string.h>

#include "assess/model/words.h"
#include "base/memory/mem.h"
#include "report/doc/markup.h"

static const char type_param[] = "dtypes";
enum { NAMES_SHOWN = 3 };

/* "npu@v2.7.1-26.0.0: bf16: blocked (aten::lstm); fp32: ready", of one target that the answer changes. */
static void put_answer(struct doc *doc, const struct result_question *question, struct str types, size_t target)
{
	const struct result_answer_verdict *yes = &question->answers[0].verdicts[target],
					   *no = &question->answers[1].verdicts[target];
	const struct result_on_target *deciding = NULL;

	for (size_t i = 0; i < question->deciding_count; i++) {
		if (str_eq(question->deciding[i].target, yes->target))
			deciding = &question->deciding[i];
	}
	doc_say_with(doc, BLOCK_ITEM, deciding ? "report.answer" : "report.answer-plain", BLANK("target", yes->target),
		BLANK("dtypes", types),
		BLANK("yes", doc_word_of(doc, "verdict", word_for(&verdict_words, yes->verdict))),
		BLANK("no", doc_word_of(doc, "verdict", word_for(&verdict_words, no->verdict))),
		BLANK("operators", deciding ? doc_names_of(doc, deciding->operators,
						      doc_shown(doc, deciding->operator_count, NAMES_SHOWN),
						      deciding->operator_count)
					    : STR("")));
}

/* Returns whether the same operators decide two questions on each target. */
static bool same_deciding(const struct result_question *a, const struct result_question *b)
{
	if (a->deciding_count != b->deciding_count)
		return false;
	for (size_t i = 0; i < a->deciding_count; i++) {
		const struct result_on_target *one = &a->deciding[i], *other = &b->deciding[i];

		if (!str_eq(one->target, other->target) || one->operator_count != other->operator_count ||
			!ALL(j, one->operator_count, str_eq(one->operators[j], other->operators[j])))
			return false;
	}
	return true;
}

/* Returns whether two questions differ in the type alone: their texts have the same placeholders, in the same order. */
static bool differ_in_type_alone(const struct result_question *a, const struct result_question *b)
{
	if (a->text.count != b->text.count || a->answer_count != b->answer_count || !same_deciding(a, b))
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

size_t questions_alike(const struct result *result, size_t from)
{
	size_t end = from + 1;

	while (end < result->question_count && differ_in_type_alone(&result->questions[from], &result->questions[end]))
		end++;
	return end;
}

struct str questions_types(struct arena *arena, const struct result_question *questions, size_t count)
{
	struct str types = message_value(&questions->text, type_param);

	for (size_t i = 1; i < count; i++)
		types = arena_printf(
			arena, "%.*s/%.*s", STR_ARG(types), STR_ARG(message_value(&questions[i].text, type_param)));
	return types;
}

/* --- answers as buttons */

struct answer_buttons {
	const struct result_question *questions;
	size_t count;
};

static void put_button(struct buf *out, enum lang lang, struct str type)
{
	CLEANUP(arena_clear) struct arena arena = ARENA_INIT(ARENA_UNLIMITED);

	buf_printf(out, "<button type=\"submit\" class=\"plain\" form=\"answer\" name=\"dtype\" value=\"fp32%s%.*s\">",
		type.len ? "," : "", STR_ARG(type));
	html_text(out, catalog_say(&arena, lang, type.len ? "questions.yes" : "questions.no", BLANK("dtypes", type)));
	html(out, "</button> ");
}

/* fp32 alone, or with the type of one question. */
static void put_buttons(struct buf *out, enum lang lang, const void *ctx)
{
	const struct answer_buttons *buttons = ctx;

	html(out, "<p>");
	for (size_t i = 0; i < buttons->count; i++)
		put_button(out, lang, message_value(&buttons->questions[i].text, type_param));
	put_button(out, lang, STR(""));
	html(out, "</p>\n");
}

/* --- all */

static void build_section(struct doc *doc, const struct result *result, bool buttons)
{
	if (!result->question_count)
		return;
	doc_section(doc, "report.questions");
	for (size_t i = 0, end; i < result->question_count; i = end) {
		const struct result_question *question = &result->questions[i];
		struct message text = question->text;

		end = questions_alike(result, i);
		for (size_t j = 0; j < text.count; j++) { /* several as one: "Do you run in bf16/fp16?" */
			if (strcmp(text.params[j].name, type_param) == 0)
				text.params[j].value = questions_types(&doc->arena, question, end - i);
		}
		doc_say(doc, BLOCK_PARAGRAPH, &text);
		doc_open(doc, BLOCK_LIST);
		for (size_t j = 0; question->answer_count == 2 && j < question->answers[0].verdict_count; j++) {
			if (question->answers[0].verdicts[j].verdict != question->answers[1].verdicts[j].verdict)
				put_answer(doc, question, message_value(&text, type_param), j);
		}
		doc_close(doc);
		if (buttons) {
			struct answer_buttons *answers = arena_alloc(&doc->arena, sizeof(*answers));

			*answers = (struct answer_buttons){ question, end - i };
			doc_figure(doc, put_buttons, answers);
		}
	}
	doc_say_label(doc, BLOCK_SOFT, buttons ? "questions.about" : "report.questions-about");
	doc_close(doc);
}

void questions_build(struct doc *doc, const struct result *result)
{
	build_section(doc, result, false);
}

void questions_ask_build(struct doc *doc, const struct result *result)
{
	build_section(doc, result, true);
}
