/* Device times of targets: of small profiles, whose figures can be worked out by hand, and why there is none. */
#include "assess/estimate/calls.h"
#include "assess/estimate/estimate.h"
#include "opdb/db/timing_facts.h"
#include "opdb/model/dtype.h"
#include "tests/unit/opdb_fixture.h"

enum { MOST = 8 };

/* A row: an operator, and how deep it lies in others. total_us: with its parts. aicpu_ppm: of its calls, on the AI CPU.
   table, of the first: of all, which have no order; unseen: the order does not show this row. */
struct given {
	const char *name, *shapes, *dtypes;
	uint64_t calls;
	int64_t cpu_us, device_us;
	enum op_status status;
	uint32_t depth;
	int64_t total_us, aicpu_ppm;
	bool table, unseen;
	int64_t uncovered_us; /* of the dump, in its first row: time of no operator */
};

struct estimated {
	struct arena scratch;
	struct profile *profile;
	struct operators operators;
	struct weights weights;
	struct judgement judgements[MOST], *of_targets[1];
	size_t order[MOST];
	struct result result;
};

static bool known(void *ctx, struct str base)
{
	return true;
}

static size_t completions(void *ctx, struct str ns, struct str prefix, struct str *ret, size_t max)
{
	return 0;
}

static void put_profile(struct estimated *ret, const struct given *rows, size_t count)
{
	struct limits limits = limits_default();
	struct event_sink sink;
	unsigned stream;

	ret->profile = profile_new(&limits);
	sink = profile_sink(ret->profile, STR(""));
	stream = sink.stream(sink.ctx, STR(""));
	sink.table_begin(sink.ctx, stream, TABLE_STEPPED);
	for (size_t i = 0; i < count; i++)
		sink.rows(sink.ctx, stream,
			&(struct op_row){ .name = str_from(rows[i].name),
				.overload = STR(""),
				.shapes = str_from(rows[i].shapes),
				.dtypes = str_from(rows[i].dtypes),
				.strides = STR(""),
				.concrete = STR(""),
				.calls = rows[i].calls,
				.kernels = rows[i].device_us ? (uint32_t)rows[i].calls : 0,
				.self_cpu_ns = rows[i].cpu_us * 1000,
				.cpu_total_ns = (rows[i].total_us ? rows[i].total_us : rows[i].cpu_us) * 1000,
				.self_device_ns = rows[i].device_us * 1000,
				.step = 1 },
			1);
	for (size_t i = 0; i < count && !rows[0].table; i++)
		sink.order(sink.ctx, stream,
			&(struct op_turn){ .name = str_from(rows[i].name),
				.overload = STR(""),
				.shapes = str_from(rows[i].shapes),
				.dtypes = str_from(rows[i].dtypes),
				.depth = rows[i].depth },
			rows[i].unseen ? 0 : 1);
	sink.table_end(sink.ctx, stream,
		&(struct table_end){ .footer_cpu_ns = -1,
			.footer_device_ns = -1,
			.share_ppm = -1,
			.has = TABLE_HAS_SHAPES | TABLE_HAS_TIMES | TABLE_HAS_DEVICE_TIMES,
			.steps = 1 });
	profile_finish(ret->profile);
}

