#pragma once
/* Readiness of a model, run by run, as drawings; tables of the same pages have the figures. */
#include "report/doc/doc_build.h"
#include "store/run.h"

enum { TREND_RUNS = 16 }; /* that a drawing in a list has room for */

/* The least share of its targets that certainly runs on the device; -1: not known. */
int64_t trend_readiness(const struct run *run);

/* Returns whether the captures of a run and the one before it, at + 1, differ: the trend breaks between them. */
bool trend_breaks(const struct run_list *runs, size_t at);

/* "Captures not comparable: they show 61 % of self CPU time and 98 % of ...", of the two runs at such a break. */
struct str trend_break_title(struct doc *doc, const struct run_list *runs, size_t at);

/* A bar a run, the oldest first, as high as that share. Runs are in the order of store_list_trend. */
void trend_spark(struct doc *doc, const struct run_list *runs);

/* The same large, with a row for each target. */
void trend_draw(struct doc *doc, const struct run_list *runs);

/* By how many hundredths of a point the newest run differs from the one before, with a sign; that captures differ; ""
   where that is not known. */
struct str trend_change(struct doc *doc, const struct run_list *runs);
