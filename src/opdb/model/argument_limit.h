#pragma once
/* Calls that a kernel refuses by what one of their arguments is, not by the type of their data. */
#include "opdb/model/release.h"

struct argument_limit {
	struct argument_limit *next;
	enum target_kind target;
	struct str op;     /* "masked_fill_.Scalar" */
	struct str test;   /* what holds of a refused call, as assess/judge/call_test.h reads it */
	struct str en, zh; /* the same in words */
	unsigned chips;    /* bit i: chip_at(target, i); 0: any */
	struct str path, ref;
	unsigned source;
	bool by_release;      /* else by CANN, for kernels that call its API */
	unsigned first, last; /* places of releases, or of versions of CANN */
};
