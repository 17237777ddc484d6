#include "check/score/time_score.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/memory/mem.h"
#include "base/value/decimal.h"
#include "base/value/figure.h"

enum { SPEAKS_PERCENT = 2, FEW = 2 };
static const double quantiles[RATIO_COUNT] = { 0.1, 0.5, 0.9 };

/* --- ratios of workloads */

static int by_size(const void *a, const void *b)
{
	double left = *(const double *)a, right = *(const double *)b;

	return (left > right) - (left < right);
}

static double at_share(const double *sorted, size_t count, double share)
{
	size_t rank = (size_t)(share * (double)count + 0.999999);

	return count ? sorted[rank ? rank - 1 : 0] : 0;
}

/* The row of a class and bin without one dump, NULL: of all; its workloads are 0 where no dump speaks for it. */
static struct work_ratio ratio_without(
	const struct time_score *score, const struct timed_dump *without, unsigned work, enum size_bin bin)
{
	double *ratios = mem_zalloc((score->count + 1) * sizeof(ratios[0]));
	struct work_ratio row = { .class = (enum work_class)work, .family = STR("all"), .bin = bin };

	for (size_t i = 0; i < score->count; i++) {
		const struct timed_dump *dump = &score->items[i];
		const struct time_cell *cell = &dump->cells[work][bin];

		if (dump == without || cell->base_ns <= 0 || cell->measured_ns <= 0 ||
			dump->cells[work][BIN_ANY].measured_ns <
				dump->cells[WORK_COUNT][CELL_ALL].measured_ns / 100 * SPEAKS_PERCENT)
			continue;
		row.calls += cell->calls;
		ratios[row.workloads++] = (double)cell->measured_ns / (double)cell->base_ns;
	}
	qsort(ratios, row.workloads, sizeof(ratios[0]), by_size);
	for (unsigned i = 0; i < RATIO_COUNT; i++)
		row.ratios[i] = at_share(ratios, row.workloads, quantiles[i]);
	free(ratios);
	return row;
}

/* The order of timing_ratio: a cell of two workloads, else the class, else the bin; one is enough for these. */
static struct work_ratio best_ratio(
	const struct time_score *score, const struct timed_dump *without, unsigned work, enum size_bin bin)
{
	struct work_ratio row = ratio_without(score, without, work, bin);

	if (row.workloads < FEW)
		row = ratio_without(score, without, work, BIN_ANY);
	return row.workloads ? row : ratio_without(score, without, WORK_COUNT, bin);
}

static void predict(const struct time_score *score, struct timed_dump *dump)
{
	for (unsigned work = 0; work < WORK_COUNT; work++) {
		double at[RATIO_COUNT] = { 0 };
		int64_t measured_ns = 0;
		bool spans = true; /* two workloads or more: an interval, not a point */

		for (unsigned bin = 0; bin < BIN_ANY; bin++) {
			const struct time_cell *cell = &dump->cells[work][bin];
			struct work_ratio row;

			if (!cell->calls)
				continue;
			row = best_ratio(score, dump, work, (enum size_bin)bin);
			spans &= row.workloads >= FEW;
			for (unsigned i = 0; i < RATIO_COUNT; i++)
				at[i] += row.ratios[i] * (double)cell->base_ns;
			measured_ns = figure_add(measured_ns, cell->measured_ns);
		}
		if (!(at[RATIO_P50] > 0))
			continue;
		dump->others_ns = figure_add(dump->others_ns, (int64_t)(at[RATIO_P50] + 0.5));
		dump->classes += spans;
		dump->held += spans && (double)measured_ns >= at[RATIO_P10] && (double)measured_ns <= at[RATIO_P90];
	}
}

/* --- the score */

int time_score_run(const struct time_score_request *request, struct time_score *ret, struct err *err)
{
	const struct timing_facts *facts;
	int status = timing_facts_get(request->db, &facts, err);

	*ret = (struct time_score){ mem_zalloc((request->count + 1) * sizeof(ret->items[0])), request->count };
	for (size_t i = 0; i < request->count && !status; i++)
		status = timed_dump_read(request, facts, request->files[i], &ret->items[i], err);
	for (size_t i = 0; i < ret->count && !status; i++)
		predict(ret, &ret->items[i]);
	return status;
}

void time_score_clear(struct time_score *score)
{
	free(score->items);
	*score = (struct time_score){ 0 };
}

double time_factor(int64_t estimated_ns, int64_t measured_ns)
{
	if (estimated_ns <= 0 || measured_ns <= 0)
		return 0;
	return estimated_ns > measured_ns ? (double)estimated_ns / (double)measured_ns
					  : (double)measured_ns / (double)estimated_ns;
}

double time_score_factor(const struct time_score *score, double share)
{
	double *factors = mem_zalloc((score->count + 1) * sizeof(factors[0])), ret;
	size_t known = 0;

	for (size_t i = 0; i < score->count; i++) {
		factors[known] = time_factor(
			score->items[i].others_ns, score->items[i].cells[WORK_COUNT][BIN_ANY].measured_ns);
		known += factors[known] > 0;
	}
	qsort(factors, known, sizeof(factors[0]), by_size);
	ret = at_share(factors, known, share);
	free(factors);
	return ret;
}

void time_score_put_ratios(const struct time_score *score, struct buf *out)
{
	buf_add(out, STR("# "));
	for (const char *c = WORK_RATIO_COLUMNS; *c; c++)
		buf_byte(out, *c == ' ' ? '\t' : *c);
	for (unsigned work = 0; work <= WORK_COUNT; work++) {
		for (unsigned bin = 0; bin <= BIN_ANY; bin++) {
			struct work_ratio row = ratio_without(score, NULL, work, (enum size_bin)bin);

			if (!row.workloads)
				continue;
			buf_printf(out, "\n%.*s\tall\t%.*s", STR_ARG(word_for(&ratio_words, work)),
				STR_ARG(word_for(&bin_words, bin)));
			for (unsigned i = 0; i < RATIO_COUNT; i++) {
				buf_byte(out, '\t');
				decimal_put(out, (int64_t)fmax(row.ratios[i] * 10000 + 0.5, 1), 4);
			}
			buf_printf(out, "\t%" PRIu64 "\t%" PRIu64, row.calls ? row.calls : 1, row.workloads);
		}
	}
	buf_byte(out, '\n');
}
