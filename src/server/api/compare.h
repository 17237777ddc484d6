#pragma once
/* Two assessments beside each other: what changed, as JSON, and for a page. `opcheck diff` says the same. */
#include "assess/model/result.h"
#include "server/http/reply.h"
#include "server/service/service.h"

HANDLER(answer_compare);

struct compared {
	const struct result *before, *after;
	struct str form; /* "json", or "page": what the page of comparisons shows */
};

/* Appends what changed, with the parameters of the request. ERR_VALUE for words of ?fail_on=. */
int compare_put(const struct request *request, struct compared compared, struct buf *out, struct err *err);

/* What to compare: beginnings of the ids of two assessments, the form as above, and who answers then. */
struct comparison {
	struct str before, after, form;
	int (*answer)(const struct service *service, struct request *request, struct reply *reply, struct err *err);
};

/* Makes the job: ANSWER_LATER, or the errors of answer_resolve and of the store. */
int compare_prepare(
	const struct service *service, struct request *request, const struct comparison *comparison, struct err *err);

/* The same of what ?a= and ?b= name; and the tag of that comparison. ERR_ARGUMENT without them, ERR_VALUE for words of
   ?fail_on=. */
int compare_prepare_named(
	const struct service *service, struct request *request, const char *form, HANDLER((*answer)), struct err *err);
int compare_tag(const struct request *request, struct buf *tag, struct err *err);

/* Appends what it put. */
int compare_take(const struct request *request, struct buf *out, struct err *err);
