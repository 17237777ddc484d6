#pragma once
/* Answers of the service in JSON: a problem, a job, an assessment. */
#include "base/memory/arena.h"

struct problem {
	struct str code, detail, hint, where;
};

struct reply {
	struct str id, status;       /* of an assessment; of a job */
	struct str self, result;     /* addresses of the job and of its assessment */
	struct problem problem, job; /* of the request; of a job that failed */
	bool has_progress;
	uint64_t read_bytes, input_bytes;
};

/* Reads an answer; what is absent or has another type is "" or 0. */
void reply_read(struct reply *ret, struct str json, struct arena *arena);
