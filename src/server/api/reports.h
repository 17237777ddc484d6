#pragma once
/* The report of an assessment in every format, and as a page: stored packed, rendered once by a job. */
#include "server/http/reply.h"

/* Put a representation of the assessment that the address names into a started reply: "page", the name of a renderer,
   or "advice.md". */
int report_put_form(
	const struct service *service, struct request *request, struct reply *reply, struct str form, struct err *err);
