#pragma once
/*
 * Versions of PyTorch that print tables like those of a dump.
 *
 * Each table narrows a range of eras; what a dump shows may fit several. Sources: the table code of the versions,
 * FORMATS 1.2, and for 1.13 and 2.13 tables that were printed by them.
 */
#include "dump/table/layout.h"
#include "dump/table/row.h"

struct era {
	int first, last;     /* positions in the list of eras, both inclusive */
	unsigned whole_us;   /* rows whose self time is in microseconds without a fraction */
	bool fraction_of_us; /* a clock of nanoseconds: 2.3 or later */
};

struct era era_any(void);

void era_narrow_by_layout(struct era *era, const struct layout *layout);
void era_narrow_by_row(struct era *era, const struct table_row *row);

/* Write "1.10-2.2", "1.6" or "2.8+"; "" without signs, or with contradictory ones. */
void era_text(const struct era *era, char *ret, size_t size);
