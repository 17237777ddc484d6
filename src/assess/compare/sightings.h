#pragma once
/*
 * Where the operators of a dump that was made on a device were seen to run, and what proves it.
 *
 * Device time proves that kernels ran where it is the time of kernels. Tables of the autograd profiler on a PrivateUse1 device
 * measure between two events around the call, and a fallback to the CPU takes time there, too: their times prove nothing, unless
 * the table lists kernels of its own. Calls that follow another prove that it returned: one that raises ends the run.
 */
#include "assess/model/capture.h"
#include "assess/finding/finding.h"
#include "assess/model/operators.h"

/* What is seen later in this list overrules what stands before. */
enum sighted { SIGHTED_CALLED, SIGHTED_RAN, SIGHTED_DEVICE, SIGHTED_AICPU, SIGHTED_HOST, SIGHTED_RAISED };

struct sighting {
	enum sighted where;
	uint64_t tasks, aicpu_tasks, warnings, copies, exceptions;
	int64_t tasks_ns, aicpu_ns;
	struct str launch; /* a call of the runtime that is named after the operator and whose tasks are known, or "" */
	uint64_t most_calls; /* in one stream */
	bool event_times;    /* it has a device time that proves nothing */
};

/* An operator that a message of the log names and no table shows. */
struct sighted_name {
	struct str name;
	struct sighting sighting;
};

/* A kernel type that ran on the AI CPU, and no operator is known to have launched it. */
struct sighted_kernel {
	struct str type;
	uint64_t tasks;
	int64_t device_ns;
};

struct sightings {
	enum device_kind device; /* DEVICE_UNKNOWN: nothing is seen, and the lists are empty */
	struct sighting *items;  /* one an operator */
	struct sighted_name *names;
	size_t name_count;
	struct sighted_kernel *kernels;
	size_t kernel_count;
	int64_t device_ns; /* of all work on the device */
};

/* Everything in the answer lives in arena or in the profile. */
void sightings_gather(struct arena *arena, const struct profile *profile, const struct operators *operators,
	const struct assess_input *inputs, size_t input_count, struct sightings *ret);

/* A sighting as a report tells it; with the calls and the device time of the operator. */
void sighting_describe(struct arena *arena, const struct sighting *sighting, uint64_t calls, int64_t self_device_ns,
	struct result_observed *ret);

/* What was seen and must be known: work on the AI CPU, falls back to the CPU, exceptions. `operator` is that of the sighting. */
void findings_of_sighting(struct arena *arena, struct finding_list *findings, const struct sightings *all,
	const struct sighting *sighting, const struct result_operator *op);
void findings_of_kernels(struct arena *arena, struct finding_list *findings, const struct sightings *all);
