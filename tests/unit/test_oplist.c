/* Plain operator lists: what is one, and what is a log. */
#include "dump/common/format.h"
#include "tests/unit/check.h"
#include "tests/unit/recorder.h"

static void lists_are_told_from_logs(void **state)
{
	static const struct {
		const char *text;
		bool is_list;
	} cases[] = {
		{ "aten::add\naten::mm\n", true },
		{ "aten::add", true },
		{ "# from the profile of run 7\n\naten::add\r\naten::mm.out\r\n", true },
		{ "AddBackward0\nOptimizer.step#Adam.step\naten::add\nenumerate(DataLoader)#_Single...\n", true },
		{ "autograd::engine::evaluate_function: AddmmBackw...\naten::addmm\n", true },
		{ "npu::npu_format_cast\n", true },
		{ "", false },
		{ "\n\n", false },
		{ "# aten::add\n", false },
		{ "add\nmm\n", false },
		{ "epoch 1 loss 0.3\n", false },
		{ "a\nb\nc\nd\ne\nf\ng\nh\naten::add\n", false },
		{ "aten::add  3.000us  7\n", false },
		{ "aten::add\nName  Self CPU  # of Calls\naten::mm  1.000us  1\n", false },
		{ "aten::add\t7\n", false },
		{ "aten::add\n\x1b[31mred\n", false },
		{ "Traceback (most recent call last):\nTypeError: x\n", false },
		{ "std::vector<int>\n", false },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		if ((dump_oplist.sniff(str_from(cases[i].text)) > 1) != cases[i].is_list)
			fail_msg("\"%s\" is taken for the other", cases[i].text);
	}
}

static void every_line_is_a_call(void **state)
{
	static const size_t chunks[] = { 1, 2, 3, 7, 4096 };
	struct str text = STR(
		"# list\n## Call x ##\naten::add\r\n  aten::mm \n\nno  name\naten::_scaled_dot_pr...\naten::add");
	struct limits limits = limits_default();

	for (size_t i = 0; i < ARRAY_SIZE(chunks); i++) {
		CLEANUP(buf_clear) struct buf events = BUF_INIT(10000);
		struct dump_facts facts;
		struct err err = { 0 };

		assert_int_equal(record_dump(&dump_oplist, text, chunks[i], &limits, &events, &facts, &err), 0);
		assert_str(buf_str(&events),
			"stream 0 \"\"\nbegin 0 no-steps\nrow 0 ## Call x ##|?| 1 0.000 0.000 0.000\n"
			"row 0 aten::add|?| 1 0.000 0.000 0.000\n"
			"row 0 aten::mm|?| 1 0.000 0.000 0.000\n"
			"row 0 aten::_scaled_dot_pr...|?| 1 0.000 0.000 0.000 name-cut\n"
			"row 0 aten::add|?| 1 0.000 0.000 0.000\nend 0 - - -1\n");
		assert_int_equal(facts.rows, 5);
		assert_int_equal(facts.cut_names, 1);
		assert_int_equal(facts.skipped_rows, 1);
		assert_int_equal(facts.samples[0].line, 6);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(lists_are_told_from_logs),
		cmocka_unit_test(every_line_is_a_call),
	};

	return run_group(tests);
}
