#pragma once
/*
 * The layout of rows whose header was lost: the tail of a table in a cut log, or rows pasted into a message.
 */
#include "dump/table/layout.h"

/* Infers the columns from the kinds of cells of one line: a name, then share, time, share, time, time, as every version since
   1.2 prints the CPU, then whatever device, memory, calls, shapes and flops cells follow. False when line is no such row. */
bool layout_guess(struct str line, struct layout *ret);
