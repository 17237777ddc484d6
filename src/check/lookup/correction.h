#pragma once
/* The correction of a wrong verdict: the line of an overlay that changes it, and an observation for the maintainers
   of the facts. */
#include "base/memory/buf.h"
#include "check/lookup/lookup.h"

struct correction {
	struct str observed; /* a status ("cpu-fallback"), or a word of observations ("cpu_fallback") */
	struct str dtypes;   /* data types it was observed with, "bf16 fp16"; "": any */
	struct str reason;   /* "": a general one */
	struct str evidence; /* an address; "": the user's own observation */
	struct str date;     /* YYYY-MM-DD */
};

/* Appends an overlay (opdb(5)), or a table of observations for `opcheck db score`, with a line for each target that
   was asked about. ERR_VALUE for an unknown word, and for a text that has tabs or line breaks. */
int correction_put(const struct lookup *lookup, const struct correction *correction, bool as_observation,
	struct buf *out, struct err *err);