/* A target by its spec; chip: of the dump's GPU. */
static const struct result_estimate *estimate(struct estimated *ret, const struct fixture *fixture, const char *spec,
	const struct given *rows, size_t count, const char *chip)
{
	struct name_lookup lookup = { NULL, known, completions };
	struct target target = target_named(fixture, spec);
	const struct judge judge = { .operators = &ret->operators };
	struct assess_input input = { .dump = { .device = { .kind = DEVICE_UNKNOWN } } };
	const struct cost_request request = { .judge = &judge,
		.weights = &ret->weights,
		.order = ret->order,
		.targets = &target,
		.judgements = ret->of_targets,
		.inputs = &input };
	struct err err = { 0 };
	struct arena arena = ARENA_INIT(ARENA_UNLIMITED);
	struct calls calls;

	*ret = (struct estimated){ .scratch = ARENA_INIT(ARENA_UNLIMITED) };
	put_profile(ret, rows, count);
	operators_gather(&ret->scratch, ret->profile, &lookup, &ret->operators);
	weights_choose(ret->profile, &ret->operators, &ret->weights);
	weights_add_uncovered(&ret->weights, rows[0].uncovered_us * 1000);
	ret->result.arena = arena;
	ret->result.cost.steps = 1;
	ret->result.target_count = 1;
	ret->result.targets = arena_alloc(&ret->result.arena, sizeof(ret->result.targets[0]));
	ret->result.operator_count = ret->operators.count;
	ret->result.operators = arena_alloc(
		&ret->result.arena, ret->operators.count * sizeof(ret->result.operators[0]));
	for (size_t i = 0; i < ret->operators.count; i++) {
		size_t row = 0;

		while (!str_eq(ret->operators.items[i].name, str_from(rows[row].name)))
			row++;
		ret->judgements[i] = (struct judgement){ .verdict = { .status = rows[row].status,
								 .aicpu.lo_ppm = rows[row].aicpu_ppm } };
		ret->order[i] = i;
		ret->result.operators[i].verdicts = arena_alloc(
			&ret->result.arena, sizeof(ret->result.operators[i].verdicts[0]));
	}
	ret->of_targets[0] = ret->judgements;
	calls_gather(&ret->scratch, ret->profile, 0, &calls);
	ret->result.inputs = arena_alloc(&ret->result.arena, sizeof(ret->result.inputs[0]));
	ret->result.input_count = 1;
	snprintf(input.dump.device.chip, sizeof(input.dump.device.chip), "%s", chip);
	assert_int_equal(estimate_add(fixture->db, &request, &calls, &ret->result, &err), 0);
	return ret->result.targets[0].estimate;
}

static void clear(struct estimated *estimated)
{
	arena_clear(&estimated->result.arena);
	arena_clear(&estimated->scratch);
	profile_free(estimated->profile);
}

#define F2 "[\"float\", \"float\"]"
#define H2 "[\"c10::Half\", \"c10::Half\"]"

/* 4 multiplications of 4096 x 4096 x 4096 in fp16: 365.5 us each, base 366.7 us, ratios of large ones 1.19, 2.04, 3.55. */
static const struct given products[] = {
	{ "aten::matmul", "[[4096, 4096], [4096, 4096]]", H2, 4, 10, 0, OP_COMPOSITE, 0 },
	{ "aten::mm", "[[4096, 4096], [4096, 4096]]", H2, 4, 990, 0, OP_NATIVE, 1 },
};

static void a_total_is_the_sum_of_its_calls_and_its_interval_holds_it(void **state)
{
	struct estimated one;
	const struct result_estimate *ret = estimate(&one, *state, "npu@2.7.1:910B2", products, 2, "");
	const double roofline_us = 2.0 * 4096 * 4096 * 4096 / 376e6, base_us = roofline_us + 1.2;

	assert_null(ret->refused.id);
	assert_str(ret->chips, "910B2");
	assert_false(ret->range);
	assert_true(llabs(ret->time.middle_ns - (int64_t)(4 * 2.04 * base_us * 1000)) < 10);
	assert_true(llabs(ret->time.lo_ns - (int64_t)(ret->time.middle_ns / 1.6)) < 2);
	assert_true(llabs(ret->time.hi_ns - (int64_t)(ret->time.middle_ns * 1.6)) < 2);
	assert_int_equal(ret->class_count, 1);
	assert_str(ret->classes[0].name, "matmul");
	assert_int_equal(ret->classes[0].calls, 4); /* the composite is its part */
	assert_true(llabs(ret->classes[0].time.lo_ns - (int64_t)(4 * 1.19 * base_us * 1000)) < 10);
	assert_true(llabs(ret->classes[0].time.hi_ns - (int64_t)(4 * 3.55 * base_us * 1000)) < 10);
	assert_str(ret->operators[0].name, "aten::mm");
	assert_int_equal(ret->launches, 4);
	assert_false(ret->host_decides);
	assert_int_equal(ret->known_ppm, 1000000);
	assert_int_equal(one.result.operators[1].verdicts[0].device_ppm, 1000000);
	clear(&one);
}

