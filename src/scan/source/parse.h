#pragma once
/* Python by tree-sitter: the one file that knows it. */
#include "scan/source/syntax.h"

bool syntax_available(void); /* whether this program was built with a grammar */

/* Reads a script of less than 4 GiB. ERR_LIMIT over limits.script_seconds, and for a statement of more
   tokens than chunks.h says; ERR_UNREAD without a grammar. Clear it in any case. */
int syntax_parse(struct str text, const struct limits *limits, struct syntax *ret, struct err *err);
