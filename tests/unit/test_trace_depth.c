/* Traces: where in the user's program operators were called. */
#include "dump/common/format.h"

#include "tests/unit/check.h"
#include "tests/unit/recorder.h"
#include "tests/unit/traces.h"

static void assert_has(const char *trace, const struct limits *limits, struct dump_facts *ret_facts,
	const char *const *texts, size_t count)
{
	CLEANUP(buf_clear) struct buf got = BUF_INIT(1 << 20);

	read_trace(trace, limits, &got, ret_facts);
	for (size_t i = 0; i < count; i++) {
		bool unwanted = texts[i][0] == '!';

		if (str_has(buf_str(&got), str_from(texts[i] + unwanted)) == unwanted)
			fail_msg("%s in\n%s", texts[i], buf_text(&got));
	}
}

#define ASSERT_HAS(trace, limits, facts, ...)                                                                          \
	assert_has(trace, limits, facts, (const char *const[]){ __VA_ARGS__ },                                         \
		sizeof((const char *const[]){ __VA_ARGS__ }) / sizeof(char *))

#define CALLS                                                                                                          \
	OP("aten::linear", "20", "10", "")                                                                             \
	"," OP("aten::addmm", "22", "6", "") "," OP("aten::relu", "40", "5", "") "," NODE(                             \
		"aten::mul", "20", "5", "7", "")
#define FRAMES                                                                                                         \
	FRAME("train.py(9): <module>", "1", "100")                                                                     \
	"," FRAME("torch/nn/modules/module.py(1): _call_impl", "10", "60") "," FRAME(                                  \
		"nn.Module: Net_0", "11", "50") "," FRAME("model.py(5): forward", "12",                                \
		"40") "," FRAME("nn.Module: Linear_1", "20", "12") "," FRAME("torch/nn/modules/linear.py(5): forward", \
		"20", "11") "," FRAME("<built-in method linear>", "20", "11")

/* PyTorch writes frames behind all operators, other writers before or among them. */
static void operators_are_in_the_modules_and_lines_that_run_around_them(void **state)
{
	static const char *const traces[] = { "[" CALLS "," FRAMES "]", "[" FRAMES "," CALLS "]" };
	struct limits limits = limits_default();
	struct dump_facts facts;

	for (size_t i = 0; i < ARRAY_SIZE(traces); i++) {
		ASSERT_HAS(traces[i], &limits, &facts, "module 0 aten::linear|Net_0/Linear_1 1 4.000 0.000\n",
			"module 0 aten::addmm|Net_0/Linear_1 1 6.000 0.000\n",
			"module 0 aten::relu|Net_0 1 5.000 0.000\n",
			"source 0 aten::addmm|model.py(5): forward 1 6.000 0.000\n",
			"source 0 aten::relu|model.py(5): forward 1 5.000 0.000\n", "!module 0 aten::mul",
			"!_call_impl", "!built-in");
		assert_int_equal(facts.details, DUMP_LINKS | DUMP_MODULES | DUMP_STACKS);
		assert_int_equal(facts.dropped_frames, 0);
		assert_int_equal(facts.unlinked_calls, 0);
	}
}

static void kernels_count_where_their_operator_was_called(void **state)
{
	struct limits limits = limits_default();
	struct dump_facts facts;

	ASSERT_HAS("[" OP("aten::a", "20", "10", "\"External id\": 3") "," FRAME(
			   "nn.Module: Net_0", "11", "50") "," KERNEL("7", "\"External id\": 3") "]",
		&limits, &facts, "module 0 aten::a|Net_0 1 10.000 7.000\n");
}

#define LABEL(name, ts, dur)                                                                                           \
	"{\"ph\": \"X\", \"cat\": \"user_annotation\", \"name\": \"" name "\", \"pid\": 1, \"tid\": 2, \"ts\": " ts    \
	", \"dur\": " dur "}"

