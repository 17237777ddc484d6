#pragma once
/* Findings of a scan of a program's own sources. See result.h. */
#include "assess/model/message.h"
#include "base/value/words.h"

enum { SOURCE_NAME_BYTES = 160 }; /* of a qualified name; longer ones do not occur */

/* The action of a port on a finding in the sources. */
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

/* Evidence that a line calls an operator. */
enum call_origin {
	CALL_RECORDED, /* the dump has the stack */
	CALL_OF_API,   /* the line names a Python API that calls it */
};

struct result_call {
	struct result_site site; /* without an action and a replacement */
	enum call_origin origin;
	struct str api; /* "torch.nonzero"; "" of one that was recorded */
};

/* Lines that call an operator with findings in a dump of the program. */
struct result_callings {
	struct str operator_name;
	struct result_call *calls; /* the surest first */
	size_t call_count;
	uint64_t call_total; /* some more are not listed */
};

/* The sources as a whole. */
struct result_source_tree {
	uint64_t files, lines;  /* that were read */
	uint64_t magics;        /* lines of notebooks for IPython, which were not read as Python */
	uint64_t left_out;      /* findings past the most that are kept */
	struct message *unread; /* one a file that was not read, or not all of it, with the reason */
	size_t unread_count;
	struct result_callings *callings; /* beside a dump: one for each operator with findings, in their order */
	size_t callings_count;
};
