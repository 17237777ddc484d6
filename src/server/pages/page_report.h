#pragma once
/* The report of an assessment inside the service, as its job writes it. */
#include "assess/model/result.h"
#include "server/http/reply.h"
#include "server/http/request.h"

HANDLER(page_assessment);

/* Append the whole page, with lists of at most that many rows; the request has its address. */
void page_put_assessment(const struct request *request, const struct result *result, unsigned rows, struct buf *out);

/* Append that part of a report as HTML; empty where the report has nothing of it. False: it has no such part. */
bool part_put(struct str form, enum lang lang, const struct result *result, struct buf *out);
