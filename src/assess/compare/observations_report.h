#pragma once
/* Observations on a device, in the form of a report. */
#include "assess/compare/observations.h"

/* An observation as a report states it; with the calls and the device time of the operator. */
void observation_describe(struct arena *arena, const struct observation *observation, uint64_t calls,
	int64_t self_device_ns, struct result_observed *ret);

/* Required facts: work on the AI CPU, fallback to the CPU, exceptions. op is that of the observation. */
void findings_of_observation(struct finding_list *findings, const struct observations *all,
	const struct observation *observation, const struct result_operator *op);
void findings_of_kernels(struct finding_list *findings, const struct observations *all);
