#pragma once
/* The report of an assessment inside the service, as its job writes it. */
#include "assess/model/result.h"
#include "server/http/reply.h"
#include "server/service/order.h"

/* Append the whole page, which is stored: lists have at most that many rows. */
void page_put_assessment(const struct order *order, const struct result *result, unsigned rows, struct buf *out);
