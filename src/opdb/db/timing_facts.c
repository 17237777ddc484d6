#include "opdb/db/timing_facts.h"

#include <stdlib.h>

#include "base/view/ascii.h"
#include "opdb/db/row.h"
#include "opdb/text/tsv.h"

enum { MOST_ROWS = 4096, FEW = 2 };

static const char chip_query[] = "SELECT chip, target, family, fp32, tf32, fp16, bf16, int8, bandwidth, floor, assumed,"
				 " measured, source FROM chip_peak ORDER BY id";
static const char ratio_query[] = "SELECT class, family, bin, p10, p50, p90, calls, workloads FROM work_ratio"
				  " ORDER BY id";

/* Both tables, in the database and as overlays. */
static const struct table {
	const char *query, *head, *columns; /* head: of an overlay */
	size_t cells;
} tables[] = {
	{ chip_query, "# chip\t", CHIP_PEAKS_COLUMNS, CHIP_PEAKS_CELLS },
	{ ratio_query, "# class\t", WORK_RATIO_COLUMNS, WORK_RATIO_CELLS },
};

/* Reads a row and appends it. NULL, or the name of the column that does not fit. */
static const char *take_row(struct timing_facts *facts, const struct table *table, const struct str *cells)
{
	bool of_chip = table == &tables[0];
	struct chip_peaks chip;
	struct work_ratio ratio;
	const char *wrong = of_chip ? chip_peaks_read(cells, &chip) : work_ratio_read(cells, &ratio);

	if (wrong)
		return wrong;
	if (of_chip)
		MEM_PUSH(&facts->chips, chip);
	else
		MEM_PUSH(&facts->ratios, ratio);
	return NULL;
}

/* --- the database */

static int load_table(const struct opdb *db, const struct table *table, struct err *err)
{
	struct str cells[TSV_COLUMNS];
	const char *wrong = NULL;
	size_t rows = 0;
	struct row row;
	int code = row_open(db, table->query, &db->timing->arena, &row, err);

	if (code)
		return code;
	while (!wrong && (code = row_next(&row, err)) > 0) {
		for (size_t i = 0; i < table->cells; i++)
			cells[i] = row_text(&row);
		wrong = ++rows > MOST_ROWS ? "too many rows" : take_row(db->timing, table, cells);
	}
	row_close(&row);
	return wrong ? db_damaged(err, wrong) : code;
}

int timing_facts_get(const struct opdb *db, const struct timing_facts **ret, struct err *err)
{
	int code = 0;

	for (size_t i = 0; i < ARRAY_SIZE(tables) && !code && !db->timing->loaded; i++)
		code = load_table(db, &tables[i], err);
	db->timing->loaded = !code;
	*ret = db->timing;
	return code;
}

void timing_facts_free(struct timing_facts *facts)
{
	if (!facts)
		return;
	arena_clear(&facts->arena);
	free(facts->chips.items);
	free(facts->ratios.items);
	free(facts);
}

/* --- questions */

const struct chip_peaks *timing_chip(const struct timing_facts *facts, struct str name)
{
	for (size_t i = facts->chips.count; i-- > 0;) {
		if (str_eq_fold(facts->chips.items[i].name, name))
			return &facts->chips.items[i];
	}
	return NULL;
}

static const struct work_ratio *find_ratio(
	const struct timing_facts *facts, struct str family, unsigned class, enum size_bin bin)
{
	for (size_t i = facts->ratios.count; i-- > 0;) {
		const struct work_ratio *ratio = &facts->ratios.items[i];

		if (ratio->class == class && ratio->bin == bin && str_eq(ratio->family, family))
			return ratio;
	}
	return NULL;
}

const struct work_ratio *timing_ratio(
	const struct timing_facts *facts, struct str family, unsigned class, enum size_bin bin)
{
	const struct work_ratio *ret = find_ratio(facts, family, class, bin);

	if (!ret || ret->workloads < FEW)
		ret = find_ratio(facts, family, class, BIN_ANY);
	return ret && ret->workloads >= FEW ? ret : find_ratio(facts, family, WORK_COUNT, bin);
}

/* --- overlays */

int timing_overlay_add(const struct opdb *db, struct str name, struct str text, size_t *ret_count, struct err *err)
{
	const struct table *table = FIND(i, tables, ARRAY_SIZE(tables), str_starts(text, str_from(tables[i].head)));
	struct timing_facts *facts = db->timing;
	size_t *count = table == &tables[0] ? &facts->chips.count : &facts->ratios.count, before;
	struct tsv tsv;
	const struct timing_facts *loaded;
	int more = table ? timing_facts_get(db, &loaded, err) : TIMING_NOT;

	if (more)
		return more;
	before = *count;
	more = tsv_open(&tsv, name, text, str_from(table->columns), err);
	while (!more && (more = tsv_next(&tsv, err)) > 0) {
		const char *wrong = take_row(facts, table, tsv.cells);

		more = wrong ? tsv_error(&tsv, err, "the cell of column \"%s\" does not fit", wrong) : 0;
	}
	*ret_count = *count - before;
	if (more)
		*count = before;
	return more;
}
