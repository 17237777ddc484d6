#pragma once
/*
 * The head of a request, out of libmicrohttpd and into struct request. A head that two programs in a row could read
 * differently is refused (RFC 9112): a proxy would pass on one request, and this service answer two.
 */
#include "server/http/request.h"

struct MHD_Connection;

/* Fills method, path, headers, parameters and `forwarded`. The target may be a whole URI; its authority is the host
   then. ERR_HTTP for a head with two meanings: the connection must be closed behind the answer. ERR_VALUE for a broken
   escape in the query. */
int head_read(struct MHD_Connection *connection, struct request *request, const char *target, struct err *err);
