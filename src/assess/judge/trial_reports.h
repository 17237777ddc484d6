#pragma once
/* Reports of crashes and wrong results about the calls of an operator. */
#include "assess/judge/trial.h"

/* Reports of crashes and wrong results that are about such calls, which change no status; types that the plugin's own
   tests do not run, which widen it. */
void trial_reports(struct trial *trial, const struct answer *answer);
