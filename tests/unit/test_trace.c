/* Traces: what is read of each kind, in pieces of any size, whole, damaged and cut. */
#include "dump/common/format.h"

#include <unistd.h>

#include "dump/trace/sorter.h"
#include "op/profile.h"
#include "tests/unit/check.h"
#include "tests/unit/recorder.h"
#include "tests/unit/traces.h"

static void assert_events(const char *text, const char *expected)
{
	CLEANUP(buf_clear) struct buf got = BUF_INIT(1 << 20);
	struct limits limits = limits_default();
	struct dump_facts facts;

	read_trace(text, &limits, &got, &facts);
	if (strcmp(buf_text(&got), expected) != 0)
		fail_msg("%s\nnot\n%s", buf_text(&got), expected);
}

static void operators_have_shapes_types_and_overloads(void **state)
{
	assert_events(TRACE(OP("aten::add.Tensor", "1.5", "2",
			      "\"Input Dims\": [[2,3], [],\n [[4],[5, 6]]], "
			      "\"Input type\": [\"float\",\"Scalar\", \"TensorList\"]")),
		"stream 0 \"\"\nbegin 0 stepped\n"
		"row 0 aten::add|Tensor|[[2, 3], [], [[4], [5, 6]]]|[\"float\", \"Scalar\", \"TensorList\"] 1 1 2.000 "
		"2.000 0.000\n"
		"order 0 aten::add.Tensor[[2, 3], [], [[4], [5, 6]]]\n"
		"end 0 1 shapes times overloads dtypes\n");
	/* 1.8 wrote it small; torch_npu writes texts */
	assert_events("[" OP("aten::mm", "1", "2", "\"Input dims\": [[2, 3]]") "]",
		"stream 0 \"\"\nbegin 0 stepped\nrow 0 aten::mm|?|[[2, 3]]| 1 1 2.000 2.000 0.000\norder 0 "
		"aten::mm[[2, 3]]\nend 0 1 shapes times\n");
	assert_events("[" OP("aten::mm", "\"1.5\"", "2",
			      "\"Input Dims\": \"4,12;\\r\\n32;\\r\\n\", \"Input type\": \"float;\\r\\nint\"") "]",
		"stream 0 \"\"\nbegin 0 stepped\nrow 0 aten::mm|?|[[4, 12], [32], []]|[\"float\", \"int\"] 1 1 2.000 "
		"2.000 0.000\n"
		"order 0 aten::mm[[4, 12], [32], []]\n"
		"end 0 1 shapes times dtypes\n");
	/* what is no list of sizes is none */
	assert_events("[" OP("aten::mm", "1", "2", "\"Input Dims\": [[\"x\"]], \"Input type\": 5") "]",
		"stream 0 \"\"\nbegin 0 stepped\nrow 0 aten::mm|?|| 1 1 2.000 2.000 0.000\norder 0 aten::mm\nend 0 1 "
		"times\n");
}

static void strides_and_values_are_the_smallest_of_all_calls(void **state)
{
#define CALL(ts, concrete, strides)                                                                                    \
	OP("aten::a", ts, "2", "\"Input Dims\": [[2]], \"Concrete Inputs\": " concrete ", \"Input Strides\": " strides)
	static const char whole[] = "[" CALL("1", "[\"\",\"2\"]", "[[1]]") "," CALL(
		"5", "[\"\",\"1\"]", "[[1]]") "," CALL("9", "[\"\",\"3\"]", "[[1]]") "]";
	static const char odd[] = "[" CALL("1", "[\"\\u00e9\\\"\", [\"x, y\"],7]", "[[\"x\"]]") "]";
	static const char none[] = "[" CALL("1", "\"text\"", "5") "," CALL("4", "[\"a\" \"b\"]", "[]") "]";
	CLEANUP(buf_clear) struct buf got = BUF_INIT(1 << 20);
	struct limits limits = limits_default();
	struct dump_facts facts;

	read_trace(whole, &limits, &got, &facts);
	assert_true(str_has(buf_str(&got), STR("strides=[[1]] concrete=[\"\", \"1\"] and others\n")));
	assert_int_equal(facts.details, DUMP_STRIDES | DUMP_CONCRETE);
	buf_reset(&got);
	read_trace(odd, &limits, &got, &facts);
	assert_true(str_has(buf_str(&got), STR(" 0.000 concrete=[\"\xc3\xa9\\\"\", [\"x, y\"], 7]\n")));
	buf_reset(&got);
	read_trace(none, &limits, &got, &facts);
	assert_false(str_has(buf_str(&got), STR("concrete=[")));
	assert_false(facts.details & DUMP_CONCRETE);
#undef CALL
}

