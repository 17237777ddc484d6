/* What follows from verdicts, on small profiles whose figures can be worked out by hand. */
#include "assess/model/words.h"
#include "assess/plan/cost.h"
#include "assess/shape/use_bytes.h"
#include "assess/plan/whatif.h"
#include "base/value/figure.h"
#include "tests/unit/opdb_fixture.h"
#include "tests/unit/sheets.h"

static bool known(void *ctx, struct str base)
{
	return true;
}

static size_t completions(void *ctx, struct str ns, struct str prefix, struct str *ret, size_t max)
{
	return 0;
}

/* One target and the operators of a profile, each with a judgement; all else follows. */
struct costs {
	struct arena scratch;
	struct profile *profile;
	struct operators operators;
	struct weights weights;
	struct resolver *resolver;
	struct judge judge;
	struct target target;
	struct judgement judgements[16];
	struct judgement *of_targets[1];
	size_t order[16];
	struct limits limits;
	struct result result;
};

static void costs_clear(struct costs *costs)
{
	struct arena arena = costs->result.arena;

	resolver_free(costs->resolver);
	profile_free(costs->profile);
	arena_clear(&costs->scratch);
	arena_clear(&arena);
}

static struct judgement judged(enum op_status best, enum op_status status, enum op_status worst)
{
	return (struct judgement){ .verdict.status = status, .best = best, .worst = worst, .package = STR("") };
}

/* Largest weight first, as a report has them. */
static void put_order(struct costs *costs)
{
	for (size_t i = 0; i < costs->operators.count; i++) {
		size_t at = i;

		for (; at && costs->operators.items[costs->order[at - 1]].weight < costs->operators.items[i].weight;
			at--)
			costs->order[at] = costs->order[at - 1];
		costs->order[at] = i;
	}
}

static void put_result(struct costs *costs)
{
	struct result *result = &costs->result;

	result->arena = ARENA_INIT(ARENA_UNLIMITED);
	result->targets = arena_alloc(&result->arena, sizeof(result->targets[0]));
	result->target_count = 1;
	result->operator_count = costs->operators.count;
	result->operators = arena_alloc(&result->arena, (costs->operators.count + 1) * sizeof(result->operators[0]));
	for (size_t i = 0; i < result->operator_count; i++) {
		result->operators[i].name = costs->operators.items[costs->order[i]].name;
		result->operators[i].verdicts = arena_alloc(&result->arena, sizeof(result->operators[i].verdicts[0]));
		result->operators[i].verdict_count = 1;
	}
}

/* Everything is native until the test says otherwise. */
static void costs_start(struct fixture *fixture, struct profile *profile, const char *target, struct costs *ret)
{
	struct name_lookup lookup = { NULL, known, completions };

	*ret = (struct costs){ .scratch = ARENA_INIT(ARENA_UNLIMITED), .profile = profile, .limits = limits_default() };
	ret->resolver = resolver_new(fixture->db);
	ret->target = target_named(fixture, target);
	operators_gather(&ret->scratch, profile, &lookup, &ret->operators);
	weights_choose(profile, &ret->operators, &ret->weights);
	for (size_t i = 0; i < ret->operators.count; i++)
		ret->judgements[i] = judged(OP_NATIVE, OP_NATIVE, OP_NATIVE);
	put_order(ret);
	put_result(ret);
}

static void run(struct costs *costs, struct cost_options options)
{
	struct arena forgotten = ARENA_INIT(ARENA_UNLIMITED);
	struct cost_request request = { .judge = &costs->judge,
		.weights = &costs->weights,
		.order = costs->order,
		.limits = &costs->limits,
		.targets = &costs->target,
		.judgements = costs->of_targets,
		.options = options };
	struct composites *composites = composites_new(&costs->scratch, costs->profile, &costs->operators);
	struct err err = { 0 };

	costs->of_targets[0] = costs->judgements;
	costs->judge = (struct judge){ .arena = &forgotten,
		.resolver = costs->resolver,
		.profile = costs->profile,
		.operators = &costs->operators,
		.composites = composites,
		.brief = true };
	if (cost_add(&request, &costs->result, &err))
		fail_msg("%s", err.text);
	composites_clear(composites);
	arena_clear(&forgotten);
}

