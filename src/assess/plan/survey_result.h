#pragma once
/* The part of a survey that a report keeps. */
#include "assess/plan/survey.h"

void survey_put_releases(const struct survey *survey, struct arena *arena, struct result_releases *ret);
