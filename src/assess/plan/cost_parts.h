#pragma once
/*
 * Inside cost.c: what a cost is computed from, and its three parts. Each part is a file: fallback.c, penalty.c and
 * places.c.
 */
#include "assess/judge/composite.h"
#include "assess/judge/readiness.h"
#include "base/limits.h"

/* Assumptions about the machine; 0: the usual ones. */
struct cost_options {
	uint64_t host_bandwidth;      /* bytes per second between host and device, each way */
	uint64_t host_slowdown_milli; /* 2000: operators take twice as long on that host as in the dump */
};

struct cost_request {
	const struct judge *judge; /* brief */
	const struct weights *weights;
	const size_t *order; /* of the operators, by share */
	const struct limits *limits;
	const struct target *targets;        /* as the result has them */
	struct judgement *const *judgements; /* per target, then in the order of the operators */
	struct cost_options options;
	const uint32_t *operators_of_uses; /* set by cost_add: whose use each is; NO_OPERATOR for other uses */
};

#define NO_OPERATOR UINT32_MAX

/*
 * Operators on the CPU: copies both ways, the computing itself, and how often a step goes there and back.
 *
 * Every call copies its tensors to the host and its result back, even next to another such call: that is what PyTorch's
 * boxed fallback does. Results are not recorded and are taken to be as large as the largest argument; a type that the
 * dump does not show has four bytes. Waiting for the device is not counted. Visits to the host with at most
 * CLOSE_OPERATORS operators on the device between them leave it idle: they are one ping-pong.
 */
enum { CLOSE_OPERATORS = 3 };

struct fallback_cache; /* bytes of the uses, counted once for all targets */
struct fallback_cache *fallback_cache_new(const struct cost_request *request, uint64_t steps);
void fallback_cache_free(struct fallback_cache *cache); /* NULL is allowed */

/* NULL when nothing runs on the CPU. */
struct result_fallback *fallback_of(struct fallback_cache *cache, size_t target, struct arena *arena);

/*
 * Kernels that are compiled for each shape: how many, and how long a first run waits for them.
 *
 * Only torch_npu does that: kernels that go through ACL's compile path (native-jit), and on chips below Ascend910B1
 * every kernel that has such a path, unless the program turns it off (SEMANTICS 3.3). One compile takes one to two
 * seconds: stalls that users measured (vllm-project/vllm-ascend issue 14324), in keeping with ten minutes for a first
 * picture of Stable Diffusion 1.5 on a 310P against 40 s without compiling (Comfy-Org/ComfyUI pull request 10050).
 */
enum { COMPILE_LO_MS = 1000, COMPILE_HI_MS = 2000 };

/* Addresses of the two reports. Static text. */
extern const char *const penalty_sources[2];

/* NULL when nothing is compiled on the target. */
struct result_compiling *penalty_of(const struct cost_request *request, size_t target, struct arena *arena);

/* How many different sets of operators and shapes the steps of a rank have, at most; false when the dump does not show
   it. */
bool penalty_graphs(const struct cost_request *request, uint64_t *ret);

/* Where in the program the operators are: fills in places of the result, by module path, or by line of source where the
   dump has no modules. A module holds what runs in the modules inside it. Operators without a place in the dump are in
   none. */
void places_add(const struct cost_request *request, struct result *result);
