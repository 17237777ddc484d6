#pragma once
/*
 * Comma-separated text cut into rows of cells. libcsv knows the quoting; this bounds it, numbers lines and decodes.
 * Rows in which quotes only stand around cells, nearly all of a large table, are cut here without it, which is
 * several times as fast.
 *
 * Rows end at CR, LF or both; cells lose blanks and tabs at their ends unless quoted; quoted cells may hold line
 * ends. Blank lines are not rows.
 */
#include "base/setup/limits.h"
#include "dump/common/decode.h"

struct csv_row {
	/* CSV_KEPT_COLUMNS at most; valid UTF-8; "" for columns that are not kept; live during the call */
	const struct str *cells;
	size_t count; /* of all cells */
	bool broken;  /* over limits.csv_columns, or a cell over limits.csv_cell_bytes: cells are not all there */
};

enum { CSV_KEPT_COLUMNS = 64 };

struct csv_rows;

/* Rows go to take. */
struct csv_rows *csv_rows_new(
	const struct limits *limits, void (*take)(void *ctx, const struct csv_row *row), void *ctx);
void csv_rows_free(struct csv_rows *rows);

/* From the next row on: keeps the cells of those columns alone (bit 1 << column). */
void csv_rows_keep(struct csv_rows *rows, uint64_t columns);

void csv_rows_feed(struct csv_rows *rows, struct str chunk);

/* The line on which the current row starts, from 1. */
uint64_t csv_rows_line(struct csv_rows *rows);

/* Gives every row to libcsv, which must give the same rows. */
void csv_rows_by_library(struct csv_rows *rows);

/* End the text. True if it ended in the middle of a row, whose beginning was given. */
bool csv_rows_end(struct csv_rows *rows);

const struct decoder_facts *csv_rows_decoded(const struct csv_rows *rows);
