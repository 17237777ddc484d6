#pragma once
/* The survey of every release in its own five forms; it is no part of the report. */
#include "assess/model/result.h"
#include "assess/plan/survey.h"
#include "report/doc.h"

/* result is that of the same assessment: it tells what was read and what was assumed. Text and Markdown list the
   releases that one would move to, those that agree as one line; all lists each one, development heads too. */
void survey_put(const struct survey *survey, const struct result *result, enum doc_format format,
	const struct render_options *options, struct buf *out);
void survey_put_json(const struct survey *survey, const struct result *result, struct buf *out);
void survey_put_csv(const struct survey *survey, struct buf *out);
