#include "assess/estimate/estimate.h"

#include <stdlib.h>

#include "assess/estimate/owners.h"
#include "assess/estimate/roofline.h"
#include "base/memory/mem.h"
#include "base/value/figure.h"
#include "base/view/ascii.h"
#include "opdb/model/dtype.h"

enum { ENOUGH_PPM = 800000, MOST_CHIPS = 16, PPM = 1000000 };
#define AICPU_NS INT64_C(100000) /* of one call, at least: measured 101 us for a scalar */
#define LAUNCH_NS INT64_C(40000)
/* Held out, 23 of 26 totals were within this factor; of totals scaled from a run on another chip, all. */
static const double total_factor = 1.6, scaled_factor = 1.4;

/* Sums of calls: at p10, p50 and p90. */
struct times {
	uint64_t calls;
	int64_t at_ns[RATIO_COUNT];
	bool bound;
};

/* A target on one chip. */
struct sums {
	const struct chip_peaks *chip;
	struct times classes[WORK_COUNT], all, *operators;
	int64_t bound_ns;
	uint64_t aicpu_calls;
	int64_t lacks[COST_LACKS + 1]; /* weight of calls by what they lack; COST_KNOWN, and LACKS_PEAK */
	/* Of calls that the dump timed: their time, and that at p50 of its family on this chip and on the dump's. */
	int64_t measured_ns, here_ns, source_ns;
	struct ratio_table family;
};
enum { LACKS_PEAK = COST_LACKS };

struct estimating {
	const struct estimate_request *request;
	const struct timing_facts *facts;
	struct arena *arena; /* the result's */
	struct arena scratch;
	struct calls calls;
	struct owners owners; /* of the target under way */
	struct ratio_table all, source_table;
	const struct chip_peaks *source; /* the GPU of the dump; NULL: unknown */
	bool by_device;
};

/* --- sums on a chip */

static void add_times(struct times *to, uint64_t calls, const int64_t at_ns[RATIO_COUNT], bool bound)
{
	to->calls = figure_count(to->calls, calls);
	to->bound |= bound;
	for (unsigned i = 0; i < RATIO_COUNT; i++)
		to->at_ns[i] = figure_add(to->at_ns[i], at_ns[i]);
}

static void add_everywhere(struct sums *sums, size_t op, enum work_class class, double calls, const int64_t *at_ns)
{
	uint64_t count = (uint64_t)(calls + 0.5);
	bool bound = work_is_erratic(class);

	add_times(&sums->classes[class], count, at_ns, bound);
	add_times(&sums->operators[op], count, at_ns, bound);
	add_times(&sums->all, count, at_ns, bound);
	if (bound)
		sums->bound_ns = figure_add(sums->bound_ns, at_ns[0]);
}

/* Calls for certain on the AI CPU; returns the others. */
static double add_aicpu(struct sums *sums, size_t op, double calls, int64_t ppm)
{
	double slow = calls * (double)ppm / PPM;
	int64_t ns = roofline_sum(AICPU_NS * 1000, slow), at_ns[RATIO_COUNT] = { ns, ns, ns };

	if (!(slow > 0))
		return calls;
	sums->aicpu_calls = figure_count(sums->aicpu_calls, (uint64_t)(slow + 0.5));
	add_everywhere(sums, op, WORK_AICPU, slow, at_ns);
	return calls - slow;
}

