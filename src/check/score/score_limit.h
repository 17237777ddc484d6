#pragma once
/* Returns whether an observed row is about a limit of the answer, by the words of its detail. */
#include "check/score/observations.h"
#include "opdb/model/answer.h"

/* The refused calls that the detail is about: it names the argument, the number of dimensions that is too large, or the
   reduce operation that the backend lacks. */
bool limit_is_told(const struct observation *row, const struct answer *answer);

/* enum dtype: those of the row that an argument which the detail names does not take. */
unsigned limit_types_told(const struct observation *row, const struct answer *answer);
