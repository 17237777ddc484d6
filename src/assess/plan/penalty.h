#pragma once
/*
 * Kernels that are compiled for each shape: how many, and how long a first run waits for them.
 *
 * Only torch_npu does that: kernels that go through ACL's compile path (native-jit), and on chips below Ascend910B1
 * every kernel that has such a path, unless the program turns it off (SEMANTICS 3.3). One compile takes one to two
 * seconds: stalls that users measured (vllm-project/vllm-ascend issue 14324), in keeping with ten minutes for a first
 * picture of Stable Diffusion 1.5 on a 310P against 40 s without compiling (Comfy-Org/ComfyUI pull request 10050).
 */
#include "assess/plan/cost_parts.h"

enum { COMPILE_LO_MS = 1000, COMPILE_HI_MS = 2000 };

/* Addresses of the two reports. Static text. */
extern const char *const penalty_sources[2];

/* NULL when nothing is compiled on the target. */
struct result_compiling *penalty_of(const struct cost_request *request, size_t target, struct arena *arena);

/* The largest number of different sets of operators and shapes in the steps of a rank; false if the dump does not
   show it. */
bool penalty_graphs(const struct cost_request *request, uint64_t *ret);
