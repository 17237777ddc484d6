/* Execution traces: what is read of each schema, whole, damaged and cut, in pieces of any size. */
#include "dump/common/format.h"

#include "tests/unit/check.h"
#include "tests/unit/recorder.h"

/* What the reader tells of a text, the same in pieces of any size. */
static int read_et(const char *text, const struct limits *limits, struct buf *ret, struct dump_facts *ret_facts)
{
	static const size_t pieces[] = { 1, 2, 3, 7, 4096 };
	struct err err;
	int status = record_dump(&dump_et, str_from(text), 0, limits, ret, ret_facts, &err);

	for (size_t i = 0; i < ARRAY_SIZE(pieces); i++) {
		CLEANUP(buf_clear) struct buf same = BUF_INIT(1 << 20);
		struct dump_facts facts;

		assert_int_equal(record_dump(&dump_et, str_from(text), pieces[i], limits, &same, &facts, &err), status);
		if (!str_eq(buf_str(&same), buf_str(ret)))
			fail_msg("in pieces of %zu:\n%s\nnot\n%s", pieces[i], buf_text(&same), buf_text(ret));
		assert_int_equal(facts.skipped_events, ret_facts->skipped_events);
		assert_int_equal(facts.cut_at, ret_facts->cut_at);
		assert_string_equal(facts.unknown_schema.text, ret_facts->unknown_schema.text);
	}
	return status;
}

static void assert_rows(const char *text, const char *expected)
{
	CLEANUP(buf_clear) struct buf got = BUF_INIT(1 << 20);
	struct limits limits = limits_default();
	struct dump_facts facts;

	read_et(text, &limits, &got, &facts);
	if (!str_has(buf_str(&got), str_from(expected)))
		fail_msg("%s\nhas not\n%s", buf_text(&got), expected);
}

#define DOCUMENT(version, nodes)                                                                                       \
	"{\n  \"schema\": \"" version "\", \"pid\": 7,\n  \"nodes\": [" nodes "],\n  \"finish_ts\": 9\n}"
#define OLD(name, id, schema, values, shapes, types)                                                                   \
	"{\"name\": \"" name "\", \"id\": " id                                                                         \
	", \"rf_id\": 1, \"parent\": 2, \"fw_parent\": 0, \"seq_id\": -1, \"scope\": 0, \"tid\": 1, "                  \
	"\"fw_tid\": 0, \"op_schema\": \"" schema "\", \"inputs\": " values ", \"input_shapes\": " shapes              \
	", \"input_types\": " types ", \"outputs\": [], \"output_shapes\": [], \"output_types\": []}"
#define ATTRIBUTE(name, value) "{\"name\": \"" name "\", \"type\": \"string\", \"value\": \"" value "\"}"
#define NODE(name, id, schema, backend, inputs)                                                                        \
	"{\"id\": " id ", \"name\": \"" name "\", \"ctrl_deps\": 2, \"inputs\": {" inputs "}, "                        \
	"\"outputs\": {\"values\": [], \"shapes\": [[9]], \"types\": [\"Tensor(bool)\"], \"strides\": [[1]]}, "        \
	"\"attrs\": [{\"name\": \"rf_id\", \"type\": \"uint64\", \"value\": 4}," ATTRIBUTE(                            \
		"op_schema", schema) "," ATTRIBUTE("kernel_backend", backend) "]}"
#define NO_INPUTS "\"values\": [], \"shapes\": [], \"types\": [], \"strides\": []"
#define ADD_TYPES "[\"Tensor(float)\",\"Tensor(float)\",\"Int\"]"
#define ADD_VALUES "[[5,6,0,6,4,\"cpu\"],[7,8,0,1,4,\"cpu\"],4]"
#define ADD(id)                                                                                                        \
	NODE("aten::add", id, "aten::add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor", "",          \
		"\"values\": " ADD_VALUES ", \"shapes\": [[2,3],[],[]], \"types\": " ADD_TYPES                         \
		", \"strides\": [[3,1],[],[]]")
