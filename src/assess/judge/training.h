#pragma once
/* Training on a target. */
#include "assess/judge/implied.h"

/*
 * Judge whether a target is suitable for training, or for inference alone.
 *
 * The gradient of an operator calls backward operators (PyTorch's derivatives.yaml, opdb/torch/gradients.tsv). Where
 * the dump holds a backward pass they were recorded and judged as such; otherwise they are looked up, and the answer
 * says what would happen if the same program were trained. hidden: the capture may hide operators.
 *
 * Fills result->training from the judgements on each target. ERR_DB_DAMAGED, ERR_LIMIT.
 */
int training_judge(const struct implied_request *request, bool hidden, struct result *result, struct err *err);
