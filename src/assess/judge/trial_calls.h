#pragma once
/* Returns whether a test holds for some recorded call of the operator. */
#include "assess/judge/call_test.h"
#include "assess/judge/trial.h"

/* HOLDS_MAYBE where the dump does not tell. Only with a profile. */
enum holds trial_test_calls(const struct trial *trial, struct str test);
