#pragma once
/*
 * The survey of every release, for programs.
 *
 * result is that of the same assessment: its inputs, assumptions and unknown operators are shown.
 */
#include "assess/plan/survey.h"
#include "base/memory/buf.h"

/* The survey as JSON and as CSV. */
void survey_put_json(const struct survey *survey, const struct result *result, struct buf *out);
void survey_put_csv(const struct survey *survey, struct buf *out);
