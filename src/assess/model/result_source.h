#pragma once
/* What a scan of a program's own sources found. See result.h. */
#include "assess/model/message.h"
#include "base/words.h"

enum { SOURCE_NAME_BYTES = 160 }; /* of a qualified name; longer ones are nobody's */

/* What a port does with a place in the sources. */
enum source_action { SOURCE_MUST_CHANGE, SOURCE_CHECK, SOURCE_FINE, SOURCE_ACTIONS };

/* Where a finding is, in a script. */
struct result_site {
	struct str path;               /* as the program was named, with the way to the file in it */
	uint32_t line, column;         /* both from 1, columns in code points */
	uint32_t end_line, end_column; /* behind it */
	struct str expression;         /* its text, the first of it where it is long */
	struct str replacement;        /* "": nothing is known to take its place */
	enum source_action action;
};

/* The sources as a whole. */
struct result_source_tree {
	uint64_t files, lines;  /* that were read */
	uint64_t magics;        /* lines of notebooks for IPython, which were not read as Python */
	uint64_t left_out;      /* findings past the most that are kept */
	struct message *unread; /* one a file that was not read, or not all of it, with the reason */
	size_t unread_count;
};

extern const struct words source_action_words;
