#include "assess/judge/readiness.h"

#include "assess/model/graph_capture.h"
#include "base/value/figure.h"

/* --- weights */

void weights_choose(const struct profile *profile, struct operators *operators, struct weights *ret)
{
	bool device = ANY(i, operators->count, operators->items[i].self_device_ns > 0) &&
		      !graph_hides_device_time(profile);
	size_t count;
	const struct profile_stream *streams = profile_streams(profile, &count);
	bool times = ANY(i, count, streams[i].has & TABLE_HAS_TIMES) &&
		     ANY(i, operators->count, operators->items[i].self_cpu_ns > 0);

	*ret = (struct weights){ .basis = device  ? BASIS_DEVICE_TIME
					  : times ? BASIS_CPU_TIME
						  : BASIS_CALLS,
		.operators = operators,
		.slow_ppm = USUAL_SLOW_PPM };
	for (size_t i = 0; i < operators->count; i++) {
		struct op *op = &operators->items[i];
		int64_t weight = device ? op->self_device_ns : times ? op->self_cpu_ns : (int64_t)op->calls;

		op->weight = weight > 0 ? weight : 0;
		ret->time_total = figure_add(ret->time_total, op->weight);
		ret->calls_total = figure_add(ret->calls_total, (int64_t)op->calls);
	}
	ret->whole = ret->time_total;
}

void weights_add_uncovered(struct weights *weights, int64_t uncovered)
{
	weights->uncovered = figure_add(weights->uncovered, uncovered);
	weights->whole = figure_add(weights->time_total, weights->uncovered);
}

void weights_leave_out(struct weights *weights, const bool *host_work)
{
	for (size_t i = 0; i < weights->operators->count; i++) {
		if (!host_work[i])
			continue;
		weights->host_time = figure_add(weights->host_time, weights->operators->items[i].weight);
		weights->host_calls = figure_add(weights->host_calls, (int64_t)weights->operators->items[i].calls);
		weights->host_operators++;
	}
}

int64_t share_ppm(int64_t part, int64_t whole)
{
	return whole > 0 ? (int64_t)(((__int128)part * 1000000 + whole / 2) / whole) : 0;
}

/* --- sums */

struct sum {
	int64_t time, calls, operators;
};

static void add_weight(struct sum *sum, const struct op *op)
{
	sum->time = figure_add(sum->time, op->weight);
	sum->calls = figure_add(sum->calls, (int64_t)op->calls);
	sum->operators++;
}

static struct result_interval interval_of(int64_t lo, int64_t hi, int64_t whole)
{
	return (struct result_interval){ share_ppm(lo, whole), share_ppm(hi, whole) };
}

/* The uncovered time hides calls and operators of unknown number: the low end supposes their share of the time. */
static struct result_interval shown_part(const struct weights *weights, struct result_interval share)
{
	if (weights->uncovered)
		share.lo_ppm = (int64_t)((__int128)share.lo_ppm * weights->time_total / weights->whole);
	return share;
}

/* Uncovered time counts in the high end alone. */
static struct result_coverage coverage_of(
	const struct sum *lo, const struct sum *hi, const struct weights *weights, const struct sum *left_out)
{
	int64_t count = (int64_t)weights->operators->count - left_out->operators;

	return (struct result_coverage){
		.time = interval_of(
			lo->time, figure_add(hi->time, weights->uncovered), weights->whole - left_out->time),
		.calls = shown_part(weights, interval_of(lo->calls, hi->calls, weights->calls_total - left_out->calls)),
		.operators = shown_part(weights, interval_of(lo->operators, hi->operators, count)),
	};
}

/* --- where it runs */

enum place { PLACE_AICORE, PLACE_AICPU, PLACE_HOST, PLACE_NOWHERE, PLACE_UNKNOWN, PLACES };

/* The places that an operator of this status may be in, as bits. */
static unsigned places_of_status(const struct judgement *judgement, enum op_status status)
{
	if (judgement->verdict.flags & FLAG_HOST_WORK)
		return 1u << PLACE_HOST;
	switch (op_status_class(status)) {
	case CLASS_DEVICE:
		return 1u << PLACE_AICORE | (judgement->verdict.flags & FLAG_HOST_PATH ? 1u << PLACE_HOST : 0);
	case CLASS_CPU:
		return 1u << PLACE_HOST;
	case CLASS_BLOCKED:
		return 1u << PLACE_NOWHERE;
	default:
		return 1u << PLACE_UNKNOWN;
	}
}

/* Of an operator on the device, what its AI CPU takes. */
static int64_t aicpu_part(int64_t weight, int64_t ppm)
{
	return (int64_t)((__int128)weight * ppm / 1000000);
}

static struct result_where where_of(const struct weights *weights, const struct judgement *judgements)
{
	int64_t lo[PLACES] = { 0 }, hi[PLACES] = { 0 };
	struct result_interval shares[PLACES];