static void values_that_are_too_long_are_dropped_and_counted(void **state)
{
	CLEANUP(buf_clear) struct buf text = BUF_INIT(1 << 20), got = BUF_INIT(1 << 20);
	struct limits limits = limits_default();
	struct dump_facts facts;

	buf_add(&text, STR("[{\"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"aten::a\", \"ts\": 1, \"dur\": 1, "
			   "\"args\": {\"Concrete Inputs\": [\""));
	for (int i = 0; i < 5000; i++)
		buf_byte(&text, 'x');
	buf_add(&text, STR("\"]}}]"));
	assert_int_equal(read_trace(buf_text(&text), &limits, &got, &facts), 0);
	assert_int_equal(facts.dropped_details, 1);
	assert_false(str_has(buf_str(&got), STR("xxx")));
}

static void autograd_nodes_belong_to_the_forward_operator_of_their_number(void **state)
{
	static const char head[] = "[" NODE("aten::linear", "1", "5", "1", SEQUENCE("7", "0")) "," NODE("aten::addmm",
		"2", "3", "1", SEQUENCE("7", "0")) "," NODE("autograd::engine::evaluate_function: AddmmBackward0", "20",
		"9", "2", SEQUENCE("7", "1")) "," NODE("AddmmBackward0", "21", "7", "2",
		SEQUENCE("7", "1")) "," NODE("aten::mm", "22", "2", "2", SEQUENCE("7", "0")) "," NODE("ReluBackward0",
		"40", "7", "2", SEQUENCE("8", "1")) "," NODE("TanhBackward0", "50", "7", "2", SEQUENCE("-1", "1")) "]";
	CLEANUP(buf_clear) struct buf got = BUF_INIT(1 << 20);
	struct limits limits = limits_default();
	struct dump_facts facts;

	read_trace(head, &limits, &got, &facts);
	assert_true(str_has(buf_str(&got), STR("forward 0 AddmmBackward0|aten::addmm 1 5.000 0.000\n")));
	assert_true(str_has(buf_str(&got), STR("parent 0 aten::mm|AddmmBackward0 1 2.000 0.000\n")));
	assert_true(str_has(buf_str(&got), STR("parent 0 aten::addmm|aten::linear 1 3.000 0.000\n")));
	assert_true(str_has(buf_str(&got), STR("order 0 aten::linear >aten::addmm aten::mm\n")));
	assert_false(str_has(buf_str(&got), STR("ReluBackward0|aten")));
	assert_false(str_has(buf_str(&got), STR("TanhBackward0|aten")));
	/* two threads that count at one time: nobody knows whose it is */
	buf_reset(&got);
	read_trace("[" NODE("aten::a", "1", "5", "1", SEQUENCE("7", "0")) "," NODE("aten::b", "2", "3", "3",
			   SEQUENCE("7", "0")) "," NODE("ABackward0", "21", "7", "2", SEQUENCE("7", "1")) "]",
		&limits, &got, &facts);
	assert_false(str_has(buf_str(&got), STR("forward ")));
}

static void calls_of_links_over_the_limit_are_counted(void **state)
{
	CLEANUP(buf_clear) struct buf got = BUF_INIT(1 << 20);
	struct limits limits = limits_default();
	struct dump_facts facts;

	limits.links = 1;
	read_trace("[" OP("aten::a", "1", "20", "") "," OP("aten::b", "2", "2", "") "," OP(
			   "aten::c", "5", "2", "") "," OP("aten::c", "8", "2", "") "]",
		&limits, &got, &facts);
	assert_int_equal(facts.unlinked_calls, 2);
	assert_true(str_has(buf_str(&got), STR("parent 0 aten::b|aten::a 1 2.000 0.000\n")));
	assert_false(str_has(buf_str(&got), STR("aten::c|aten::a")));
}

