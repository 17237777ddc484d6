#pragma once
/*
 * Sums up the places where the host waits for values of the device (src-dynamic): those in a loop that trains stay
 * rows of their own, the others of a script become one row.
 */
#include "scan/find/check.h"

/* Sums up the places of each script, after all are there. */
void stops_sum(struct check *check);