	for (size_t i = 0; i < weights->operators->count; i++) {
		const struct judgement *judgement = &judgements[i];
		unsigned places = places_of_status(judgement, judgement->verdict.status) |
				  places_of_status(judgement, judgement->best) |
				  places_of_status(judgement, judgement_worst(judgement));
		int64_t weight = weights->operators->items[i].weight, sure_aicpu = 0, possible_aicpu = 0;

		if (places >> PLACE_AICORE & 1) {
			sure_aicpu = aicpu_part(weight, judgement->verdict.aicpu.lo_ppm);
			possible_aicpu = aicpu_part(weight, judgement->verdict.aicpu.hi_ppm);
		}
		for (unsigned place = 0; place < PLACES; place++) {
			bool alone = places == 1u << place, there = places >> place & 1;

			lo[place] = figure_add(lo[place], alone ? weight - possible_aicpu : 0);
			hi[place] = figure_add(hi[place], there ? weight - sure_aicpu : 0);
		}
		lo[PLACE_AICPU] = figure_add(lo[PLACE_AICPU], places == 1u << PLACE_AICORE ? sure_aicpu : 0);
		hi[PLACE_AICPU] = figure_add(hi[PLACE_AICPU], possible_aicpu);
	}
	lo[PLACE_UNKNOWN] = figure_add(lo[PLACE_UNKNOWN], weights->uncovered);
	hi[PLACE_UNKNOWN] = figure_add(hi[PLACE_UNKNOWN], weights->uncovered);
	for (unsigned place = 0; place < PLACES; place++)
		shares[place] = interval_of(lo[place], hi[place], weights->whole);
	return (struct result_where){ shares[PLACE_AICORE], shares[PLACE_AICPU], shares[PLACE_HOST],
		shares[PLACE_NOWHERE], shares[PLACE_UNKNOWN] };
}

/* --- the word */

bool readiness_is_slow(const struct weights *weights, const struct judgement *judgements)
{
	struct result_where where = where_of(weights, judgements);
	int64_t host_work_ppm = share_ppm(weights->host_time, weights->whole); /* the same on any target */

	return where.aicpu.lo_ppm + where.host.lo_ppm - host_work_ppm >= weights->slow_ppm;
}

bool judgement_wants_warning(const struct judgement *judgement, bool slow)
{
	const unsigned plain = FLAG_INFERRED | FLAG_OVERLAY | FLAG_MIXED_OVERLOADS | FLAG_SOC_LIMITED |
			       (slow ? 0 : FLAG_AICPU | FLAG_HOST_PATH);

	return !(judgement->verdict.flags & FLAG_HOST_WORK) &&
	       (judgement->verdict.status == OP_NATIVE_JIT || judgement->verdict.status == OP_CPU_FALLBACK ||
		       (judgement->verdict.flags & ~plain) || judgement->best != judgement->worst);
}

enum verdict readiness_verdict(const struct judgement *judgements, size_t count, struct target_doubts doubts)
{
	bool open = doubts.hidden, warned = false;

	for (size_t i = 0; i < count; i++) {
		if (op_status_class(judgements[i].best) == CLASS_BLOCKED)
			return VERDICT_BLOCKED;
		open |= op_status_class(judgement_worst(&judgements[i])) >= CLASS_BLOCKED;
		warned |= judgement_wants_warning(&judgements[i], doubts.slow);
	}
	return open ? VERDICT_INCONCLUSIVE : warned ? VERDICT_WARNINGS : VERDICT_READY;
}

void readiness_sum(struct arena *arena, const struct weights *weights, const struct judgement *judgements, bool hidden,
	struct result_target *ret)
{
	const struct operators *operators = weights->operators;
	struct sum by_status[OP_STATUS_COUNT] = { 0 };
	struct sum device[2] = { 0 }, runs[2] = { 0 }; /* what is certain, and what is possible */

	for (size_t i = 0; i < operators->count; i++) {
		const enum op_status ends[2] = { judgement_worst(&judgements[i]), judgements[i].best };

		add_weight(&by_status[judgements[i].verdict.status], &operators->items[i]);
		for (unsigned end = 0; end < 2; end++) {
			if (judgement_runs_on_device(ends[end]) && !(judgements[i].verdict.flags & FLAG_HOST_WORK))
				add_weight(&device[end], &operators->items[i]);
			if (judgement_runs(ends[end]))
				add_weight(&runs[end], &operators->items[i]);
		}
	}
	ret->readiness = coverage_of(&device[0], &device[1], weights,
		&(struct sum){ weights->host_time, weights->host_calls, weights->host_operators });
	ret->coverage = coverage_of(&runs[0], &runs[1], weights, &(struct sum){ 0 });
	ret->where = where_of(weights, judgements);
	ret->counts = arena_alloc(arena, OP_STATUS_COUNT * sizeof(ret->counts[0]));
	for (unsigned i = 0; i < OP_STATUS_COUNT; i++) {
		if (by_status[i].operators)
			ret->counts[ret->count_count++] = (struct result_count){ (enum op_status)i,
				(uint64_t)by_status[i].operators, share_ppm(by_status[i].time, weights->whole) };
	}
	ret->verdict = readiness_verdict(
		judgements, operators->count, (struct target_doubts){ hidden, readiness_is_slow(weights, judgements) });
}