static void the_outermost_kernel_of_the_target_counts(void **state)
{
	struct given rows[2] = { products[0], products[1] };
	struct estimated one;
	const struct result_estimate *ret;

	rows[0].status = OP_NATIVE;
	ret = estimate(&one, *state, "npu@2.7.1:910B2", rows, 2, "");
	assert_int_equal(ret->operator_count, 1);
	assert_str(ret->operators[0].name, "aten::matmul");
	assert_int_equal(ret->launches, 4);
	clear(&one);
	rows[0].status = OP_CPU_FALLBACK; /* takes its parts along */
	ret = estimate(&one, *state, "npu@2.7.1:910B2", rows, 2, "");
	assert_non_null(ret->refused.id);
	clear(&one);
}

static void kernels_and_times_of_parts_are_those_of_the_operator_around_them(void **state)
{
	static const char shapes[] = "[[1, 3, 8, 8], [1, 16, 4, 4], [16, 3, 3, 3]]";
	static const struct given rows[] = {
		{ "aten::cudnn_convolution_backward", shapes, "", 2, 10, 0, OP_NATIVE, 0 },
		{ "aten::cudnn_convolution_backward_input", shapes, "", 2, 5, 30, OP_NATIVE, 1 },
		{ "aten::cudnn_convolution_backward_weight", shapes, "", 2, 5, 50, OP_NATIVE, 1 },
		{ "aten::cudnn_convolution_backward_bias", shapes, "", 2, 5, 20, OP_NATIVE, 1 },
	};
	struct estimated one = { .scratch = ARENA_INIT(ARENA_UNLIMITED) };
	struct calls calls;
	size_t parts = 0;

	(void)state;
	put_profile(&one, rows, ARRAY_SIZE(rows));
	calls_gather(&one.scratch, one.profile, DTYPE_FP32, &calls);
	assert_int_equal(calls.count, 4);
	for (size_t i = 0; i < calls.count; i++) {
		parts += calls.items[i].part;
		if (calls.items[i].part)
			continue;
		assert_true(calls.items[i].kernels == 3);
		assert_int_equal(calls.items[i].device_ns, 100000);
		assert_int_equal(calls.items[i].cost.class, WORK_CONV);
		assert_true(calls_work(&calls, i));
	}
	assert_int_equal(parts, 3);
	arena_clear(&one.scratch);
	profile_free(one.profile);
}

static void what_parts_did_on_the_device_is_work_of_the_operator_around_them(void **state)
{
	struct given rows[] = { products[0], products[1] };
	struct estimated one;
	const struct result_estimate *ret;

	rows[0].status = OP_NATIVE;
	rows[1].device_us = 2000;
	ret = estimate(&one, *state, "npu@2.7.1:910B2", rows, ARRAY_SIZE(rows), "");
	assert_null(ret->refused.id);
	assert_str(ret->operators[0].name, "aten::matmul");
	assert_int_equal(ret->launches, 4);
	clear(&one);
}

static void a_part_may_lie_deeper_than_what_is_recorded_around_it(void **state)
{
	struct given rows[] = { products[0], products[1], products[1] };
	struct estimated one;
	const struct result_estimate *ret;

	rows[0].status = OP_NATIVE;
	rows[1].depth = 3;
	rows[2].name = "aten::bmm";
	rows[2].shapes = "[[2, 64, 64], [2, 64, 64]]";
	rows[2].depth = 2;
	ret = estimate(&one, *state, "npu@2.7.1:910B2", rows, ARRAY_SIZE(rows), "");
	assert_int_equal(ret->operator_count, 1);
	assert_str(ret->operators[0].name, "aten::matmul");
	clear(&one);
	rows[1].depth = 1;
	ret = estimate(&one, *state, "npu@2.7.1:910B2", rows + 1, 1, ""); /* alone */
	assert_null(ret->refused.id);
	assert_int_equal(ret->launches, 4);
	clear(&one);
}

