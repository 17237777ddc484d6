#pragma once
/* Narrow an answer to the overloads that are called. */
#include "assess/judge/trial.h"

/* The only overload that the calls can be, to be asked for; "" when there are several, or it has no name. */
struct str trial_only_overload(const struct trial *trial);

/* Narrows the answer to the overloads that the calls fit, or widens it to all that may be called. */
void trial_overloads(struct trial *trial, const struct answer *answer);
