#pragma once
/*
 * The survey of every release, as a document and in the other formats by their names.
 *
 * result is that of the same assessment: its inputs, assumptions and unknown operators are shown.
 */
#include "assess/plan/survey.h"
#include "report/doc/doc.h"

/* `opcheck advise`: the survey of every release. Text and Markdown list the releases that one would move to, those that
   agree as one line; all lists each one, development heads too. */
void survey_write(const struct survey *survey, const struct result *result, struct str form,
	const struct render_options *options, struct buf *out);
