#pragma once
/* Predictions compared with a device. See result.h. */
#include "assess/model/result_observed.h"
#include "opdb/model/status.h"

/* Of an operator, predicted and observed: better or worse predicted than what the device did. In the order of a report:
   what is wrong, what is right, what cannot be known; the last two only where two runs are compared. */
enum agreement_outcome {
	OUTCOME_BETTER,
	OUTCOME_WORSE,
	OUTCOME_NOT_PREDICTED, /* unknown, but observed */
	OUTCOME_AGREES,
	OUTCOME_NOT_OBSERVABLE,
	OUTCOME_DEVICE_ONLY,
	OUTCOME_NOT_SEEN,
	OUTCOME_COUNT
};

struct agreement_entry {
	struct str operator_name;
	enum agreement_outcome outcome;
	enum op_status predicted; /* OP_STATUS_COUNT: nothing was */
	enum where observed;      /* WHERE_ABSENT when it was not seen */
	bool implied;             /* device-only: the database knows that a device calls it by itself */
	uint64_t calls;           /* on the device; of a "not-seen" one in the predicted run */
	int64_t self_device_ns;
	struct message *evidence;
	size_t evidence_count;
};

struct agreement_sum {
	enum agreement_outcome outcome;
	uint64_t operators, calls;
	int64_t device_ns;
};

/* Shares of what agrees in what agrees, was predicted worse or was predicted better; -1 where there is nothing to
   share. */
struct agreement_score {
	int64_t operators_ppm, calls_ppm, time_ppm;
};

enum agreement_state { AGREEMENT_NOT_OBSERVABLE, AGREEMENT_COMPARED };

struct agreement {
	struct str target; /* whose verdicts */
	bool made_on;      /* the release that the dump itself names */
	enum agreement_state state;
	struct agreement_score score;
	struct agreement_sum *sums; /* one an outcome that occurs, in the order above */
	size_t sum_count;
	struct agreement_entry *entries; /* by outcome: what is wrong first, then by device time, calls and name */
	size_t entry_count;
};
