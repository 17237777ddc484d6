#pragma once
/*
 * Errors as HTTP answers: application/problem+json (RFC 9457), or a page for a browser. /problems/CODE describes each.
 *
 * Errors of an input have its position; errors of the service itself never show a path.
 */
#include "json/jsonw.h"
#include "server/reply.h"
#include "server/service.h"

/* The HTTP status for an error code. */
unsigned problem_status(int code);

/* Puts the members of a problem that are the error's, inside of an object. */
void problem_put_members(struct jsonw *json, enum lang lang, const struct err *err);

/* Turns the reply into the problem. */
void problem_reply(const struct service *service, struct request *request, struct reply *reply, const struct err *err);
