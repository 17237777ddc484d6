#pragma once
/* Assessments and runs as the API shows them, each as the next value. */
#include "json/jsonw.h"
#include "store/run.h"

/* An assessment, with the run that a submit made of it; NULL: none. */
void assessment_put_json(struct jsonw *json, const struct stored_assessment *record, const struct run *run);

/* A run; and a run of a trend, without what does not change with time. */
void run_put_json(struct jsonw *json, const struct run *run);
void run_put_point_json(struct jsonw *json, const struct run *run);

/* The verdict on a target, as members of an object. */
void verdict_put_json(struct jsonw *json, const struct stored_verdict *verdict);
