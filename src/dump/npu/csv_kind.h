#pragma once
/*
 * The CSV tables that opcheck knows, recognised by the names of their columns.
 *
 * torch_npu's profiler writes a folder of them; which columns each has changes with its version, with the profiling
 * level and with the metrics asked for, so columns are found by name and never by number. An operator list of the user
 * is one more kind.
 */
#include "base/setup/err.h"
#include "base/view/str.h"

enum csv_role {
	CSV_NAME,
	CSV_SHAPES,
	CSV_CALLS,
	CSV_SELF_CPU,
	CSV_CPU_TOTAL,
	CSV_SELF_DEVICE,
	CSV_CORE, /* which unit of the device ran it */
	CSV_TASK, /* the name of the task, which begins with the call that launched it */
	CSV_STEP,
	CSV_MARK, /* only marks the kind */
	CSV_ROLES,
};

struct csv_column {
	const char *names; /* its spellings over the versions, separated by "|"; ASCII case does not count */
	enum csv_role role;
	bool needed;      /* without it the table cannot be read */
	bool distinctive; /* no other kind of table has a column of that name */
	int64_t unit_ns;  /* of a time */
};

enum { CSV_MAX_COLUMNS = 8 };

struct csv_kind {
	const char *format;  /* as in a report */
	const char *file;    /* as torch_npu calls it, or what it is */
	unsigned has;        /* enum table_has that every table of the kind has */
	bool each_a_step;    /* every row is a step */
	bool aicpu;          /* every row ran on the AI CPU */
	const char *refusal; /* why it is not read; NULL: it is */
	struct csv_column columns[CSV_MAX_COLUMNS];
};

/* Where the columns of a table stand. */
struct csv_header {
	const struct csv_kind *kind;
	int at[CSV_ROLES]; /* -1: no such column */
	int64_t unit_ns[CSV_ROLES];
	const char *missing; /* a needed column that is not there, or NULL */
	size_t count;        /* of all cells */
};

/* Position of the cell that has one of these names, separated by "|", letters of either case; -1: none has. */
int csv_column_find(const char *names, const struct str *cells, size_t count);

/* The kind that cells of a first row name best. False when they fit none. */
bool csv_header_find(const struct str *cells, size_t count, struct csv_header *ret);