static void add_use(struct estimating *all, struct sums *sums, size_t op, uint32_t use, int64_t aicpu_ppm)
{
	const struct call_cost *cost = &all->calls.costs[use];
	size_t count;
	double calls = all->owners.own[use] * (double)profile_uses(all->request->profile, &count)[use].calls;
	double kernels = all->calls.kernels[use] > 1 ? all->calls.kernels[use] : 1;
	int64_t at_ns[RATIO_COUNT];
	struct call_time time, on_source;

	if (!(calls > 0))
		return;
	calls = add_aicpu(sums, op, calls, aicpu_ppm);
	if (cost->lack || !roofline_of(sums->chip, &all->all, cost, kernels, &time)) {
		add_times(&sums->all, (uint64_t)(calls + 0.5), (const int64_t[RATIO_COUNT]){ 0 }, true);
		return;
	}
	for (unsigned i = 0; i < RATIO_COUNT; i++)
		at_ns[i] = roofline_sum(work_is_erratic(cost->class) ? time.roofline_ps : time.at_ps[i], calls);
	add_everywhere(sums, op, cost->class, calls, at_ns);
	if (!all->source || !roofline_of(all->source, &all->source_table, cost, kernels, &on_source) ||
		!roofline_of(sums->chip, &sums->family, cost, kernels, &time))
		return;
	sums->source_ns = figure_add(sums->source_ns, roofline_sum(on_source.at_ps[RATIO_P50], calls));
	sums->here_ns = figure_add(sums->here_ns, roofline_sum(time.at_ps[RATIO_P50], calls));
}

/* The weight of a use goes to what its kernel has or lacks. Work of the host has none. */
static void weigh_use(struct estimating *all, struct sums *sums, const struct judgement *judgement, uint32_t use)
{
	size_t count;
	const struct profile_use *uses = profile_uses(all->request->profile, &count);
	const struct call_cost *cost;
	uint32_t owner = all->owners.owner[use];
	enum basis basis = all->request->weights->basis;
	int64_t weight = basis == BASIS_DEVICE_TIME ? (calls_work(&all->calls, use) ? uses[use].self_device_ns : 0)
			 : basis == BASIS_CPU_TIME  ? uses[use].self_cpu_ns
						    : (int64_t)uses[use].calls;
	struct call_time ignored;
	int lack;

	if (owner == NO_USE && !(all->by_device && judgement->verdict.status == OP_COMPOSITE))
		return;
	cost = &all->calls.costs[owner == NO_USE ? use : owner];
	lack = owner == NO_USE ? COST_NO_FORMULA : (int)cost->lack;
	if (!lack && !cost->typed)
		lack = COST_NO_TYPE;
	if (!lack && !roofline_of(sums->chip, &all->all, cost, 1, &ignored))
		lack = LACKS_PEAK;
	sums->lacks[lack] = figure_add(sums->lacks[lack], weight > 0 ? weight : 0);
	if (!lack && all->by_device)
		sums->measured_ns = figure_add(sums->measured_ns, weight);
}

static void sum_chip(struct estimating *all, size_t target, const struct chip_peaks *chip, struct sums *ret)
{
	const struct operators *operators = all->request->operators;
	const struct judgement *judgements = all->request->judgements[target];

	*ret = (struct sums){ .chip = chip };
	if (all->source)
		ratio_table_fill(all->facts, chip->family, &ret->family);
	ret->operators = arena_alloc(&all->scratch, (operators->count + 1) * sizeof(ret->operators[0]));
	for (size_t i = 0; i < operators->count; i++) {
		const struct op *op = &operators->items[i];

		for (size_t k = 0; k < op->use_count; k++) {
			add_use(all, ret, i, op->uses[k], judgements[i].verdict.aicpu.lo_ppm);
			weigh_use(all, ret, &judgements[i], op->uses[k]);
		}
	}
}

/* --- chips of a target */

/* The chip that the target names, else those of its family; without a chip the common ones or, where none is, all. */
static bool is_candidate(const struct estimating *all, const struct target *target, const struct chip_peaks *chip)
{
	enum target_kind kind = target->release->target;
	const struct chip_peaks *named = timing_chip(all->facts, str_tail(str_from(target->id), ':'));
	struct str spelling;
	const struct chip *family;

	if (!str_eq(chip->target, target_kind_name(kind)))
		return false;
	if (target->chip && named)
		return chip == named;
	family = chip_find(kind, chip->name, &spelling);
	if (target->chip)
		return family == target->chip;
	return chip->measured && (!chips_common(kind) || (family && family->common));
}

