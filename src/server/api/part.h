#pragma once
/* A part of a report for a page, or a view of its dump: made once, by a job, and stored beside the report. */
#include "server/http/reply.h"
#include "server/service/service.h"

/* Key of a part: the whole id of an assessment, "releases", "shapes", "questions" or one of lists.h; static text. */
struct part {
	struct str id, form;
	int (*answer)(const struct service *service, struct request *request, struct reply *reply, struct err *err);
	bool of_dump;     /* it is made of the dump as it was sent, not of the report alone */
	struct str facts; /* of advice, which reads the dump again: digest of the support database; "": none */
};

/* Returns what the store calls a form: another version may render the same report otherwise. */
struct str part_name(struct request *request, struct str form, bool translated);

/* Append it: 0. ANSWER_LATER when a job has to make it, after which `answer` takes it in the same way. Else the errors
   of the store. */
int part_take(const struct service *service, struct request *request, const struct part *part, struct buf *out,
	struct err *err);

/* Makes the job that renders what the store lacks under a name, or with facts reads the dump again. ANSWER_LATER, or
   the errors of the store. */
int part_render(const struct service *service, struct request *request, const struct part *part, struct str name,
	struct err *err);
