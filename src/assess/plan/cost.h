#pragma once
/*
 * Consequences of the verdicts for a port: the plan to ready, compilations, visits to the CPU, and their modules and
 * lines.
 */
#include "assess/plan/cost_parts.h"

enum { USUAL_SLOWDOWN_MILLI = 1000 };
#define USUAL_BANDWIDTH UINT64_C(12000000000) /* of about 16 GB/s that PCIe 3.0 x16 has, what programs see of it */

/* "12GB/s", "900MB/s"; not "25e9". Decimal units. ERR_VALUE. */
int cost_parse_bandwidth(struct str text, uint64_t *ret, struct err *err);

/* "1.5". ERR_VALUE. */
int cost_parse_slowdown(struct str text, uint64_t *ret_milli, struct err *err);

/* Fills in what result_cost.h describes; operators and targets of the result are there. ERR_DB_DAMAGED, ERR_LIMIT. */
int cost_add(const struct cost_request *request, struct result *result, struct err *err);