static size_t candidates_of(const struct estimating *all, const struct target *target, const struct chip_peaks **ret)
{
	size_t count = 0;

	for (size_t i = 0; i < all->facts->chips.count && count < MOST_CHIPS; i++) {
		const struct chip_peaks *chip = &all->facts->chips.items[i];

		if (is_candidate(all, target, chip) && timing_chip(all->facts, chip->name) == chip)
			ret[count++] = chip;
	}
	return count;
}

/* --- refusals */

static const char *const few_ids[COST_LACKS + 1] = { [COST_NO_SHAPES] = "estimate-no-shapes",
	[COST_NO_FORMULA] = "estimate-no-formula",
	[COST_NO_TYPE] = "estimate-no-type",
	[COST_UNFIT] = "estimate-unfit",
	[COST_NO_OUTPUT] = "estimate-no-output",
	[COST_TOO_LARGE] = "estimate-too-large",
	[LACKS_PEAK] = "estimate-no-peak" };

/* The share of time that has all; with: that of calls that lack this, too. */
static int64_t share_with(const struct estimating *all, const struct sums *sums, int with)
{
	int64_t whole = all->request->weights->uncovered > 0 ? all->request->weights->uncovered : 0;

	for (size_t i = 0; i < ARRAY_SIZE(sums->lacks); i++)
		whole = figure_add(whole, sums->lacks[i]);
	return share_ppm(figure_add(sums->lacks[COST_KNOWN], with ? sums->lacks[with] : 0), whole);
}

static int64_t known_ppm(const struct estimating *all, const struct sums *sums)
{
	return share_with(all, sums, COST_KNOWN);
}

static struct str percent(struct arena *arena, int64_t ppm)
{
	return arena_printf(arena, "%lld %%", (long long)(ppm / 10000));
}

/* The reason that holds for most of the missing time. */
static struct message refusal_of(struct estimating *all, const struct sums *sums)
{
	int worst = COST_NO_SHAPES;
	int64_t uncovered = all->request->weights->uncovered;

	for (int i = COST_NO_SHAPES; i <= LACKS_PEAK; i++)
		worst = sums->lacks[i] > sums->lacks[worst] ? i : worst;
	if (share_with(all, sums, LACKS_PEAK) >= ENOUGH_PPM) /* the chip alone is the reason */
		worst = LACKS_PEAK;
	return *MESSAGE(all->arena, uncovered > sums->lacks[worst] ? "estimate-uncovered" : few_ids[worst],
		BLANK("share", percent(all->arena, known_ppm(all, sums))), BLANK("chip", sums->chip->name));
}

/* --- the result */

static int by_middle(const void *a, const void *b)
{
	const struct result_estimate_part *left = a, *right = b;

	if (left->middle_ns != right->middle_ns)
		return left->middle_ns > right->middle_ns ? -1 : 1;
	return str_cmp(left->name, right->name);
}

/* The widest of all chips: p10 of the fastest, p90 of the slowest. */
static void widen(struct times *to, const struct times *from, bool first)
{
	if (first) {
		*to = *from;
		return;
	}
	to->at_ns[RATIO_P10] = from->at_ns[RATIO_P10] < to->at_ns[RATIO_P10] ? from->at_ns[RATIO_P10]
									     : to->at_ns[RATIO_P10];
	to->at_ns[RATIO_P90] = from->at_ns[RATIO_P90] > to->at_ns[RATIO_P90] ? from->at_ns[RATIO_P90]
									     : to->at_ns[RATIO_P90];
	to->at_ns[RATIO_P50] = figure_add(to->at_ns[RATIO_P50], from->at_ns[RATIO_P50]); /* divided by all at the end */
}

static struct result_estimate_part part_of(struct str name, const struct times *times, size_t chips)
{
	return (struct result_estimate_part){ name, times->calls, times->at_ns[RATIO_P10],
		times->at_ns[RATIO_P50] / (int64_t)chips, times->at_ns[RATIO_P90], times->bound };
}

