/* A comparison of two results as a document: lines under headings. */
#include "report/answers/answer_screens.h"
#include "report/answers/changes.h"

#include "assess/model/words.h"
#include "base/memory/mem.h"
#include "report/answers/changes_page.h"
#include "report/doc/doc_build.h"
#include "report/doc/html_page.h"

/* --- lines under a heading */

static void open_list(struct doc *doc, const char *heading)
{
	doc_section(doc, heading);
	doc_open(doc, BLOCK_NOTES);
}

/* State the number of lines that are not shown. */
static void close_list(struct doc *doc, size_t count)
{
	size_t shown = doc_shown(doc, count, SHORT_LIST);

	doc_close(doc);
	if (shown < count)
		doc_say_count(doc, BLOCK_PARAGRAPH, "diff.more", count - shown);
	doc_close(doc);
}

/* Returns whether the line with this number is shown. */
static bool is_shown(const struct doc *doc, size_t line)
{
	return doc_shown(doc, line + 1, SHORT_LIST) > line;
}

static void put_change_line(struct doc *doc, enum doc_mood mood, const struct message *message)
{
	doc_open(doc, BLOCK_ITEM);
	doc_set_mood(doc, mood);
	if (mood == MOOD_BAD) {
		doc_styled(doc_in(doc, DOC_HTML), SPAN_STRONG, STR("!"));
		doc_text(doc_in(doc, DOC_HTML), STR(" "));
	}
	doc_message(doc, message);
	doc_close(doc);
}

static void put_target(struct doc *doc, const struct target_change *target)
{
	const struct result_target *before = target->before, *after = target->after;
	enum doc_mood mood;

	if (!before || !after) {
		put_change_line(doc, MOOD_NONE,
			MESSAGE(&doc->arena, after ? "diff.target-added" : "diff.target-removed",
				BLANK("target", target->id),
				BLANK("verdict", word_for(&verdict_words, (after ? after : before)->verdict))));
		return;
	}
	mood = target->worse ? MOOD_BAD : target->better ? MOOD_GOOD : MOOD_NONE;
	put_change_line(doc, mood,
		MESSAGE(&doc->arena, "diff.target", BLANK("target", target->id),
			BLANK("before", word_for(&verdict_words, before->verdict)),
			BLANK("after", word_for(&verdict_words, after->verdict)),
			BLANK("device_before", doc_interval_of(doc, before->readiness.time)),
			BLANK("device_after", doc_interval_of(doc, after->readiness.time)),
			BLANK("all_before", doc_interval_of(doc, before->coverage.time)),
			BLANK("all_after", doc_interval_of(doc, after->coverage.time))));
}

static void put_gate(struct doc *doc, const struct changes_view *view)
{
	open_list(doc, "report.gate");
	for (unsigned i = 0; i < FAIL_WORDS; i++) {
		struct change_check check = changes_check(view->changes, (enum change_word)i);
		struct message line = change_check_line(&doc->arena, check, (enum change_word)i);

		if (view->fail_on >> i & 1)
			put_change_line(doc, change_check_fails(check) ? MOOD_BAD : MOOD_GOOD, &line);
	}
	close_list(doc, 0);
}

/* --- causes */

static void put_cause(struct doc *doc, const struct result_cause *cause, bool is_new)
{
	struct str severity = word_for(&severity_words, cause->severity);
	bool grave = cause->severity != SEVERITY_NOTE;

	doc_open(doc, BLOCK_ITEM);
	doc_set_mood(doc, !is_new ? MOOD_GOOD : grave ? MOOD_BAD : MOOD_NONE);
	doc_tag(doc_in(doc, DOC_HTML), SET_SEVERITY, severity);
	doc_text(doc_in(doc, DOC_MD), severity);
	doc_word(doc_in(doc, DOC_TEXT), "severity", severity);
	doc_text(doc, STR(" "));
	doc_percent(doc, cause->share_ppm);
	doc_text(doc_in(doc, DOC_TEXT), STR("  "));
	doc_text(doc_in(doc, DOC_MD), STR(": "));
	doc_text(doc_in(doc, DOC_HTML), STR(" "));
	doc_message(doc, &cause->text);
	for (size_t i = 0; i < cause->also_count; i++) {
		doc_text(doc, STR("; "));
		doc_message(doc, &cause->also[i]);
	}
	doc_close(doc);
}

static void put_causes(struct doc *doc, const struct changes *changes, bool is_new)
{
	const struct result_cause *causes = is_new ? changes->new_causes : changes->fixed_causes;
	size_t count = is_new ? changes->new_cause_count : changes->fixed_cause_count;

	open_list(doc, is_new ? "diff.new" : "diff.fixed");
	for (size_t i = 0; i < count && is_shown(doc, i); i++)
		put_cause(doc, &causes[i], is_new);
	close_list(doc, count);
}

/* --- operators */

static void put_statuses(struct doc *doc, const struct changes *changes)
{
	size_t count = 0;

	open_list(doc, changes->same_dumps ? "diff.statuses-facts" : "diff.statuses");
	for (size_t i = 0; i < changes->operator_count; i++) {
		const struct operator_change *change = &changes->operators[i];

		for (size_t j = 0; j < change->status_count; j++, count++) {
			const struct status_change *status = &change->statuses[j];
			struct str before = status->then->via, after = status->now->via; /* facts */

			if (!is_shown(doc, count))
				continue;
			put_change_line(doc, status->worse ? MOOD_BAD : MOOD_GOOD,
				MESSAGE(&doc->arena, status->worse ? "diff.worse" : "diff.better",
					BLANK("operator", change->name), BLANK("target", status->target),
					BLANK("before", op_status_name(status->before)),
					BLANK("after", op_status_name(status->after))));
			if (changes->same_dumps && !str_eq(before, after))
				put_change_line(doc, MOOD_NONE,
					MESSAGE(&doc->arena, "diff.facts",
						BLANK("before", before.len ? before : STR("-")),
						BLANK("after", after.len ? after : STR("-"))));
		}
	}
	close_list(doc, count);
}

