#pragma once
/* Known faults of runs on a device: their lines in a log, cause and remedy. The table is opdb/faults/faults.tsv. */
#include "base/memory/mem.h"
#include "base/setup/err.h"
#include "base/view/str.h"

struct fault {
	struct str id, target;        /* "npu", "musa", "any" */
	struct str kind;              /* "fallback", "dtype", "versions", "memory" ... */
	struct str match;             /* texts of a line, any of them; '*' matches anything, '|' separates two */
	struct str sample;            /* a line that has it */
	struct str cause[2], cure[2]; /* by enum lang */
	struct str sources;           /* addresses, joined by blanks */
};

struct fault_book {
	MEM_LIST(struct fault) faults;
};

/* Reads the text in the program. ERR_INTERNAL for a malformed row. Clear it in any case. */
int fault_book_open(struct fault_book *ret, struct err *err);
void fault_book_clear(struct fault_book *book);

/* Returns whether the line shows the fault. A text that ends with a digit does not match a longer number. */
bool fault_shows(const struct fault *fault, struct str line);
