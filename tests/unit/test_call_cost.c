/* The work of one call against figures worked out by hand, and what hostile shapes become. */
#include <math.h>

#include "assess/estimate/call_cost.h"
#include "assess/estimate/roofline.h"
#include "tests/unit/opdb_fixture.h"

#define F "\"float\""
#define H "\"c10::Half\""
#define STRIDED "[\"\", \"\", \"\", \"[2, 2]\", \"[1, 1]\", \"[1, 1]\", \"False\", \"[0, 0]\", \"1\"]"
#define ONE_FOR_ALL "[\"\", \"\", \"\", \"[2]\", \"[1]\", \"[1]\", \"False\", \"[0]\", \"1\"]"
#define WIDE "[\"\", \"\", \"\", \"[2, 2]\", \"[0, 0]\", \"[1, 1]\", \"True\", \"[0, 0]\", \"1\"]"

struct call_case {
	const char *name, *shapes, *dtypes, *concrete, *next;
	enum work_class class;
	double flops, bytes;
};

static struct call_cost cost_of(const struct call_case *given)
{
	struct arena scratch = ARENA_INIT(ARENA_UNLIMITED);
	struct str full = str_from(given->name);
	size_t colons = str_find(full, STR("::"));
	struct str base = str_skip(full, colons + 2);
	struct cost_call call = { .work = work_of(str_sub(full, 0, colons), base),
		.shapes = str_from(given->shapes),
		.dtypes = str_from(given->dtypes),
		.concrete = str_from(given->concrete ? given->concrete : ""),
		.next = str_from(given->next ? given->next : "") };
	struct call_cost cost = call_cost_of(&scratch, &call);

	arena_clear(&scratch);
	return cost;
}

