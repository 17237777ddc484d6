#pragma once
/*
 * Answers beside the report, each in the forms of a document, as JSON and as CSV.
 *
 * result is that of the same assessment: it tells what was read, what was assumed, and of which operators nothing is
 * known.
 */
#include "assess/compare/comparison.h"
#include "assess/plan/survey.h"
#include "assess/shape/buckets.h"
#include "report/render.h"

/* `opcheck buckets`: the bucket plan. */
void buckets_write(const struct bucket_list *list, const struct result *result, struct str form,
	const struct render_options *options, struct buf *out);           /* any of them by its name: "json", "md" */
void bucket_place_put(struct buf *out, const struct bucket_place *place); /* "aten::mm[0][1]" */

/* `opcheck advise`: the survey of every release. Text and Markdown list the releases that one would move to, those that
   agree as one line; all lists each one, development heads too. */
void survey_write(const struct survey *survey, const struct result *result, struct str form,
	const struct render_options *options, struct buf *out);
void survey_put_json(const struct survey *survey, const struct result *result, struct buf *out);
void survey_put_csv(const struct survey *survey, struct buf *out);

/* `opcheck compare`: a prediction beside a run on the device. */
void comparison_put(const struct comparison *comparison, enum doc_format format, const struct render_options *options,
	struct buf *out);
void comparison_put_csv(const struct comparison *comparison, struct buf *out);  /* a row for each operator */
void comparison_put_json(const struct comparison *comparison, struct buf *out); /* schema/comparison.schema.json */
