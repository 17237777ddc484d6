#include "assess/plan/fallback.h"

#include <stdlib.h>

#include "assess/shape/use_bytes.h"
#include "base/memory/mem.h"
#include "base/value/figure.h"
#include "op/profile_links.h"

enum { MOST_ITEMS = 20, MOST_VISITS = 200 };

struct fallback_cache {
	const struct cost_request *request;
	struct use_bytes *bytes; /* of each use */
	bool *counted;
	struct arena scratch;
	uint64_t steps;
};

struct fallback_cache *fallback_cache_new(const struct cost_request *request, uint64_t steps)
{
	struct fallback_cache *cache = mem_zalloc(sizeof(*cache));
	size_t count;

	profile_uses(request->judge->profile, &count);
	cache->request = request;
	cache->bytes = mem_zalloc((count + 1) * sizeof(cache->bytes[0]));
	cache->counted = mem_zalloc(count + 1);
	cache->scratch = ARENA_INIT(ARENA_UNLIMITED);
	cache->steps = steps;
	return cache;
}

void fallback_cache_free(struct fallback_cache *cache)
{
	if (!cache)
		return;
	free(cache->bytes);
	free(cache->counted);
	arena_clear(&cache->scratch);
	free(cache);
}

/* --- bytes and times */

static uint64_t times(uint64_t count, uint64_t factor)
{
	unsigned __int128 product = (unsigned __int128)count * factor;

	return product > (unsigned __int128)FIGURE_MAX ? (uint64_t)FIGURE_MAX : (uint64_t)product;
}

static int64_t ratio(int64_t value, uint64_t factor, uint64_t divisor)
{
	unsigned __int128 product = (unsigned __int128)(value > 0 ? (uint64_t)value : 0) * factor / divisor;

	return product > (unsigned __int128)FIGURE_MAX ? FIGURE_MAX : (int64_t)product;
}

static void add_operator(
	struct fallback_cache *cache, const struct op *op, struct arena *arena, struct result_fallback *ret)
{
	const struct cost_options *options = &cache->request->options;
	size_t use_count;
	const struct profile_use *uses = profile_uses(cache->request->judge->profile, &use_count);
	struct result_host_transfer *item = &ret->items[ret->item_count++];

	/* an operator that runs on the CPU as a whole takes what it calls along */
	int64_t host_ns = op->cpu_total_ns > op->self_cpu_ns ? op->cpu_total_ns : op->self_cpu_ns;

	*item = (struct result_host_transfer){ .operator_name = arena_keep(arena, op->name), .calls = op->calls };
	for (size_t i = 0; i < op->use_count; i++) {
		uint32_t use = op->uses[i];
		struct use_bytes *bytes = &cache->bytes[use];
		uint64_t calls = uses[use].calls;

		if (!cache->counted[use])
			*bytes = use_bytes_of(&cache->scratch, &uses[use]);
		cache->counted[use] = true;
		item->bytes_to_host = figure_count(item->bytes_to_host, times(bytes->all, calls));
		item->bytes_to_device = figure_count(item->bytes_to_device, times(bytes->largest, calls));
		ret->assumed_bytes = figure_count(ret->assumed_bytes, times(bytes->assumed, calls));
		if (!bytes->known)
			ret->unsized_calls = figure_count(ret->unsized_calls, calls);
	}
	item->copy_ns = ratio(
		(int64_t)figure_count(item->bytes_to_host, item->bytes_to_device), 1000000000, options->host_bandwidth);
	if (ret->host_known)
		item->host_ns = ratio(host_ns, options->host_slowdown_milli, 1000);
	ret->calls = figure_count(ret->calls, item->calls);
	ret->bytes_to_host = figure_count(ret->bytes_to_host, item->bytes_to_host);
	ret->bytes_to_device = figure_count(ret->bytes_to_device, item->bytes_to_device);
	ret->copy_ns = figure_add(ret->copy_ns, item->copy_ns);
	ret->host_ns = figure_add(ret->host_ns, item->host_ns);
}

static int by_time(const void *a, const void *b)
{
	const struct result_host_transfer *left = a, *right = b;
	int64_t first = figure_add(left->copy_ns, left->host_ns), second = figure_add(right->copy_ns, right->host_ns);

	return ORDER(second, first) ?: str_cmp(left->operator_name, right->operator_name);
}

/* --- the order of a step */

struct host_visits {
	const struct fallback_cache *cache;
	const struct judgement *judgements;
	struct result_fallback *ret;
	uint64_t runs, turns; /* so far; operators that are no part of another */
	uint64_t idle;        /* operators on the device since the last visit to the host */
	bool on_host;
	struct result_chain chain;         /* that goes on */
	uint64_t chain_from, longest_from; /* turn of its first operator, and of that of the longest so far */
	struct result_timeline *timeline;
	uint32_t inside; /* operators deeper than this are a part of the one before; UINT32_MAX: none */
};