static void each_formula_gives_what_its_shapes_say(void **state)
{
	static const struct call_case cases[] = {
		{ "aten::mm", "[[4, 16], [16, 8]]", "[" H "," H "]", NULL, NULL, WORK_MATMUL, 1024, 448 },
		{ "aten::addmm", "[[8], [4, 16], [16, 8], [], []]", "[" F "," F "," F ",\"Scalar\",\"Scalar\"]", NULL,
			NULL, WORK_MATMUL, 1024, 896 },
		{ "aten::bmm", "[[2, 4, 16], [2, 16, 8]]", "[" F "," F "]", NULL, NULL, WORK_MATMUL, 2048, 1792 },
		{ "aten::linear", "[[2, 3, 16], [8, 16], [8]]", "[" F "," F "," F "]", NULL, NULL, WORK_MATMUL, 1536,
			1088 },
		{ "aten::mv", "[[4, 16], [16]]", "[" F "," F "]", NULL, NULL, WORK_MATMUL, 128, 336 },
		{ "aten::matmul", "[[4, 16], [3, 16, 8]]", "[" F "," F "]", NULL, NULL, WORK_MATMUL, 3072, 2176 },
		{ "aten::convolution", "[[1, 3, 8, 8], [16, 3, 3, 3], [16], [], [], [], [], [], []]",
			"[" F "," F "," F "]", STRIDED, NULL, WORK_CONV, 13824, 3520 },
		{ "aten::convolution", "[[1, 3, 8, 8], [16, 3, 3, 3], [16], [], [], [], [], [], []]",
			"[" F "," F "," F "]", ONE_FOR_ALL, NULL, WORK_CONV, 13824, 3520 },
		{ "aten::convolution", "[[1, 3, 4, 4], [3, 8, 2, 2], [], [], [], [], [], [], []]", "[" F "," F "]",
			WIDE, NULL, WORK_CONV, 3072, 2624 },
		{ "aten::conv2d", "[[1, 3, 8, 8], [16, 3, 3, 3]]", "[" F "," F "]", NULL, "[[1, 16, 4, 4]]", WORK_CONV,
			13824, 3520 },
		{ "aten::convolution_backward", "[[1, 16, 4, 4], [1, 3, 8, 8], [16, 3, 3, 3]]", "[" F "," F "," F "]",
			NULL, NULL, WORK_CONV, 27648, 7040 },
		{ "aten::cudnn_convolution_backward", "[[1, 3, 8, 8], [1, 16, 4, 4], [16, 3, 3, 3]]",
			"[" F "," F "," F "]", NULL, NULL, WORK_CONV, 27648, 7040 },
		{ "aten::_scaled_dot_product_flash_attention", "[[2, 4, 8, 16], [2, 4, 8, 16], [2, 4, 8, 16], [], []]",
			"[" H "," H "," H "]", "[\"\", \"\", \"\", \"0.\", \"True\"]", NULL, WORK_ATTENTION, 16384,
			8192 },
		{ "aten::_flash_attention_forward", "[[10, 4, 16], [12, 4, 16], [12, 4, 16]]", "[" H "," H "," H "]",
			NULL, NULL, WORK_ATTENTION, 30720, 5632 }, /* sequences one behind the other */
		{ "aten::_flash_attention_backward", "[[2, 8, 4, 16], [2, 8, 4, 16], [2, 8, 4, 16], [2, 8, 4, 16]]",
			"[" H "," H "," H "," H "]", NULL, NULL, WORK_ATTENTION, 81920, 16384 },
		{ "aten::_softmax", "[[4, 10], [], []]", "[" F "]", NULL, NULL, WORK_SOFTMAX, 0, 320 },
		{ "aten::_softmax_backward_data", "[[4, 10], [4, 10]]", "[" F "," F "]", NULL, NULL, WORK_SOFTMAX, 0,
			480 },
		{ "aten::native_layer_norm", "[[4, 10], [], [10], [10]]", "[" F ",\"\"," F "," F "]", NULL, NULL,
			WORK_NORM, 0, 320 },
		{ "aten::native_batch_norm", "[[4, 10], [10], [10]]", "[" F "," F "," F "]", NULL, NULL, WORK_NORM, 0,
			480 },
		{ "aten::native_layer_norm_backward", "[[4, 10], [4, 10]]", "[" F "," F "]", NULL, NULL, WORK_NORM, 0,
			640 },
		/* the widest input of its shape gives the type of the result */
		{ "aten::add", "[[4, 5], [4, 5], []]", "[" H "," F ",\"Scalar\"]", NULL, NULL, WORK_ELEMENTWISE, 0,
			200 },
		{ "aten::add_", "[[4, 1], [1, 5], []]", "[" F "," F ",\"Scalar\"]", NULL, NULL, WORK_ELEMENTWISE, 0,
			116 },
		{ "aten::eq", "[[4, 5], [4, 5]]", "[" F "," F "]", NULL, NULL, WORK_ELEMENTWISE, 0, 180 },
		{ "aten::copy_", "[[10], [10], []]", "[" F "," H "]", NULL, NULL, WORK_COPY, 0, 60 },
		{ "aten::clone", "[[10], []]", "[" F "]", NULL, NULL, WORK_COPY, 0, 80 },
		{ "aten::cat", "[[[2, 3], [4, 3]], []]", "[[" F "," F "],\"Scalar\"]", NULL, NULL, WORK_COPY, 0, 144 },
		{ "aten::_foreach_add_", "[[[10], [6]], [[10], [6]], []]", "[[" F "," F "],[" F "," F "],\"Scalar\"]",
			NULL, NULL, WORK_OPTIMIZER, 0, 192 },
		{ "aten::_fused_adamw_", "[[[10]], [[10]], [[10]], [[10]]]", "[[" F "],[" F "],[" F "],[" F "]]", NULL,
			NULL, WORK_OPTIMIZER, 0, 280 },
		{ "aten::sum", "[[4, 5], [], []]", "[" F "]", NULL, NULL, WORK_REDUCTION, 0, 80 },
		{ "aten::zero_", "[[4, 5]]", "[" F "]", NULL, NULL, WORK_FILL, 0, 80 },
		{ "aten::sort", "[[4, 5]]", "[" F "]", NULL, NULL, WORK_SORT, 0, 160 },
		{ "aten::bernoulli_", "[[4, 5]]", "[" F "]", NULL, NULL, WORK_RANDOM, 0, 80 },
		{ "aten::native_dropout", "[[4, 5]]", "[" F "]", NULL, NULL, WORK_RANDOM, 0, 160 },
		{ "aten::embedding", "[[1000, 16], [5], [], [], []]", "[" F ",\"long int\"]", NULL, NULL, WORK_GATHER,
			0, 680 },
		{ "aten::embedding_dense_backward", "[[5, 16], [5], [], [], []]", "[" F ",\"long int\"]",
			"[\"\", \"\", \"1000\", \"-1\", \"False\"]", NULL, WORK_GATHER, 0, 64640 },
		{ "aten::index", "[[100, 16], [[5]]]", "[" F ",[\"long int\"]]", NULL, NULL, WORK_GATHER, 0, 680 },
		{ "aten::index_put_", "[[100], [[5]], [5]]", "[" F ",[\"long int\"]," F "]", NULL, NULL, WORK_GATHER, 0,
			180 },
		{ "aten::gather", "[[4, 5], [], [4, 3], []]", "[" F ",\"Scalar\",\"long int\",\"Scalar\"]", NULL, NULL,
			WORK_GATHER, 0, 192 },
		{ "aten::_embedding_bag", "[[1000, 16], [5], [2]]", "[" F ",\"long int\",\"long int\"]", NULL, NULL,
			WORK_GATHER, 0, 488 },
		{ "aten::max_pool2d_with_indices_backward", "[[1, 2, 2, 2], [1, 2, 4, 4], [], [1, 2, 2, 2]]",
			"[" F "," F ",\"ScalarList\",\"long int\"]", NULL, NULL, WORK_POOL, 0, 256 },
		{ "aten::max_pool2d", "[[1, 2, 4, 4]]", "[" F "]", NULL, NULL, WORK_POOL, 0, 128 },
		{ "aten::upsample_nearest2d", "[[1, 2, 4, 4], []]", "[" F "]", "[\"\", \"[8, 8]\"]", NULL, WORK_POOL, 0,
			640 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct call_cost cost = cost_of(&cases[i]);

		if (cost.lack || cost.class != cases[i].class || cost.flops != cases[i].flops ||
			cost.bytes != cases[i].bytes)
			fail_msg("%s: class %u, lack %u, %g FLOPs, %g bytes", cases[i].name, cost.class, cost.lack,
				cost.flops, cost.bytes);
	}
}

static void what_shapes_do_not_say_has_no_cost(void **state)
{
	static const struct {
		struct call_case call;
		enum cost_lack lack;
	} cases[] = {
		{ { "aten::mm", "", "" }, COST_NO_SHAPES },
		{ { "aten::add", "[[], []]", "[" F "," F "]" }, COST_NO_SHAPES },
		{ { "aten::add", "[[1, 2], 3]", "" }, COST_NO_SHAPES },                    /* no list of lists */
		{ { "aten::add", "[[4611686018427387904]]", "[" F "]" }, COST_NO_SHAPES }, /* 2^62 */
		{ { "aten::add", "[[[[1]]]]", "" }, COST_NO_SHAPES },
		{ { "aten::mm", "[[4, 16], [17, 8]]", "[" F "," F "]" }, COST_UNFIT },
		{ { "aten::linear", "[[4, 16], [8, 15]]", "[" F "," F "]" }, COST_UNFIT },
		{ { "aten::mm", "[[-4, 16], [16, 8]]", "[" F "," F "]" }, COST_UNFIT },
		{ { "aten::mm", "[[4, 16]]", "[" F "]" }, COST_NO_FORMULA },
		{ { "vllm::rms_norm", "[[4, 16]]", "[" F "]" }, COST_NO_FORMULA },
		{ { "aten::view", "[[4, 16]]", "[" F "]" }, COST_NO_FORMULA },
		{ { "aten::add", "[[4, 16]]", "[\"c10::quint8\"]" }, COST_NO_TYPE },
		{ { "aten::convolution", "[[1, 3, 8, 8], [16, 3, 3, 3]]", "[" F "," F "]" }, COST_NO_OUTPUT },
		{ { "aten::convolution", "[[1, 3, 8, 8], [16, 3, 3, 3]]", "[" F "," F "]", NULL, "[[1, 15, 4, 4]]" },
			COST_NO_OUTPUT },
		{ { "aten::convolution", "[[1, 3, 8, 8], [16, 3, 3, 3]]", "[" F "," F "]",
			  "[\"\", \"\", \"\", \"[0, 0]\", \"[1, 1]\", \"[1, 1]\", \"False\"]" },
			COST_NO_OUTPUT },
		{ { "aten::add", "[[999999999999999, 999999999999999]]", "[" F "]" }, COST_TOO_LARGE },
		{ { "aten::mm", "[[999999999999999, 9999], [9999, 999999999999999]]", "[" F "," F "]" },
			COST_TOO_LARGE },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct call_cost cost = cost_of(&cases[i].call);

		if (cost.lack != cases[i].lack || cost.flops != 0 || cost.bytes != 0)
			fail_msg("%s %s: lack %u", cases[i].call.name, cases[i].call.shapes, cost.lack);
	}
}

static void sixty_four_dimensions_end_at_a_limit(void **state)
{
	CLEANUP(buf_clear) struct buf shapes = BUF_UNLIMITED;
	struct call_case call = { "aten::add", NULL, "[" F "]" };

	for (size_t i = 0; i < 64; i++)
		buf_printf(&shapes, "%s1000000", i ? ", " : "[[");
	buf_add(&shapes, STR("]]"));
	call.shapes = buf_text(&shapes);
	assert_int_equal(cost_of(&call).lack, COST_TOO_LARGE);
	/* infinity times nothing is no number */
	call.shapes = "[[999999999999999, 999999999999999, 999999999999999, 999999999999999, 0]]";
	assert_int_equal(cost_of(&call).lack, COST_KNOWN);
	assert_true(cost_of(&call).bytes >= 0);
	call.shapes = "[[0, 5]]";
	assert_int_equal(cost_of(&call).lack, COST_KNOWN);
}

static void more_rows_never_cost_less(void **state)
{
	static const char *const names[] = { "aten::mm", "aten::add", "aten::sum", "aten::_softmax", "aten::copy_",
		"aten::native_layer_norm", "aten::index_select", "aten::sort", "aten::native_dropout", "aten::zero_",
		"aten::_foreach_mul_" };

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		struct call_cost before = { .bytes = -1 };

		for (unsigned long long rows = 0; rows < 100000000; rows = rows * 3 + 1) {
			char shapes[100];
			struct call_case call = { names[i], shapes, "[" F "," F "]" };
			struct call_cost cost;

			snprintf(shapes, sizeof(shapes), "[[%llu, 64], [64, 64]]", rows);
			cost = cost_of(&call);
			assert_int_equal(cost.lack, COST_KNOWN);
			if (cost.bytes < before.bytes || cost.flops < before.flops)
				fail_msg("%s with %llu rows costs less", names[i], rows);
			before = cost;
		}
	}
}

