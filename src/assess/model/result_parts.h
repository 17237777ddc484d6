#pragma once
/* Parts of a result beside inputs, operators, targets and findings. See result.h. */
#include "assess/model/result_operator.h"

/* An operator that was not recorded and that the program calls on some of the targets. */
struct result_implied {
	struct str name;
	struct message because;          /* "implied-" and the reason */
	struct result_verdict *verdicts; /* on the targets where it is called, in their order */
	size_t verdict_count;
};

/* An operator whose gradient is worse off than the operator itself. */
struct result_gradient {
	struct str forward, backward;
	enum op_status forward_status, backward_status;
	bool recorded; /* the backward operator is in the dump */
};

/* Of a target. */
enum verdict { VERDICT_READY, VERDICT_WARNINGS, VERDICT_INCONCLUSIVE, VERDICT_BLOCKED };

/* A question that a dump leaves open and a user can answer, such as the data types in use: answers lead to different
   verdicts. */
struct result_question {
	struct str id;       /* "dtype-bf16" */
	struct message text; /* its own id is the rule */
	struct result_answer {
		struct str value; /* "yes", "no" */
		struct result_answer_verdict {
			struct str target;
			enum verdict verdict;
		} * verdicts; /* in the order of the targets */
		size_t verdict_count;
	} * answers;
	size_t answer_count;
	struct result_on_target *deciding; /* the targets whose verdict the answer changes, with what decides it */
	size_t deciding_count;
};

/* Suitability of a target. */
struct result_training {
	struct str target;
	bool recorded;        /* the dump holds a backward pass */
	enum verdict forward; /* without gradients */
	enum verdict whole;   /* with them */
	struct result_gradient *gradients;
	size_t gradient_count;
};