static void visit_host(struct host_visits *visits, struct str name)
{
	struct result_timeline *timeline = visits->timeline;

	visits->runs += !visits->on_host;
	if (visits->runs > MOST_VISITS)
		timeline->left_out = visits->runs - MOST_VISITS;
	else if (!visits->on_host)
		timeline->visits[timeline->visit_count++] = (struct result_visit){ name, visits->turns, visits->turns };
	else
		timeline->visits[timeline->visit_count - 1].last = visits->turns;
	if (!visits->on_host) {
		if (!visits->chain.runs || visits->idle > CLOSE_OPERATORS) {
			visits->chain = (struct result_chain){ .first = name };
			visits->chain_from = visits->turns;
		}
		visits->chain.runs++;
	}
	visits->on_host = true;
	visits->idle = 0;
	visits->chain.last = name;
	visits->chain.turns = visits->turns - visits->chain_from + 1;
	if (visits->chain.runs > visits->ret->longest.runs || visits->chain_from == visits->longest_from) {
		visits->ret->longest = visits->chain;
		visits->longest_from = visits->chain_from;
		timeline->longest = (struct result_turns){ visits->chain_from, visits->turns };
	}
}

/* A composite is where its parts are; what is unknown or does not run is nowhere. */
static void take_turn(struct host_visits *visits, const struct profile_turn *turn)
{
	uint32_t op = turn->use == NO_USE ? NO_OPERATOR : visits->cache->request->judge->operators->of_uses[turn->use];
	enum op_status status;

	if (turn->depth > visits->inside && visits->inside != UINT32_MAX)
		return;
	visits->inside = UINT32_MAX;
	if (op == NO_OPERATOR)
		return;
	status = visits->judgements[op].verdict.status;
	if (status == OP_COMPOSITE || status > OP_CPU_FALLBACK)
		return;
	visits->inside = turn->depth;
	visits->turns++;
	if (status == OP_CPU_FALLBACK) {
		visit_host(visits, visits->cache->request->judge->operators->items[op].name);
		return;
	}
	visits->on_host = false;
	visits->idle++;
}

/* The longest order that some rank has. */
static const struct profile_turn *longest_order(const struct profile *profile, size_t *ret_count)
{
	const struct profile_turn *longest = NULL;
	size_t streams;

	*ret_count = 0;
	profile_streams(profile, &streams);
	for (size_t i = 0; i < streams; i++) {
		size_t count;
		const struct profile_turn *turns = profile_order(profile, (uint32_t)i, &count);

		if (count > *ret_count) {
			longest = turns;
			*ret_count = count;
		}
	}
	return longest;
}

/* Without an order, all calls of a step may be one visit, or each its own. */
static void count_runs(const struct fallback_cache *cache, const struct judgement *judgements, struct arena *arena,
	struct result_fallback *ret)
{
	size_t count;
	const struct profile_turn *turns = longest_order(cache->request->judge->profile, &count);
	struct host_visits visits = { .cache = cache, .judgements = judgements, .ret = ret, .inside = UINT32_MAX };
	uint64_t per_step = (ret->calls + cache->steps - 1) / cache->steps;

	visits.timeline = arena_alloc(arena, sizeof(*visits.timeline));
	visits.timeline->visits = arena_alloc(arena, MOST_VISITS * sizeof(visits.timeline->visits[0]));
	for (size_t i = 0; i < count; i++)
		take_turn(&visits, &turns[i]);
	visits.timeline->turns = visits.turns;
	for (size_t i = 0; i < visits.timeline->visit_count; i++)
		visits.timeline->visits[i].operator_name = arena_keep(arena, visits.timeline->visits[i].operator_name);
	ret->timeline = visits.runs ? visits.timeline : NULL;
	ret->ordered = count > 0;
	ret->runs_lo = ret->ordered ? visits.runs : 1;
	ret->runs_hi = ret->ordered && count < cache->request->limits->step_turns ? visits.runs : per_step;
	if (ret->runs_hi < ret->runs_lo)
		ret->runs_hi = ret->runs_lo;
	ret->longest.first = arena_keep(arena, ret->longest.first);
	ret->longest.last = arena_keep(arena, ret->longest.last);
}

/* --- the whole */

struct result_fallback *fallback_of(struct fallback_cache *cache, size_t target, struct arena *arena)
{
	const struct cost_request *request = cache->request;
	const struct operators *operators = request->judge->operators;
	const struct judgement *judgements = request->judgements[target];
	struct result_fallback *ret;
	size_t count = SUM(i, operators->count, judgements[i].verdict.status == OP_CPU_FALLBACK);

	if (!count)
		return NULL;
	ret = arena_alloc(arena, sizeof(*ret));
	ret->longest.first = ret->longest.last = STR("");
	ret->host_known = request->weights->basis == BASIS_CPU_TIME;
	ret->items = arena_alloc(arena, count * sizeof(ret->items[0]));
	for (size_t i = 0; i < operators->count; i++) {
		if (judgements[i].verdict.status == OP_CPU_FALLBACK)
			add_operator(cache, &operators->items[i], arena, ret);
	}
	ret->step_ns = (ret->copy_ns + ret->host_ns) / (int64_t)cache->steps;
	qsort(ret->items, ret->item_count, sizeof(ret->items[0]), by_time);
	ret->item_count = ret->item_count < MOST_ITEMS ? ret->item_count : MOST_ITEMS;
	count_runs(cache, judgements, arena, ret);
	return ret;
}
