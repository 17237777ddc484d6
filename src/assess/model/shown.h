#pragma once
/* Share of a run's time that its dumps show: time of operators, of work launched by none, and beyond the rows. */
#include "assess/model/capture.h"

/* Of one dump: by what launched the work on the device, and of the host what the rows of its tables hold. */
struct result_device_time shown_device_time(
	const struct assess_input *input, const struct profile *profile, const struct operators *operators);
struct result_host_time shown_host_time(const struct assess_input *input, const struct profile *profile);

/* Nanoseconds in the basis that belong to no operator and to no collective; those of a run that several dumps show
   count once. */
struct shown_request {
	const struct assess_input *inputs;
	size_t input_count;
	const struct profile *profile;
	const struct operators *operators;
	enum basis basis;
};
int64_t shown_uncovered(const struct shown_request *request);
