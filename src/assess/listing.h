#pragma once
/* Operators by share, with times, callers and shapes, and the names that are no operators. */
#include "assess/work.h"

/* Operators by share, with times, callers and shapes, and the names that are no operators. */
void assessment_sort(struct assessment *work);
void assessment_list_operators(struct assessment *work);
void assessment_choose_shapes(struct assessment *work); /* needs no database */
void assessment_list_shapes(struct assessment *work);
void assessment_list_ignored(struct assessment *work);