#define STEP(number, id) NODE("ProfilerStep#" number, id, "", "", NO_INPUTS)
#define NO_TIMES "0.000 0.000 0.000"
#define ADD_ROW_OF(step, calls, more)                                                                                  \
	"row 0 aten::add|Tensor|[[2, 3], [], []]|[\"float\", \"float\", \"Scalar\"] " step " " calls " " NO_TIMES more \
	" concrete=[\"\", \"\", \"4\"]\n"
#define ADD_ROW(step, calls) ADD_ROW_OF(step, calls, " strides=[[3, 1], [], []]")

static void every_schema_says_the_same(void **state)
{
#define ROWS(more)                                                                                                     \
	"stream 0 \"\"\nbegin 0 stepped\n" ADD_ROW_OF("1", "1", more) "order 0 aten::add.Tensor[[2, 3], [], []]\n"     \
								      "end 0 1 shapes overloads dtypes\n"
	assert_rows(DOCUMENT("1.0.1", OLD("aten::add", "3", "aten::add.Tensor(Tensor self) -> Tensor", ADD_VALUES,
					      "[[2,3], [], []]", ADD_TYPES)),
		ROWS(""));
	assert_rows(DOCUMENT("1.1.1-chakra.0.0.4", ADD("3")), ROWS(" strides=[[3, 1], [], []]"));
	/* attributes as an object, dependencies as a list */
	assert_rows(DOCUMENT("1.1.1-chakra.1.0.0",
			    "{\"id\": \"3\", \"name\": \"aten::add\", \"ctrl_deps\": [2], \"inputs\": "
			    "{\"types\": " ADD_TYPES ", \"shapes\": [[2,3],[],[]], \"values\": " ADD_VALUES
			    "}, \"attrs\": {\"rf_id\": 3, \"op_schema\": "
			    "\"aten::add.Tensor(Tensor self) -> Tensor\"}}"),
		ROWS(""));
}

/* What the reader makes of the arguments of one node. */
static void assert_arguments(const char *values, const char *shapes, const char *types, const char *expected)
{
	CLEANUP(buf_clear) struct buf text = BUF_INIT(10000);

	buf_printf(&text,
		DOCUMENT("1.0.1", "{\"name\": \"aten::x\", \"id\": 3, \"op_schema\": \"aten::x() -> Tensor\", "
				  "\"inputs\": %s, \"input_shapes\": %s, \"input_types\": %s}"),
		values, shapes, types);
	assert_rows(buf_text(&text), expected);
}

