#pragma once
/* Whether rollups equal a recount of the runs, in either database. */
#include "store/engine/engine.h"

/* Fails the test unless each rollup has what its recount has, `after` a change. Runs that are not folded count alike: the
   rollups have all others. Returns how many rows the rollups have. */
int64_t check_recounts(struct engine *engine, const char *after);
