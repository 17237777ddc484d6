#pragma once
/* The answer of /metrics: counts of this process as OpenMetrics. No operator, token or address is in a label. */
#include "base/memory/buf.h"
#include "server/http/route.h"

struct metrics;

/* The table of routes outlives it. */
struct metrics *metrics_new(const struct route_table *routes);

/* NULL is allowed. */
void metrics_free(struct metrics *metrics);

/* One request that has ended. status 0: cut off; route NULL: none. */
struct metrics_request {
	const struct route *route;
	unsigned status;
	double seconds;
	uint64_t bytes; /* of its body */
};
void metrics_count(struct metrics *metrics, const struct metrics_request *request);

/* Counts of the moment. of_project: those of one project, whose token learns nothing of others. */
struct metrics_state {
	bool of_project;
	uint64_t runs;                                   /* of a project */
	uint64_t answer_bytes;                           /* that answers hold which are not sent */
	uint64_t waiting, running;                       /* jobs */
	unsigned services;                               /* on the store that live */
	uint64_t check_peak_bytes, rendering_peak_bytes; /* most memory of one job */
};

/* Appends everything, or what is of the project. */
void metrics_put(struct metrics *metrics, const struct metrics_state *state, struct buf *out);
