#pragma once
/*
 * The other tables of a folder of the fact text whose last column is spans over the same order: a new release or
 * version must not be covered by spans that merely cross it: its facts are not yet known.
 */
#include "import/table.h"

enum { SPAN_TABLES = 8 };

/* Every .tsv in dir/folder whose last column is that one, except those in known, which ends with NULL. */
struct span_folder {
	const char *dir, *folder, *column;
	const char *const *known;
};

struct span_tables {
	struct {
		struct text_file file; /* as it was */
		struct fact_rows rows;
	} items[SPAN_TABLES];
	size_t count;
};

/* ERR_FACT, ERR_LIMIT. */
int span_tables_read(struct span_tables *tables, const struct span_folder *folder, const struct axis *axis,
	struct arena *arena, struct err *err);
void span_tables_clear(struct span_tables *tables);

/* A new place in the order, at which none of their facts holds. */
void span_tables_shift(struct span_tables *tables, unsigned place);

/* Adds the tables to what will be written; their rows keep their order. */
void span_tables_write(struct span_tables *tables, const struct axis *axis, struct changes *changes);
