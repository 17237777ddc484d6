#pragma once
/* Signals between services on one database. PostgreSQL alone has them. */
#include "store/engine/engine.h"

/* Hears "work": a job may be claimed; "end TICKET": that job is over; "change": of what lists show; "services":
   one starts or ends. The last two also when signals may have been missed. */
struct engine_ear {
	unsigned ms; /* to wait at most, or until fd can be read */
	int fd;
	void (*hear)(void *ctx, struct str signal);
	void *ctx;
};
int engine_listen(struct engine *engine, const struct engine_ear *ear, struct err *err);