/* --- kernels of CANN */

static void kernels_of_cann_show_their_outputs(void **state)
{
	static const struct {
		struct cann_kernel kernel;
		enum work_class class;
		double flops, bytes;
	} cases[] = {
#define KERNEL(type, in, in_types, out, out_types) { STR(type), STR(in), STR(in_types), STR(out), STR(out_types) }
		{ KERNEL("MatMulV3", "4,16;16,8", "FLOAT16;FLOAT16", "4,8", "FLOAT16"), WORK_MATMUL, 1024, 448 },
		/* a bias and a further output count nothing */
		{ KERNEL("MatMulV3", "4,16;16,8;8", "FLOAT16;FLOAT16;FLOAT16", "4,8;8", "FLOAT16;FLOAT16"), WORK_MATMUL,
			1024, 448 },
		{ KERNEL("MatMulV2", "4,16;8,16", "FLOAT;FLOAT", "4,8", "FLOAT"), WORK_MATMUL, 1024, 896 },
		{ KERNEL("MatMulV2", "16,4;16,8", "FLOAT;FLOAT", "4,8", "FLOAT"), WORK_MATMUL, 1024, 896 },
		{ KERNEL("MatMulV2", "16,4;8,16", "FLOAT;FLOAT", "4,8", "FLOAT"), WORK_MATMUL, 1024, 896 },
		{ KERNEL("BatchMatMul", "2,4,16;2,16,8", "FLOAT;FLOAT", "2,4,8", "FLOAT"), WORK_MATMUL, 2048, 1792 },
		{ KERNEL("Conv2D", "1,3,8,8;16,3,3,3", "FLOAT;FLOAT", "1,16,4,4", "FLOAT"), WORK_CONV, 13824, 3520 },
		{ KERNEL("Conv2D", "1,3,8,8;1,3,3,3", "FLOAT;FLOAT", "1,1,4,4", "FLOAT"), WORK_CONV, 864, 940 },
		/* blocks of 16 channels */
		{ KERNEL("Conv2D", "1,1,8,8,16;9,1,16,16", "FLOAT16;FLOAT16", "1,1,4,4,16", "FLOAT16"), WORK_CONV,
			73728, 7168 },
		{ KERNEL("Conv2DBackpropFilterD", "1,3,8,8;1,16,4,4", "FLOAT;FLOAT", "16,3,3,3", "FLOAT"), WORK_CONV,
			13824, 3520 },
		/* the size of the result comes first */
		{ KERNEL("Conv2DBackpropInput", "4;16,3,3,3;1,16,4,4", "INT32;FLOAT;FLOAT", "1,3,8,8", "FLOAT"),
			WORK_CONV, 13824, 3536 },
		{ KERNEL("FlashAttentionScore", "2,8,64;2,8,64;2,8,64", "DT_BF16;DT_BF16;DT_BF16", "2,4,8,8;2,8,64",
			  "FLOAT;DT_BF16"),
			WORK_ATTENTION, 32768, 10240 },
		{ KERNEL("FlashAttentionScore", "2,4,8,64;2,4,8,64;2,4,8,64", "DT_BF16;DT_BF16;DT_BF16",
			  "2,4,8,8;2,4,8,64", "FLOAT;DT_BF16"),
			WORK_ATTENTION, 131072, 34816 },
		/* the mask of causal attention has this size whatever the sequences have */
		{ KERNEL("FlashAttentionScore", "2,8,64;2,8,64;2,8,64;2048,2048", "DT_BF16;DT_BF16;DT_BF16;BOOL",
			  "2,4,8,8;2,8,64", "FLOAT;DT_BF16"),
			WORK_ATTENTION, 16384, 4204544 },
		{ KERNEL("FlashAttentionScore", "2,8,64;2,8,64;2,8,64;2048,2047", "DT_BF16;DT_BF16;DT_BF16;BOOL",
			  "2,4,8,8;2,8,64", "FLOAT;DT_BF16"),
			WORK_ATTENTION, 32768, 4202496 },
		{ KERNEL("GatherV2", "1000,16;5", "FLOAT;INT64", "5,16", "FLOAT"), WORK_GATHER, 0, 680 },
		/* what is written, and as much of the inputs at most */
		{ KERNEL("ScatterNd", "4,5", "FLOAT", "8,5", "FLOAT"), WORK_GATHER, 0, 240 },
		{ KERNEL("NonZero", "8,5", "FLOAT", "4,5", "FLOAT"), WORK_GATHER, 0, 160 },
		/* all inputs where the outputs are not recorded */
		{ KERNEL("EmbeddingDenseGrad", "4,5;3", "FLOAT;INT64", "N/A", "N/A"), WORK_GATHER, 0, 104 },
		{ KERNEL("Slice", "1000,16;2;2", "FLOAT;INT64;INT64", "5,16", "FLOAT"), WORK_COPY, 0, 640 },
		{ KERNEL("Fill", "1;", "INT64;FLOAT", "\"5,16\"", "FLOAT"), WORK_FILL, 0, 320 },
		{ KERNEL("Add", "4,5;4,5", "FLOAT;FLOAT", "4,5", "FLOAT"), WORK_ELEMENTWISE, 0, 240 },
		{ KERNEL("LpNormV2", "4,5", "FLOAT", "1", "FLOAT"), WORK_REDUCTION, 0, 84 },
	};
	struct arena scratch = ARENA_INIT(ARENA_UNLIMITED);

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct call_cost cost = kernel_cost_of(&scratch, &cases[i].kernel);

		if (cost.lack || cost.class != cases[i].class || fabs(cost.flops - cases[i].flops) > 1e-6 ||
			cost.bytes != cases[i].bytes)
			fail_msg("%s %s: class %u, lack %u, %g FLOPs, %g bytes", cases[i].kernel.type.ptr,
				cases[i].kernel.inputs.ptr, cost.class, cost.lack, cost.flops, cost.bytes);
	}
	assert_int_equal(kernel_cost_of(&scratch,
				 &(struct cann_kernel)KERNEL("MatMul", "4,5;6,7", "FLOAT;FLOAT", "8,9", "FLOAT"))
				 .lack,
		COST_NO_FORMULA);
	for (unsigned rank = 1; rank <= 2; rank++) {
		struct cann_kernel conv = KERNEL("Conv2D", "1,3,8,8;16,3,3,3", "FLOAT;FLOAT", "16", "FLOAT");

		conv.outputs = rank == 1 ? STR("16") : STR("1,16");
		assert_int_equal(kernel_cost_of(&scratch, &conv).lack, rank == 1 ? COST_NO_FORMULA : COST_KNOWN);
	}
	assert_int_equal(kernel_cost_of(&scratch, &(struct cann_kernel)KERNEL("Add", "N/A", "N/A", "N/A", "N/A")).lack,
		COST_NO_SHAPES);
	arena_clear(&scratch);
}

