#pragma once
/* Sets of the operators of a survey. */
#include "base/memory/arena.h"

struct survey_set {
	uint32_t *items; /* positions in the survey's operators, ascending */
	size_t count;
};

/* Append an item to a set that has room for it; it is larger than those before. */
void survey_push(struct survey_set *set, size_t item);

/* Items of a that are not in b, in arena. */
struct survey_set survey_subtract(struct arena *arena, const struct survey_set *a, const struct survey_set *b);

/* Items of a and b, which are disjoint, in arena. */
struct survey_set survey_unite(struct arena *arena, const struct survey_set *a, const struct survey_set *b);
