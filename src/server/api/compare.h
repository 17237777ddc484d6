#pragma once
/* Two assessments beside each other: what changed, as JSON, and for a page. `opcheck diff` says the same. */
#include "server/http/reply.h"
#include "server/service/comparison.h"

/* Makes the job of before, after and form: ANSWER_LATER; 0 when the comparison is kept, or the errors of
   comparison_start. */
int compare_prepare(const struct service *service, struct request *request, const struct comparison *comparison,
	HANDLER((*answer)), struct err *err);

/* The same of what ?a= and ?b= name; and whether these are given, with the changes of ?fail_on=: ERR_ARGUMENT,
   ERR_VALUE. */
int compare_prepare_named(
	const struct service *service, struct request *request, const char *form, HANDLER((*answer)), struct err *err);
int compare_check(const struct request *request, unsigned *ret_fail_on, struct err *err);

/* Appends what it put. */
int compare_take(const struct request *request, struct buf *out, struct err *err);
