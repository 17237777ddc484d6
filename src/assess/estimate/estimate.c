#include "assess/estimate/estimate.h"

#include <stdlib.h>

#include "assess/estimate/owners.h"
#include "assess/estimate/roofline.h"
#include "base/memory/mem.h"
#include "base/setup/beside.h"
#include "base/value/figure.h"
#include "opdb/db/note.h"

enum { ENOUGH_PPM = 800000, MOST_CHIPS = 16, PPM = 1000000 };
#define AICPU_NS INT64_C(100000) /* of one call, at least: measured 101 us for a scalar */
#define LAUNCH_NS INT64_C(40000)
/* Held out, 23 of 26 totals were within this factor; of totals scaled from a run on another chip, all. */
static const double total_factor = 1.6, scaled_factor = 1.4;

/* Parts of the work: its classes, the whole, operators. */
enum { WHOLE = WORK_COUNT, SCALED, OPERATORS };

/* A target on one chip, or on all of them. */
struct sums {
	const struct chip_peaks *chip;
	struct result_estimate_part *parts;
	int64_t bound_ns;
	uint64_t aicpu_calls;
	int64_t weight, lacks[COST_LACKS]; /* of all; by what calls lack */
	/* Of calls that the dump timed: their time, and that at p50 of its family on this chip and on the dump's. */
	int64_t measured_ns, here_ns, source_ns;
	struct ratio_table family;
};

struct estimating {
	const struct cost_request *request;
	const struct operators *operators;
	const struct timing_facts *facts;
	struct arena *arena; /* the result's */
	const struct calls *calls;
	struct ratio_table all, source_table;
	const struct chip_peaks *source; /* the GPU that the dump names; NULL: its peaks are unknown */
	bool by_device;
};

/* The sums of a target on its chips. They need no database: those of two targets are made side by side. */
struct target_sums {
	const struct estimating *all;
	size_t target;
	struct arena arena;         /* of the owners, and of the parts of the sums */
	const struct owner *owners; /* of the calls of each use, there */
	struct sums chips[MOST_CHIPS];
	size_t count; /* of chips with measured figures */
};

/* --- sums on a chip */

static void add_part(struct sums *sums, size_t at, double calls, struct time_range time, bool bound)
{
	struct result_estimate_part *to = &sums->parts[at];

	to->calls = figure_count(to->calls, (uint64_t)(calls + 0.5));
	to->at_least |= bound;
	span_add(&to->time, time);
}

static void add_work(struct sums *sums, size_t op, enum work_class class, double calls, struct time_range time)
{
	bool bound = work_is_erratic(class);

	add_part(sums, WHOLE, calls, time, bound);
	add_part(sums, class, calls, time, bound);
	add_part(sums, OPERATORS + op, calls, time, bound);
	if (bound)
		sums->bound_ns = figure_add(sums->bound_ns, time.lo_ns);
}

/* Calls for certain on the AI CPU; returns the others. */
static double add_aicpu(struct sums *sums, size_t op, double calls, int64_t ppm)
{
	double slow = calls * (double)ppm / PPM;
	int64_t ns = roofline_sum(AICPU_NS * 1000, slow);

	if (!(slow > 0))
		return calls;
	sums->aicpu_calls = figure_count(sums->aicpu_calls, (uint64_t)(slow + 0.5));
	add_work(sums, op, WORK_AICPU, slow, (struct time_range){ ns, ns, ns });
	return calls - slow;
}