static void spans_of_the_user_are_parts_of_the_path(void **state)
{
	struct limits limits = limits_default();
	struct dump_facts facts;

	ASSERT_HAS("[" LABEL("encoder", "10", "50") "," LABEL("## forward ##", "11", "48") "," OP("aten::a", "20", "10",
			   "") "," FRAME("nn.Module: Net_0", "15", "20") "," STEP("3", "1", "90") "]",
		&limits, &facts, "module 0 aten::a|encoder/Net_0 1 10.000 0.000\n", "!source ");
	/* the legacy profiler has neither categories nor frames */
	ASSERT_HAS("[{\"name\": \"block\", \"ph\": \"X\", \"ts\": 1, \"dur\": 9, \"tid\": 1, \"pid\": \"CPU "
		   "functions\", \"args\": {}},"
		   "{\"name\": \"aten::a\", \"ph\": \"X\", \"ts\": 5, \"dur\": 2, \"tid\": 1, \"pid\": \"CPU "
		   "functions\", \"args\": {}}]",
		&limits, &facts, "module 0 aten::a|block 1 2.000 0.000\n");
}

static void an_operator_may_bring_its_own_stack_and_modules(void **state)
{
	struct limits limits = limits_default();
	struct dump_facts facts;

	ASSERT_HAS("[" OP("aten::a", "20", "10",
			   "\"Call stack\": \"<built-in method a>;torch/nn/functional.py(3): a;nn.Module: Linear_0;"
			   "model.py(5): forward;nn.Module: Net_0;train.py(9): <module>;\"") "," FRAME("nn.Module: "
												       "Other_0",
			   "11", "50") "," FRAME("other.py(1): f", "11", "50") "]",
		&limits, &facts, "module 0 aten::a|Net_0/Linear_0 1 10.000 0.000\n",
		"source 0 aten::a|model.py(5): forward 1 10.000 0.000\n", "!ther");
	/* torch_npu ends each frame with a line */
	ASSERT_HAS("[" OP("aten::a", "20", "10",
			   "\"Call stack\": \"/x/lib/python3.8/site-packages/torch/nn/a.py(3): a;\\r\\n/x/train.py(9): "
			   "step;\\r\\n\"") "]",
		&limits, &facts, "source 0 aten::a|/x/train.py(9): step 1 10.000 0.000\n", "!module ");
	ASSERT_HAS("[" OP("aten::a", "20", "10", "\"Module Hierarchy\": \"TOP(Net)::forward.fc(Linear)::forward\"") "]",
		&limits, &facts, "module 0 aten::a|TOP(Net)::forward.fc(Linear)::forward 1 10.000 0.000\n");
	assert_int_equal(facts.details, DUMP_MODULES);
	ASSERT_HAS("[" OP("aten::a", "20", "10", "\"Call stack\": 5, \"Module Hierarchy\": [1]") "," OP(
			   "aten::b", "40", "1", "\"Call stack\": \";;\"") "]",
		&limits, &facts, "!module ", "!source ");
}

#define FLOW(phase, category, id, thread, ts)                                                                          \
	"{\"ph\": \"" phase "\", \"id\": " id ", \"pid\": 1, \"tid\": " thread ", \"ts\": " ts                         \
	", \"cat\": \"" category "\", \"name\": \"x\", \"bp\": \"e\"}"
#define TASK(ts, dur)                                                                                                  \
	"{\"name\": \"trans_Cast_0\", \"pid\": 1, \"tid\": 9, \"ts\": \"" ts "\", \"dur\": " dur                       \
	", \"args\": {}, \"ph\": \"X\"}"

