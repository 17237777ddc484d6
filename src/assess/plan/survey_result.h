#pragma once
/* The releases of a result, made of a survey. */
#include "assess/plan/survey.h"

/* whole: with every name, as `advise` shows them; else those of a report. */
void survey_put_releases(const struct survey *survey, struct arena *arena, bool whole, struct result_releases *ret);
