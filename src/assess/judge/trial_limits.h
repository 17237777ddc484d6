#pragma once
/* Narrows an answer by types, chips, arguments, reports and the site. */
#include "assess/judge/trial.h"

/* Reports, limits of types, chips and arguments, and what the site itself says. */
void trial_limits(struct trial *trial, const struct answer *answer);
