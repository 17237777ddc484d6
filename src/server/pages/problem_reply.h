#pragma once
/* Errors as HTTP answers: application/problem+json, or a page for a browser. */
#include "server/http/reply.h"
#include "server/service/service.h"

/* Turn the reply into the problem. */
void problem_reply(const struct service *service, struct request *request, struct reply *reply, const struct err *err);