static void the_order_is_that_of_the_second_step(void **state)
{
#define TWO_STEPS                                                                                                      \
	STEP("5", "100", "50")                                                                                         \
	"," OP("aten::a", "110", "9", "") "," STEP("6", "150", "50") "," OP("aten::b", "170", "9", "") "," OP(         \
		"aten::c", "171", "2", "") "," OP("aten::d", "160", "2", "")
	CLEANUP(buf_clear) struct buf got = BUF_INIT(1 << 20);
	struct limits limits = limits_default();
	struct dump_facts facts;

	read_trace("[" TWO_STEPS "]", &limits, &got, &facts);
	assert_true(str_has(buf_str(&got), STR("order 0 aten::d aten::b >aten::c\n")));
	buf_reset(&got);
	read_trace("[" TWO_STEPS, &limits, &got, &facts); /* it may go on */
	assert_true(str_has(buf_str(&got), STR("order 0 aten::a\n")));
	buf_reset(&got);
	limits.step_turns = 2;
	read_trace("[" TWO_STEPS "]", &limits, &got, &facts);
	assert_true(str_has(buf_str(&got), STR("order 0 aten::d aten::b\n")));
#undef TWO_STEPS
}

static void the_time_of_what_was_called_is_not_the_callers(void **state)
{
	/* in order, in reverse order, which is the same, and with a clock of microseconds that lets the inner one end late */
	static const char rows[] =
		"stream 0 \"\"\nbegin 0 stepped\n"
		"row 0 aten::a|?|| 1 1 4.000 10.000 0.000\nrow 0 aten::b|?|| 1 2 6.000 6.000 0.000\n"
		"parent 0 aten::b|aten::a 2 6.000 0.000\norder 0 aten::a >aten::b >aten::b\nend 0 1 times\n";
	static const char late[] = "stream 0 \"\"\nbegin 0 stepped\n"
				   "row 0 aten::a|?|| 1 1 6.000 10.000 0.000\nrow 0 aten::b|?|| 1 1 5.000 5.000 0.000\n"
				   "parent 0 aten::b|aten::a 1 5.000 0.000\norder 0 aten::a >aten::b\nend 0 1 times\n";

	assert_events(
		"[" OP("aten::a", "10", "10", "") "," OP("aten::b", "11", "2", "") "," OP("aten::b", "14", "4", "") "]",
		rows);
	assert_events(
		"[" OP("aten::b", "11", "2", "") "," OP("aten::b", "14", "4", "") "," OP("aten::a", "10", "10", "") "]",
		rows);
	assert_events("[" OP("aten::a", "10", "10", "") "," OP("aten::b", "16", "5", "") "]", late);
}

static void steps_may_stand_before_or_behind_their_calls(void **state)
{
	const struct str rows = STR("row 0 aten::a|?|| 1 2 4.000 4.000 0.000\n");
	CLEANUP(buf_clear) struct buf got = BUF_INIT(1 << 20);
	struct limits limits = limits_default();
	struct dump_facts facts;

	read_trace(
		"[" STEP("5", "100", "50") "," OP("aten::a", "110", "2", "") "," OP("aten::a", "147", "2", "") "," STEP(
			"6", "150", "50") "," OP("aten::a", "150", "1", "") "," OP("aten::a", "200", "1", "") "]",
		&limits, &got, &facts);
	assert_true(str_has(buf_str(&got), rows));
	assert_true(str_has(buf_str(&got), STR("row 0 aten::a|?|| 2 1 1.000 1.000 0.000\n")));
	assert_true(str_has(buf_str(&got), STR("row 0 aten::a|?|| 0 1 1.000 1.000 0.000\n")));
	assert_true(str_has(buf_str(&got), STR("end 0 2 times")));
	buf_reset(&got);
	read_trace("[" OP("aten::a", "110", "2", "") "," OP("aten::a", "147", "2", "") "," STEP("5", "100", "50") "]",
		&limits, &got, &facts);
	assert_true(str_has(buf_str(&got), rows));
	/* room for two, and no file for more: what cannot wait is counted outside of all steps, and told */
	buf_reset(&got);
	limits.sort_bytes = 2 * LIMITS_EVENT_BYTES;
	limits.spill_bytes = 0;
	read_trace("[" STEP("5", "300", "50") "," OP("aten::a", "110", "2", "") "," OP(
			   "aten::a", "111", "2", "") "," OP("aten::a", "112", "2", "") "," OP("aten::a", "113", "2",
			   "") "," OP("aten::a", "310", "2", "") "," STEP("4", "100", "50") "]",
		&limits, &got, &facts);
	assert_int_equal(facts.unplaced_calls, 3);
	assert_int_equal(facts.unsorted_events, 4);
	assert_int_equal(facts.rows, 7);
}

