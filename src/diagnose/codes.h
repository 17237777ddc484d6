#pragma once
/* Codes of errors in a line of a log: "EI0009:", "ERR01005", "error code is 507018". */
#include "base/view/str.h"

enum { CODE_ID_BYTES = 24 };

struct code {
	char id[CODE_ID_BYTES]; /* as the tables of faults have it: "ei0009", "err-005", "acl-507018", "hccl-7" */
	struct str text;        /* as in the line */
	bool certain;           /* form and place make it a code, even where no table has it */
};

/* Reads the next code at or behind *at, and moves *at past it. False at the end of the line. */
bool code_next(struct str line, size_t *at, struct code *ret);

/* The id of a code as a table of a vendor has it: "EI0009", "507018", "HCCL-7". */
void code_put_id(struct str code, char id[CODE_ID_BYTES]);

/* "HCCL" of "EI0009"; "" for other codes. */
struct str code_module(struct str code);