static void the_operator_behind_a_convolution_shows_its_output(void **state)
{
	static const struct given rows[] = {
		{ "aten::conv2d", "[[1, 3, 8, 8], [16, 3, 3, 3]]", F2, 1, 90, 0, OP_NATIVE, 0 },
		{ "aten::item", "[[1]]", "[\"float\"]", 1, 0, 0, OP_NATIVE, 1 },
		{ "aten::add", "[[16], []]", "[\"float\", \"Scalar\"]", 1, 5, 0, OP_NATIVE, 0 },
		{ "aten::relu", "[[1, 16, 4, 4]]", "[\"float\"]", 1, 5, 0, OP_NATIVE, 0 },
	};
	struct given inside[] = { rows[0], rows[1], rows[2], rows[3] };
	struct estimated one;
	const struct result_estimate *ret = estimate(&one, *state, "npu@2.7.1:910B2", rows, 4, "");

	assert_null(ret->refused.id);
	assert_true(STR_IS_AMONG(ret->classes, ret->class_count, STR("conv")));
	clear(&one);
	inside[3].depth = 1; /* a part of the operator before it */
	assert_string_equal(estimate(&one, *state, "npu@2.7.1:910B2", inside, 4, "")->refused.id, "estimate-no-output");
	clear(&one);
}

static void of_a_table_an_operator_or_its_parts_count(void **state)
{
	static const struct {
		bool table;
		int64_t around_us, part_us, part_total_us;
		uint64_t calls;
	} cases[] = {
		{ true, 50, 990, 990, 8 },                           /* half of its 100 us are its own: both count */
		{ true, 49, 990, 990, 4 }, { true, 49, 50, 100, 4 }, /* so is half of the part */
		{ true, 49, 49, 100, 8 },                            /* no operator of the class has time of its own */
		{ true, 49, 0, 0, 8 }, { false, 49, 990, 990, 8 },   /* the order shows no part */
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct given rows[] = { products[0], products[1],
			{ "aten::add", "[[8]]", "[\"float\"]", 1, 100, 0, OP_NATIVE, 0, 100, 0 } };
		struct estimated one;
		const struct result_estimate *ret;

		rows[0].status = OP_NATIVE;
		rows[0].cpu_us = cases[i].around_us;
		rows[0].table = cases[i].table;
		rows[0].total_us = 100;
		rows[1].depth = 0;
		rows[1].cpu_us = cases[i].part_us;
		rows[1].total_us = cases[i].part_total_us;
		ret = estimate(&one, *state, "npu@2.7.1:910B2", rows, ARRAY_SIZE(rows), "");
		assert_str(ret->classes[0].name, "matmul");
		if (ret->classes[0].calls != cases[i].calls)
			fail_msg("case %zu: %zu calls", i, (size_t)ret->classes[0].calls);
		clear(&one);
	}
}

static void calls_that_the_order_does_not_show_count_as_those_of_their_operator_that_it_shows(void **state)
{
	struct given rows[] = { products[0], products[1],
		{ "aten::mm", "[[64, 64], [64, 64]]", H2, 4, 10, 0, OP_NATIVE, .unseen = true } };
	struct estimated one;

	rows[0].status = OP_NATIVE;
	assert_int_equal(estimate(&one, *state, "npu@2.7.1:910B2", rows, 3, "")->classes[0].calls, 4); /* of matmul */
	clear(&one);
}

static void the_order_of_rows_does_not_matter(void **state)
{
	static const struct given rows[] = {
		{ "aten::mm", "[[640, 512], [512, 77]]", F2, 3, 10, 0, OP_NATIVE, 0 },
		{ "aten::add", "[[640, 77], [77]]", F2, 7, 10, 0, OP_NATIVE, 0 },
		{ "aten::sum", "[[640, 77]]", "[\"float\"]", 5, 10, 0, OP_NATIVE, 0 },
	};
	struct given turned[3] = { rows[2], rows[1], rows[0] };
	struct estimated one, other;
	const struct result_estimate *first = estimate(&one, *state, "musa@v2.7.1:S4000", rows, 3, ""),
				     *second = estimate(&other, *state, "musa@v2.7.1:S4000", turned, 3, "");

	assert_int_equal(first->time.middle_ns, second->time.middle_ns);
	assert_int_equal(first->class_count, 3);
	for (size_t i = 0; i < 3; i++) {
		assert_true(str_eq(first->classes[i].name, second->classes[i].name));
		assert_int_equal(first->classes[i].time.middle_ns, second->classes[i].time.middle_ns);
		assert_true(first->classes[i].time.lo_ns <= first->classes[i].time.middle_ns);
		assert_true(first->classes[i].time.middle_ns <= first->classes[i].time.hi_ns);
	}
	assert_true(first->host_decides);
	clear(&one);
	clear(&other);
}