/* As torch_npu writes them: work without a category and without numbers. */
static void arrows_join_work_with_its_operator_where_there_are_no_numbers(void **state)
{
	struct limits limits = limits_default();
	struct dump_facts facts;

	ASSERT_HAS("[" OP("aten::a", "20", "30", "") "," OP("aten::b", "25", "10", "") "," OP(
			   "aten::c", "36", "2", "") "," FLOW("s", "async_npu", "7", "2", "25") "," FLOW("f",
			   "async_npu", "7", "9", "70.5") "," FLOW("f", "async_npu", "8", "9", "80.5") "," FLOW("s",
			   "async_npu", "8", "2", "40") "," FLOW("s", "async_task_queue", "9", "2",
			   "20") "," TASK("70.5", "4") "," TASK("80.5", "2") "]",
		&limits, &facts, "row 0 aten::b|?|| 1 1 10.000 10.000 4.000\n",
		"parent 0 aten::b|aten::a 1 10.000 4.000\n", "row 0 aten::a|?|| 1 1 18.000 30.000 2.000\n",
		"end 0 1 times device");
	assert_int_equal(facts.unmatched_work, 0);
	/* from what CANN launched, under a process of its own; each task counts once */
	ASSERT_HAS("[" OP("aten::a", "20", "30",
			   "") ",{\"ph\": \"s\", \"id\": \"7\", \"pid\": 100, \"tid\": 2, \"ts\": \"26\", \"cat\": "
			       "\"HostToDevice\"}," FLOW("f", "HostToDevice", "\"7\"", "9",
				       "70.5") ",{\"ph\": \"s\", \"id\": \"8\", \"pid\": 100, \"tid\": 2, \"ts\": "
					       "\"27\", \"cat\": \"HostToDevice\"}," FLOW(
						       "f", "HostToDevice", "\"8\"", "9", "70.5") ",",
		&limits, &facts, "row 0 aten::a|?|| 1 1 30.000 30.000 0.000\n");
	ASSERT_HAS(
		"[" OP("aten::a", "20", "30", "") ",{\"ph\": \"s\", \"id\": \"7\", \"pid\": 100, \"tid\": 2, \"ts\": "
						  "\"26\", \"cat\": \"HostToDevice\"}," FLOW("f", "HostToDevice",
							  "\"7\"", "9", "70.5") "," TASK("70.5", "4") "]",
		&limits, &facts, "row 0 aten::a|?|| 1 1 30.000 30.000 4.000\n");
	/* numbers go before arrows */
	ASSERT_HAS(
		"[" OP("aten::a", "20", "30", "\"External id\": 3") "," FLOW("s", "ac2g", "7", "2", "25") "," FLOW(
			"f", "ac2g", "7", "9", "70.5") "," TASK("70.5", "4") "," KERNEL("6", "\"External id\": 3") "]",
		&limits, &facts, "row 0 aten::a|?|| 1 1 30.000 30.000 6.000\n");
}

static void kernels_without_numbers_and_arrows_are_counted(void **state)
{
	struct limits limits = limits_default();
	struct dump_facts facts;

	ASSERT_HAS("[" OP("aten::a", "20", "30", "") "," KERNEL("6", "") "]", &limits, &facts,
		"row 0 aten::a|?|| 1 1 30.000 30.000 0.000\n");
	assert_int_equal(facts.unmatched_work, 1);
	ASSERT_HAS("[" OP("aten::a", "20", "30", "") "," FLOW("s", "ac2g", "7", "2",
			   "25") ",{\"ph\": \"f\", \"id\": 7, \"pid\": 0, \"tid\": \"stream 7\", \"ts\": 99, "
				 "\"cat\": \"ac2g\"}," KERNEL("6", "") "]",
		&limits, &facts, "row 0 aten::a|?|| 1 1 30.000 30.000 6.000\n");
	assert_int_equal(facts.unmatched_work, 0);
}