static struct message presence_message(struct doc *doc, const struct operator_change *change)
{
	const struct result_operator *there = change->after ? change->after : change->before;

	return *MESSAGE(&doc->arena, change->after ? "diff.operator-added" : "diff.operator-removed",
		BLANK("operator", change->name), BLANK("share", doc_percent_of(doc, there->share_ppm)));
}

static struct message share_message(struct doc *doc, const struct operator_change *change)
{
	return *MESSAGE(&doc->arena, "diff.share", BLANK("operator", change->name),
		BLANK("before", doc_percent_of(doc, change->before->share_ppm)),
		BLANK("after", doc_percent_of(doc, change->after->share_ppm)));
}

static struct message shapes_message(struct doc *doc, const struct operator_change *change)
{
	const struct result_dynamic *before = &change->before->dynamic, *after = &change->after->dynamic;

	return *MESSAGE(&doc->arena, "diff.shapes", BLANK("operator", change->name),
		BLANK("before", word_for(&dynamic_words, before->kind)), NUMBER("before_count", before->distinct),
		BLANK("after", word_for(&dynamic_words, after->kind)), NUMBER("after_count", after->distinct));
}

/* The operators of which something of these kinds changed. */
static void put_changed_operators(struct doc *doc, const struct changes *changes, const char *heading, unsigned kinds,
	struct message (*message_for)(struct doc *doc, const struct operator_change *change))
{
	size_t count = 0;

	open_list(doc, heading);
	for (size_t i = 0; i < changes->operator_count; i++) {
		if (!(changes->operators[i].kinds & kinds))
			continue;
		if (is_shown(doc, count++)) {
			struct message message = message_for(doc, &changes->operators[i]);

			put_change_line(doc, MOOD_NONE, &message);
		}
	}
	close_list(doc, count);
}

/* --- the whole */

static void put_inputs(struct buf *out, const struct result *result)
{
	for (size_t i = 0; i < result->input_count; i++)
		buf_printf(out, "%s%.*s", i ? ", " : "", STR_ARG(result->inputs[i].name));
}

/* "before.log -> after.log" */
static struct str names_of(struct doc *doc, const struct changes *changes, struct str arrow)
{
	CLEANUP(buf_clear) struct buf names = BUF_UNLIMITED;

	put_inputs(&names, changes->before);
	buf_add(&names, arrow);
	put_inputs(&names, changes->after);
	return arena_keep(&doc->arena, buf_str(&names));
}

void changes_build(struct doc *doc, const struct changes_view *view)
{
	const struct changes *changes = view->changes;

	bool page = doc_is(doc, DOC_HTML);

	doc_say_styled(doc_in(doc, DOC_HTML), BLOCK_PARAGRAPH, SPAN_STRONG_NAME,
		names_of(doc, changes, STR(" \xe2\x86\x92 ")));
	doc_say_styled(doc_in(doc, DOC_PLAIN), BLOCK_META, SPAN_PLAIN, names_of(doc, changes, STR(" -> ")));
	open_list(doc, "diff.notes");
	for (size_t i = 0; i < changes->note_count && is_shown(doc, i); i++)
		put_change_line(doc, MOOD_NONE, &changes->notes[i]);
	close_list(doc, changes->note_count);
	changes_targets_build(doc_in(doc, DOC_HTML), changes);
	open_list(doc_in(doc, DOC_PLAIN), "report.targets");
	for (size_t i = 0; i < changes->target_count && is_shown(doc, i); i++)
		put_target(doc, &changes->targets[i]);
	close_list(doc, changes->target_count);
	put_gate(doc, view);
	put_causes(doc, changes, true);
	put_causes(doc, changes, false);
	if (page)
		changes_operators_build(doc, changes);
	if (page && changes->same_dumps)
		put_statuses(doc, changes);
	if (!page) {
		put_statuses(doc, changes);
		put_changed_operators(doc, changes, "report.operators", CHANGE_OPERATOR_ADDED | CHANGE_OPERATOR_REMOVED,
			presence_message);
		put_changed_operators(doc, changes, "diff.shares", CHANGE_OPERATOR_SHARE, share_message);
		put_changed_operators(doc, changes, "report.shapes", CHANGE_OPERATOR_SHAPES, shapes_message);
	}
	if (changes->finding_count || changes->operator_count)
		return;
	doc_section(doc, NULL);
	doc_say_label(doc, BLOCK_PARAGRAPH, "diff.nothing");
	doc_close(doc);
}

void changes_put(
	const struct changes_view *view, enum doc_format format, const struct render_options *options, struct buf *out)
{
	struct doc doc;

	if (format == DOC_TEXT && options->view != VIEW_WHOLE) {
		changes_screen(view, options, out);
		return;
	}
	doc = doc_new(format, options);
	doc_open(&doc, BLOCK_HEADER);
	doc_title(&doc, "diff.title");
	doc_close(&doc);
	doc_close(&doc);
	doc_open(&doc, BLOCK_MAIN);
	changes_build(&doc, view);
	doc_close(&doc);
	html_put_page(&doc, view->changes->after, "diff.title", out);
}