static void a_family_is_a_range_from_the_fastest_to_the_slowest(void **state)
{
	struct estimated one, fast, slow;
	const struct result_estimate *ret = estimate(&one, *state, "npu@2.7.1", products, 2, "");
	const struct result_estimate *first = estimate(&fast, *state, "npu@2.7.1:910B1", products, 2, ""),
				     *last = estimate(&slow, *state, "npu@2.7.1:910B4", products, 2, "");

	assert_str(ret->chips, "910B1, 910B2, 910B3, 910B4");
	assert_str(ret->left_out, "910A, 310P, 310B, 910_93, 950");
	assert_int_equal(first->left_out.len, 0);
	assert_true(ret->range);
	assert_int_equal(ret->time.lo_ns, first->time.lo_ns);
	assert_int_equal(ret->time.hi_ns, last->time.hi_ns);
	assert_true(ret->time.lo_ns <= ret->time.middle_ns && ret->time.middle_ns <= ret->time.hi_ns);
	assert_int_equal(ret->classes[0].time.lo_ns, first->classes[0].time.lo_ns);
	assert_int_equal(ret->classes[0].time.hi_ns, last->classes[0].time.hi_ns);
	clear(&one);
	clear(&fast);
	clear(&slow);
}

static void a_chip_without_the_peak_of_some_work_is_no_part_of_a_range(void **state)
{
	static const struct given rows[] = {
		{ "aten::mm", "[[640, 512], [512, 77]]", F2, 3, 10, 0, OP_NATIVE, 0 },
		{ "aten::add", "[[640, 77], [77]]", F2, 7, 90, 0, OP_NATIVE, 0 },
	};
	struct estimated one, alone;
	const struct result_estimate *ret = estimate(&one, *state, "musa@v2.7.1", rows, 2, ""),
				     *s4000 = estimate(&alone, *state, "musa@v2.7.1:S4000", rows, 2, "");

	assert_str(ret->chips, "S4000"); /* the S5000 has no peak for fp32 */
	assert_str(ret->left_out, "S80, S3000, S5000");
	assert_true(ret->range);
	assert_int_equal(ret->class_count, 2);
	assert_int_equal(ret->time.lo_ns, s4000->time.lo_ns);
	assert_int_equal(ret->time.hi_ns, s4000->time.hi_ns);
	clear(&one);
	clear(&alone);
}

static void erratic_work_and_the_ai_cpu_are_lower_bounds(void **state)
{
	static const struct given rows[] = {
		{ "aten::mm", "[[4096, 4096], [4096, 4096]]", H2, 4, 990, 0, OP_NATIVE, 0 },
		{ "aten::sort", "[[1000000]]", "[\"float\"]", 1, 10, 0, OP_NATIVE, 0 }, /* 8 MB */
	};
	struct estimated one;
	const struct result_estimate *ret = estimate(&one, *state, "npu@2.7.1:910B2", rows, 2, "");

	assert_true(llabs(ret->bound_ns - (int64_t)(8e6 / 1759e9 * 1e9)) < 2);
	assert_int_equal(ret->class_count, 2);
	assert_true(ret->classes[1].at_least);
	assert_false(ret->classes[0].at_least);
	assert_int_equal(ret->classes[1].time.lo_ns, ret->classes[1].time.hi_ns);
	clear(&one);
}

