#include "report/screen/report_screen.h"

#include "assess/finding/headline.h"
#include "assess/model/capture.h"
#include "assess/model/words.h"
#include "base/value/decimal.h"
#include "base/value/shell.h"
#include "report/doc/headline.h"
#include "report/drawings/estimates.h"
#include "report/sections/questions.h"

enum { WHOLE_TARGETS = 4, LINE_TARGETS = 16, SHOWN_WHOLE_PPM = 950000, MOST_OPEN = 2 };

/* --- the title */

static struct str say_count(struct screen *screen, const char *id, uint64_t count)
{
	return count ? screen_text_with(screen, id, NUMBER("count", count)) : STR("");
}

/* "gnn: complete, 4 steps, 123 operators; shares of host CPU time" */
void screen_add_title(struct screen *screen, const struct result *result)
{
	CLEANUP(buf_clear) struct buf share = BUF_INIT(64);
	uint64_t steps = 0, ranks = 0;
	bool hidden = capture_hides_operators(result->inputs, result->input_count);
	struct str parts = screen_label(screen, hidden ? "screen.incomplete" : "screen.complete");
	char basis[64];

	percent_put(&share, result->shown_ppm, result->shown_ppm);
	if (result->shown_ppm < SHOWN_WHOLE_PPM)
		parts = screen_text_with(screen, "screen.shows", COPY("share", buf_str(&share)));

	for (size_t i = 0; i < result->input_count; i++) {
		steps = result->inputs[i].steps > steps ? result->inputs[i].steps : steps;
		ranks = result->inputs[i].ranks > ranks ? result->inputs[i].ranks : ranks;
	}
	if (result->target_count && result->targets[0].headline.ranks > ranks)
		ranks = result->targets[0].headline.ranks;
	snprintf(basis, sizeof(basis), "screen.basis.%.*s", STR_ARG(word_for(&basis_words, result->basis)));
	parts = screen_list(screen, parts, say_count(screen, "report.ranks", ranks > 1 ? ranks : 0));
	parts = screen_list(screen, parts, say_count(screen, "report.steps", steps));
	parts = screen_list(screen, parts, say_count(screen, "screen.operators", result->operator_count));
	screen_say(screen, SCREEN_TITLE, NULL, "screen.title",
		BLANK("subject", headline_subject(&screen->arena, screen->options->lang, result)),
		BLANK("parts", parts), BLANK("basis", screen_label(screen, basis)));
}

/* --- targets */

/* The name, padded to the longest of them. */
static struct str padded_target(struct screen *screen, const struct result *result, size_t at)
{
	CLEANUP(buf_clear) struct buf text = BUF_UNLIMITED;
	size_t most = 0;

	for (size_t i = 0; i < result->target_count; i++)
		most = result->targets[i].id.len > most ? result->targets[i].id.len : most;
	buf_printf(&text, "%-*.*s", (int)most, STR_ARG(result->targets[at].id));
	return arena_keep(&screen->arena, buf_str(&text));
}

/* "npu@v2.12.0-26.1.0  99 % device, 1 % host": the first share alone of many targets. */
static struct str target_line(struct screen *screen, const struct result *result, size_t at)
{
	struct str shares = headline_shares(&screen->arena, screen->options->lang, result, at,
		result->target_count > WHOLE_TARGETS || screen->any_length);

	return arena_printf(&screen->arena, "%.*s  %.*s", STR_ARG(padded_target(screen, result, at)), STR_ARG(shares));
}

static void add_target(struct screen *screen, const struct result *result, size_t at)
{
	const struct result_headline *headline = &result->targets[at].headline;
	const struct result_estimate *estimate = result->targets[at].estimate;
	struct message said;

	screen_add_word(screen, SCREEN_WORD, headline->word, target_line(screen, result, at));
	if (result->target_count > WHOLE_TARGETS || screen->options->view == VIEW_WORDS)
		return;
	screen_add(screen, SCREEN_WHY, "headline.why", screen_text(screen, &headline->why));
	screen_add(screen, SCREEN_FIRST, "headline.first", screen_text(screen, &headline->first));
	if (!estimate || estimate->refused.id)
		return;
	/* "time: 910B2: 158-405 ms for 4 steps, estimated from shapes; step time not estimated" */
	said = estimate_say(&screen->arena, estimate);
	screen_add(screen, SCREEN_FIRST, "headline.time", screen_text(screen, &said));
}

