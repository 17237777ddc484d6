#pragma once
/*
 * What operators cost that run on the CPU: copies both ways, the computing itself, and how often a step goes there and back.
 *
 * Every call copies its tensors to the host and its result back, even next to another such call: that is what PyTorch's boxed
 * fallback does. Results are not recorded and are taken to be as large as the largest argument; a type that the dump does not
 * tell has four bytes. Waiting for the device is not counted.
 */
#include "assess/plan/cost.h"

/* So many operators on the device between two visits to the host leave it idle: the visits are one ping-pong. */
enum { CLOSE_OPERATORS = 3 };

struct fallback_cache;

/* Bytes of the uses are counted once for all targets. NULL is allowed for the second. */
struct fallback_cache *fallback_cache_new(const struct cost_request *request, const uint32_t *operators_of_uses);
void fallback_cache_free(struct fallback_cache *cache);

/* NULL when nothing runs on the CPU. */
struct result_fallback *fallback_of(struct fallback_cache *cache, size_t target, struct arena *arena);
