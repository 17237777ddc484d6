#pragma once
/*
 * The lists that the porting guide's extraction script makes of a profiler log, byte for byte, quirks included.
 *
 * The script: a line that, stripped, starts with "Name" and ends with "Input Shapes" opens a step. From the first
 * step on every line with "[[" or "[]" is a row; its cells are the pieces between pairs of blanks; the first is the
 * operator, the last its shapes. An operator is dynamic if in a later step it is new or has a shape text that step 1
 * had not. Reading is strict UTF-8 with universal line ends. Its idea of operators and steps is wrong in many ways,
 * so dump/table reads tables; this serves comparisons with the script.
 */
#include "base/memory/buf.h"
#include "base/setup/err.h"
#include "base/setup/limits.h"

struct guide_lists {
	struct str *all_ops, *dynamic_ops; /* in order of first appearance; of dynamic_ops, after step 1 */
	size_t all_count, dynamic_count;
	struct guide_text *text; /* what the names view */
};

/* Reads a file, or standard input for "-", on as many cores as there are when it is large. Nothing is decompressed, as
   the script decompresses nothing. ERR_OPEN, ERR_DIRECTORY, ERR_ENCODING with the byte position where the script would
   stop, ERR_LIMIT for a line over limits.guide_line_bytes. */
int guide_extract(const char *path, const struct limits *limits, struct guide_lists *ret, struct err *err);

void guide_lists_clear(struct guide_lists *lists);