static void add_use(const struct target_sums *of, struct sums *sums, size_t op, uint32_t use, int64_t aicpu_ppm)
{
	const struct estimating *all = of->all;
	const struct call_use *item = &all->calls->items[use];
	const struct call_cost *cost = &item->cost;
	double calls = of->owners[use].own * (double)all->calls->uses[use].calls;
	double kernels = item->kernels > 1 ? item->kernels : 1;
	struct call_time time, on_source;

	if (!(calls > 0))
		return;
	calls = add_aicpu(sums, op, calls, aicpu_ppm);
	if (cost->lack || !roofline_of(sums->chip, &all->all, cost, kernels, &time)) {
		add_part(sums, WHOLE, calls, (struct time_range){ 0 }, true);
		return;
	}
	for (unsigned i = 0; i < RATIO_COUNT && work_is_erratic(cost->class); i++)
		time.at_ps[i] = time.roofline_ps;
	add_work(sums, op, cost->class, calls, roofline_span(&time, calls));
	if (!all->source || !roofline_of(all->source, &all->source_table, cost, kernels, &on_source) ||
		!roofline_of(sums->chip, &sums->family, cost, kernels, &time))
		return;
	sums->source_ns = figure_add(sums->source_ns, roofline_sum(on_source.at_ps[RATIO_P50], calls));
	sums->here_ns = figure_add(sums->here_ns, roofline_sum(time.at_ps[RATIO_P50], calls));
}

/* The weight of a use goes to what its kernel has or lacks; without a kernel on the target there is no formula. Work of
   the host has none. */
static void weigh_use(const struct target_sums *of, struct sums *sums, const struct judgement *judgement, uint32_t use)
{
	const struct estimating *all = of->all;
	const struct profile_use *figures = &all->calls->uses[use];
	uint32_t owner = of->owners[use].owner;
	const struct call_cost *cost = &all->calls->items[owner == NO_USE ? use : owner].cost;
	enum basis basis = all->request->weights->basis;
	int64_t weight = basis == BASIS_DEVICE_TIME ? (calls_work(all->calls, use) ? figures->self_device_ns : 0)
			 : basis == BASIS_CPU_TIME  ? figures->self_cpu_ns
						    : (int64_t)figures->calls;
	enum cost_lack lack = owner == NO_USE ? COST_NO_FORMULA : cost->lack;
	enum op_status status = judgement->verdict.status;

	if (owner == NO_USE && !(all->by_device && status == OP_COMPOSITE) &&
		op_status_class(status) != CLASS_BLOCKED && op_status_class(status) != CLASS_UNKNOWN)
		return;
	if (!lack && !cost->typed)
		lack = COST_NO_TYPE;
	if (!lack && !roofline_is_known(sums->chip, cost))
		lack = COST_NO_PEAK;
	sums->lacks[lack] = figure_add(sums->lacks[lack], weight > 0 ? weight : 0);
	sums->weight = figure_add(sums->weight, weight > 0 ? weight : 0);
	if (!lack && all->by_device)
		sums->measured_ns = figure_add(sums->measured_ns, weight);
}

static struct result_estimate_part *new_parts(const struct estimating *all, struct arena *arena)
{
	return arena_alloc(arena, (OPERATORS + all->operators->count) * sizeof(struct result_estimate_part));
}

