#pragma once
/* Compares two assessments. `opcheck diff` says the same. */
#include "assess/model/result.h"
#include "report/doc/catalog.h"
#include "server/jobs/job.h"
#include "server/service/service.h"

struct comparison {
	struct str before, after; /* beginnings of the ids of two assessments */
	struct str form;          /* "json", or "page": what the page of comparisons shows */
	struct str project;       /* that the client is limited to; "": none */
	enum lang lang;
	struct str fail_on; /* changes to be marked */
};

/* Fills a new job; 1 when the store has the comparison: it is the job's document. The errors of find_assessment and of
   the store. */
int comparison_start(const struct service *service, const struct comparison *asked, struct job *job, struct err *err);

struct compared {
	const struct result *before, *after;
};

/* In the job: appends what changed. ERR_VALUE for words of fail_on. */
int comparison_put_changes(
	const struct compared *compared, const struct comparison *asked, struct buf *out, struct err *err);