static void arrows_join_nodes_with_forward_operators_where_there_are_no_numbers(void **state)
{
	struct limits limits = limits_default();
	struct dump_facts facts;

	ASSERT_HAS(
		"[" OP("aten::linear", "20", "10", "") "," OP("aten::addmm", "20", "6", "") "," NODE("AddmmBackward0",
			"60.5", "9", "7", "") "," NODE("autograd::engine::evaluate_function: AddmmBackward0", "60",
			"10", "7", "") "," FLOW("s", "fwdbwd", "1", "2", "20") "," FLOW("f", "fwdbwd", "1", "7",
			"60") "," FLOW("f", "fwdbwd", "2", "7", "60") "]",
		&limits, &facts, "forward 0 AddmmBackward0|aten::addmm 1 9.000 0.000\n");
}

#define COLLECTIVE(name, in, out)                                                                                      \
	OP("record_param_comms", "5", "2",                                                                             \
		"\"Collective name\": \"" name "\", \"dtype\": \"Float\", \"In msg nelems\": " in ", "                 \
		"\"Out msg nelems\": " out ", \"Group size\": 8, \"Process Group Name\": \"0\"")
#define COPY(name, bytes)                                                                                              \
	"{\"ph\": \"X\", \"cat\": \"gpu_memcpy\", \"name\": \"" name                                                   \
	"\", \"pid\": 0, \"tid\": 7, \"ts\": 50, \"dur\": 3, "                                                         \
	"\"args\": {\"External id\": 3, \"bytes\": " bytes "}}"

static void collectives_and_copies_are_summed_up(void **state)
{
	struct limits limits = limits_default();
	struct dump_facts facts;
	const struct dump_traffic *traffic = &facts.traffic;

	ASSERT_HAS("[" OP("aten::a", "20", "30", "\"External id\": 3") "," COLLECTIVE(
			   "allreduce", "100", "100") "," COLLECTIVE("allreduce", "50",
			   "50") "," COLLECTIVE("allgather", "10", "80") "," COPY("Memcpy HtoD (Pageable -> Device)",
			   "4096") "," COPY("Memcpy HtoD (Pinned -> Device)",
			   "4") "," COPY("Memcpy DtoH (Device -> Pageable)", "8") "," COPY("MemTransfer(d2d)",
			   "1") "," COPY("Memset (Device)", "16") "," COPY("Memcpy2 ???", "5") "," NODE("x", "1", "1",
			   "1", "") ",{\"ph\": \"X\", \"cat\": \"cuda_runtime\", \"name\": \"cudaMemcpyAsync\", "
				    "\"pid\": 1, \"tid\": 2, \"ts\": 60, \"dur\": 7, \"args\": {\"correlation\": 5}}]",
		&limits, &facts, "record_param_comms");
	assert_int_equal(traffic->collective_count, 2);
	assert_string_equal(traffic->collectives[0].name.text, "allreduce");
	assert_string_equal(traffic->collectives[0].dtype.text, "Float");
	assert_string_equal(traffic->collectives[0].group.text, "0");
	assert_int_equal(traffic->collectives[0].calls, 2);
	assert_int_equal(traffic->collectives[0].in_elements, 150);
	assert_int_equal(traffic->collectives[0].ranks, 8);
	assert_int_equal(traffic->collectives[1].out_elements, 80);
	assert_int_equal(traffic->copies[COPY_TO_DEVICE].calls, 2);
	assert_int_equal(traffic->copies[COPY_TO_DEVICE].bytes, 4100);
	assert_int_equal(traffic->copies[COPY_TO_DEVICE].ns, 6000);
	assert_int_equal(traffic->copies[COPY_TO_HOST].bytes, 8);
	assert_int_equal(traffic->copies[COPY_ON_DEVICE].calls, 1);
	assert_int_equal(traffic->copies[COPY_FILL].bytes, 16);
	assert_int_equal(traffic->copies[COPY_UNKNOWN].calls, 1);
	assert_int_equal(traffic->copies[COPY_CALL].calls, 1);
	assert_int_equal(traffic->copies[COPY_CALL].ns, 7000);
	assert_string_equal(word_for(&copy_words, COPY_TO_HOST).ptr, "to-host");
}