/* --- times */

static void a_roofline_is_the_longer_of_work_and_memory(void **state)
{
	const struct fixture *fixture = *state;
	const struct timing_facts *facts;
	struct ratio_table table, unknown;
	struct call_time time;
	struct err err = { 0 };
	struct call_cost work = { WORK_MATMUL, COST_KNOWN, PEAK_FP16, true, 376e12, 1 };
	struct call_cost memory = { WORK_ELEMENTWISE, COST_KNOWN, PEAK_FP32, true, 0, 1759e3 };
	struct call_cost unsourced = { WORK_MATMUL, COST_KNOWN, PEAK_FP32, true, 1, 1 };

	assert_int_equal(timing_facts_get(fixture->db, &facts, &err), 0);
	ratio_table_fill(facts, STR("all"), &table);
	ratio_table_fill(facts, STR("new"), &unknown);
	assert_memory_equal(&unknown, &table, sizeof(table)); /* a family without rows takes those of all */
	assert_true(roofline_of(timing_chip(facts, STR("910b2")), &table, &work, 1, &time));
	assert_int_equal(time.roofline_ps, 1000000000000); /* a second */
	assert_int_equal(time.base_ps, 1000001200000);     /* and a kernel */
	assert_int_equal(time.at_ps[RATIO_P50], 2040002448000);
	assert_true(roofline_of(timing_chip(facts, STR("910B2")), &table, &memory, 9, &time));
	assert_int_equal(time.roofline_ps, 1000000);
	assert_int_equal(time.base_ps, 5800000); /* 4 kernels count */
	assert_int_equal(time.at_ps[RATIO_P50], 7598000);
	assert_true(time.at_ps[RATIO_P10] <= time.at_ps[RATIO_P50] && time.at_ps[RATIO_P50] <= time.at_ps[RATIO_P90]);
	assert_false(roofline_of(timing_chip(facts, STR("S5000")), &table, &unsourced, 1, &time));
	assert_true(roofline_of(timing_chip(facts, STR("S5000")), &table, &memory, 1, &time)); /* needs no peak */
	work = (struct call_cost){ WORK_CONV, COST_KNOWN, PEAK_FP32, true, 50e12, 1 };
	assert_true(roofline_of(timing_chip(facts, STR("S4000")), &table, &work, 1, &time));
	assert_int_equal(time.roofline_ps, 1000000000000); /* convolutions of fp32 run as tf32 */
	work.class = WORK_MATMUL;
	assert_true(roofline_of(timing_chip(facts, STR("S4000")), &table, &work, 1, &time));
	assert_int_equal(time.roofline_ps, 2000000000000);
	work.class = WORK_CONV;
	work.peak = PEAK_FP16;
	assert_true(roofline_of(timing_chip(facts, STR("S4000")), &table, &work, 1, &time));
	assert_int_equal(time.roofline_ps, 500000000000);
	work.flops = COST_MOST;
	assert_true(roofline_of(timing_chip(facts, STR("910B2")), &table, &work, 1, &time));
	assert_int_equal(time.at_ps[RATIO_P90], ROOFLINE_MOST_PS);
}

