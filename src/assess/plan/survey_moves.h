#pragma once
/* The smallest move: the nearest release with the fewest operators that do not run or that nothing is known of. */
#include "assess/plan/survey.h"

/* Where the user is on a target: position of the release asked for, else of the newest stable one; or SURVEY_NONE. */
struct survey_start {
	size_t release;
	bool given;
};

/* Fills in the moves; the releases are there already. */
void survey_moves(const struct survey_start starts[TARGET_COUNT], struct arena *arena, struct survey *survey);

/* Append an item to a set that has room for it; it is larger than those before. */
void survey_push(struct survey_set *set, size_t item);

/* Items of a that are not in b, in arena. */
struct survey_set survey_subtract(struct arena *arena, const struct survey_set *a, const struct survey_set *b);