/* As Kineto writes them: calls of the runtime behind all operators, kernels behind those. */
static void launches_far_behind_their_operators_still_belong_to_them(void **state)
{
	static const char text[] = "[" STEP("1", "0", "100") "," OP("aten::mul", "10", "20", "") "," OP(
		"aten::as_strided", "15", "5", "") "," OP("aten::add_", "40", "20", "") "," LAUNCH("25",
		"7") "," LAUNCH("45", "8") "," KERNEL("4", "\"External id\": 7, \"correlation\": 7") "," KERNEL("6",
		"\"correlation\": 8") "]";
	CLEANUP(buf_clear) struct buf got = BUF_INIT(1 << 20);
	struct limits limits = limits_default();
	struct dump_facts facts;

	limits.sort_bytes = 2 * LIMITS_EVENT_BYTES; /* the rest goes through a file */
	read_trace(text, &limits, &got, &facts);
	assert_true(str_has(buf_str(&got), STR("row 0 aten::mul|?|| 1 1 14.000 20.000 4.000\n")));
	assert_true(str_has(buf_str(&got), STR("row 0 aten::as_strided|?|| 1 1 5.000 5.000 0.000\n")));
	assert_true(str_has(buf_str(&got), STR("row 0 aten::add_|?|| 1 1 19.000 20.000 6.000\n")));
	assert_int_equal(facts.unsorted_events, 0);
	limits.spill_bytes = 0; /* as it is said when there is no room for one */
	buf_reset(&got);
	read_trace(text, &limits, &got, &facts);
	assert_true(facts.unsorted_events > 0);
	assert_false(str_has(buf_str(&got), STR(" -")));
}

static void spans_that_the_file_lost_are_counted_and_left_out(void **state)
{
	struct limits limits = limits_default();
	struct trace_sorter *sorter;
	struct trace_span span = { 0 };
	int file = dup(STDIN_FILENO); /* the number that the next file gets */

	close(file);
	limits.sort_bytes = 2 * LIMITS_EVENT_BYTES;
	sorter = trace_sorter_new(&limits, NULL); /* names order what begins at once */
	for (; span.begin_ns < 5; span.begin_ns++)
		assert_true(trace_sorter_add(sorter, &span));
	assert_int_equal(ftruncate(file, 0), 0);
	assert_true(trace_sorter_next(sorter, &span));
	assert_int_equal(span.begin_ns, 4);
	assert_false(trace_sorter_next(sorter, &span));
	assert_int_equal(trace_sorter_lost(sorter), 4);
	trace_sorter_free(sorter);
}

/* A call of the driver in one of the runtime counts once; one more level than the stack has stays in what is open. */
static void times_of_their_own_are_never_negative(void **state)
{
#define DRIVER(ts, dur)                                                                                                \
	"{\"ph\": \"X\", \"cat\": \"cuda_driver\", \"name\": \"cuLaunchKernel\", \"pid\": 1, \"tid\": 2, \"ts\": " ts  \
	", \"dur\": " dur "}"
	static const char text[] = "[" OP("aten::a", "10", "10", "") "," DRIVER("11", "8") "," DRIVER(
		"12", "6") "," DRIVER("13", "5") "]";
	CLEANUP(buf_clear) struct buf got = BUF_INIT(1 << 20);
	struct limits limits = limits_default();
	struct dump_facts facts;

	read_trace(text, &limits, &got, &facts);
	assert_true(str_has(buf_str(&got), STR("row 0 aten::a|?|| 1 1 2.000 10.000 0.000\n")));
	assert_true(str_has(buf_str(&got), STR("cuLaunchKernel|?|| 0 3 8.000 19.000 0.000 runtime\n")));
	buf_reset(&got);
	limits.open_frames = 2;
	read_trace(text, &limits, &got, &facts);
	assert_true(str_has(buf_str(&got), STR("row 0 aten::a|?|| 1 1 2.000 10.000 0.000\n")));
	assert_true(str_has(buf_str(&got), STR("cuLaunchKernel|?|| 0 3 8.000 19.000 0.000 runtime\n")));
#undef DRIVER
}

