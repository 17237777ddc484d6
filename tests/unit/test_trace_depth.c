/* Traces: where in the user's program operators were called. */
#include "dump/trace.h"

#include "tests/unit/check.h"
#include "tests/unit/traces.h"

static void assert_has(const char *trace, const struct limits *limits, struct dump_facts *ret_facts, const char *const *texts, size_t count)
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
	OP("aten::linear", "20", "10", "") "," OP("aten::addmm", "22", "6", "") "," OP("aten::relu", "40", "5", "") ","  \
	NODE("aten::mul", "20", "5", "7", "")
#define FRAMES                                                                                                         \
	FRAME("train.py(9): <module>", "1", "100") "," FRAME("torch/nn/modules/module.py(1): _call_impl", "10", "60")  \
	"," FRAME("nn.Module: Net_0", "11", "50") "," FRAME("model.py(5): forward", "12", "40") ","                    \
	FRAME("nn.Module: Linear_1", "20", "12") "," FRAME("torch/nn/modules/linear.py(5): forward", "20", "11")       \
	"," FRAME("<built-in method linear>", "20", "11")

/* PyTorch writes frames behind all operators, other writers before or among them. */
static void operators_are_in_the_modules_and_lines_that_run_around_them(void **state)
{
	static const char *const traces[] = { "[" CALLS "," FRAMES "]", "[" FRAMES "," CALLS "]" };
	struct limits limits = limits_default();
	struct dump_facts facts;

	for (size_t i = 0; i < ARRAY_SIZE(traces); i++) {
		ASSERT_HAS(traces[i], &limits, &facts, "module 0 aten::linear|Net_0/Linear_1 1 4.000 0.000\n",
			"module 0 aten::addmm|Net_0/Linear_1 1 6.000 0.000\n", "module 0 aten::relu|Net_0 1 5.000 0.000\n",
			"source 0 aten::addmm|model.py(5): forward 1 6.000 0.000\n",
			"source 0 aten::relu|model.py(5): forward 1 5.000 0.000\n", "!module 0 aten::mul", "!_call_impl", "!built-in");
		assert_int_equal(facts.details, DUMP_LINKS | DUMP_MODULES | DUMP_STACKS);
		assert_int_equal(facts.dropped_frames, 0);
		assert_int_equal(facts.unlinked_calls, 0);
	}
}

static void kernels_count_where_their_operator_was_called(void **state)
{
	struct limits limits = limits_default();
	struct dump_facts facts;

	ASSERT_HAS("[" OP("aten::a", "20", "10", "\"External id\": 3") "," FRAME("nn.Module: Net_0", "11", "50") "," KERNEL("7", "\"External id\": 3")
		"]", &limits, &facts, "module 0 aten::a|Net_0 1 10.000 7.000\n");
}

#define LABEL(name, ts, dur)                                                                                           \
	"{\"ph\": \"X\", \"cat\": \"user_annotation\", \"name\": \"" name "\", \"pid\": 1, \"tid\": 2, \"ts\": " ts ", \"dur\": " dur "}"

static void spans_of_the_user_are_parts_of_the_path(void **state)
{
	struct limits limits = limits_default();
	struct dump_facts facts;

	ASSERT_HAS("[" LABEL("encoder", "10", "50") "," LABEL("## forward ##", "11", "48") "," OP("aten::a", "20", "10", "") ","
		   FRAME("nn.Module: Net_0", "15", "20") "," STEP("3", "1", "90") "]", &limits, &facts,
		"module 0 aten::a|encoder/Net_0 1 10.000 0.000\n", "!source ");
	/* the legacy profiler has neither categories nor frames */
	ASSERT_HAS("[{\"name\": \"block\", \"ph\": \"X\", \"ts\": 1, \"dur\": 9, \"tid\": 1, \"pid\": \"CPU functions\", \"args\": {}},"
		   "{\"name\": \"aten::a\", \"ph\": \"X\", \"ts\": 5, \"dur\": 2, \"tid\": 1, \"pid\": \"CPU functions\", \"args\": {}}]",
		&limits, &facts, "module 0 aten::a|block 1 2.000 0.000\n");
}

static void an_operator_may_bring_its_own_stack_and_modules(void **state)
{
	struct limits limits = limits_default();
	struct dump_facts facts;

	ASSERT_HAS("[" OP("aten::a", "20", "10", "\"Call stack\": \"<built-in method a>;torch/nn/functional.py(3): a;nn.Module: Linear_0;"
						"model.py(5): forward;nn.Module: Net_0;train.py(9): <module>;\"") ","
		   FRAME("nn.Module: Other_0", "11", "50") "," FRAME("other.py(1): f", "11", "50") "]", &limits, &facts,
		"module 0 aten::a|Net_0/Linear_0 1 10.000 0.000\n", "source 0 aten::a|model.py(5): forward 1 10.000 0.000\n", "!ther");
	/* torch_npu ends each frame with a line */
	ASSERT_HAS("[" OP("aten::a", "20", "10", "\"Call stack\": \"/x/lib/python3.8/site-packages/torch/nn/a.py(3): a;\\r\\n/x/train.py(9): step;\\r\\n\"") "]",
		&limits, &facts, "source 0 aten::a|/x/train.py(9): step 1 10.000 0.000\n", "!module ");
	ASSERT_HAS("[" OP("aten::a", "20", "10", "\"Module Hierarchy\": \"TOP(Net)::forward.fc(Linear)::forward\"") "]", &limits, &facts,
		"module 0 aten::a|TOP(Net)::forward.fc(Linear)::forward 1 10.000 0.000\n");
	assert_int_equal(facts.details, DUMP_MODULES);
	ASSERT_HAS("[" OP("aten::a", "20", "10", "\"Call stack\": 5, \"Module Hierarchy\": [1]") "," OP("aten::b", "40", "1", "\"Call stack\": \";;\"") "]",
		&limits, &facts, "!module ", "!source ");
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
	ASSERT_HAS("[" CALLS "," FRAMES "]", &limits, &facts, "module 0 aten::addmm|Net_0 1 6.000 0.000\n", "!model.py");
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

	buf_add(&text, STR("[" OP("aten::a", "20", "10", "") "," FRAME("nn.Module: Net_0", "1", "90") ",{\"ph\": \"X\", \"cat\": \"python_function\", "
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
		cmocka_unit_test(what_does_not_fit_is_counted),
		cmocka_unit_test(a_path_or_a_line_of_any_length_is_no_harm),
	};

	return run_group(tests);
}
