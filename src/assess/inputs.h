#pragma once
/* What the dumps of an assessment say when they are looked at together. */
#include "assess/assess.h"

/* Adds to result->warnings: what was left out, dumps that are there twice, ranks of a run that are not there. The inputs of the
   result are described already. */
void inputs_compare(const struct assess_request *request, struct result *result);

/* ERR_NO_OPERATOR for tables of a device alone: says how much ran there, and what of it on the AI CPU. */
int inputs_lack_operators(const struct assess_request *request, struct err *err);