static void time_of_captured_graphs_is_no_operators(void **state)
{
#define GRAPH_LAUNCH(name)                                                                                             \
	"{\"ph\": \"X\", \"cat\": \"cuda_runtime\", \"name\": \"" name                                                 \
	"\", \"pid\": 1, \"tid\": 2, \"ts\": 14, \"dur\": 3, "                                                         \
	"\"args\": {\"correlation\": 5}}"
	static const char *const names[] = { "cudaGraphLaunch", "hipGraphLaunch", "musaGraphLaunch",
		"cuGraphLaunch_ptsz" };
	struct limits limits = limits_default();

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		CLEANUP(buf_clear) struct buf text = BUF_INIT(1 << 20), got = BUF_INIT(1 << 20);
		struct dump_facts facts;

		buf_printf(&text,
			"[" OP("aten::a", "10", "10", "\"External id\": 3") "," GRAPH_LAUNCH("%s") "," KERNEL(
				"7", "\"External id\": 3, \"correlation\": 5") "," KERNEL("2",
				"\"External id\": 3") "," KERNEL("1", "\"correlation\": 77") "," OP("triton_poi_0",
				"30", "2", "\"kernel_backend\": \"triton\", \"External id\": 4") "," KERNEL("5",
				"\"External id\": 4") "]",
			names[i]);
		read_trace(buf_text(&text), &limits, &got, &facts);
		assert_true(str_has(buf_str(&got), STR("row 0 aten::a|?|| 1 1 7.000 10.000 2.000\n")));
		assert_int_equal(facts.device_time.graphs_ns, 7000);
		assert_int_equal(facts.device_time.operators_ns, 2000);
		assert_int_equal(facts.device_time.unlinked_ns, 6000);
		assert_int_equal(facts.device_time.compiled_ns, 5000);
		assert_int_equal(facts.unmatched_work, 1);
	}
#undef GRAPH_LAUNCH
}

static void kernels_give_their_time_to_the_operator_that_launched_them(void **state)
{
	CLEANUP(buf_clear) struct buf got = BUF_INIT(1 << 20);
	struct limits limits = limits_default();
	struct dump_facts facts;

	/* by External id, by launch, before the launch was seen, and by nothing */
	read_trace("[" KERNEL("4", "\"correlation\": 9") "," OP("aten::a", "10", "10", "\"External id\": 3") "," OP(
			   "aten::b", "30", "10", "") "," LAUNCH("35", "9") "," KERNEL("7",
			   "\"External id\": 3, \"correlation\": 900") "," KERNEL("1", "\"correlation\": 77") "]",
		&limits, &got, &facts);
	assert_true(str_has(buf_str(&got), STR("row 0 aten::a|?|| 1 1 10.000 10.000 7.000\n")));
	assert_true(str_has(buf_str(&got), STR("row 0 aten::b|?|| 1 1 9.000 10.000 4.000\n")));
	assert_true(str_has(buf_str(&got), STR("row 0 k|?|| 0 3 0.000 0.000 1.000 kernel\n")));
	assert_true(str_has(buf_str(&got), STR("cudaLaunchKernel|?|| 0 1 1.000 1.000 0.000 runtime\n")));
	assert_int_equal(facts.unmatched_work, 1);
}

/* By one arrow that ends twice, and by two. */
static void work_that_arrows_reach_twice_counts_once(void **state)
{
#define ARROW(ph, id, place) "{\"ph\": \"" ph "\", \"cat\": \"ac2g\", \"name\": \"ac2g\", \"id\": " id ", " place "}"
#define FROM_OPERATOR "\"pid\": 1, \"tid\": 2, \"ts\": 12"
#define TO_KERNEL "\"pid\": 0, \"tid\": \"stream 7\", \"ts\": 99"
	static const char *const arrows[] = {
		ARROW("s", "1", FROM_OPERATOR) "," ARROW("f", "1", TO_KERNEL),
		ARROW("s", "1", FROM_OPERATOR) "," ARROW("f", "1", TO_KERNEL) "," ARROW("f", "1", TO_KERNEL),
		ARROW("s", "1", FROM_OPERATOR) "," ARROW("f", "1", TO_KERNEL) "," ARROW(
			"s", "2", FROM_OPERATOR) "," ARROW("f", "2", TO_KERNEL),
	};
	struct limits limits = limits_default();

	for (size_t i = 0; i < ARRAY_SIZE(arrows); i++) {
		CLEANUP(buf_clear) struct buf text = BUF_INIT(1 << 20), got = BUF_INIT(1 << 20);
		struct dump_facts facts;

		buf_printf(&text, "[" OP("aten::a", "10", "10", "") "," KERNEL("7", "") ",%s]", arrows[i]);
		read_trace(buf_text(&text), &limits, &got, &facts);
		assert_true(str_has(buf_str(&got), STR("row 0 aten::a|?|| 1 1 10.000 10.000 7.000\n")));
		assert_int_equal(facts.device_time.operators_ns, 7000);
		assert_int_equal(facts.unmatched_work, 0);
	}
#undef ARROW
#undef FROM_OPERATOR
#undef TO_KERNEL
}