/* "12 targets, the newest npu@v2.12.0-26.1.0" */
static void add_word(struct screen *screen, const struct result *result, enum headline_word word)
{
	const struct result_target *newest = NULL;
	uint64_t count = 0;

	for (size_t i = 0; i < result->target_count; i++) {
		const struct result_target *target = &result->targets[i];

		if (target->headline.word != word)
			continue;
		count++;
		if (!newest || str_cmp(target->date, newest->date) > 0)
			newest = target;
	}
	if (newest)
		screen_add_word(screen, SCREEN_WORD, word,
			screen_text_with(screen, "screen.many", NUMBER("count", count), BLANK("target", newest->id)));
}

void screen_add_targets(struct screen *screen, const struct result *result)
{
	for (size_t i = 0; i < result->target_count && result->target_count <= LINE_TARGETS; i++)
		add_target(screen, result, i);
	for (unsigned word = HEADLINE_WORDS; word-- > 0 && result->target_count > LINE_TARGETS;)
		add_word(screen, result, (enum headline_word)word);
}

/* A line a target, whatever their number; the cause as far as it fits. */
static void add_summary(struct screen *screen, const struct result *result)
{
	for (size_t i = 0; i < result->target_count; i++) {
		const struct result_headline *headline = &result->targets[i].headline;
		struct str line = target_line(screen, result, i), why = screen_text(screen, &headline->why);

		screen_add_word(screen, SCREEN_LINE, headline->word,
			arena_printf(&screen->arena, "%.*s  %.*s", STR_ARG(line), STR_ARG(why)));
	}
}

/* --- the gate */

void screen_add_gate(struct screen *screen, const struct result *result)
{
	struct str text = STR("");
	bool any = false;

	for (size_t i = 0; i < result->target_count; i++) {
		const struct result_target *target = &result->targets[i];
		struct str words = STR(""); /* "unsupported, max-blocked-time" */

		for (size_t j = 0; j < target->check_count; j++)
			words = screen_list(screen, words, target->checks[j].failed ? target->checks[j].name : STR(""));
		any |= target->gate != GATE_NONE;
		if (target->gate == GATE_FAILED)
			text = screen_list(screen, text,
				screen_text_with(screen, "screen.gate-failed", BLANK("target", target->id),
					BLANK("words", words)));
	}
	if (any && !text.len)
		text = screen_label(screen, "report.gate.passed");
	screen_add(screen, SCREEN_GATE, "screen.gate", text);
}

/* --- what is open, and what comes next */

/* The first target whose word the answer changes, or NULL. */
static const struct result_answer_verdict *changed_word(const struct result_question *question)
{
	for (size_t i = 0; question->answer_count == 2 && i < question->answers[0].verdict_count; i++) {
		if (headline_word_kind(question->answers[0].verdicts[i].verdict) !=
			headline_word_kind(question->answers[1].verdicts[i].verdict))
			return &question->answers[0].verdicts[i];
	}
	return NULL;
}

static void add_question(struct screen *screen, const struct result_question *question, struct str types)
{
	const struct result_answer_verdict *changed = changed_word(question);
	struct str operators = STR("");

	for (size_t i = 0; i < question->deciding_count; i++) {
		if (str_eq(question->deciding[i].target, changed->target) && question->deciding[i].operator_count)
			operators = headline_name(question->deciding[i].operators[0]);
	}
	screen_say(screen, SCREEN_OPEN, "screen.open", "screen.question", BLANK("dtypes", types),
		BLANK("target", changed->target),
		BLANK("word", headline_word(screen->options->lang, headline_word_kind(changed->verdict))),
		BLANK("operator", operators));
}

