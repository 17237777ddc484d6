#pragma once
/* Records of runs and assessments as the API shows them. web/openapi.json describes the same. */
#include "record/record.h"
#include "store/run.h"

/* An assessment, with the run that a submit made of it; NULL: none. */
struct assessment_view {
	struct stored_assessment record;
	const struct run *run;
};

/* A run of a trend. captures_differ: its shares do not compare with those of the run before on its branch. */
struct run_point {
	struct run run;
	bool captures_differ;
};

extern const struct record run_record;        /* struct run */
extern const struct record run_point_record;  /* without what does not change with time */
extern const struct record assessment_record; /* struct assessment_view */

/* Keys of the verdict on a target: struct stored_verdict. */
extern const struct record target_verdict_record;
