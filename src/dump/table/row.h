#pragma once
/*
 * One line of a profiler table as a row.
 *
 * A line is sliced where the dashes say, in code points. If that does not give cells that all match the grammar of
 * their columns, it is split from the right at runs of blanks, tabs or bars, then word by word: tables lose their
 * dashes, their indent and their double blanks on the way through editors, mails and web pages.
 */
#include "dump/table/layout.h"
#include "op/event.h"

struct table_row {
	/* texts are views into the line, trimmed; "" and 0 where the table has no such column; its flags are not set */
	struct op_row op;
	int32_t self_cpu_share_ppm;
};

/* Read a line (valid UTF-8) by the layout. ascii: all bytes are up to 0x7f. False if it is not a row. */
bool row_parse(const struct layout *layout, struct str line, bool ascii, struct table_row *ret);

/* True for a line without figures that belongs to the table: further entries of a call stack, a module of a tree, or
   nothing. */
bool row_is_continuation(const struct layout *layout, struct str line);