/* Returns the target of the first question that changes a word, or "". */
static struct str add_questions(struct screen *screen, const struct result *result)
{
	struct str target = STR("");
	size_t added = 0;

	for (size_t i = 0, end; i < result->question_count && added < MOST_OPEN; i = end) {
		const struct result_question *question = &result->questions[i];

		end = questions_alike(result, i);
		if (!changed_word(question))
			continue;
		add_question(screen, question, questions_types(&screen->arena, question, end - i));
		target = target.len ? target : changed_word(question)->target;
		added++;
	}
	return target;
}

/* The releases that targets given by other names stand for, and that a folder holds other models. */
static void add_names(struct screen *screen, const struct result *result)
{
	size_t added = 0;

	for (size_t i = 0; i < result->warning_count && added < MOST_OPEN; i++) {
		struct str id = str_from(result->warnings[i].id);

		if (!str_starts(id, STR("target-")) && !str_eq(id, STR("input-models")))
			continue;
		screen_add(screen, SCREEN_OPEN, "screen.note", screen_text(screen, &result->warnings[i]));
		added++;
	}
}

static void add_next(struct screen *screen, const struct result *result, struct str asked)
{
	const struct result_target *best = &result->targets[0];
	struct str dump = screen->options->dump, command = STR("");

	for (size_t i = 1; i < result->target_count; i++)
		best = result->targets[i].headline.word > best->headline.word ? &result->targets[i] : best;

	if (best->headline.word == HEADLINE_UNKNOWN && asked.len && dump.len)
		command = arena_printf(
			&screen->arena, "opcheck check %.*s -t %.*s --dtype fp32,bf16", STR_ARG(dump), STR_ARG(asked));
	else if (best->headline.word == HEADLINE_UNKNOWN &&
		 capture_hides_operators(result->inputs, result->input_count))
		command = STR("opcheck snippet");
	else if (dump.len)
		command = arena_printf(&screen->arena, "opcheck plan %.*s -t %.*s", STR_ARG(dump), STR_ARG(best->id));
	screen_add(screen, SCREEN_NEXT, "screen.next", command);
}

static void add_more(struct screen *screen, const struct result *result)
{
	struct str subject = result->input_count == 1 ? headline_subject(&screen->arena, LANG_EN, result)
						      : STR("report");
	CLEANUP(buf_clear) struct buf file = BUF_UNLIMITED;
	uint64_t causes = 0, notes = 0;
	struct str counts;

	shell_put_path(&file, arena_printf(&screen->arena, "%.*s.html", STR_ARG(subject)));

	for (size_t i = 0; i < result->cause_count; i++) {
		causes += result->causes[i].severity != SEVERITY_NOTE;
		notes += result->causes[i].severity == SEVERITY_NOTE;
	}
	counts = screen_list(
		screen, say_count(screen, "screen.causes", causes), say_count(screen, "screen.notes", notes));
	screen_add(screen, SCREEN_MORE, "screen.more",
		counts.len ? screen_text_with(screen, "screen.causes-and-page", BLANK("counts", counts),
				     COPY("file", buf_str(&file)))
			   : screen_text_with(screen, "screen.page", COPY("file", buf_str(&file))));
}

void report_screen(const struct result *result, const struct render_options *options, struct buf *out)
{
	struct screen screen = screen_begin(options);

	if (options->view == VIEW_SUMMARY) {
		screen.any_length = true;
		add_summary(&screen, result);
	} else if (options->view == VIEW_WORDS) {
		screen_add_targets(&screen, result);
	} else {
		screen_add_title(&screen, result);
		screen_add_targets(&screen, result);
		add_names(&screen, result);
		screen_add_gate(&screen, result);
		add_next(&screen, result, add_questions(&screen, result));
		add_more(&screen, result);
	}
	screen_put(&screen, out);
}