static void collectives_over_the_limit_are_counted(void **state)
{
	CLEANUP(buf_clear) struct buf text = BUF_INIT(1 << 20);
	struct limits limits = limits_default();
	struct dump_facts facts;

	buf_add(&text, STR("[" OP("aten::a", "20", "30", "")));
	for (int i = 0; i < MAX_COLLECTIVES + 3; i++)
		buf_printf(&text,
			",{\"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"record_param_comms\", \"ts\": %d, \"dur\": "
			"1, \"pid\": 1, \"tid\": 1, "
			"\"args\": {\"Collective name\": \"c%d\"}}",
			i, i);
	buf_byte(&text, ']');
	ASSERT_HAS(buf_text(&text), &limits, &facts, "record_param_comms");
	assert_int_equal(facts.traffic.collective_count, MAX_COLLECTIVES);
	assert_int_equal(facts.traffic.other_collectives, 3);
}

static void kernels_of_triton_are_no_operators(void **state)
{
	struct limits limits = limits_default();
	struct dump_facts facts;

	ASSERT_HAS("[" OP("aten::a", "1", "2", "") "," OP("mine::add_kernel", "5", "2",
			   "\"kernel_backend\": \"triton\"") "," OP("triton_poi_fused_add_0", "9", "2",
			   "\"kernel_backend\": \"triton\"") "]",
		&limits, &facts, "row 0 mine::add_kernel|?|| 0 1 2.000 2.000 0.000 kernel\n", "order 0 aten::a\n");
}

/* Behind a process of their own, joined with operators by arrows that begin and end with them. */
static void arrows_of_the_legacy_profiler_reach_its_kernels(void **state)
{
	struct limits limits = limits_default();
	struct dump_facts facts;

	ASSERT_HAS("[{\"name\": \"aten::a\", \"ph\": \"X\", \"ts\": 5.25, \"dur\": 2.5, \"tid\": 1, \"pid\": \"CPU "
		   "functions\", \"args\": {}},"
		   "{\"name\": \"void k<int>(int)\", \"ph\": \"X\", \"ts\": 6, \"dur\": 2, \"tid\": 0, \"pid\": \"CUDA "
		   "functions\", \"args\": {}},"
		   "{\"name\": \"aten::a\", \"ph\": \"s\", \"ts\": 5.25, \"tid\": 1, \"pid\": \"CPU functions\", "
		   "\"id\": 1, \"cat\": \"cpu_to_cuda\", \"args\": {}},"
		   "{\"name\": \"void k<int>(int)\", \"ph\": \"f\", \"ts\": 6, \"tid\": 0, \"pid\": \"CUDA "
		   "functions\", \"id\": 1, \"cat\": \"cpu_to_cuda\"}]",
		&limits, &facts, "row 0 aten::a|?|| 1 1 2.500 2.500 2.000\n");
	assert_int_equal(facts.unmatched_work, 0);
}

static void every_prefix_is_an_error_or_cut(void **state)
{
	static const char text[] = "{\"traceEvents\": [" CALLS "," FRAMES "," FLOW("s", "ac2g", "7", "2",
		"25") "," FLOW("f", "ac2g", "7", "9", "70.5") "," TASK("70.5", "4") "," COLLECTIVE("allreduce", "100",
		"100") "," COPY("Memcpy HtoD", "4096") "], \"traceName\": \"x\"}";
	struct limits limits = limits_default();

	for (size_t len = 0; len < sizeof(text); len++) {
		CLEANUP(buf_clear) struct buf got = BUF_INIT(1 << 20);
		struct dump_facts facts;
		struct err err;
		int status = record_dump(&dump_trace, (struct str){ text, len }, 0, &limits, &got, &facts, &err);

		assert_int_equal(facts.cut_at != 0, len + 1 < sizeof(text));
		assert_true(status == 0 || status == -ERR_NO_OPERATOR);
	}
}

