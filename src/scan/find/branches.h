#pragma once
/*
 * Programs that serve several devices: beside what is for CUDA they have a branch of an if, a side of a choice or an
 * entry of a list for the target. An edit there would break what works.
 */
#include "scan/find/check.h"

/* Marks the places that a program with a branch for the target does not come to there: after all others. */
void check_branches(struct check *check);
