#pragma once
/*
 * Where the operators of a dump that was made on a device were seen to run, and what proves it.
 *
 * Device time proves that kernels ran where it is the time of kernels. Tables of the autograd profiler on a PrivateUse1
 * device measure between two events around the call, and a fallback to the CPU takes time there, too: their times prove
 * nothing, unless the table lists kernels of its own. Calls that follow another prove that it returned: one that raises
 * ends the run.
 */
#include "assess/finding/finding.h"
#include "assess/model/capture.h"
#include "assess/model/operators.h"

struct observation {
	enum where where; /* what proves a later one overrules what proves an earlier one */
	uint64_t tasks, aicpu_tasks, warnings, copies, exceptions;
	int64_t tasks_ns, aicpu_ns;
	struct str launch; /* a call of the runtime that is named after the operator and whose tasks are known, or "" */
	uint64_t most_calls; /* in one stream */
	bool event_times;    /* it has a device time that proves nothing */
};

/* An operator that a message of the log names and no table shows. */
struct named_observation {
	struct str name;
	struct observation observation;
};

/* A kernel type that ran on the AI CPU, and no operator is known to have launched it. */
struct observed_kernel {
	struct str type;
	uint64_t tasks;
	int64_t device_ns;
};

struct observations {
	enum device_kind device;   /* DEVICE_UNKNOWN: nothing is seen, and the lists are empty */
	struct observation *items; /* one an operator */
	struct named_observation *names;
	size_t name_count;
	struct observed_kernel *kernels;
	size_t kernel_count;
	int64_t device_ns;  /* of all work on the device */
	bool slow;          /* so much of it ran on the AI CPU that it warns */
	struct err failure; /* facts that could not be read; its code is 0 while all could */
};

/* Observations of operators in the judge's profile, to which the inputs were added. Everything in the answer lives
   in arena or in the profile. A judge without a resolver links launches to operators by their names alone. */
void observations_gather(struct arena *arena, const struct judge *judge, const struct assess_input *inputs,
	size_t input_count, struct observations *ret);
