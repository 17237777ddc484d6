#include "report/changes_lines.h"

#include <stdlib.h>

#include "base/mem.h"
#include "report/text_page.h"

bool changes_fail(const struct changes_view *view)
{
	for (unsigned i = 0; i < FAIL_WORDS; i++) {
		if (view->fail_on >> i & 1 && changes_count(view->changes, (enum change_word)i))
			return true;
	}
	return false;
}

static void put_inputs(const struct result *result, struct buf *out)
{
	for (size_t i = 0; i < result->input_count; i++)
		buf_printf(out, "%s%.*s", i ? ", " : "", STR_ARG(result->inputs[i].name));
}

void change_put_names(const struct changes *changes, const char *arrow, struct buf *out)
{
	put_inputs(changes->before, out);
	buf_printf(out, " %s ", arrow);
	put_inputs(changes->after, out);
}

/* --- lines */

static struct change_line *add(struct change_lines *lines, const char *heading, const char *id)
{
	struct change_line line = { .heading = heading, .severity = STR(""), .what = message_of(id) };

	MEM_PUSH(lines, line);
	return &lines->items[lines->count - 1];
}

static void add_text(struct change_lines *lines, struct change_line *line, const char *name, struct buf text)
{
	message_add_copy(&line->what, &lines->arena, name, buf_str(&text));
	buf_clear(&text);
}

static void say_notes(struct change_lines *lines, const struct changes *changes)
{
	for (size_t i = 0; i < changes->note_count; i++)
		add(lines, "diff.notes", changes->notes[i].id)->what = changes->notes[i];
}

static void say_target(struct change_lines *lines, const struct target_change *target)
{
	const struct result_target *before = target->before, *after = target->after;
	struct change_line *line;

	if (!before || !after) {
		line = add(lines, "report.targets", after ? "diff.target-added" : "diff.target-removed");
		message_add(&line->what, "target", target->id);
		message_add(&line->what, "verdict", after ? after->verdict : before->verdict);
		return;
	}
	line = add(lines, "report.targets", "diff.target");
	line->bad = target_change_is_worse(target);
	line->good = !line->bad && !str_eq(before->verdict, after->verdict);
	message_add(&line->what, "target", target->id);
	message_add(&line->what, "before", before->verdict);
	message_add(&line->what, "after", after->verdict);
	add_text(lines, line, "device_before", text_interval(before->readiness.time));
	add_text(lines, line, "device_after", text_interval(after->readiness.time));
	add_text(lines, line, "all_before", text_interval(before->coverage.time));
	add_text(lines, line, "all_after", text_interval(after->coverage.time));
}

static void say_findings(struct change_lines *lines, const struct changes *changes)
{
	for (size_t i = 0; i < changes->finding_count; i++) {
		const struct finding_change *change = &changes->findings[i];
		struct change_line *line = add(lines, change->is_new ? "diff.new" : "diff.fixed", "");

		line->what = change->finding->what;
		line->severity = change->finding->severity;
		line->share_ppm = change->finding->share_ppm;
		line->bad = change->is_new && !str_eq(line->severity, STR("note"));
		line->good = !change->is_new;
	}
}

static void say_statuses(struct change_lines *lines, const struct changes *changes)
{
	for (size_t i = 0; i < changes->operator_count; i++) {
		const struct operator_change *change = &changes->operators[i];

		for (size_t j = 0; j < change->status_count; j++) {
			const struct status_change *status = &change->statuses[j];
			struct change_line *line = add(
				lines, "diff.statuses", status->worse ? "diff.worse" : "diff.better");

			line->bad = status->worse;
			line->good = !status->worse;
			message_add(&line->what, "operator", change->name);
			message_add(&line->what, "target", status->target);
			message_add(&line->what, "before", status->before);
			message_add(&line->what, "after", status->after);
		}
	}
}

static void say_presence(struct change_lines *lines, const struct changes *changes)
{
	for (size_t i = 0; i < changes->operator_count; i++) {
		const struct operator_change *change = &changes->operators[i];
		struct change_line *line;

		if (!(change->kinds & (CHANGE_OPERATOR_ADDED | CHANGE_OPERATOR_REMOVED)))
			continue;
		line = add(lines, "report.operators", change->after ? "diff.operator-added" : "diff.operator-removed");
		message_add(&line->what, "operator", change->name);
		add_text(lines, line, "share",
			text_percent(change->after ? change->after->share_ppm : change->before->share_ppm));
	}
}

static void say_shares(struct change_lines *lines, const struct changes *changes)
{
	for (size_t i = 0; i < changes->operator_count; i++) {
		const struct operator_change *change = &changes->operators[i];
		struct change_line *line;

		if (!(change->kinds & CHANGE_OPERATOR_SHARE))
			continue;
		line = add(lines, "diff.shares", "diff.share");
		message_add(&line->what, "operator", change->name);
		add_text(lines, line, "before", text_percent(change->before->share_ppm));
		add_text(lines, line, "after", text_percent(change->after->share_ppm));
	}
}

static void say_shapes(struct change_lines *lines, const struct changes *changes)
{
	for (size_t i = 0; i < changes->operator_count; i++) {
		const struct operator_change *change = &changes->operators[i];
		struct change_line *line;

		if (!(change->kinds & CHANGE_OPERATOR_SHAPES))
			continue;
		line = add(lines, "report.shapes", "diff.shapes");
		message_add(&line->what, "operator", change->name);
		message_add(&line->what, "before", change->before->dynamic.kind);
		message_add_number(
			&line->what, &lines->arena, "before_count", (int64_t)change->before->dynamic.distinct);
		message_add(&line->what, "after", change->after->dynamic.kind);
		message_add_number(&line->what, &lines->arena, "after_count", (int64_t)change->after->dynamic.distinct);
	}
}

static void say_gate(struct change_lines *lines, const struct changes_view *view)
{
	for (unsigned i = 0; i < FAIL_WORDS; i++) {
		size_t count = changes_count(view->changes, (enum change_word)i);
		struct change_line *line;

		if (!(view->fail_on >> i & 1))
			continue;
		line = add(lines, "report.gate", count ? "diff.failed" : "diff.passed");
		line->bad = count;
		line->good = !count;
		message_add(&line->what, "word", change_word_name((enum change_word)i));
		message_add_number(&line->what, &lines->arena, "count", (int64_t)count);
	}
}

struct change_lines change_lines_of(const struct changes_view *view)
{
	struct change_lines lines = { .arena = ARENA_INIT(ARENA_UNLIMITED) };

	say_notes(&lines, view->changes);
	for (size_t i = 0; i < view->changes->target_count; i++)
		say_target(&lines, &view->changes->targets[i]);
	say_gate(&lines, view);
	say_findings(&lines, view->changes);
	say_statuses(&lines, view->changes);
	say_presence(&lines, view->changes);
	say_shares(&lines, view->changes);
	say_shapes(&lines, view->changes);
	return lines;
}

void change_lines_clear(struct change_lines *lines)
{
	free(lines->items);
	arena_clear(&lines->arena);
}
