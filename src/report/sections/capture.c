/* Gaps of the dumps: first those that weaken verdicts, with their remedy. */
#include "report/sections/capture.h"

#include "assess/model/rule.h"
#include "base/memory/mem.h"
#include "base/value/decimal.h"
#include "report/sections/snippet.h"

/* Remedies of a dump apart from the snippet: how to run the program. */
static const struct {
	const char *rule;
	struct str lines;
} without_graphs[] = {
	{ "capture-uncovered-graphs",
		STR("TORCHDYNAMO_DISABLE=1 python train.py                  # PyTorch, Transformers\n"
		    "vllm serve MODEL --enforce-eager                       # vLLM; in Python: LLM(..., "
		    "enforce_eager=True)\n"
		    "python -m sglang.launch_server --disable-cuda-graph    # SGLang\n") },
	{ "capture-uncovered-compiled", STR("TORCHDYNAMO_DISABLE=1 python train.py\n") },
	{ "capture-compiled", STR("TORCHDYNAMO_DISABLE=1 python train.py\n") },
};

/* A rule that says of a dump that it shows less than it could. */
static bool is_weakness(const struct message *warning)
{
	const struct rule *rule = rule_find(str_from(warning->id));

	return rule && rule->severity == SEVERITY_WARNING && strcmp(warning->id, "capture-aicpu") != 0;
}

bool input_has_warning(const struct result_input *input, const char *id)
{
	return ANY(i, input->capture.warning_count, strcmp(input->capture.warnings[i].id, id) == 0);
}

/* Returns the number of inputs with the warning, 0 if one before the first has it. */
static size_t count_inputs(const struct result *result, size_t first, const char *id)
{
	size_t count = 0;

	for (size_t i = 0; i < result->input_count; i++) {
		if (!input_has_warning(&result->inputs[i], id))
			continue;
		if (i < first)
			return 0;
		count++;
	}
	return count;
}

/* The PyTorch of the snippet: "2.3" for an input like those of PyTorch 2.3 or later, "" if unknown. */
static struct str era_of(const struct result *result)
{
	for (size_t i = 0; i < result->input_count; i++) {
		struct str era = result->inputs[i].torch_era;
		size_t len = 0;

		while (len < era.len && ((era.ptr[len] >= '0' && era.ptr[len] <= '9') || era.ptr[len] == '.'))
			len++;
		if (len)
			return str_sub(era, 0, len);
	}
	return STR("");
}

/* --- weaknesses */

static void put_weakness(struct doc *doc, const struct result *result, size_t input, const struct message *warning)
{
	size_t count = count_inputs(result, input, warning->id);
	struct str advice = doc_format_of(doc, "%s.advice", warning->id);

	doc_open(doc, BLOCK_ITEM);
	if (result->input_count > 1)
		doc_text(doc, result->inputs[input].name);
	if (count > 1) {
		doc_text(doc, STR(" "));
		doc_text(doc, doc_text_with(doc, "report.more-files", NUMBER("count", count - 1)));
	}
	doc_text(doc, result->input_count > 1 ? STR(": ") : STR(""));
	doc_message(doc, warning);
	if (catalog_has(LANG_EN, advice))
		doc_say_styled(doc, BLOCK_ADVICE, SPAN_PLAIN, catalog_text(doc->options.lang, advice));
	doc_close(doc);
}

/* The way to run the program without graphs, if they hide its operators. */
static void put_runs(struct doc *doc, const struct result *result)
{
	for (size_t i = 0; i < ARRAY_SIZE(without_graphs); i++) {
		if (!count_inputs(result, 0, without_graphs[i].rule))
			continue;
		doc_say_label(doc, BLOCK_PARAGRAPH, "report.without-graphs");
		doc_code(doc, STR("sh"), without_graphs[i].lines);
		return;
	}
}

static int version_of(struct str era)
{
	struct str major = { 0 };
	uint64_t numbers[2];

	if (!str_cut(&era, '.', &major) || !decimal_unsigned(major, &numbers[0]) || !decimal_unsigned(era, &numbers[1]))
		return SNIPPET_NEWEST;
	return SNIPPET_VERSION((int)numbers[0], (int)numbers[1]);
}

/* The command in text; on a page the program, behind a click. */
static void put_snippet(struct doc *doc, const struct result *result)
{
	struct str era = era_of(result);
	struct str option = era.len ? doc_format_of(doc, " --torch %.*s", STR_ARG(era)) : STR("");
	CLEANUP(buf_clear) struct buf program = BUF_UNLIMITED;
	const struct message *said = MESSAGE(&doc->arena, "report.mend",
		BLANK("command", doc_format_of(doc, "opcheck snippet%.*s", STR_ARG(option))));

	snippet_put(&program, version_of(era));
	doc_say(doc_in(doc, DOC_PLAIN), BLOCK_PARAGRAPH, said);
	doc_open(doc_in(doc, DOC_HTML), BLOCK_MORE);
	doc_say(doc, BLOCK_SUMMARY, said);
	doc_code(doc, STR("python"), arena_keep(&doc->arena, buf_str(&program)));
	doc_close(doc);
}

bool has_weakness(const struct result *result)
{
	for (size_t i = 0; i < result->input_count; i++) {
		const struct result_capture *capture = &result->inputs[i].capture;

		if (ANY(j, capture->warning_count, is_weakness(&capture->warnings[j])))
			return true;
	}
	return false;
}

void weaknesses_build(struct doc *doc, const struct result *result)
{
	doc_section(doc, "report.capture");
	doc_open(doc, BLOCK_STRIP);
	doc_open(doc, BLOCK_NOTES);
	for (size_t i = 0; i < result->input_count; i++) {
		const struct result_capture *capture = &result->inputs[i].capture;

		for (size_t j = 0; j < capture->warning_count; j++) {
			if (is_weakness(&capture->warnings[j]) && count_inputs(result, i, capture->warnings[j].id))
				put_weakness(doc, result, i, &capture->warnings[j]);
		}
	}
	doc_close(doc);
	if (has_weakness(result)) {
		put_runs(doc, result);
		put_snippet(doc, result);
	}
	doc_close(doc);
	doc_close(doc);
}

/* --- notes */

void notes_build(struct doc *doc, const struct result *result)
{
	doc_section(doc, "report.notes-of-dump");
	doc_open(doc, BLOCK_NOTES);
	for (size_t i = 0; i < result->input_count; i++) {
		const struct result_capture *capture = &result->inputs[i].capture;

		for (size_t j = 0; j < capture->warning_count; j++) {
			const struct message *warning = &capture->warnings[j];

			/* once, if an input before it has the very same words */
			if (!is_weakness(warning) && (warning->count || count_inputs(result, i, warning->id)))
				doc_say(doc, BLOCK_ITEM, warning);
		}
	}
	doc_say_each(doc, BLOCK_ITEM, result->warnings, result->warning_count);
	doc_close(doc);
	doc_close(doc);
}
