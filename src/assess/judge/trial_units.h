#pragma once
/* Calls of an operator that run on the AI CPU of an NPU, by their types, shapes, values and strides. */
#include "assess/judge/trial.h"

/* Judge which of the calls run on the AI CPU. */
void trial_units(struct trial *trial, const struct answer *answer);