static void arguments_are_told_in_the_words_of_traces(void **state)
{
	static const struct {
		const char *shapes, *types, *expected;
	} cases[] = {
		/* a list of numbers has no shape, one of tensors has theirs */
		{ "[[[],[]],[],[[2,2],[2]],[[],[4]]]",
			"[\"GenericList[Int,Int]\",\"None\",\"GenericList[Tensor(float),Tensor(float)]\",\"GenericList["
			"None,Tensor(long int)]\"]",
			"|[[], [], [[2, 2], [2]], [[], [4]]]|[\"ScalarList\", \"\", \"float\", \"long int\"] " },
		{ "[[[1],[2]]]", "[\"GenericList[Tensor(float),Tensor(c10::Half)]\"]",
			"|[[[1], [2]]]|[\"TensorList\"] " },
		{ "[[],[0]]", "[\"Tensor(nullptr (uninitialized))\",\"Tensor(c10::complex<float>)\"]",
			"|[[], [0]]|[\"\", \"c10::complex<float>\"] " },
		{ "[[],[],[],[]]", "[\"Bool\",\"Double\",\"Device\",\"String\"]",
			"|[[], [], [], []]|[\"Scalar\", \"Scalar\", \"\", \"\"] " },
		/* what is missing or of another kind is not told */
		{ "[[7],3,{}]", "[5,\"Tensor(float)\"]", "|[[7], [], []]|[\"\", \"float\"] " },
		{ "[[7]]", "null", "|[[7]]| " },
		{ "17", "[\"Tensor(float)\"]", "||[\"float\"] " },
		{ "[[\"x\"]]", "[\"Tensor(float)\"]", "||[\"float\"] " },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		assert_arguments("null", cases[i].shapes, cases[i].types, cases[i].expected);
}

static void values_are_told_as_traces_print_them(void **state)
{
	static const struct {
		const char *values, *types, *expected;
	} cases[] = {
		{ "[7, -1, true, false]", "[\"Int\",\"Int\",\"Bool\",\"Bool\"]",
			" concrete=[\"7\", \"-1\", \"True\", \"False\"]\n" },
		{ "[0.000000, 2.500000, \"inf\", 1e-05]", "[\"Double\",\"Double\",\"Double\",\"Double\"]",
			" concrete=[\"0.\", \"2.5\", \"inf\", \"1e-05\"]\n" },
		{ "[[4,12],[], [true,false], 10]",
			"[\"GenericList[Int,Int]\",\"GenericList[]\",\"GenericList[Bool,Bool]\",\"Int\"]",
			" concrete=[\"[4, 12]\", \"[]\", \"[True, False]\", \"10\"]\n" },
		/* tensors, devices, texts and nothing have none, and neither has what is no number */
		{ "[[5,6,0,6,4,\"cpu\"],\"cpu\",\"none\",\"<None>\",[[5,6,0,6,4,\"cpu\"]],\"a/b\", {}]",
			"[\"Tensor(float)\",\"Device\",\"String\",\"None\",\"GenericList[Tensor(float)]\",\"Int\","
			"\"Int\"]",
			" concrete=[\"\", \"\", \"\", \"\", \"\", \"\", \"\"]\n" },
		{ "[7]", "[]", " concrete=[\"\"]\n" },
		{ "7", "[\"Int\"]", "|[\"Scalar\"] 1 1 " NO_TIMES "\n" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		assert_arguments(cases[i].values, "null", cases[i].types, cases[i].expected);
}

static void an_empty_schema_makes_a_label(void **state)
{
	assert_rows(DOCUMENT("1.1.1", NODE("aten::mine", "3", "", "", NO_INPUTS) "," ADD("4")),
		"row 0 aten::mine|?|| 0 1 " NO_TIMES " label\n");
	assert_rows(DOCUMENT("1.1.1", NODE("mine", "3", "", "triton", NO_INPUTS)),
		"row 0 mine|?|| 0 1 " NO_TIMES " kernel\n");
	/* a converter may have dropped the schemas */
	assert_rows(DOCUMENT("1.1.1", "{\"id\": 3, \"name\": \"aten::mm\"}"),
		"row 0 aten::mm|?|| 1 1 " NO_TIMES "\norder 0 aten::mm\nend 0 1\n");
	/* or have one of another operator: its overload is not this one's */
	assert_rows(DOCUMENT("1.1.1", NODE("aten::mm", "3", "aten::mm2.out(Tensor self) -> Tensor", "", NO_INPUTS)),
		"row 0 aten::mm|?|");
	assert_rows(DOCUMENT("1.1.1", NODE("aten::mm", "3", "aten::mm(Tensor self) -> Tensor", "", NO_INPUTS)),
		"row 0 aten::mm||");
}

static void calls_belong_to_the_step_that_was_written_behind_them(void **state)
{
	/* 4 began before the first step, 21 between the two, 40 behind them; 12, on another thread, was written late */
	assert_rows(DOCUMENT("1.1.1", ADD("4") "," ADD("11") "," ADD("13") "," STEP("5", "10") "," ADD("12") "," ADD(
					      "21") "," ADD("31") "," STEP("6", "30") "," ADD("40")),
		"stream 0 \"\"\nbegin 0 stepped\n" ADD_ROW("0", "1") ADD_ROW("1", "3") ADD_ROW("0", "1") ADD_ROW("2",
			"1") ADD_ROW("0", "1") "row 0 ProfilerStep#5|?|| 0 1 0.000 0.000 0.000 label\n"
					       "row 0 ProfilerStep#6|?|| 0 1 0.000 0.000 0.000 label\norder 0 "
					       "aten::add.Tensor[[2, 3], [], []]\nend 0 2 shapes overloads dtypes\n");
}

#define CHILD(name, id, parent, more)                                                                                  \
	"{\"name\": \"" name "\", \"id\": " id ", \"parent\": " parent ", \"op_schema\": \"" name                      \
	"(Tensor self)\"" more "}"
#define OTHER(name, id, parent, sequence)                                                                              \
	"{\"name\": \"" name "\", \"id\": " id ", \"ctrl_deps\": " parent                                              \
	", \"attrs\": [{\"name\": \"seq_id\", \"type\": \"int64\", "                                                   \
	"\"value\": " sequence "}, " ATTRIBUTE("op_schema", "") "]}"

static void calls_are_linked_with_what_they_ran_in(void **state)
{
	/* an operator in one in a label in one; the last operator of a number; an operator in an autograd node in the engine */
	static const char text[] = DOCUMENT("1.0.1",
		OTHER("[pytorch|profiler|execution_trace|thread]", "2", "1", "-1") "," CHILD(
			"aten::t", "6", "5", ", \"seq_id\": 7") "," OTHER("my label", "5", "4",
			"-1") "," CHILD("aten::mm", "7", "4", ", \"seq_id\": 8") "," CHILD("aten::linear", "4", "2",
			", \"seq_id\": 7") "," CHILD("aten::add", "12", "11", "") "," OTHER("AddmmBackward0", "11",
			"10", "8") "," OTHER("autograd::engine::evaluate_function: AddmmBackward0", "10", "9",
			"8") "," OTHER("TBackward0", "13", "9", "7"));

	assert_rows(text, "parent 0 aten::t|aten::linear 1 0.000 0.000\n");
	assert_rows(text, "parent 0 aten::mm|aten::linear 1 0.000 0.000\n");
	assert_rows(text, "forward 0 AddmmBackward0|aten::mm 1 0.000 0.000\n");
	assert_rows(text, "parent 0 aten::add|AddmmBackward0 1 0.000 0.000\n");
	assert_rows(text, "forward 0 TBackward0|aten::t 1 0.000 0.000\n");
	assert_rows(text, "order 0 aten::linear >aten::t >aten::mm aten::add\n");
}

static void loops_of_parents_end(void **state)
{
	assert_rows(DOCUMENT("1.0.1", CHILD("aten::a", "6", "6", "") "," CHILD("aten::b", "7", "8", "") "," CHILD(
					      "aten::c", "8", "7", "") "," CHILD("aten::d", "8", "7", "")),
		"parent 0 aten::c|aten::b 1");
}

static void an_unknown_schema_is_named(void **state)
{
	static const struct {
		const char *version, *unknown;
	} cases[] = { { "1.0.1", "" }, { "1.0.4-chakra.0.0.4", "" }, { "1.1.1-chakra.1.0.0", "" },
		{ "1.1.2-chakra.0.0.4", "1.1.2-chakra.0.0.4" }, { "2", "2" } };

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		CLEANUP(buf_clear) struct buf text = BUF_INIT(10000), got = BUF_INIT(10000);
		struct limits limits = limits_default();
		struct dump_facts facts;

		buf_printf(&text, DOCUMENT("%s", ADD("3")), cases[i].version);
		assert_int_equal(read_et(buf_text(&text), &limits, &got, &facts), 0);
		assert_string_equal(facts.unknown_schema.text, cases[i].unknown);
	}
}

static void a_bad_node_is_skipped_and_named(void **state)
{
	/* a stray quote in a label, a node cut by another one, one without a number, no commas */
	static const char text[] = DOCUMENT("1.1.1",
		ADD("3") "," NODE("my \"own\" label", "4", "", "", NO_INPUTS) "," ADD(
			"5") "\n"
			     "{\"id\": 6, \"name\": \"aten::mm\", \"inputs\": {\"shapes\": [[2], " ADD("7")
				     ADD("8") ",{\"name\": \"aten::mm\"}," ADD("9"));
	CLEANUP(buf_clear) struct buf got = BUF_INIT(1 << 20);
	struct limits limits = limits_default();
	struct dump_facts facts;

	assert_int_equal(read_et(text, &limits, &got, &facts), 0);
	assert_true(str_has(buf_str(&got), STR(ADD_ROW("1", "5"))));
	assert_false(str_has(buf_str(&got), STR("aten::mm")));
	assert_int_equal(facts.skipped_events, 3);
	assert_int_equal(facts.samples[0].offset, strstr(text, "{\"id\": 4") - text);
	assert_int_equal(facts.cut_at, 0);
}

static void a_large_node_costs_itself_alone(void **state)
{
	CLEANUP(buf_clear) struct buf got = BUF_INIT(1 << 20), text = BUF_INIT(1 << 20);
	struct limits limits = limits_default();
	struct dump_facts facts;

	limits.event_bytes = 2000;
	buf_add(&text, STR("{\"schema\": \"1.1.1\", \"nodes\": [" ADD("3") ","));
	buf_add(&text, STR("{\"id\": 4, \"name\": \"aten::mm\", \"inputs\": {\"values\": ["));
	for (int i = 0; i < 1000; i++)
		buf_add(&text, STR("[1,2],"));
	buf_add(&text, STR("[1]]}}," ADD("5") "]}"));
	assert_int_equal(read_et(buf_text(&text), &limits, &got, &facts), 0);
	assert_true(str_has(buf_str(&got), STR(ADD_ROW("1", "2"))));
	assert_int_equal(facts.skipped_events, 1);
}

static void every_prefix_is_an_error_or_cut(void **state)
{
	static const char text[] = DOCUMENT("1.1.1", ADD("3") "," STEP("1", "2") "," OLD("aten::mm", "9",
							     "aten::mm(Tensor x)", "[4]", "[[1]]", "[\"Int\"]"));
	struct limits limits = limits_default();

	for (size_t len = 0; len < sizeof(text); len++) {
		CLEANUP(buf_clear) struct buf got = BUF_INIT(1 << 20);
		struct dump_facts facts;
		struct err err;
		int status = record_dump(&dump_et, (struct str){ text, len }, 0, &limits, &got, &facts, &err);

		assert_int_equal(facts.cut_at != 0, len + 1 < sizeof(text));
		assert_true(status == 0 || (status == -ERR_NO_OPERATOR && str_has(str_from(err.where), STR("byte "))));
		assert_true(facts.cut_at <= len + 1);
	}
}

static void waiting_calls_are_bounded(void **state)
{
	CLEANUP(buf_clear) struct buf got = BUF_INIT(1 << 20);
	struct limits limits = limits_default();
	struct dump_facts facts;

	limits.held_calls = 2;
	assert_int_equal(read_et(DOCUMENT("1.1.1", ADD("3") "," STEP("1", "2") "," ADD("12") "," ADD("13") "," ADD(
							   "14") "," ADD("15") "," STEP("2", "10")),
				 &limits, &got, &facts),
		0);
	assert_int_equal(facts.unplaced_calls, 2);
	/* two nodes may wait for their parents: these four were settled before those could come */
	assert_int_equal(facts.unlinked_calls, 4);
	assert_int_equal(facts.rows, 7);
}

static void only_execution_traces_are_taken_for_one(void **state)
{
	static const struct {
		const char *head;
		bool taken;
	} cases[] = {
		{ "{\"schema\": \"1.1.1\", \"nodes\": [", true },
		{ " {\"nodes\": [{\"id\": 1, \"ctrl_deps\": 1", true },
		{ "{\"nodes\": [{\"name\": \"x\", \"op_schema\": \"", true },
		{ "[{\"nodes\": 1, \"rf_id\": 1}]", false },
		{ "{\"traceEvents\": [{\"nodes\": 1, \"schema\": 1}]}", false },
		{ "{\"nodes\": [], \"edges\": []}", false },
		{ "", false },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		assert_int_equal(dump_et.sniff(str_from(cases[i].head)) > 90, cases[i].taken);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_schema_says_the_same),
		cmocka_unit_test(arguments_are_told_in_the_words_of_traces),
		cmocka_unit_test(values_are_told_as_traces_print_them),
		cmocka_unit_test(an_empty_schema_makes_a_label),
		cmocka_unit_test(calls_belong_to_the_step_that_was_written_behind_them),
		cmocka_unit_test(calls_are_linked_with_what_they_ran_in),
		cmocka_unit_test(loops_of_parents_end),
		cmocka_unit_test(an_unknown_schema_is_named),
		cmocka_unit_test(a_bad_node_is_skipped_and_named),
		cmocka_unit_test(a_large_node_costs_itself_alone),
		cmocka_unit_test(every_prefix_is_an_error_or_cut),
		cmocka_unit_test(waiting_calls_are_bounded),
		cmocka_unit_test(only_execution_traces_are_taken_for_one),
	};

	return run_group(tests);
}