static struct judgement *judgement_of(struct costs *costs, const char *name)
{
	for (size_t i = 0; i < costs->operators.count; i++) {
		if (str_eq(costs->operators.items[i].name, str_from(name)))
			return &costs->judgements[i];
	}
	fail_msg("no operator %s", name);
	return NULL;
}

/* --- the way to ready */

static void the_greedy_way_takes_blockers_first_then_time(void **state)
{
	CLEANUP(costs_clear) struct costs costs;
	const struct result_target *target;
	static const struct {
		const char *kind, *what;
		int64_t device_lo, device_hi, runs_lo;
		uint64_t blockers;
	} want[] = {
		{ "package", "pkg", 500000, 650000, 650000, 1 },        /* two blockers at once */
		{ "replace", "aten::stop", 550000, 700000, 700000, 0 }, /* one blocker of 5 % */
		{ "settle", "aten::maybe", 700000, 700000, 850000, 0 }, /* may not run */
		{ "settle", "aten::what", 850000, 850000, 1000000, 0 },
		{ "replace", "aten::slow", 1000000, 1000000, 1000000, 0 },
	};

	costs_start(*state,
		profile_of_steps(
			"aten::fine [[1]] x1 =40; aten::slow [[1]] x1 =15; aten::stop [[1]] x1 =5; pkg::a [[1]] x1 =4;"
			"pkg::b [[1]] x1 =6; aten::maybe [[1]] x1 =15; aten::what [[1]] x1 =15"),
		"npu", &costs);
	*judgement_of(&costs, "aten::slow") = judged(OP_CPU_FALLBACK, OP_CPU_FALLBACK, OP_CPU_FALLBACK);
	*judgement_of(&costs, "aten::stop") = judged(OP_UNSUPPORTED, OP_UNSUPPORTED, OP_UNSUPPORTED);
	*judgement_of(&costs, "pkg::a") = judged(OP_NEEDS_PACKAGE, OP_NEEDS_PACKAGE, OP_NEEDS_PACKAGE);
	*judgement_of(&costs, "pkg::b") = *judgement_of(&costs, "pkg::a");
	judgement_of(&costs, "pkg::a")->package = judgement_of(&costs, "pkg::b")->package = STR("pkg");
	*judgement_of(&costs, "aten::maybe") = judged(OP_NATIVE, OP_NATIVE, OP_UNSUPPORTED);
	*judgement_of(&costs, "aten::what") = judged(OP_NATIVE, OP_UNKNOWN, OP_UNKNOWN);
	run(&costs, (struct cost_options){ 0 });
	target = &costs.result.targets[0];
	assert_int_equal(target->fix_count, ARRAY_SIZE(want));
	assert_int_equal(target->fixes_left, 0);
	for (size_t i = 0; i < ARRAY_SIZE(want); i++) {
		const struct result_fix *fix = &target->fixes[i];

		assert_str(word_for(&fix_words, fix->kind), want[i].kind);
		assert_string_equal(fix->what.ptr, want[i].what);
		if (fix->readiness.lo_ppm != want[i].device_lo || fix->coverage.lo_ppm != want[i].runs_lo ||
			fix->blockers != want[i].blockers)
			fail_msg("step %zu: %lld, %lld", i, (long long)fix->readiness.lo_ppm,
				(long long)fix->coverage.lo_ppm);
		assert_true(fix->readiness.lo_ppm <= fix->readiness.hi_ppm &&
			    fix->readiness.hi_ppm <= fix->coverage.hi_ppm);
	}
	assert_int_equal(target->fixes[0].operator_total, 2);
	assert_string_equal(target->fixes[0].operators[0].ptr, "pkg::b");
	assert_int_equal(target->fixes[1].effort, EFFORT_PORT);
}

