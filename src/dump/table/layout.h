#pragma once
/*
 * The layout of a profiler table: its columns and their positions.
 *
 * A table of torch.autograd.profiler_util opens with a line of dashes, one run a column, two blanks between, then the
 * header, then the dashes again. The dashes say where columns are, in code points; the header says what they hold.
 * Header words may be wider than their column, so each line is read for what it is good at.
 */
#include "dump/common/device.h"

enum role {
	ROLE_NAME,
	ROLE_OVERLOAD,
	ROLE_SELF_CPU_SHARE,
	ROLE_SELF_CPU,
	ROLE_CPU_SHARE,
	ROLE_CPU_TOTAL,
	ROLE_CPU_AVG,
	ROLE_SELF_DEVICE_SHARE,
	ROLE_SELF_DEVICE,
	ROLE_DEVICE_SHARE,
	ROLE_DEVICE_TOTAL,
	ROLE_DEVICE_AVG,
	ROLE_MEMORY,
	ROLE_CALLS,
	ROLE_NODE,
	ROLE_SHAPES,
	ROLE_SOURCE,
	ROLE_FLOPS,
	ROLE_OTHER, /* an unknown header cell */
	ROLE_COUNT,
};

enum { MAX_COLUMNS = 48, NO_COLUMN = -1 };

struct column {
	enum role role;
	uint32_t start, end; /* code points [start, end) of the line; both 0 without dashes */
};

struct layout {
	struct column columns[MAX_COLUMNS];
	int count;
	int at[ROLE_COUNT];      /* first column of a role, or NO_COLUMN */
	bool spans;              /* start and end are known */
	bool bars;               /* a Markdown table: cells are between '|' */
	bool tree;               /* of torchprof: operators below their modules, drawn with lines; cells between '|' */
	bool swapped;            /* flops and source location are in each other's column: see layout_parse */
	bool old_calls;          /* "Number of Calls": PyTorch up to 1.6 */
	bool flops_per_second;   /* 1.8 and 1.9 divide by the time */
	enum device_kind device; /* whose times or memory some column holds */
};

/* The runs of dashes of a line, as columns without a role. */
struct dashes {
	struct column runs[MAX_COLUMNS];
	int count;
	uint32_t offset; /* code points before the first run */
	size_t offset_bytes;
};

/* Returns whether text, or its end, is a line of dashes: three runs or more, two or more blanks apart, the first of
   six. */
bool dashes_parse(struct str text, struct dashes *ret);

/* Returns whether text has only dashes and blanks, at least one dash: also a piece of a wrapped line of dashes. */
bool dashes_only(struct str text);

/* Returns whether a line is a rule of a Markdown table, such as "|---|:---:|", or of dashes. */
bool rule_only(struct str text);

/* Reads a header line. dashes may be NULL; if their number differs from the columns of the header, the layout has no
   spans. False when the line is no header: it must begin with Name, or with Module and a bar, and have a column of
   calls. Tables of 1.8 to 2.13 with stacks and flops have both under each other's name: the layout is `swapped`. */
bool layout_parse(struct str header, const struct dashes *dashes, struct layout *ret);

/* Infers the columns of rows whose header was lost, such as the tail of a table in a cut log, from the kinds of
   cells of one line: a name, then share, time, share, time, time, as every version since 1.2 prints the CPU, then
   whatever device, memory, calls, shapes and flops cells follow. False if line is not such a row. */
bool layout_guess(struct str line, struct layout *ret);
