/* Prefixes of launchers and loggers: what of them may change, and what names a stream. */
#include "dump/table/prefix.h"
#include "tests/unit/check.h"

static void prefixes_match_later_lines_and_name_their_stream(void **state)
{
	static const struct {
		const char *learnt, *later, *other, *label;
	} cases[] = {
		{ "[rank0]: ", "[rank0]: ", "[rank1]: ", "rank0" },
		{ "[rank12]: ", "[rank12]: ", "[rank1]: ", "rank12" },
		{ "[default0]:", "[default0]:", "[default1]:", "default0" },
		{ "[1,0]<stdout>:", "[1,0]<stdout>:", "[1,1]<stdout>:", "1,0" },
		{ "(EngineCore_7 pid=1389347) ", "(EngineCore_7 pid=1389347) ", "(EngineCore_8 pid=1389347) ",
			"EngineCore_7 pid=1389347" },
		{ "(EngineCore_DP0 pid=44565) INFO 11-05 13:22:49 [cpu_worker.py:210] ",
			"(EngineCore_DP0 pid=44565) INFO 11-06 09:00:01 [cpu_worker.py:7] ",
			"(EngineCore_DP1 pid=44565) INFO 11-05 13:22:49 [cpu_worker.py:210] ",
			"EngineCore_DP0 pid=44565" },
		{ "(RayTrainWorker pid=77, ip=10.0.0.5) ", "(RayTrainWorker pid=77, ip=10.0.0.5) ",
			"(RayTrainWorker pid=78, ip=10.0.0.5) ", NULL },
		{ "2024-05-06T10:00:00.0Z stdout F ", "2024-05-06T10:00:01.123456789Z stdout F ",
			"2024-05-06T10:00:00.0Z stderr F ", "" },
		{ "trainer-1  | ", "trainer-1  | ", "trainer-2  | ", "trainer-1" },
		{ "host: ", "host: ", "hosts: ", "" },
		{ "12: ", "12: ", "13: ", "12" },
		{ "> ", "> ", "< ", "" },
		{ "2024-05-06 10:00:01,123 INFO train.py:88 - ", "2024-12-31 23:59:59,9 INFO train.py:1234 - ",
			"2024-05-06 10:00:01,123 WARN train.py:88 - ", "" },
		{ "[2026-07-25 17:56:02] [INFO] [66493] profiler.py: ",
			"[2026-07-26 01:00:00] [INFO] [66493] profiler.py: ",
			"[2026-07-25 17:56:02] [WARN] [66493] profiler.py: ", "" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct str learnt = str_from(cases[i].learnt), later = str_from(cases[i].later);
		CLEANUP(buf_clear) struct buf label = BUF_INIT(300), line = BUF_INIT(300);
		struct prefix prefix;

		assert_true(prefix_learn(&prefix, learnt));
		assert_int_equal(prefix_match(&prefix, learnt), learnt.len);
		buf_printf(&line, "%saten::add  12.5%%", cases[i].later);
		if (prefix_match(&prefix, buf_str(&line)) != later.len)
			fail_msg("\"%s\" is not behind \"%s\"", cases[i].later, cases[i].learnt);
		if (prefix_match(&prefix, str_from(cases[i].other)) != STR_NONE)
			fail_msg("\"%s\" is behind \"%s\"", cases[i].other, cases[i].learnt);
		prefix_label(&prefix, &label);
		if (cases[i].label)
			assert_str(buf_str(&label), cases[i].label);
		else
			assert_true(str_has(buf_str(&label), STR("pid=77")));
	}
}

static void an_empty_line_may_have_lost_the_blanks_at_its_end(void **state)
{
	struct prefix prefix;

	assert_true(prefix_learn(&prefix, STR("trainer-1  | ")));
	assert_int_equal(prefix_match(&prefix, STR("trainer-1  |")), 12);
	assert_int_equal(prefix_match(&prefix, STR("trainer-1")), STR_NONE);
	assert_int_equal(prefix_match(&prefix, STR("")), STR_NONE);
}

static void what_cannot_be_a_prefix_leaves_it_alone(void **state)
{
	char text[MAX_PREFIX_BYTES + 1];
	struct prefix prefix = { .len = 77 };

	memset(text, 'x', sizeof(text));
	assert_false(prefix_learn(&prefix, STR("")));
	assert_false(prefix_learn(&prefix, STR("   \t")));
	assert_false(prefix_learn(&prefix, (struct str){ text, sizeof(text) }));
	assert_int_equal(prefix.len, 77);
	assert_true(prefix_learn(&prefix, (struct str){ text, sizeof(text) - 1 }));
}

/* Every line is held against every prefix: a line of digits must not be walked through each time. */
static void endless_digits_are_not_a_time(void **state)
{
	CLEANUP(buf_clear) struct buf line = BUF_INIT(1000);
	struct prefix prefix;

	assert_true(prefix_learn(&prefix, STR("17:56:02 x ")));
	for (int i = 0; i < 300; i++)
		buf_byte(&line, '7');
	buf_add(&line, STR(":56:02 x y"));
	assert_int_equal(prefix_match(&prefix, buf_str(&line)), STR_NONE);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(prefixes_match_later_lines_and_name_their_stream),
		cmocka_unit_test(an_empty_line_may_have_lost_the_blanks_at_its_end),
		cmocka_unit_test(what_cannot_be_a_prefix_leaves_it_alone),
		cmocka_unit_test(endless_digits_are_not_a_time),
	};

	return run_group(tests);
}