static void collectives_are_one_where_all_that_names_them_is_the_same(void **state)
{
#define COLLECTIVE(name, dtype, group, size)                                                                           \
	OP("record_param_comms", "1", "2",                                                                             \
		"\"Collective name\": \"" name "\", \"dtype\": \"" dtype "\", \"Process Group Name\": \"" group        \
		"\", \"Group size\": " size ", \"In msg nelems\": 5, \"Out msg nelems\": 7")
	static const struct {
		const char *other;
		unsigned count;
	} cases[] = {
		{ COLLECTIVE("allreduce", "Float", "0", "8"), 1 },
		{ COLLECTIVE("allgather", "Float", "0", "8"), 2 },
		{ COLLECTIVE("allreduce", "Half", "0", "8"), 2 },
		{ COLLECTIVE("allreduce", "Float", "1", "8"), 2 },
		{ COLLECTIVE("allreduce", "Float", "0", "4"), 2 },
	};
	struct limits limits = limits_default();

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		CLEANUP(buf_clear) struct buf text = BUF_INIT(1 << 20), got = BUF_INIT(1 << 20);
		struct dump_facts facts;

		buf_printf(&text, "[" COLLECTIVE("allreduce", "Float", "0", "8") ",%s]", cases[i].other);
		read_trace(buf_text(&text), &limits, &got, &facts);
		assert_int_equal(facts.traffic.collective_count, cases[i].count);
		assert_int_equal(facts.traffic.collectives[0].calls, cases[i].count == 1 ? 2 : 1);
		assert_int_equal(facts.traffic.collectives[0].in_elements, cases[i].count == 1 ? 10 : 5);
		assert_int_equal(facts.traffic.collectives[cases[i].count - 1].ranks, i == 4 ? 4 : 8);
	}
#undef COLLECTIVE
}

/* Nested operators lie in the one that they were called from, which lies in the region. */
static void operators_of_compiled_code_lie_in_it(void **state)
{
	static const char *const regions[] = { "Torch-Compiled Region: 0/0", "## Call CompiledFxGraph fal4x ##",
		"CompiledFunctionBackward" };
	struct limits limits = limits_default();

	for (size_t i = 0; i < ARRAY_SIZE(regions); i++) {
		CLEANUP(buf_clear) struct buf text = BUF_INIT(1 << 20), got = BUF_INIT(1 << 20);
		struct dump_facts facts;

		buf_printf(&text,
			"[" OP("%s", "1", "20", "") "," OP("aten::a", "2", "9", "") "," OP(
				"aten::b", "3", "2", "") "," OP("triton_poi_fused_0", "12", "2",
				"\"kernel_backend\": \"triton\"") "," OP("aten::c", "30", "2", "") "]",
			regions[i]);
		read_trace(buf_text(&text), &limits, &got, &facts);
		assert_true(str_has(buf_str(&got), STR("parent 0 aten::a|Torch-Compiled Region 1 7.000 0.000\n")));
		assert_true(str_has(buf_str(&got), STR("parent 0 aten::b|aten::a 1 2.000 0.000\n")));
		assert_true(str_has(buf_str(&got), STR("row 0 triton_poi_fused_0|?|| 0 1 2.000 2.000 0.000 kernel\n")));
		assert_false(
			str_has(buf_str(&got), STR("aten::c|")) && str_has(buf_str(&got), STR("parent 0 aten::c")));
	}
}

