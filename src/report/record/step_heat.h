#pragma once
/* In which steps operators meet new shapes: rows of operators, first what changes by itself, then what follows from
   another one, both by share; columns of steps. */
#include "assess/model/result.h"

enum { HEAT_ROWS = 16, HEAT_COLUMNS = 48 }; /* more steps share columns */

struct step_heat {
	const struct result_operator *ops[HEAT_ROWS];
	size_t count;
	uint32_t last, per_column;               /* number of the last step; steps in a column */
	uint32_t columns;                        /* 0: there is one step alone, and nothing to show */
	uint64_t fresh[HEAT_ROWS][HEAT_COLUMNS]; /* shapes that the operator meets there for the first time */
	uint64_t most;
};

struct step_heat step_heat_of(const struct result *result);
