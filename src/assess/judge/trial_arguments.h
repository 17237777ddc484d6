#pragma once
/* Inside judge.c: calls that a kernel refuses by what an argument is (opdb/model/argument_limit.h). */
#include "assess/judge/trial.h"

/* A limit that the dump shows to be met is a condition; one that it does not tell of is left to `opcheck op`. */
void trial_arguments(struct trial *trial, const struct answer *answer);