static void a_release_that_runs_more_comes_first(void **state)
{
	struct fixture *fixture = *state;
	CLEANUP(costs_clear) struct costs costs;
	const struct result_fix *fix;

	costs_start(fixture, profile_of_steps("aten::aminmax [[1]] x1 =5; aten::relu [[1]] x1 =10"),
		"npu@v1.11.0-3.0.0", &costs);
	*judgement_of(&costs, "aten::aminmax") = judged(OP_UNSUPPORTED, OP_UNSUPPORTED, OP_UNSUPPORTED);
	judgement_of(&costs, "aten::aminmax")->better = target_named(fixture, "npu@v1.11.0-5.0.rc1").release;
	run(&costs, (struct cost_options){ 0 });
	fix = &costs.result.targets[0].fixes[0];
	assert_int_equal(fix->kind, FIX_RELEASE);
	assert_string_equal(fix->what.ptr, "npu@v1.11.0-5.0.rc1");
	assert_int_equal(fix->readiness.lo_ppm, 1000000);
	assert_int_equal(costs.result.targets[0].fix_count, 1);
}

/* --- bytes */

static void bytes_follow_from_sizes_and_types(void **state)
{
	static const struct {
		const char *shapes, *dtypes;
		uint64_t all, largest, assumed;
		bool known;
	} cases[] = {
		{ "[[2, 3], [4]]", "", 40, 24, 40, true },
		{ "[[2, 3], [4]]", "['c10::BFloat16', 'long int']", 44, 32, 0, true },
		{ "[[2, 3], [], [4]]", "[\"float\", \"Scalar\", \"\"]", 40, 24, 16, true },
		{ "[[[2], [5]], [3]]", "[['double', 'double'], 'bool']", 59, 40, 0, true }, /* a list of tensors */
		{ "[[[2], [5]], [3]]", "['TensorList', 'bool']", 31, 20, 28, true },
		{ "[[], []]", "['float', 'Int']", 0, 0, 0, true },
		{ "[[0, 7]]", "['float']", 0, 0, 0, true },
		{ "[[-3, 7]]", "['float']", 0, 0, 0, true },
		{ "", "['float']", 0, 0, 0, false },
		{ "[[2, 3", "['float']", 0, 0, 0, false },
		{ "[[4000000000, 4000000000]]", "['c10::complex<double>']", FIGURE_MAX, FIGURE_MAX, 0, true },
	};
	struct arena scratch = ARENA_INIT(ARENA_UNLIMITED);

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct profile_use use = { .shapes = str_from(cases[i].shapes),
			.dtypes = str_from(cases[i].dtypes),
			.shapes_cut = cases[i].shapes[0] && cases[i].shapes[strlen(cases[i].shapes) - 1] != ']' };
		struct use_bytes bytes = use_bytes_of(&scratch, &use);

		if (bytes.all != cases[i].all || bytes.largest != cases[i].largest ||
			bytes.assumed != cases[i].assumed || bytes.known != cases[i].known)
			fail_msg("case %zu: %llu, %llu, %llu", i, (unsigned long long)bytes.all,
				(unsigned long long)bytes.largest, (unsigned long long)bytes.assumed);
	}
	arena_clear(&scratch);
}

