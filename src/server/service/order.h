#pragma once
/* The message of a job: what its process is given, as JSON on one line; a ticket keeps it. */
#include "report/doc/catalog.h"
#include "server/jobs/job.h"
#include "server/service/submission.h"

struct order {
	struct str assessment;   /* id: of the check, or of the report that is rendered */
	struct str input_sha256; /* of the dump */
	uint64_t input_bytes;
	bool stored;     /* the dump was kept before, and its digest is checked */
	struct str form; /* of what is rendered (rendering.h) */
	enum lang lang;
	bool lang_given;
	struct str fail_on; /* of a comparison */
	struct str facts;   /* digest of the support database that the answer is stored under */
	struct submission submission;
};

/* Gives a job its order; with room for its outcome. Errors are of the store. */
void order_put(const struct order *order, struct job *job);
int order_give(const struct order *order, struct job *job, struct store *store, struct err *err);

/* Gives a job the report of an assessment as the file of a place. ERR_ADDRESS. */
int order_give_report(struct store *store, struct str id, struct job *job, size_t place, struct err *err);

/* Reads one, also one of version 0.1. ERR_STORE_DAMAGED. */
int order_read(struct str text, struct arena *arena, struct order *ret, struct err *err);
