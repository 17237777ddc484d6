#pragma once
/*
 * Comma-separated text cut into rows of cells. libcsv knows the quoting; this bounds it, numbers lines and decodes.
 *
 * Rows end at CR, LF or both; cells lose blanks and tabs at their ends unless quoted; quoted cells may hold line ends. Blank
 * lines are no rows.
 */
#include "base/limits.h"
#include "dump/decode.h"

struct csv_row {
	const struct str *cells; /* valid UTF-8; "" for columns that are not kept; live during the call */
	size_t count;
	struct str text;         /* the kept cells, joined by commas */
	uint64_t line;           /* on which the row starts, from 1 */
	bool broken;             /* over limits.csv_columns, or a cell over limits.csv_cell_bytes: cells are not all there */
};

struct csv_rows;

/* Rows are told to take. */
struct csv_rows *csv_rows_new(const struct limits *limits, void (*take)(void *ctx, const struct csv_row *row), void *ctx);
void csv_rows_free(struct csv_rows *rows);

/* From the next row on: keeps the cells of those columns alone (bit 1 << column; columns past 63 are never kept). */
void csv_rows_keep(struct csv_rows *rows, uint64_t columns);

void csv_rows_feed(struct csv_rows *rows, struct str chunk);

/* Says that no chunk follows. True when the text ended in the middle of a row; what there is of it was told before. */
bool csv_rows_end(struct csv_rows *rows);

const struct decoder_facts *csv_rows_decoded(const struct csv_rows *rows);
