#pragma once
/*
 * A reply as libmicrohttpd sends it. Making one is mostly its headers: what has a body of the cache is kept, once it is
 * sent, for the next who asks for the same.
 */
#include "server/http/reply.h"

struct MHD_Connection;
struct MHD_Response;
struct cache;

/* Of a reply whose headers are whole, and whose body or stream it takes. The first `shared` headers are those that
   another reply of the same body has, too. NULL when memory is out. */
struct MHD_Response *response_make(
	struct cache *cache, struct reply *reply, size_t shared, struct MHD_Connection *connection);

/* When it was sent, or is not to be: the reply is as response_make was given it. NULL is allowed. */
void response_done(struct cache *cache, const struct reply *reply, size_t shared, struct MHD_Response *response);

/* For cache_new. */
void response_drop(void *response);
