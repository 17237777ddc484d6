#pragma once
/* Sentences about costs (assess/model/result_cost.h). */
#include "assess/model/result.h"

enum { COST_LINES = 4 };

/* What the CPU costs on a target, what compiling costs there; texts live in arena. They return how many. */
size_t costs_say_host_transfers(const struct result *result, const struct result_target *target, struct arena *arena,
	struct message ret[COST_LINES]);
size_t costs_say_compiling(const struct result_target *target, struct arena *arena, struct message ret[COST_LINES]);

/* "48.0 kB", of bytes divided by parts; "0.512 ms" of nanoseconds. */
struct str costs_bytes(struct arena *arena, uint64_t bytes, uint64_t parts);
struct str costs_ms(struct arena *arena, int64_t ns, uint64_t parts);

/* What of a place's time is not certain to be on the device, on the target where that is most. */
int64_t costs_off_device(const struct result_place *place, size_t target_count);
