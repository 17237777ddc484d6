#pragma once
/*
 * Known faults of runs on a device: their lines in a log, cause and remedy. opdb/faults/faults.tsv has those known by
 * their text, opdb/faults/codes.tsv the codes of the vendors' tables.
 */
#include "base/memory/arena.h"
#include "base/memory/mem.h"
#include "base/setup/err.h"

/* In the order of an answer: a cause, the sign of one elsewhere, an error that only wraps another, a warning. */
enum fault_level { FAULT_CAUSE, FAULT_SYMPTOM, FAULT_WRAPPER, FAULT_NOTE, FAULT_LEVELS };
extern const struct str fault_level_names[FAULT_LEVELS];

struct fault {
	struct str id, target; /* "npu", "musa", "any" */
	struct str kind;       /* "fallback", "dtype", "versions", "memory" ... */
	enum fault_level level;
	struct str match;             /* texts of a line, any of them; '*' matches anything, '|' separates two */
	struct str sample;            /* a line that has it */
	struct str cause[2], cure[2]; /* by enum lang */
	struct str sources;           /* addresses, joined by blanks */
};

struct fault_book {
	struct arena arena;
	MEM_LIST(struct fault) faults; /* those known by their text, then those known by their code */
	size_t by_text;
	MEM_LIST(const struct fault *) by_id;
};

/* Reads the texts in the program. ERR_INTERNAL or ERR_FACT for a malformed row. Clear it in any case. */
int fault_book_open(struct fault_book *ret, struct err *err);
void fault_book_clear(struct fault_book *book);

/* Returns whether the line shows a fault known by its text. A text that ends with a digit does not match a longer
   number. */
bool fault_shows(const struct fault *fault, struct str line);

/* Returns the position of a fault by its id, that of a code in lower case; STR_NONE without one. */
size_t fault_of_id(const struct fault_book *book, struct str id);