static void what_does_not_fit_is_counted(void **state)
{
	struct limits limits = limits_default();
	struct dump_facts facts;

	limits.frames = 2; /* the outermost line and the outer module, by their place in the trace */
	ASSERT_HAS("[" CALLS "," FRAMES "]", &limits, &facts, "module 0 aten::addmm|Net_0 1 6.000 0.000\n",
		"source 0 aten::addmm|train.py(9): <module> 1 6.000 0.000\n");
	assert_int_equal(facts.dropped_frames, 2);
	limits = limits_default();
	limits.open_frames = 2;
	ASSERT_HAS("[" CALLS "," FRAMES "]", &limits, &facts, "module 0 aten::addmm|Net_0 1 6.000 0.000\n");
	assert_int_equal(facts.dropped_frames, 2);
	limits = limits_default();
	limits.places = 2;
	ASSERT_HAS(
		"[" CALLS "," FRAMES "]", &limits, &facts, "module 0 aten::addmm|Net_0 1 6.000 0.000\n", "!model.py");
	assert_true(facts.dropped_frames > 0);
	limits = limits_default();
	limits.placed_calls = 1;
	ASSERT_HAS("[" CALLS "," FRAMES "]", &limits, &facts, "parent 0 aten::addmm|aten::linear 1 6.000 0.000\n",
		"module 0 aten::linear|Net_0/Linear_1 1 4.000 0.000\n", "!module 0 aten::relu");
	assert_int_equal(facts.unlinked_calls, 3);
	limits = limits_default();
	limits.links = 1;
	ASSERT_HAS("[" CALLS "," FRAMES "]", &limits, &facts, "module 0 aten::linear|Net_0/Linear_1 1 4.000 0.000\n");
	assert_int_equal(facts.unlinked_calls, 5);
}

static void a_path_or_a_line_of_any_length_is_no_harm(void **state)
{
	CLEANUP(buf_clear) struct buf text = BUF_INIT(1 << 20);
	struct limits limits = limits_default();
	struct dump_facts facts;

	buf_add(&text, STR("[" OP("aten::a", "20", "10", "") "," FRAME("nn.Module: Net_0", "1",
			       "90") ",{\"ph\": \"X\", \"cat\": \"python_function\", "
				     "\"ts\": 2, \"dur\": 80, \"pid\": 1, \"tid\": 2, \"name\": \"nn.Module: "));
	for (int i = 0; i < 3000; i++)
		buf_byte(&text, 'M');
	buf_add(&text, STR("\"}]"));
	ASSERT_HAS(buf_text(&text), &limits, &facts, "module 0 aten::a|Net_0 1 10.000 0.000\n");
	assert_int_equal(facts.dropped_frames, 1);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(operators_are_in_the_modules_and_lines_that_run_around_them),
		cmocka_unit_test(kernels_count_where_their_operator_was_called),
		cmocka_unit_test(spans_of_the_user_are_parts_of_the_path),
		cmocka_unit_test(an_operator_may_bring_its_own_stack_and_modules),
		cmocka_unit_test(arrows_join_work_with_its_operator_where_there_are_no_numbers),
		cmocka_unit_test(kernels_without_numbers_and_arrows_are_counted),
		cmocka_unit_test(arrows_join_nodes_with_forward_operators_where_there_are_no_numbers),
		cmocka_unit_test(collectives_and_copies_are_summed_up),
		cmocka_unit_test(collectives_over_the_limit_are_counted),
		cmocka_unit_test(kernels_of_triton_are_no_operators),
		cmocka_unit_test(arrows_of_the_legacy_profiler_reach_its_kernels),
		cmocka_unit_test(every_prefix_is_an_error_or_cut),
		cmocka_unit_test(what_does_not_fit_is_counted),
		cmocka_unit_test(a_path_or_a_line_of_any_length_is_no_harm),
	};

	return run_group(tests);
}
