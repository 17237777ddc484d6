#pragma once
/* The work of a job, in its process. */
#include "assess/model/result.h"
#include "server/service/order.h"
#include "server/service/service.h"

/* The surroundings of a job, set before it reads bytes of a client. */
struct workshop {
	const struct service *service;
	/* Appends the page of a report, with lists of at most that many rows. */
	void (*put_page)(const struct order *order, const struct result *result, unsigned rows, struct buf *out);
	/* Called between opening what the service has and reading what a client sent. */
	int (*shut_in)(const struct service *service, uint64_t memory_bytes, struct err *err);
};

/* Confines the process to that memory and what else the limits allow; for shut_in. */
int work_shut_in(const struct service *service, uint64_t memory_bytes, struct err *err);

/* Open the support database, anew when its file has changed; do a job with its descriptors in their places. Both for
   struct spawner_work; ctx: a workshop. */
void work_prepare(const void *ctx, uint64_t number);
int work_run(const void *ctx, unsigned kind);

/* Does it with these descriptors and appends the outcome. The dump of a check is standard input. */
void work_perform(const struct workshop *shop, enum job_kind kind, const int *files, struct buf *outcome);