static void one_workload_does_not_speak_for_a_bin(void **state)
{
	const struct fixture *fixture = *state;
	const struct timing_facts *facts;
	struct err err = { 0 };

	assert_int_equal(timing_facts_get(fixture->db, &facts, &err), 0);
	assert_int_equal(timing_ratio(facts, STR("all"), WORK_ATTENTION, BIN_LARGE)->bin, BIN_LARGE);
	assert_int_equal(timing_ratio(facts, STR("all"), WORK_ATTENTION, BIN_MIDDLE)->bin, BIN_ANY);
	assert_int_equal(timing_ratio(facts, STR("all"), WORK_CUSTOM, BIN_MIDDLE)->class, WORK_COUNT);
	assert_null(timing_chip(facts, STR("910_93")));
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_formula_gives_what_its_shapes_say),
		cmocka_unit_test(what_shapes_do_not_say_has_no_cost),
		cmocka_unit_test(sixty_four_dimensions_end_at_a_limit),
		cmocka_unit_test(more_rows_never_cost_less),
		cmocka_unit_test(kernels_of_cann_show_their_outputs),
		cmocka_unit_test(a_roofline_is_the_longer_of_work_and_memory),
		cmocka_unit_test(one_workload_does_not_speak_for_a_bin),
	};

	return cmocka_run_group_tests(tests, fixture_build, fixture_clean);
}
