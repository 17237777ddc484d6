#pragma once
/* Calls by name of operators of another backend. */
#include "assess/judge/trial.h"

/* Returns whether the program itself calls the operator, which belongs to another backend, by name: no composite in
   the dump chose it. */
bool trial_called_by_name(const struct judge *judge, const struct op *op);

/* Widens an answer that holds only if a composite in rows that are missing chose the operator. */
void trial_reading(struct trial *trial, const struct answer *answer);