static void put_parts(struct estimating *all, const struct sums *sums, size_t chips, struct result_estimate *ret)
{
	const struct operators *operators = all->request->operators;
	struct result_estimate_part *parts = arena_alloc(
		&all->scratch, (operators->count + WORK_COUNT) * sizeof(parts[0]));
	size_t count = 0;

	for (unsigned i = 0; i < WORK_COUNT; i++) {
		if (sums->classes[i].calls)
			parts[count++] = part_of(word_for(&work_words, i), &sums->classes[i], chips);
	}
	qsort(parts, count, sizeof(parts[0]), by_middle);
	ret->classes = arena_keep_bytes(all->arena, parts, count * sizeof(parts[0]));
	ret->class_count = count;
	count = 0;
	for (size_t i = 0; i < operators->count; i++) {
		if (sums->operators[i].at_ns[RATIO_P50] > 0)
			parts[count++] = part_of(
				arena_keep(all->arena, operators->items[i].name), &sums->operators[i], chips);
	}
	if (count)
		qsort(parts, count, sizeof(parts[0]), by_middle);
	ret->operator_count = count < ESTIMATE_OPERATORS ? count : ESTIMATE_OPERATORS;
	ret->operators = arena_keep_bytes(all->arena, parts, ret->operator_count * sizeof(parts[0]));
}

static int64_t scale(int64_t ns, double factor)
{
	double scaled = (double)ns * factor;

	return scaled < (double)FIGURE_MAX ? (int64_t)(scaled + 0.5) : FIGURE_MAX;
}

/* Time of the run x what both chips would take by their families' ratios. The table of all families holds for a family
   without rows of its own. */
static void put_scaled(struct estimating *all, const struct sums *sums, struct result_estimate *ret)
{
	if (!all->source || sums->source_ns <= 0)
		return;
	ret->scaled.chip = all->source->name;
	ret->scaled.middle_ns = scale(sums->measured_ns, (double)sums->here_ns / (double)sums->source_ns);
	ret->scaled.lo_ns = scale(ret->scaled.middle_ns, 1 / scaled_factor);
	ret->scaled.hi_ns = scale(ret->scaled.middle_ns, scaled_factor);
}

static struct str assumed_of(struct estimating *all, const struct sums *sums, struct str before)
{
	CLEANUP(buf_clear) struct buf text = BUF_UNLIMITED;

	if (before.len || !sums->chip->assumed)
		return before;
	words_put(&text, &peak_words, sums->chip->assumed, ", ");
	return arena_keep(all->arena, buf_str(&text));
}

static void put_share(struct estimating *all, struct result *result, size_t target, const struct sums *sums)
{
	for (size_t i = 0; i < result->operator_count && !all->by_device; i++)
		result->operators[i].verdicts[target].device_ppm = share_ppm(
			sums->operators[all->request->order[i]].at_ns[RATIO_P50], sums->all.at_ns[RATIO_P50]);
}

/* Adds a chip that has an estimate to those of a target. */
static void take_chip(struct estimating *all, const struct sums *sums, struct sums *to, struct result_estimate *ret)
{
	bool first = !ret->chips.len;
	int64_t middle = sums->all.at_ns[RATIO_P50], known = known_ppm(all, sums);

	for (size_t i = 0; i < WORK_COUNT; i++)
		widen(&to->classes[i], &sums->classes[i], first);
	for (size_t i = 0; i < all->request->operators->count; i++)
		widen(&to->operators[i], &sums->operators[i], first);
	widen(&to->all, &sums->all, first);
	ret->lo_ns = first || scale(middle, 1 / total_factor) < ret->lo_ns ? scale(middle, 1 / total_factor)
									   : ret->lo_ns;
	ret->hi_ns = first || scale(middle, total_factor) > ret->hi_ns ? scale(middle, total_factor) : ret->hi_ns;
	ret->known_ppm = first || known < ret->known_ppm ? known : ret->known_ppm;
	ret->bound_ns = sums->bound_ns > ret->bound_ns ? sums->bound_ns : ret->bound_ns;
	ret->aicpu_calls = sums->aicpu_calls;
	ret->assumed = assumed_of(all, sums, ret->assumed);
	ret->chips = first ? arena_keep(all->arena, sums->chip->name)
			   : arena_printf(all->arena, "%.*s, %.*s", STR_ARG(ret->chips), STR_ARG(sums->chip->name));
}

