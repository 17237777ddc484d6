#pragma once
/* The outcome of a job as its process writes it: a line of JSON, and the packed document behind it. */
#include "store/run.h"

struct outcome {
	struct str code, where, text, hint; /* of the error; code "": it succeeded */
	uint64_t bytes;                     /* of the document */
	struct stored_verdict *verdicts;    /* these and what follows: of a check */
	size_t verdict_count;
	struct str basis;
	int64_t shown_ppm;
	struct stored_blocker *blockers;
	size_t blocker_count;
	struct str *used;
	size_t used_count;
	struct str packed; /* the document; behind the line */
};

/* Appends it; err code 0: none. */
void outcome_put(struct buf *out, const struct outcome *outcome, const struct err *err);

/* Reads it; *ret_err has code 0 if the job succeeded. Text lives in the arena and in `text`. False: it is none. */
bool outcome_read(struct str text, struct arena *arena, struct outcome *ret, struct err *ret_err);