/* Two steps; 3 calls of 1000 elements and 1 call of 50: 3 * 4000 + 200 bytes out, as many back. */
static void copies_and_computing_are_summed_up(void **state)
{
	CLEANUP(costs_clear) struct costs costs;
	const struct result_fallback *host_transfers;

	costs_start(*state,
		profile_of_steps("aten::slow [[10, 100]] x2 =30; aten::fine [[1]] x1 =70|aten::slow [[10, 100]] x1 =20;"
				 "aten::slow [[50], []] x1 =10; aten::fine [[1]] x1 =70"),
		"npu", &costs);
	*judgement_of(&costs, "aten::slow") = judged(OP_CPU_FALLBACK, OP_CPU_FALLBACK, OP_CPU_FALLBACK);
	run(&costs, (struct cost_options){ 1000000000, 2500 });
	host_transfers = costs.result.targets[0].host_transfers;
	assert_int_equal(costs.result.cost.steps, 2);
	assert_int_equal(costs.result.cost.step_ns, 100000);
	assert_int_equal(host_transfers->calls, 4);
	assert_int_equal(host_transfers->bytes_to_host, 12200);
	assert_int_equal(host_transfers->bytes_to_device, 12200);
	assert_int_equal(host_transfers->assumed_bytes, 12200);
	assert_int_equal(host_transfers->copy_ns, 24400);
	assert_true(host_transfers->host_known);
	assert_int_equal(host_transfers->host_ns, 150000);
	assert_false(host_transfers->ordered);
	assert_int_equal(host_transfers->runs_lo, 1);
	assert_int_equal(host_transfers->runs_hi, 2);
	assert_int_equal(host_transfers->item_count, 1);
	assert_string_equal(host_transfers->items[0].operator_name.ptr, "aten::slow");
}

/* A step of either rank, and three of the other: what is said of a step is a quarter. */
static void the_steps_of_all_ranks_share_the_time(void **state)
{
	CLEANUP(costs_clear) struct costs costs;
	struct limits limits = limits_default();
	struct profile *profile = profile_new(&limits);
	struct event_sink sink = profile_sink(profile, STR(""));

	feed_steps(&sink, "rank0", "aten::fine [[1]] =10|aten::fine [[2]] =20|aten::fine [[3]] =30");
	feed_steps(&sink, "rank1", "aten::fine [[1]] =40");
	profile_finish(profile);
	costs_start(*state, profile, "npu", &costs);
	run(&costs, (struct cost_options){ 1000000000, 2500 });
	assert_int_equal(costs.result.cost.steps, 4);
	assert_int_equal(costs.result.cost.step_ns, 25000);
}

/* --- the order of a step */

/* A profile of one step in which the operators of a text run in its order: "h" on the host, "d" on the device, "c" a composite;
   a digit before it is its depth. */
static struct profile *profile_of_order(const char *order)
{
	static const char *const names[] = { "aten::h", "aten::d", "aten::c" };
	struct limits limits = limits_default();
	struct profile *profile = profile_new(&limits);
	struct event_sink sink = profile_sink(profile, STR(""));
	struct table_end end = { .footer_cpu_ns = -1, .footer_device_ns = -1, .share_ppm = -1 };
	unsigned stream = sink.stream(sink.ctx, STR(""));

	sink.table_begin(sink.ctx, stream, TABLE_HAS_SHAPES | TABLE_HAS_TIMES);
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		struct op_row row = { .name = str_from(names[i]),
			.overload = STR(""),
			.shapes = STR("[[2]]"),
			.dtypes = STR(""),
			.strides = STR(""),
			.concrete = STR(""),
			.calls = 1,
			.self_cpu_ns = 1000 };

		sink.rows(sink.ctx, stream, &row, 1);
	}
	for (size_t i = 0; order[i]; i += 2) {
		struct op_turn turn = { .name = str_from(names[order[i + 1] == 'h'   ? 0
							       : order[i + 1] == 'd' ? 1
										     : 2]),
			.overload = STR(""),
			.shapes = STR("[[2]]"),
			.dtypes = STR(""),
			.depth = (uint32_t)(order[i] - '0') };

		sink.order(sink.ctx, stream, &turn, 1);
	}
	sink.table_end(sink.ctx, stream, &end);
	profile_finish(profile);
	return profile;
}