/* Beside the device: steps, launches, communication as recorded. */
static void put_beside(const struct result *result, uint64_t launches, struct result_estimate *ret)
{
	ret->steps = result->cost.steps;
	ret->launches = launches;
	ret->host_decides = (double)launches * LAUNCH_NS > (double)ret->middle_ns;
	for (size_t i = 0; i < result->input_count; i++)
		ret->communication_ns = figure_add(
			ret->communication_ns, result->inputs[i].capture.device_time.collectives_ns);
}

static struct message no_chip(struct estimating *all, const struct target *target, size_t candidates)
{
	struct str chip = target->chip ? str_tail(str_from(target->id), ':')
				       : target_kind_name(target->release->target);

	return *MESSAGE(all->arena, candidates ? "estimate-unmeasured" : "estimate-no-chip", COPY("chip", chip));
}

static void estimate_target(struct estimating *all, struct result *result, size_t index)
{
	const struct target *target = &all->request->targets[index];
	struct result_estimate *ret = arena_alloc(all->arena, sizeof(*ret));
	const struct chip_peaks *chips[MOST_CHIPS];
	size_t count = candidates_of(all, target, chips), taken = 0;
	struct sums whole = { .operators = arena_alloc(&all->scratch,
				      (all->request->operators->count + 1) * sizeof(whole.operators[0])) };

	result->targets[index].estimate = ret;
	*ret = (struct result_estimate){ .chips = STR(""), .assumed = STR(""), .scaled = { .chip = STR("") } };
	ret->refused = no_chip(all, target, count);
	owners_find(&all->scratch,
		&(struct owners_request){ &all->calls, all->request->operators, all->request->judgements[index],
			all->request->host_work },
		&all->owners);
	for (size_t i = 0; i < count; i++) {
		struct sums sums;

		if (!chips[i]->measured)
			continue;
		sum_chip(all, index, chips[i], &sums);
		if (known_ppm(all, &sums) < ENOUGH_PPM) {
			ret->refused = taken ? ret->refused : refusal_of(all, &sums);
			continue;
		}
		take_chip(all, &sums, &whole, ret);
		put_scaled(all, &sums, ret);
		if (!taken++)
			put_share(all, result, index, &sums);
	}
	if (!taken)
		return;
	ret->refused = (struct message){ 0 };
	ret->range = !target->chip || taken > 1;
	ret->middle_ns = whole.all.at_ns[RATIO_P50] / (int64_t)taken;
	if (taken > 1)
		ret->scaled = (struct result_estimate_scaled){ .chip = STR("") };
	put_parts(all, &whole, taken, ret);
	put_beside(result, whole.all.calls, ret);
}

/* The GPU that the dump names, if its peaks are known. */
static void find_source(struct estimating *all)
{
	for (size_t i = 0; i < all->request->input_count && all->by_device && !all->source; i++)
		all->source = timing_chip(all->facts, str_from(all->request->inputs[i].dump.device.chip));
	if (all->source)
		ratio_table_fill(all->facts, all->source->family, &all->source_table);
}

int estimate_add(const struct estimate_request *request, struct result *result, struct err *err)
{
	struct estimating all = { .request = request,
		.arena = &result->arena,
		.scratch = ARENA_INIT(ARENA_UNLIMITED),
		.by_device = request->weights->basis == BASIS_DEVICE_TIME };
	unsigned types = request->stated_types;
	int code = timing_facts_get(request->db, &all.facts, err);

	if (code)
		return code;
	calls_gather(&all.scratch, request->profile, types & (types - 1) ? 0 : types, &all.calls);
	ratio_table_fill(all.facts, STR("all"), &all.all);
	find_source(&all);
	for (size_t i = 0; i < result->target_count; i++)
		estimate_target(&all, result, i);
	arena_clear(&all.scratch);
	return 0;
}