static void calls_on_the_ai_cpu_take_at_least_a_tenth_of_a_millisecond(void **state)
{
	static const struct given rows[] = { { "aten::mm", "[[4096, 4096], [4096, 4096]]", H2, 4, 990, 0, OP_NATIVE, 0,
		0, 250000 } };
	struct estimated one, slow;
	const struct result_estimate *ret = estimate(&one, *state, "npu@2.7.1", rows, 1, ""),
				     *last = estimate(&slow, *state, "npu@2.7.1:910B4", rows, 1, "");

	assert_int_equal(ret->aicpu_calls, 1);
	assert_int_equal(ret->bound_ns, 100000);
	assert_int_equal(ret->launches, 4);
	assert_int_equal(ret->class_count, 2);
	assert_str(ret->classes[1].name, "aicpu");
	assert_int_equal(ret->classes[0].calls, 3);
	assert_int_equal(ret->classes[1].calls, 1);
	assert_int_equal(ret->classes[1].time.lo_ns, 100000);
	assert_int_equal(ret->classes[1].time.hi_ns, 100000);
	assert_int_equal(ret->operators[0].time.hi_ns, last->operators[0].time.hi_ns);
	assert_int_equal(ret->source.len, 0);
	clear(&one);
	clear(&slow);
}

static void the_lower_bounds_of_a_range_are_those_of_its_slowest_chip(void **state)
{
	static const struct given rows[] = {
		{ "aten::mm", "[[4096, 4096], [4096, 4096]]", H2, 4, 990, 0, OP_NATIVE, 0 },
		{ "aten::sort", "[[1000000]]", "[\"float\"]", 1, 10, 0, OP_NATIVE, 0 },
	};
	struct estimated one, fast, slow;
	const struct result_estimate *ret = estimate(&one, *state, "npu@2.7.1", rows, 2, "");
	const struct result_estimate *first = estimate(&fast, *state, "npu@2.7.1:910B1", rows, 2, ""),
				     *last = estimate(&slow, *state, "npu@2.7.1:910B4", rows, 2, "");

	assert_true(first->bound_ns < last->bound_ns);
	assert_int_equal(ret->bound_ns, last->bound_ns);
	assert_true(ret->classes[1].at_least);
	assert_int_equal(ret->classes[1].time.lo_ns, first->classes[1].time.lo_ns);
	assert_int_equal(ret->classes[1].time.hi_ns, last->classes[1].time.hi_ns);
	assert_true(first->classes[0].time.middle_ns < ret->classes[0].time.middle_ns);
	assert_true(ret->classes[0].time.middle_ns < last->classes[0].time.middle_ns);
	assert_int_equal(ret->known_ppm, 1000000);
	assert_int_equal(ret->launches, 5);
	assert_int_equal(
		one.result.operators[1].verdicts[0].device_ppm + one.result.operators[0].verdicts[0].device_ppm,
		1000000);
	clear(&one);
	clear(&fast);
	clear(&slow);
}

static void a_run_on_a_known_gpu_is_scaled(void **state)
{
	static const struct given rows[] = { { "aten::mm", "[[4096, 4096], [4096, 4096]]", H2, 4, 10, 2000, OP_NATIVE,
		0 } };
	struct estimated one;
	const struct result_estimate *ret = estimate(&one, *state, "npu@2.7.1:910B2", rows, 1, "NVIDIA H100 80GB HBM3");
	const double flops = 2.0 * 4096 * 4096 * 4096, here = (flops / 376e6 + 1.2) * 1.49,
		     there = (flops / 989e6 + 2) * 2.04;

	assert_str(ret->source, "NVIDIA H100 80GB HBM3");
	assert_true(llabs(ret->scaled.middle_ns - (int64_t)(2000000 * here / there)) < 1000);
	assert_true(ret->scaled.lo_ns < ret->scaled.middle_ns && ret->scaled.middle_ns < ret->scaled.hi_ns);
	assert_int_equal(one.result.operators[0].verdicts[0].device_ppm, 0); /* only of a dump of a CPU */
	clear(&one);
}

static void a_run_on_a_known_gpu_is_scaled_to_every_common_chip(void **state)
{
	static const struct given rows[] = { { "aten::mm", "[[4096, 4096], [4096, 4096]]", H2, 4, 10, 2000, OP_NATIVE,
		0 } };
	static const char gpu[] = "NVIDIA H100 80GB HBM3";
	struct estimated one, fast, slow;
	const struct result_estimate *ret = estimate(&one, *state, "npu@2.7.1", rows, 1, gpu),
				     *first = estimate(&fast, *state, "npu@2.7.1:910B1", rows, 1, gpu),
				     *last = estimate(&slow, *state, "npu@2.7.1:910B4", rows, 1, gpu);

	assert_str(ret->source, gpu);
	assert_true(first->scaled.hi_ns < last->scaled.hi_ns);
	assert_int_equal(ret->scaled.lo_ns, first->scaled.lo_ns);
	assert_int_equal(ret->scaled.hi_ns, last->scaled.hi_ns);
	assert_in_range(ret->scaled.middle_ns, first->scaled.middle_ns, last->scaled.middle_ns);
	clear(&one);
	clear(&fast);
	clear(&slow);
}

