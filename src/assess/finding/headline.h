#pragma once
/*
 * The headline of a target: one word for its verdict, the cause behind most of it, and what to do first. Texts are
 * "headline-..." in web/i18n; operators of ATen stand there without their namespace.
 */
#include "assess/finding/tally.h"

/* Set the headline of the target, whose verdict and fixes are there. */
void headline_put(const struct reason_request *request, struct result *result);

/* "segment_reduce" of "aten::segment_reduce". */
struct str headline_name(struct str name);

/* Fill in a headline that a report of an earlier version lacks, from its verdict. */
void headline_complete(struct result_target *target);
