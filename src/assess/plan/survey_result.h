#pragma once
/* What a report keeps of a survey. */
#include "assess/plan/survey.h"

void survey_put_releases(const struct survey *survey, struct arena *arena, struct result_releases *ret);