static void what_would_be_a_guess_is_refused_with_its_reason(void **state)
{
	static const struct {
		const char *spec;
		struct given row;
		const char *id;
	} cases[] = {
		{ "npu@2.7.1:910_93", { "aten::add", "[[8]]", "[\"float\"]", 1, 9 }, "estimate-no-chip" },
		{ "npu@2.7.1:310P", { "aten::add", "[[8]]", "[\"float\"]", 1, 9 }, "estimate-unmeasured" },
		{ "npu@2.7.1:910B2", { "aten::add", "", "", 1, 9 }, "estimate-no-shapes" },
		{ "npu@2.7.1:910B2", { "aten::add", "[[8]]", "", 1, 9 }, "estimate-no-type" },
		{ "npu@2.7.1:910B2", { "aten::add", "[[8]]", "[\"c10::quint8\"]", 1, 9 }, "estimate-no-type" },
		{ "npu@2.7.1:910B2", { "aten::mm", "[[8, 9], [8, 9]]", F2, 1, 9 }, "estimate-unfit" },
		{ "npu@2.7.1:910B2", { "vllm::fused", "[[8]]", "[\"float\"]", 1, 9 }, "estimate-no-formula" },
		{ "npu@2.7.1:910B2", { "aten::conv2d", "[[1, 3, 8, 8], [4, 3, 3, 3]]", F2, 1, 9 },
			"estimate-no-output" },
		{ "npu@2.7.1:910B2", { "aten::mm", "[[999999999999999, 9999], [9999, 999999999999999]]", F2, 1, 9 },
			"estimate-too-large" },
		{ "musa@v2.7.1:S5000", { "aten::mm", "[[8, 8], [8, 8]]", F2, 1, 9 }, "estimate-no-peak" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct estimated one;
		const struct result_estimate *ret = estimate(&one, *state, cases[i].spec, &cases[i].row, 1, "");

		if (!ret->refused.id || strcmp(ret->refused.id, cases[i].id) != 0)
			fail_msg("%s %s: %s", cases[i].row.name, cases[i].row.shapes,
				ret->refused.id ? ret->refused.id : "an estimate");
		assert_int_equal(ret->time.middle_ns, 0);
		clear(&one);
	}
}

static void four_fifths_of_the_time_must_be_known(void **state)
{
	static const struct given rows[] = {
		{ "aten::add", "[[8]]", "[\"float\"]", 1, 80, 0, OP_NATIVE, 0 },
		{ "vllm::fused", "[[8]]", "[\"float\"]", 1, 20, 0, OP_NATIVE, 0 },
	};
	struct given less[2] = { rows[0], rows[1] };
	struct estimated one;

	assert_null(estimate(&one, *state, "npu@2.7.1:910B2", rows, 2, "")->refused.id);
	assert_int_equal(one.result.targets[0].estimate->known_ppm, 800000);
	clear(&one);
	less[0].cpu_us = 79;
	assert_non_null(estimate(&one, *state, "npu@2.7.1:910B2", less, 2, "")->refused.id);
	clear(&one);
}

static void time_of_no_operator_is_the_reason_where_nothing_else_is_larger(void **state)
{
	struct given rows[] = {
		{ "aten::add", "[[8]]", "[\"float\"]", 1, 80, .uncovered_us = 20 },
		{ "vllm::fused", "[[8]]", "[\"float\"]", 1, 10 },
	};
	struct estimated one;

	assert_int_equal(estimate(&one, *state, "npu@2.7.1:910B2", rows, 1, "")->known_ppm, 800000);
	clear(&one);
	assert_str(str_from(estimate(&one, *state, "npu@2.7.1:910B2", rows, 2, "")->refused.id), "estimate-uncovered");
	clear(&one);
	for (rows[1].cpu_us = 20; rows[1].cpu_us <= 21; rows[1].cpu_us++) {
		const struct message *refused = &estimate(&one, *state, "npu@2.7.1:910B2", rows, 2, "")->refused;

		assert_str(str_from(refused->id), "estimate-no-formula");
		assert_str(message_value(refused, "share"), "66 %");
		clear(&one);
	}
}

static void work_without_a_kernel_on_the_target_is_time_without_a_formula(void **state)
{
	static const enum op_status without[] = { OP_UNKNOWN, OP_UNSUPPORTED, OP_NEEDS_PACKAGE };

	for (size_t i = 0; i < ARRAY_SIZE(without); i++) {
		struct given rows[] = {
			{ "aten::add", "[[8]]", "[\"float\"]", 1, 80, 80, OP_NATIVE, 0 },
			{ "vllm::fused", "[[8]]", "[\"float\"]", 1, 21, 21, without[i], 0 },
		};
		struct estimated one;

		assert_str(str_from(estimate(&one, *state, "npu@2.7.1:910B2", rows, 2, "")->refused.id),
			"estimate-no-formula");
		clear(&one);
		rows[1].cpu_us = rows[1].device_us = 20;
		assert_int_equal(estimate(&one, *state, "npu@2.7.1:910B2", rows, 2, "")->known_ppm, 800000);
		clear(&one);
		rows[1].device_us = rows[0].device_us = 0; /* a dump of a CPU */
		assert_int_equal(estimate(&one, *state, "npu@2.7.1:910B2", rows, 2, "")->known_ppm, 800000);
		clear(&one);
	}
}

static void an_assumed_peak_is_said(void **state)
{
	static const struct given rows[] = { { "aten::mm", "[[4096, 4096], [4096, 4096]]", H2, 4, 10, 0, OP_NATIVE,
		0 } };
	struct estimated one;

	assert_str(estimate(&one, *state, "musa@v2.7.1:S5000", rows, 1, "")->assumed, "fp16, bf16");
	clear(&one);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_total_is_the_sum_of_its_calls_and_its_interval_holds_it),
		cmocka_unit_test(the_outermost_kernel_of_the_target_counts),
		cmocka_unit_test(kernels_and_times_of_parts_are_those_of_the_operator_around_them),
		cmocka_unit_test(what_parts_did_on_the_device_is_work_of_the_operator_around_them),
		cmocka_unit_test(a_part_may_lie_deeper_than_what_is_recorded_around_it),
		cmocka_unit_test(the_operator_behind_a_convolution_shows_its_output),
		cmocka_unit_test(of_a_table_an_operator_or_its_parts_count),
		cmocka_unit_test(calls_that_the_order_does_not_show_count_as_those_of_their_operator_that_it_shows),
		cmocka_unit_test(the_order_of_rows_does_not_matter),
		cmocka_unit_test(a_family_is_a_range_from_the_fastest_to_the_slowest),
		cmocka_unit_test(a_chip_without_the_peak_of_some_work_is_no_part_of_a_range),
		cmocka_unit_test(erratic_work_and_the_ai_cpu_are_lower_bounds),
		cmocka_unit_test(calls_on_the_ai_cpu_take_at_least_a_tenth_of_a_millisecond),
		cmocka_unit_test(the_lower_bounds_of_a_range_are_those_of_its_slowest_chip),
		cmocka_unit_test(a_run_on_a_known_gpu_is_scaled),
		cmocka_unit_test(a_run_on_a_known_gpu_is_scaled_to_every_common_chip),
		cmocka_unit_test(what_would_be_a_guess_is_refused_with_its_reason),
		cmocka_unit_test(four_fifths_of_the_time_must_be_known),
		cmocka_unit_test(time_of_no_operator_is_the_reason_where_nothing_else_is_larger),
		cmocka_unit_test(work_without_a_kernel_on_the_target_is_time_without_a_formula),
		cmocka_unit_test(an_assumed_peak_is_said),
	};

	return cmocka_run_group_tests(tests, fixture_build, fixture_clean);
}
