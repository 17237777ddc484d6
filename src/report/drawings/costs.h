#pragma once
/* Sentences about costs (assess/model/result_cost.h). */
#include "assess/model/result.h"

enum { COST_LINES = 4 };

/* Costs of the CPU on a target, costs of compiling there; texts live in arena. Return their number. */
size_t costs_say_host_transfers(const struct result *result, const struct result_target *target, struct arena *arena,
	struct message ret[COST_LINES]);
size_t costs_say_compiling(const struct result_target *target, struct arena *arena, struct message ret[COST_LINES]);

/* "48.0 kB", of bytes divided by parts; "0.512 ms" of nanoseconds. */
struct str costs_bytes(struct arena *arena, uint64_t bytes, uint64_t parts);
struct str costs_ms(struct arena *arena, int64_t ns, uint64_t parts);

/* Time of a module or line that is not certainly on the device, on the target with the most. */
int64_t costs_off_device(const struct result_place *place, size_t target_count);
