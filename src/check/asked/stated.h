#pragma once
/* Statements of a user about the program, and demands on its dump. */
#include "assess/assess.h"

struct stated {
	unsigned types;            /* enum dtype that the program computes in; 0: not stated */
	bool uncovered_given;      /* else the usual limit holds */
	int64_t max_uncovered_ppm; /* of the time that is of no operator */
	bool slow_given;
	int64_t slow_ppm; /* of the time on the host or the AI CPU: from there on it warns */
	bool require_dtypes;
};

/* Reads "fp32,bf16", which adds to what is stated, and shares such as "5%". ERR_VALUE. */
int stated_set_types(struct stated *stated, struct str list, struct err *err);
int stated_set_uncovered(struct stated *stated, struct str percent, struct err *err);
int stated_set_slow(struct stated *stated, struct str percent, struct err *err);

/* ERR_NOT_OBSERVABLE where data types are required and the result asks for them. */
int stated_allows(const struct stated *stated, const struct result *result, struct err *err);
