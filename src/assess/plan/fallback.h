#pragma once
/*
 * Operators on the CPU: copies both ways, the computing itself, and how often a step goes there and back.
 *
 * Every call copies its tensors to the host and its result back, even next to another such call: that is what PyTorch's
 * boxed fallback does. Results are not recorded and are taken to be as large as the largest argument; a type that the
 * dump does not show has four bytes. Waiting for the device is not counted. Visits to the host with at most
 * CLOSE_OPERATORS operators on the device between them leave it idle: they are one ping-pong.
 */
#include "assess/plan/cost_parts.h"

enum { CLOSE_OPERATORS = 3 };

struct fallback_cache; /* bytes of the uses, counted once for all targets */
struct fallback_cache *fallback_cache_new(const struct cost_request *request, uint64_t steps);
void fallback_cache_free(struct fallback_cache *cache); /* NULL is allowed */

/* NULL when nothing runs on the CPU. */
struct result_fallback *fallback_of(struct fallback_cache *cache, size_t target, struct arena *arena);