static void labels_are_no_operators_whatever_they_are_called(void **state)
{
	struct limits limits = limits_default();
	struct dump_facts facts;
	CLEANUP(buf_clear) struct buf got = BUF_INIT(1 << 20);

	assert_int_equal(read_trace("[{\"ph\":\"X\",\"cat\":\"user_annotation\",\"name\":\"aten::conv2d\",\"ts\":1,"
				    "\"dur\":1,\"pid\":1,\"tid\":1}]",
				 &limits, &got, &facts),
		-ERR_NO_OPERATOR);
	assert_true(str_has(buf_str(&got), STR("aten::conv2d|?|| 0 1 1.000 1.000 0.000 label\n")));
}

static void legacy_traces_have_no_categories(void **state)
{
	assert_events("[{\"name\": \"aten::a\", \"ph\": \"X\", \"ts\": 5.25, \"dur\": 2.5, \"tid\": 1, \"pid\": \"CPU "
		      "functions\", \"args\": {}},"
		      "{\"name\": \"void k<int>(int)\", \"ph\": \"X\", \"ts\": 6, \"dur\": 2, \"tid\": 0, \"pid\": "
		      "\"CUDA functions\", \"args\": {}},"
		      "{\"name\": \"aten::a\", \"ph\": \"s\", \"ts\": 5.25, \"tid\": 1, \"pid\": \"CPU functions\", "
		      "\"id\": 1, \"cat\": \"cpu_to_cuda\", \"args\": {}}]",
		"stream 0 \"\"\nbegin 0 stepped\nrow 0 void k<int>(int)|?|| 0 1 0.000 0.000 0.000\n"
		"row 0 aten::a|?|| 1 1 2.500 2.500 0.000\n"
		"order 0 aten::a\n"
		"end 0 1 times\n");
}

