#pragma once
/*
 * What a dump that was made on a device shows beside what opcheck foretells. See result.h.
 *
 * An observation is told by what proves it. Device time of kernels, or kernels that are known, prove that an operator
 * ran on the device. That its name was recorded proves that it was called, and calls that follow each other that those
 * before returned. What is not there proves nothing.
 */
#include "assess/model/message.h"

/* Where a dump was made; kind is "" where it does not tell, or where that is no device of ours. */
struct result_device {
	struct str kind, sign;                /* "npu"; what tells: "columns" ... */
	struct str torch, plugin, cann, chip; /* "" where the dump does not say */
	struct str release;                   /* the target that it was made on, "" when unknown */
};

/* Where an operator was seen to run: "device", "ai-cpu", "host", "raised", "ran" (somewhere), "called"; "" in other
   dumps. */
struct result_observed {
	struct str where;
	struct message *evidence; /* what proves it */
	size_t evidence_count;
};

/*
 * An operator, foretold and observed. Outcomes: "agrees"; "predicted-worse" and "predicted-better" than what the device
 * did; "not-predicted" (unknown, but seen); "not-observable". When two runs are compared also "not-seen" and
 * "device-only".
 */
struct agreement_entry {
	struct str operator_name, outcome;
	struct str predicted; /* the status; "" where there is none */
	struct str observed;  /* as where; "absent" when not seen */
	bool implied;         /* device-only: the database knows that a device calls it by itself */
	uint64_t calls;       /* on the device; of a "not-seen" one in the predicted run */
	int64_t self_device_ns;
	struct message *evidence;
	size_t evidence_count;
};

struct agreement_sum {
	struct str outcome;
	uint64_t operators, calls;
	int64_t device_ns;
};

/* Shares of what agrees in what agrees, was predicted worse or was predicted better; -1 where there is nothing to
   share. */
struct agreement_score {
	int64_t operators_ppm, calls_ppm, time_ppm;
};

struct agreement {
	struct str target; /* whose verdicts */
	bool made_on;      /* the release that the dump itself names */
	struct str state;  /* "compared", "not-observable" */
	struct agreement_score score;
	struct agreement_sum *sums; /* one an outcome that occurs, in the order above */
	size_t sum_count;
	struct agreement_entry *entries; /* by outcome: what is wrong first, then by device time, calls and name */
	size_t entry_count;
};