static void crossings_follow_from_the_order(void **state)
{
	static const struct {
		const char *order;
		uint64_t runs, chain, turns;
	} cases[] = {
		{ "0d0h0h0d0d", 1, 1, 2 }, /* two in a row are one visit */
		{ "0h0d0h0d0h", 3, 3, 5 },
		{ "0h0d0d0d0h", 2, 2, 5 },       /* three between are close */
		{ "0h0d0d0d0d0h", 2, 1, 1 },     /* four are not */
		{ "0h0d0d0d0d0h0d0h", 3, 2, 3 }, /* the longest is the second */
		{ "0c1h1d1h", 2, 2, 3 },         /* a composite is where its parts are */
		{ "0h1d1h0d1h0h", 2, 2, 3 },     /* what is inside another operator is a part of it */
		{ "0d0d", 0, 0, 0 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		CLEANUP(costs_clear) struct costs costs;
		const struct result_fallback *host_transfers;

		costs_start(*state, profile_of_order(cases[i].order), "npu", &costs);
		*judgement_of(&costs, "aten::h") = judged(OP_CPU_FALLBACK, OP_CPU_FALLBACK, OP_CPU_FALLBACK);
		*judgement_of(&costs, "aten::c") = judged(OP_COMPOSITE, OP_COMPOSITE, OP_COMPOSITE);
		run(&costs, (struct cost_options){ 0 });
		host_transfers = costs.result.targets[0].host_transfers;
		assert_true(host_transfers->ordered);
		if (host_transfers->runs_lo != cases[i].runs || host_transfers->longest.runs != cases[i].chain ||
			host_transfers->longest.turns != cases[i].turns)
			fail_msg("%s: %llu visits, %llu in a chain of %llu", cases[i].order,
				(unsigned long long)host_transfers->runs_lo,
				(unsigned long long)host_transfers->longest.runs,
				(unsigned long long)host_transfers->longest.turns);
	}
}

/* --- compiling */

static void compiles_are_counted_by_shape(void **state)
{
	CLEANUP(costs_clear) struct costs costs;
	const struct result_compiling *compiling;

	costs_start(*state,
		profile_of_steps("aten::jit [[1]]; aten::jit [[2]]; aten::flag [[1]]; aten::fine [[5]]|"
				 "aten::jit [[3]]; aten::flag [[1]]; aten::fine [[5]]|aten::jit [[3]]; aten::flag "
				 "[[1]]; aten::fine [[5]]"),
		"npu", &costs);
	judgement_of(&costs, "aten::jit")->verdict.status = OP_NATIVE_JIT;
	judgement_of(&costs, "aten::flag")->verdict.flags = FLAG_JIT_COMPILE;
	run(&costs, (struct cost_options){ 0 });
	compiling = costs.result.targets[0].compiling;
	assert_int_equal(compiling->mode, COMPILES_BY_OPERATOR);
	assert_int_equal(compiling->operators, 2);
	assert_int_equal(compiling->compiles, 4);
	assert_int_equal(compiling->first, 3);
	assert_false(compiling->at_least);
	assert_int_equal(compiling->stall_lo_ms, 4000);
	assert_int_equal(compiling->stall_hi_ms, 8000);
	assert_true(costs.result.cost.graphs_known);
	assert_int_equal(costs.result.cost.graphs, 2);
	assert_null(costs.result.targets[0].host_transfers);
}

static void a_chip_that_compiles_is_said_to(void **state)
{
	CLEANUP(costs_clear) struct costs costs;

	costs_start(*state, profile_of_steps("aten::flag [[1]]"), "npu@2.5.1:310P", &costs);
	judgement_of(&costs, "aten::flag")->verdict.flags = FLAG_JIT_COMPILE;
	run(&costs, (struct cost_options){ 0 });
	assert_int_equal(costs.result.targets[0].compiling->mode, COMPILES_BY_CHIP);
}

/* --- places */

#define TEXT(literal)                                                                                                  \
	{                                                                                                              \
		literal, sizeof(literal) - 1                                                                           \
	}

static const struct op_link module_links[] = {
	{ TEXT("aten::bad"), TEXT("Net_0/Head_0"), 2, 3000, 0 },
	{ TEXT("aten::fine"), TEXT("Net_0"), 1, 1000, 0 },
	{ TEXT("aten::fine"), TEXT("Net_0/Body_0"), 4, 5000, 0 },
	{ TEXT("aten::fine"), TEXT("Net_0/Body_0/Conv_1"), 1, 500, 0 },
	{ TEXT("aten::slow"), TEXT("Net_0/Head_0"), 1, 500, 0 },
	{ TEXT("not an operator"), TEXT("Net_0/Other"), 1, 500, 0 },
};

static struct profile *profile_of_links(enum relation relation, const struct op_link *links, size_t count)
{
	struct limits limits = limits_default();
	struct profile *profile = profile_new(&limits);
	struct event_sink sink = profile_sink(profile, STR(""));

	feed_steps(&sink, "", "aten::bad [[1]] x2 =3; aten::fine [[1]] x6 =6.5; aten::slow [[1]] x1 =0.5");
	sink.links(sink.ctx, 0, relation, links, count);
	profile_finish(profile);
	return profile;
}

static void modules_hold_what_is_in_them(void **state)
{
	static const struct {
		const char *path;
		uint32_t depth;
		uint64_t calls, operators;
		int64_t share, device, blocked, fallback;
		uint64_t blockers;
	} want[] = {
		{ "Net_0", 0, 9, 3, 1000000, 650000, 300000, 50000, 1 },
		{ "Net_0/Body_0", 1, 5, 1, 550000, 550000, 0, 0, 0 },
		{ "Net_0/Body_0/Conv_1", 2, 1, 1, 50000, 50000, 0, 0, 0 },
		{ "Net_0/Head_0", 1, 3, 2, 350000, 0, 300000, 50000, 1 },
	};
	CLEANUP(costs_clear) struct costs costs;

	costs_start(*state, profile_of_links(RELATION_MODULE, module_links, ARRAY_SIZE(module_links)), "npu", &costs);
	*judgement_of(&costs, "aten::bad") = judged(OP_UNSUPPORTED, OP_UNSUPPORTED, OP_UNSUPPORTED);
	*judgement_of(&costs, "aten::slow") = judged(OP_CPU_FALLBACK, OP_CPU_FALLBACK, OP_CPU_FALLBACK);
	run(&costs, (struct cost_options){ 0 });
	assert_int_equal(costs.result.places.kind, PLACES_MODULES);
	assert_int_equal(costs.result.places.count, ARRAY_SIZE(want));
	for (size_t i = 0; i < ARRAY_SIZE(want); i++) {
		const struct result_place *place = &costs.result.places.items[i];

		assert_string_equal(place->path.ptr, want[i].path);
		assert_int_equal(place->depth, want[i].depth);
		assert_int_equal(place->calls, want[i].calls);
		assert_int_equal(place->operators, want[i].operators);
		assert_int_equal(place->share_ppm, want[i].share);
		assert_int_equal(place->targets[0].device_lo_ppm, want[i].device);
		assert_int_equal(place->targets[0].blocked_ppm, want[i].blocked);
		assert_int_equal(place->targets[0].fallback_ppm, want[i].fallback);
		assert_int_equal(place->targets[0].blockers, want[i].blockers);
	}
}

static void lines_of_source_stand_side_by_side(void **state)
{
	static const struct op_link links[] = {
		{ TEXT("aten::bad"), TEXT("model/net.py(12): forward"), 2, 3000, 0 },
		{ TEXT("aten::fine"), TEXT("train.py(7): <module>"), 6, 6500, 0 },
	};
	CLEANUP(costs_clear) struct costs costs;

	costs_start(*state, profile_of_links(RELATION_SOURCE, links, 2), "npu", &costs);
	run(&costs, (struct cost_options){ 0 });
	assert_int_equal(costs.result.places.kind, PLACES_LINES);
	assert_int_equal(costs.result.places.count, 2);
	assert_string_equal(costs.result.places.items[0].path.ptr, "train.py(7): <module>");
	assert_int_equal(costs.result.places.items[0].depth + costs.result.places.items[1].depth, 0);
}

/* A path may be as deep as a dump likes: what is too deep is counted to the place around it. */
static void deep_paths_are_cut(void **state)
{
	CLEANUP(costs_clear) struct costs costs;
	CLEANUP(buf_clear) struct buf path = BUF_INIT(1 << 20);
	struct op_link link = { TEXT("aten::bad"), { 0 }, 2, 3000, 0 };

	for (size_t i = 0; i < 100000; i++)
		buf_add(&path, STR("m/"));
	link.other = buf_str(&path);
	costs_start(*state, profile_of_links(RELATION_MODULE, &link, 1), "npu", &costs);
	run(&costs, (struct cost_options){ 0 });
	assert_int_equal(costs.result.places.count, 64);
	assert_int_equal(costs.result.places.items[63].depth, 63);
	assert_int_equal(costs.result.places.items[63].calls, 2);
}

/* --- assumptions about the machine */

static void bandwidths_and_factors_are_read(void **state)
{
	static const struct {
		const char *text;
		uint64_t rate;
	} rates[] = { { "12GB/s", 12000000000 }, { "0.5 GB/s", 500000000 }, { "900MB/s", 900000000 }, { "12", 0 },
		{ "GB/s", 0 }, { "-1GB/s", 0 }, { "0GB/s", 0 }, { "1e3GB/s", 0 }, { "12GiB/s", 0 }, { "", 0 },
		{ "9999999999999GB/s", 0 } };
	static const struct {
		const char *text;
		uint64_t milli;
	} factors[] = { { "1", 1000 }, { "1.5", 1500 }, { "0.001", 1 }, { "1000", 1000000 }, { "1001", 0 }, { "0", 0 },
		{ "-1", 0 }, { "x", 0 }, { "", 0 } };

	for (size_t i = 0; i < ARRAY_SIZE(rates); i++) {
		struct err err = { 0 };
		uint64_t rate = 0;

		assert_int_equal(
			cost_parse_bandwidth(str_from(rates[i].text), &rate, &err), rates[i].rate ? 0 : -ERR_VALUE);
		assert_int_equal(rate, rates[i].rate);
	}
	for (size_t i = 0; i < ARRAY_SIZE(factors); i++) {
		struct err err = { 0 };
		uint64_t milli = 0;

		assert_int_equal(cost_parse_slowdown(str_from(factors[i].text), &milli, &err),
			factors[i].milli ? 0 : -ERR_VALUE);
		assert_int_equal(milli, factors[i].milli);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_greedy_way_takes_blockers_first_then_time),
		cmocka_unit_test(a_release_that_runs_more_comes_first),
		cmocka_unit_test(bytes_follow_from_sizes_and_types),
		cmocka_unit_test(copies_and_computing_are_summed_up),
		cmocka_unit_test(the_steps_of_all_ranks_share_the_time),
		cmocka_unit_test(crossings_follow_from_the_order),
		cmocka_unit_test(compiles_are_counted_by_shape),
		cmocka_unit_test(a_chip_that_compiles_is_said_to),
		cmocka_unit_test(modules_hold_what_is_in_them),
		cmocka_unit_test(lines_of_source_stand_side_by_side),
		cmocka_unit_test(deep_paths_are_cut),
		cmocka_unit_test(bandwidths_and_factors_are_read),
	};

	return cmocka_run_group_tests(tests, fixture_build, fixture_clean);
}
