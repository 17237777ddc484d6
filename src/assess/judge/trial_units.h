#pragma once
/* Which calls of an operator run on the AI CPU of an NPU: what their types, shapes, values and strides decide. */
#include "assess/judge/trial.h"

/* Which of the calls run on the AI CPU. */
void trial_units(struct trial *trial, const struct answer *answer);
