#pragma once
/* The gate of a comparison in words. */
#include "assess/compare/changes_gate.h"

/* fail_on: bits of enum change_word; the text names the checks and their results. */
struct changes_view {
	const struct changes *changes;
	unsigned fail_on;
};

/* Returns whether a check of fail_on fails: changes were found, or could not be seen. */
bool changes_fail(const struct changes_view *view);

/* The words of the checks that fail for the latter alone: "new, worse"; "" where changes were found. */
struct str changes_unseen(const struct changes_view *view, struct arena *arena);

/* The line of a check: "worse: passed". */
struct message change_check_line(struct arena *arena, struct change_check check, enum change_word word);