static void a_bad_event_is_skipped_and_named(void **state)
{
	static const char text[] = TRACE(OP("aten::a", "1", "1", "") ",\n  " OP("{\"device\": \"cpu\"}(12): aten::b",
		"2", "1", "") ",\n  " OP("aten::c", "N/A", "NaN", "") ",\n  " OP("aten::d\x01\xff", "3", "1", "") ",");
	CLEANUP(buf_clear) struct buf got = BUF_INIT(1 << 20);
	struct limits limits = limits_default();
	struct dump_facts facts;

	assert_int_equal(read_trace(text, &limits, &got, &facts), 0);
	assert_int_equal(facts.skipped_events, 1);
	assert_int_equal(
		facts.samples[0].offset, strstr(text, "{\"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"{") - text);
	assert_true(str_has(buf_str(&got), STR("row 0 aten::c|?|| 1 1 0.000 0.000 0.000\n")));
	assert_true(str_has(buf_str(&got), STR("aten::d\x01\xef\xbf\xbd|?||")));
	assert_int_equal(facts.cut_at, 0);
}

static void every_prefix_is_an_error_or_cut(void **state)
{
	static const char text[] = TRACE(STEP("1", "1", "9") "," OP(
		"aten::a", "1", "1", "\"Input Dims\": [[2]]") "," OP("aten::b", "2", "1", ""));
	struct limits limits = limits_default();

	for (size_t len = 0; len < sizeof(text); len++) {
		CLEANUP(buf_clear) struct buf got = BUF_INIT(1 << 20);
		struct dump_facts facts;
		struct err err;
		int status = record_dump(&dump_trace, (struct str){ text, len }, 0, &limits, &got, &facts, &err);

		assert_int_equal(facts.cut_at != 0, len + 1 < sizeof(text));
		assert_true(status == 0 || (status == -ERR_NO_OPERATOR && str_has(str_from(err.where), STR("byte "))));
		assert_true(facts.cut_at <= len + 1);
	}
}

/* Many operators by one text each, through a profile. */
static void count_names(size_t count, const struct limits *limits, size_t *ret_names, uint64_t *ret_calls)
{
	struct profile *profile = profile_new(limits);
	struct event_sink sink = profile_sink(profile, STR(""));
	struct dump_facts facts = { .format = "" };
	struct dump_context context = { &sink, limits, &facts };
	void *state = dump_trace.open(&context);
	const struct profile_name *names;
	struct err err;

	dump_trace.feed(state, STR("["), &err);
	for (size_t i = 0; i < count; i++) {
		CLEANUP(buf_clear) struct buf text = BUF_INIT(1000);

		buf_printf(&text,
			"{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"aten::op_%zu\",\"pid\":1,\"tid\":1,\"ts\":%zu,"
			"\"dur\":1},",
			i, i);
		dump_trace.feed(state, buf_str(&text), &err);
	}
	dump_trace.feed(state, STR("]"), &err);
	assert_int_equal(dump_trace.finish(state, &err), 0);
	dump_trace.close(state);
	profile_finish(profile);
	names = profile_names(profile, ret_names);
	*ret_calls = profile_calls_over_cap(profile);
	for (size_t i = 0; i < *ret_names; i++)
		*ret_calls += names[i].calls;
	profile_free(profile);
}

/* As in a file that joins the traces of many ranks. */
static void steps_of_many_processes_that_overlap_are_kept_apart(void **state)
{
	enum { PROCESSES = 40 };
	CLEANUP(buf_clear) struct buf text = BUF_INIT(1 << 20), got = BUF_INIT(1 << 20);
	struct limits limits = limits_default();
	struct dump_facts facts;

	for (int i = 0; i < PROCESSES; i++)
		buf_printf(&text,
			"%c{\"ph\":\"X\",\"cat\":\"user_annotation\",\"name\":\"ProfilerStep#1\",\"pid\":%d,"
			"\"tid\":1,\"ts\":%d,\"dur\":900},{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"aten::a\","
			"\"pid\":%d,\"tid\":1,\"ts\":%d,\"dur\":1}",
			i ? ',' : '[', i, 100 + i, i, 500 + i);
	buf_byte(&text, ']');
	assert_int_equal(read_trace(buf_text(&text), &limits, &got, &facts), 0);
	assert_true(str_has(buf_str(&got), STR("end 0 40 ")));
}

static void names_beyond_the_limits_are_still_counted(void **state)
{
	struct limits limits = limits_default();
	size_t names;
	uint64_t calls;

	limits.operators = 40;
	limits.shapes = 50;
	limits.names = 10;
	count_names(1000, &limits, &names, &calls);
	assert_int_equal(names, 40);
	assert_int_equal(calls, 1000);
}

static void threads_beyond_the_limit_share_one(void **state)
{
	CLEANUP(buf_clear) struct buf got = BUF_INIT(1 << 20);
	struct limits limits = limits_default();
	struct dump_facts facts;

	limits.threads = 1;
	assert_int_equal(
		read_trace("[" OP("aten::a", "1", "1",
				   "") ",{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"aten::b\",\"pid\":1,\"tid\":9,"
				       "\"ts\":5,\"dur\":1}]",
			&limits, &got, &facts),
		0);
	assert_int_equal(facts.rows, 2);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(operators_have_shapes_types_and_overloads),
		cmocka_unit_test(strides_and_values_are_the_smallest_of_all_calls),
		cmocka_unit_test(values_that_are_too_long_are_dropped_and_counted),
		cmocka_unit_test(autograd_nodes_belong_to_the_forward_operator_of_their_number),
		cmocka_unit_test(calls_of_links_over_the_limit_are_counted),
		cmocka_unit_test(the_order_is_that_of_the_second_step),
		cmocka_unit_test(the_time_of_what_was_called_is_not_the_callers),
		cmocka_unit_test(steps_may_stand_before_or_behind_their_calls),
		cmocka_unit_test(launches_far_behind_their_operators_still_belong_to_them),
		cmocka_unit_test(spans_that_the_file_lost_are_counted_and_left_out),
		cmocka_unit_test(times_of_their_own_are_never_negative),
		cmocka_unit_test(time_of_captured_graphs_is_no_operators),
		cmocka_unit_test(kernels_give_their_time_to_the_operator_that_launched_them),
		cmocka_unit_test(work_that_arrows_reach_twice_counts_once),
		cmocka_unit_test(collectives_are_one_where_all_that_names_them_is_the_same),
		cmocka_unit_test(operators_of_compiled_code_lie_in_it),
		cmocka_unit_test(labels_are_no_operators_whatever_they_are_called),
		cmocka_unit_test(legacy_traces_have_no_categories),
		cmocka_unit_test(a_bad_event_is_skipped_and_named),
		cmocka_unit_test(every_prefix_is_an_error_or_cut),
		cmocka_unit_test(steps_of_many_processes_that_overlap_are_kept_apart),
		cmocka_unit_test(names_beyond_the_limits_are_still_counted),
		cmocka_unit_test(threads_beyond_the_limit_share_one),
	};

	return run_group(tests);
}
