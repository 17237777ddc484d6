#pragma once
/* The survey of every release in its own five forms; it is no part of the report. */
#include "assess/plan/survey.h"
#include "report/render.h"

/* result is that of the same assessment: it tells what was read and what was assumed. Text and Markdown list the releases
   that one would move to, those that agree as one line; all lists each one, development heads too. */
void survey_put_text(const struct survey *survey, const struct result *result, const struct render_options *options,
	struct buf *out);
void survey_put_md(const struct survey *survey, const struct result *result, const struct render_options *options,
	struct buf *out);
void survey_put_json(const struct survey *survey, const struct result *result, struct buf *out);
void survey_put_csv(const struct survey *survey, struct buf *out);
void survey_put_html(const struct survey *survey, const struct result *result, const struct render_options *options,
	struct buf *out);
