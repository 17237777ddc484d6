#include "report/answers/changes_gate.h"

#include "base/memory/mem.h"

bool changes_fail(const struct changes_view *view)
{
	return ANY(i, FAIL_WORDS,
		view->fail_on >> i & 1 && change_check_fails(changes_check(view->changes, (enum change_word)i)));
}

struct str changes_unseen(const struct changes_view *view, struct arena *arena)
{
	struct str words = STR("");

	for (unsigned i = 0; i < FAIL_WORDS; i++) {
		struct change_check check = changes_check(view->changes, (enum change_word)i);

		if (!(view->fail_on >> i & 1))
			continue;
		if (check.count)
			return STR("");
		if (check.unseen)
			words = arena_printf(arena, "%.*s%s%.*s", STR_ARG(words), words.len ? ", " : "",
				STR_ARG(change_word_name((enum change_word)i)));
	}
	return words;
}

static const struct {
	const char *note, *line;
} unseen_lines[] = {
	{ "diff.basis", "diff.failed-basis" },
	{ "diff.captures", "diff.failed-captures" },
	{ "diff.no-target", "diff.failed-no-target" },
	{ "diff.no-operator", "diff.failed-no-operator" },
	{ "diff.no-shapes", "diff.failed-no-shapes" },
};

struct message change_check_line(struct arena *arena, struct change_check check, enum change_word word)
{
	struct message line = check.unseen ? *check.unseen : message_of(check.count ? "diff.failed" : "diff.passed");

	for (size_t i = 0; check.unseen && i < ARRAY_SIZE(unseen_lines); i++) {
		if (strcmp(check.unseen->id, unseen_lines[i].note) == 0)
			line.id = unseen_lines[i].line;
	}
	message_add(&line, "word", change_word_name(word));
	message_add_number(&line, arena, "count", (int64_t)check.count);
	return line;
}
