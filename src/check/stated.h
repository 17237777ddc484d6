#pragma once
/* What a user states about the program, and asks of its dump. */
#include "check/check.h"

/* Reads "fp32,bf16", which adds to what is stated, and shares such as "5%". ERR_VALUE. */
int stated_set_types(struct stated *stated, struct str list, struct err *err);
int stated_set_uncovered(struct stated *stated, struct str percent, struct err *err);
int stated_set_slow(struct stated *stated, struct str percent, struct err *err);

/* ERR_NOT_OBSERVABLE where data types are required and the result asks for them. */
int stated_allows(const struct stated *stated, const struct result *result, struct err *err);
