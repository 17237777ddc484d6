#pragma once
/* The record of a job as the API shows it. web/openapi.json describes the same. */
#include "report/doc/catalog.h"
#include "record/record.h"
#include "store/ticket.h"

struct job_view {
	struct ticket ticket;
	struct str status;             /* the ticket's, or running */
	const struct queue_look *look; /* of a running one, else NULL */
	enum lang lang;                /* of its problem */
};

extern const struct record job_record;
