#pragma once
/*
 * A table of the fact text.
 *
 * A struct fact_table has the columns of a file, rules for their cells, and the statement that stores a row. Cells
 * are bound to the parameters named like their column; cell rules check beyond the schema, and bind computed values.
 */
#include "opdb/text/axis.h"

struct build;

/* The ordered names that spans run over, and names that rows of other tables refer to. */
enum line { LINE_NONE, LINE_TORCH, LINE_NPU, LINE_MUSA, LINE_DOCUMENTS, LINE_CANN, LINE_COUNT };
enum names { NAMES_NONE, NAMES_SOURCES, NAMES_RULES, NAMES_RECIPES, NAMES_COUNT };

enum { BUILD_KEYS = 6, BUILD_RULES = 5 };

struct cell_rule {
	const char *column;
	int (*check)(struct build *build, const struct tsv *tsv, const char *column, struct err *err);
};

struct fact_table {
	const char *file, *columns;
	/* The table of the database and its columns, "kernel_types base=op dtypes": each gets the parameter of its
	   name, or what is behind "=": another parameter, a quoted text or a number. NULL: rows are only remembered. */
	const char *into;
	const char *part; /* the same of a second table, for rows which store makes of one row; or NULL */
	size_t keys;      /* the first cells that identify a fact; 0 where rows have no spans */
	enum line lists;  /* its names are the first cells, with :place */
	enum names names; /* the same, with :id */
	enum line spans;  /* over what the last cell has spans */
	bool counted;     /* rows are what the numbers of rows in the list are about */
	struct cell_rule cells[BUILD_RULES];                                       /* ends at a NULL column */
	int (*store)(struct build *build, const struct tsv *tsv, struct err *err); /* NULL: as one row, or one a span */
};
