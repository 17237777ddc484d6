#pragma once
/* Limits of types, of chips and of the site. */
#include "assess/judge/trial.h"

/* Reports, limits of types and chips, and what the site itself says. */
void trial_limits(struct trial *trial, const struct answer *answer);
