#pragma once
/*
 * The other tables of a folder of the fact text whose last column is spans over the same order: a release or a version
 * that is new must not be covered by spans that merely cross it, because nobody has looked for those facts in it.
 */
#include "import/table.h"

enum { SPAN_TABLES = 8 };

struct span_tables {
	struct {
		const char *file; /* "npu/chips.tsv" */
		struct str text;  /* as it was */
		struct fact_rows rows;
	} items[SPAN_TABLES];
	size_t count;
};

/* Reads every .tsv in dir/folder with that last column but those in known, ended by NULL. ERR_FACT. */
int span_tables_read(struct span_tables *tables, const char *dir, const char *folder, const char *column,
	const char *const *known, const struct axis *axis, struct arena *arena, struct err *err);
void span_tables_clear(struct span_tables *tables);

/* A new place in the order, at which none of their facts holds. */
void span_tables_shift(struct span_tables *tables, unsigned place);

/* Adds the tables to what will be written; their rows keep their order. */
void span_tables_write(struct span_tables *tables, const struct axis *axis, struct changes *changes);
