#pragma once
/*
 * The other tables of a folder of the fact text whose last column is spans over the same order: a release or a version
 * that is new must not be covered by spans that merely cross it, because nobody has looked for those facts in it.
 */
#include "import/table.h"

enum { SPAN_TABLES = 8 };

/* Which tables: every .tsv in dir/folder whose last column is that one, but those in known, ended by NULL. */
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
