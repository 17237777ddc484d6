#pragma once
/* What was seen on a device, as a report states it. */
#include "assess/compare/observations.h"

/* An observation as a report states it; with the calls and the device time of the operator. */
void observation_describe(struct arena *arena, const struct observation *observation, uint64_t calls,
	int64_t self_device_ns, struct result_observed *ret);

/* What must be known of it: work on the AI CPU, falls back to the CPU, exceptions. op is that of the observation. */
void findings_of_observation(struct finding_list *findings, const struct observations *all,
	const struct observation *observation, const struct result_operator *op);
void findings_of_kernels(struct finding_list *findings, const struct observations *all);
