#pragma once
/* The fact text of one import: its files, read before and written all at once after. */
#include "import/facts.h"

struct table_row {
	struct str *cells;
};

/* A table without spans, such as releases.tsv. Views point into the text and into arena. */
struct table {
	struct str columns;
	size_t width;
	struct table_row *items;
	size_t count, capacity;
};

enum { TABLE_NONE = -1 };

void table_clear(struct table *table);

/* Takes the rows of a file. ERR_FACT with file and line. */
int table_read(struct table *table, const struct text_file *file, struct err *err);

/* The place of a column among the columns; there is one, or the program is wrong. */
size_t column_at(struct str columns, const char *column);
struct str *table_cell(const struct table *table, size_t row, const char *column);

/* The first row with this cell in the column, or TABLE_NONE. */
ptrdiff_t table_find(const struct table *table, const char *column, struct str value);

/* A new row of empty cells before that row. */
void table_insert(struct table *table, size_t row, struct arena *arena);
void table_write(const struct table *table, struct buf *buf);

/* A file that the import writes when all is known to be right. */
struct change {
	const char *file; /* relative to the directory of the fact text */
	struct str before;
	struct buf after;
};

enum { CHANGES = 16 };

struct changes {
	struct change items[CHANGES];
	size_t count;
};

void changes_clear(struct changes *changes);

/* The text of a new version of the file, to be appended to. */
struct buf *changes_add(struct changes *changes, const char *file, struct str before);

/* Writes the files that differ from before: every one beside the old one first, then all of them in its place.
   ERR_OUTPUT. */
int changes_write(struct changes *changes, const char *dir, struct err *err);
