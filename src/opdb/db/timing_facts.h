#pragma once
/* Peaks of chips and ratios of measured calls, those of overlays behind the shipped ones: the last that fits counts. */
#include "base/memory/arena.h"
#include "base/memory/mem.h"
#include "base/setup/err.h"
#include "opdb/model/timing.h"

struct opdb;
struct tsv;

struct timing_facts {
	struct arena arena; /* of the texts */
	MEM_LIST(struct chip_peaks) chips;
	MEM_LIST(struct work_ratio) ratios;
	bool loaded;
};

/* Those of a database, read when they are first asked for. ERR_DB_DAMAGED, ERR_LIMIT. */
int timing_facts_get(const struct opdb *db, const struct timing_facts **ret, struct err *err);
void timing_facts_free(struct timing_facts *facts); /* NULL is allowed */

/* The chip of this name, letters of either case; NULL: none. */
const struct chip_peaks *timing_chip(const struct timing_facts *facts, struct str name);

/* The row for a call: of its class and bin if two workloads hold it, else of its class, else of its bin. NULL: none, in
   a database without ratios. */
const struct work_ratio *timing_ratio(
	const struct timing_facts *facts, struct str family, unsigned class, enum size_bin bin);

/* Adds the rows of an overlay, which stay views of text, and counts them; all or none. TIMING_NOT for one whose first
   line is neither that of chips nor that of ratios; ERR_FACT. */
enum { TIMING_NOT = 1 };
int timing_overlay_add(const struct opdb *db, struct str name, struct str text, size_t *ret_count, struct err *err);
