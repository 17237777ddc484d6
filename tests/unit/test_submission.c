/* One record of a submission: options that are stored, and messages of jobs, are read and written as the same. */
#include <stdlib.h>

#include "server/service/submission.h"
#include "tests/unit/check.h"

static void options_that_were_stored_are_written_as_the_same_bytes(void **state)
{
	static const char *const texts[] = {
		"{\"targets\": [\"npu@v2.7.1-26.0.0\"], \"fail_on\": []}",
		"{\"targets\": [\"npu@v2.7.1-26.0.0:910B\", \"musa@v2.7.1\"], \"asked\": [\"npu@2.7.1:910B\", "
		"\"musa@v2.7.1\"], "
		"\"fail_on\": [\"unsupported\", \"unknown\"], \"dtype\": [\"fp32\"], \"require_dtypes\": true, "
		"\"date\": \"2026-11-27\", "
		"\"baseline\": \"20cff65e502103b4c1ba183973631b224ac17afc80e7a7a4457110559713425f\", "
		"\"waivers\": [{\"name\": \"w.ini\", \"sha256\": \"164b6b29\"}, {\"name\": \"project.waivers\", "
		"\"sha256\": "
		"\"7a\", \"project\": true}], \"no_stacks\": true, "
		"\"files\": [{\"name\": \"a.log\", \"bytes\": 90604}, {\"name\": \"pkg/train.py\", \"bytes\": 13, "
		"\"source\": true}]}",
	};
	struct arena arena = ARENA_INIT(ARENA_UNLIMITED);
	struct submission submission;
	struct err err = { 0 };

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		assert_int_equal(submission_of_json(str_from(texts[i]), &arena, &submission, &err), 0);
		assert_str(submission_json(&submission, &arena), texts[i]);
	}
	arena_clear(&arena);
}

static void options_that_cannot_be_read_whole_are_refused(void **state)
{
	static const struct {
		const char *text, *hint;
	} cases[] = {
		{ "{\"targets\": [], \"fail_on\": [], \"fail_at\": 1}", "a later version wrote 'fail_at'" },
		{ "{\"targets\": [], \"files\": [{\"name\": \"a\", \"bytes\": 1, \"age\": 2}]}",
			"a later version wrote 'age'" },
		{ "{\"fail_on\": []}", "the value of 'targets' is missing or invalid" },
		{ "{\"targets\": [], \"fail_on\": true}", "the value of 'fail-on' is missing or invalid" },
		{ "{\"targets\": [], \"require_dtypes\": false}",
			"the value of 'require-dtypes' is missing or invalid" },
		{ "[]", "the value of 'targets' is missing or invalid" },
		{ "{\"targets\": [", "" },
	};
	struct arena arena = ARENA_INIT(ARENA_UNLIMITED);
	struct submission submission;

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct err err = { 0 };

		assert_int_equal(
			submission_of_json(str_from(cases[i].text), &arena, &submission, &err), -ERR_STORE_DAMAGED);
		assert_string_equal(err.hint, cases[i].hint);
	}
	arena_clear(&arena);
}

static void a_form_says_what_its_message_says(void **state)
{
	static struct parameter fields[] = {
		{ STR("name"), STR("dir/bert.log") },
		{ STR("target"), STR("npu") },
		{ STR("target"), STR("") },
		{ STR("target"), STR("musa@2.7.1") },
		{ STR("dtype"), STR("fp32") },
		{ STR("fail_on"), STR("unsupported,unknown") },
		{ STR("require_dtypes"), STR("true") },
		{ STR("torch"), STR("2.6.0") },
		{ STR("torch"), STR("2.7.1") },
		{ STR("waivers"), STR("w.ini\n[waiver w]\nop = aten::mm\n") },
		{ STR("project_waivers"), STR("project.waivers\n") },
		{ STR("file"), STR("90604 up/a.log") },
		{ STR("source"), STR("13 pkg/train.py") },
		{ STR("project"), STR("vision") },
		{ STR("model"), STR("bert") },
		{ STR("branch"), STR("main") },
		{ STR("commit"), STR("c0ffee") },
		{ STR("tag"), STR("b, a") },
		{ STR("tag"), STR("b") },
	};
	static const char expected[] = "{\"targets\": [\"npu\", \"musa@2.7.1\"], \"fail_on\": "
				       "[\"unsupported,unknown\"], \"dtype\": [\"fp32\"], "
				       "\"require_dtypes\": true, \"waivers\": [{\"name\": \"w.ini\", \"text\": "
				       "\"[waiver w]\\nop = aten::mm\\n\"}, "
				       "{\"name\": \"project.waivers\", \"project\": true}], \"files\": [{\"name\": "
				       "\"a.log\", \"bytes\": 90604}, "
				       "{\"name\": \"pkg/train.py\", \"bytes\": 13, \"source\": true}], \"name\": "
				       "\"bert.log\", \"torch\": \"2.7.1\", "
				       "\"project\": \"vision\", \"model\": \"bert\", \"branch\": \"main\", "
				       "\"commit\": \"c0ffee\", \"tags\": \"a b\"}";
	const struct parameters form = { .items = fields, .count = ARRAY_SIZE(fields) };
	struct arena arena = ARENA_INIT(ARENA_UNLIMITED);
	struct submission given, read;
	struct err err = { 0 };

	assert_int_equal(submission_of_form(&form, STR("other.log"), &arena, &given, &err), 0);
	assert_str(submission_json(&given, &arena), expected);
	assert_int_equal(submission_of_json(str_from(expected), &arena, &read, &err), 0);
	assert_str(submission_json(&read, &arena), expected);
	assert_str(read.waivers[0].text, "[waiver w]\nop = aten::mm\n");
	arena_clear(&arena);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(options_that_were_stored_are_written_as_the_same_bytes),
		cmocka_unit_test(options_that_cannot_be_read_whole_are_refused),
		cmocka_unit_test(a_form_says_what_its_message_says),
	};

	return run_group(tests);
}