/* One walk over the uses, which are many, for all chips. */
static void sum_chips(struct target_sums *sums)
{
	const struct estimating *all = sums->all;

	for (uint32_t use = 0; use < all->calls->count; use++) {
		uint32_t op = all->operators->of_uses[use];

		for (size_t chip = 0; chip < sums->count && op != NO_OPERATOR; chip++) {
			const struct judgement *judgement = &all->request->judgements[sums->target][op];

			add_use(sums, &sums->chips[chip], op, use, judgement->verdict.aicpu.lo_ppm);
			weigh_use(sums, &sums->chips[chip], judgement, use);
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

	if (!str_eq(chip->target, target_kind_name(kind)) || timing_chip(all->facts, chip->name) != chip)
		return false;
	if (target->chip)
		return named ? chip == named : chip_find(kind, chip->name, &spelling) == target->chip;
	return chip->measured && (!chips_common(kind) || chips_named(kind, chip->name) & chips_common(kind));
}

/* --- refusals */

static const char *const few_ids[COST_LACKS] = { [COST_NO_SHAPES] = "estimate-no-shapes",
	[COST_NO_FORMULA] = "estimate-no-formula",
	[COST_NO_TYPE] = "estimate-no-type",
	[COST_UNFIT] = "estimate-unfit",
	[COST_NO_OUTPUT] = "estimate-no-output",
	[COST_TOO_LARGE] = "estimate-too-large",
	[COST_NO_PEAK] = "estimate-no-peak" };

/* The reason that holds for most of the missing time. */
static struct message refusal_of(struct estimating *all, const struct sums *sums)
{
	unsigned worst = COST_NO_SHAPES;
	int64_t known = sums->lacks[COST_KNOWN], without_peak = figure_add(known, sums->lacks[COST_NO_PEAK]);

	for (unsigned i = COST_NO_SHAPES; i < COST_LACKS; i++)
		worst = sums->lacks[i] > sums->lacks[worst] ? i : worst;
	if (share_ppm(without_peak, sums->weight) >= ENOUGH_PPM) /* the chip alone is the reason */
		worst = COST_NO_PEAK;
	return *MESSAGE(all->arena,
		all->request->weights->uncovered > sums->lacks[worst] ? "estimate-uncovered" : few_ids[worst],
		BLANK("share",
			arena_printf(all->arena, "%lld %%", (long long)share_ppm(known, sums->weight) / (PPM / 100))),
		BLANK("chip", sums->chip->name),
		NUMBER(all->request->weights->basis == BASIS_CALLS ? "by_calls" : NULL, 1));
}

/* --- the result */

static int by_middle(const void *a, const void *b)
{
	const struct result_estimate_part *left = a, *right = b;

	if (left->time.middle_ns != right->time.middle_ns)
		return left->time.middle_ns > right->time.middle_ns ? -1 : 1;
	return str_cmp(left->name, right->name);
}

static struct time_range span_around(int64_t middle_ns, double factor)
{
	double middle = (double)middle_ns;

	return (struct time_range){ figure_round(middle * (1 / factor)), middle_ns, figure_round(middle * factor) };
}

/* Adds a chip to the others: p10 of the fastest, p90 of the slowest. Middles are summed. */
static void widen_parts(struct result_estimate_part *to, const struct result_estimate_part *from, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const struct time_range *time = &from[i].time;

		if (!from[i].calls)
			continue;
		to[i].time.lo_ns = !to[i].calls || time->lo_ns < to[i].time.lo_ns ? time->lo_ns : to[i].time.lo_ns;
		to[i].time.hi_ns = time->hi_ns > to[i].time.hi_ns ? time->hi_ns : to[i].time.hi_ns;
		to[i].time.middle_ns = figure_add(to[i].time.middle_ns, time->middle_ns);
		to[i].calls = from[i].calls;
		to[i].at_least |= from[i].at_least;
	}
}

/* Those with calls, named and sorted, at most so many; the arena keeps them. */
static struct result_estimate_part *keep_parts(
	struct arena *arena, struct result_estimate_part *parts, size_t *count, size_t most)
{
	size_t kept = 0;

	for (size_t i = 0; i < *count; i++) {
		if (parts[i].calls)
			parts[kept++] = parts[i];
	}
	if (kept)
		qsort(parts, kept, sizeof(parts[0]), by_middle);
	*count = kept < most ? kept : most;
	for (size_t i = 0; i < *count; i++)
		parts[i].name = arena_keep(arena, parts[i].name);
	return arena_keep_bytes(arena, parts, *count * sizeof(parts[0]));
}

static void put_parts(struct estimating *all, struct sums *whole, int64_t chips, struct result_estimate *ret)
{
	const struct operators *operators = all->operators;
	struct result_estimate_part *parts = whole->parts;

	for (size_t i = 0; i < OPERATORS + operators->count; i++)
		parts[i].time.middle_ns /= chips;
	for (unsigned i = 0; i < WORK_COUNT; i++)
		parts[i].name = word_for(&work_words, i);
	for (size_t i = 0; i < operators->count; i++) {
		parts[OPERATORS + i].name = operators->items[i].name;
		parts[OPERATORS + i].calls *= parts[OPERATORS + i].time.middle_ns > 0;
	}
	ret->time = parts[WHOLE].time;
	ret->launches = parts[WHOLE].calls;
	ret->scaled = parts[SCALED].time;
	ret->source = parts[SCALED].calls ? all->source->name : STR("");
	ret->class_count = WORK_COUNT;
	ret->classes = keep_parts(all->arena, parts, &ret->class_count, WORK_COUNT);
	ret->operator_count = operators->count;
	ret->operators = keep_parts(all->arena, parts + OPERATORS, &ret->operator_count, ESTIMATE_OPERATORS);
}

static void put_share(struct estimating *all, struct result *result, size_t target, const struct sums *sums)
{
	for (size_t i = 0; i < result->operator_count && !all->by_device; i++)
		result->operators[i].verdicts[target].device_ppm = share_ppm(
			sums->parts[OPERATORS + all->request->order[i]].time.middle_ns,
			sums->parts[WHOLE].time.middle_ns);
}

/* Adds a chip that has an estimate to those of a target. The scaled time is that of the run x what both chips would
   take by their families' ratios; the table of all families holds for a family without rows of its own. */
static void take_chip(struct estimating *all, const struct sums *sums, struct sums *whole, struct result_estimate *ret)
{
	CLEANUP(buf_clear) struct buf assumed = BUF_UNLIMITED;
	bool first = !ret->chips.len;

	sums->parts[WHOLE].time = span_around(sums->parts[WHOLE].time.middle_ns, total_factor);
	sums->parts[SCALED].calls = all->source && sums->source_ns > 0;
	if (sums->parts[SCALED].calls)
		sums->parts[SCALED].time = span_around(
			figure_round((double)sums->measured_ns * ((double)sums->here_ns / (double)sums->source_ns)),
			scaled_factor);
	widen_parts(whole->parts, sums->parts, OPERATORS + all->operators->count);
	words_put(&assumed, &peak_words, sums->chip->assumed, ", ");
	if (!ret->assumed.len)
		ret->assumed = arena_keep(all->arena, buf_str(&assumed));
	ret->known_ppm = first ? share_ppm(sums->lacks[COST_KNOWN], sums->weight)
			       : ret->known_ppm; /* of later ones no less */
	ret->bound_ns = sums->bound_ns > ret->bound_ns ? sums->bound_ns : ret->bound_ns;
	ret->aicpu_calls = sums->aicpu_calls;
	ret->chips = first ? arena_keep(all->arena, sums->chip->name)
			   : arena_printf(all->arena, "%.*s, %.*s", STR_ARG(ret->chips), STR_ARG(sums->chip->name));
}

/* Beside the device: steps, launches, communication as recorded, operators on the host. */
static void put_beside(const struct result *result, size_t target, struct result_estimate *ret)
{
	const struct result_fallback *fallback = result->targets[target].host_transfers;

	ret->steps = result->cost.steps;
	ret->host_decides = (double)ret->launches * LAUNCH_NS > (double)ret->time.middle_ns;
	for (size_t i = 0; i < result->input_count; i++)
		ret->communication_ns = figure_add(
			ret->communication_ns, result->inputs[i].capture.device_time.collectives_ns);
	if (fallback) {
		ret->fallback_bytes = figure_count(fallback->bytes_to_host, fallback->bytes_to_device);
		ret->fallback_ns = fallback->host_ns;
	}
}

static void find_chips(struct target_sums *sums)
{
	const struct estimating *all = sums->all;
	int64_t uncovered = all->request->weights->uncovered;

	for (size_t i = 0; i < all->facts->chips.count && sums->count < MOST_CHIPS; i++) {
		const struct chip_peaks *chip = &all->facts->chips.items[i];
		struct sums *ret = &sums->chips[sums->count];

		if (!chip->measured || !is_candidate(all, &all->request->targets[sums->target], chip))
			continue;
		*ret = (struct sums){ chip, new_parts(all, &sums->arena), .weight = uncovered > 0 ? uncovered : 0 };
		if (all->source)
			ratio_table_fill(all->facts, chip->family, &ret->family);
		sums->count++;
	}
}

static void *sum_target(void *arg)
{
	struct target_sums *sums = arg;
	const struct estimating *all = sums->all;

	sums->owners = owners_find(
		&sums->arena, all->calls, all->request->judge, all->request->judgements[sums->target]);
	find_chips(sums);
	sum_chips(sums);
	return NULL;
}

static void estimate_target(struct estimating *all, struct result *result, struct target_sums *target_sums)
{
	size_t index = target_sums->target, taken = 0;
	const struct target *target = &all->request->targets[index];
	struct result_estimate *ret = arena_alloc(all->arena, sizeof(*ret));
	struct sums whole = { .parts = new_parts(all, &target_sums->arena) };
	unsigned families = 0;

	result->targets[index].estimate = ret;
	*ret = (struct result_estimate){ .chips = STR(""), .left_out = STR(""), .assumed = STR(""), .source = STR("") };
	for (size_t i = 0; i < target_sums->count; i++) {
		struct sums *sums = &target_sums->chips[i];

		if (share_ppm(sums->lacks[COST_KNOWN], sums->weight) < ENOUGH_PPM ||
			(taken && sums->lacks[COST_NO_PEAK])) {
			ret->refused = taken ? ret->refused : refusal_of(all, sums);
			continue;
		}
		take_chip(all, sums, &whole, ret);
		families |= chips_named(target->release->target, sums->chip->name);
		if (!taken++)
			put_share(all, result, index, sums);
	}
	if (!taken && !ret->refused.id)
		ret->refused = *MESSAGE(all->arena,
			ANY(i, all->facts->chips.count, is_candidate(all, target, &all->facts->chips.items[i]))
				? "estimate-unmeasured"
				: "estimate-no-chip",
			COPY("chip", target->chip ? str_tail(str_from(target->id), ':')
						  : target_kind_name(target->release->target)));
	if (!taken)
		return;
	ret->refused = (struct message){ 0 };
	ret->range = !target->chip || taken > 1;
	if (!target->chip)
		ret->left_out = chips_text(all->arena, target->release->target, ~families, ", ");
	put_parts(all, &whole, (int64_t)taken, ret);
	put_beside(result, index, ret);
}

/* Two targets at a time. */
static void estimate_pair(struct estimating *all, struct result *result, size_t first)
{
	struct target_sums pair[2] = { { .all = all, .target = first, .arena = ARENA_INIT(ARENA_UNLIMITED) },
		{ .all = all, .target = first + 1, .arena = ARENA_INIT(ARENA_UNLIMITED) } };
	size_t count = result->target_count - first < 2 ? 1 : 2;
	struct beside beside;

	beside_start(&beside, count == 2 ? all->calls->count : 0, sum_target, &pair[0]);
	if (count == 2)
		sum_target(&pair[1]);
	beside_wait(&beside);
	for (size_t i = 0; i < count; i++) {
		estimate_target(all, result, &pair[i]);
		arena_clear(&pair[i].arena);
	}
}

int estimate_add(const struct opdb *db, const struct cost_request *request, const struct calls *calls,
	struct result *result, struct err *err)
{
	struct estimating all = { .request = request,
		.operators = request->judge->operators,
		.calls = calls,
		.arena = &result->arena,
		.by_device = request->weights->basis == BASIS_DEVICE_TIME };
	int code = timing_facts_get(db, &all.facts, err);

	if (code)
		return code;
	ratio_table_fill(all.facts, STR("all"), &all.all);
	for (size_t i = 0; i < result->input_count && all.by_device && !all.source; i++)
		all.source = timing_chip(all.facts, str_from(request->inputs[i].dump.device.chip));
	if (all.source)
		ratio_table_fill(all.facts, all.source->family, &all.source_table);
	for (size_t i = 0; i < result->target_count; i += 2)
		estimate_pair(&all, result, i);
	return 0;
}
