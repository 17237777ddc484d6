/* Reports read back: byte for byte what was written, or an error that says what is wrong. */
#include "report/record/load.h"
#include "report/record/records.h"
#include "report/render.h"
#include "tests/unit/check.h"
#include "tests/unit/results.h"

static void put_json(const struct result *result, struct buf *ret)
{
	struct render_options options = { .lang = LANG_EN };

	render_json(result, &options, ret);
}

static void a_report_gives_the_same_bytes_again(void **state)
{
	struct result *results[] = { result_plain(), result_hostile() };

	/* what is long or odd in the hostile one may come from a dump, but for the version and the target */
	results[1]->tool_version = STR("0.1.0");
	for (size_t i = 0; i < ARRAY_SIZE(results); i++) {
		CLEANUP(buf_clear) struct buf first = BUF_INIT(1 << 24), second = BUF_INIT(1 << 24);
		struct result *loaded = NULL;
		struct err err = { 0 };

		put_json(results[i], &first);
		if (report_load(buf_str(&first), &loaded, &err))
			fail_msg("%s", err.text);
		put_json(loaded, &second);
		assert_str(buf_str(&second), buf_text(&first));
		for (size_t j = 0; j < renderer_count; j++) {
			CLEANUP(buf_clear) struct buf direct = BUF_INIT(1 << 24), converted = BUF_INIT(1 << 24);
			struct render_options options = { .lang = LANG_ZH_CN, .all = true };

			render_report(&renderers[j], results[i], &options, &direct);
			render_report(&renderers[j], loaded, &options, &converted);
			assert_true(str_eq(buf_str(&direct), buf_str(&converted)));
		}
		result_free(loaded);
		result_free(results[i]);
	}
}

static void what_is_no_report_is_an_error(void **state)
{
	static const struct {
		const char *json, *text;
	} cases[] = {
		{ "", "not JSON from byte 0 on" },
		{ "{\"schema_version\": ", "not JSON from byte 18 on" },
		{ "{} x", "not JSON from byte 2 on" },
		{ "{\"a\": \"\xff\"}", "not JSON from byte 7 on" },
		{ "{}", "this is not a report of opcheck" },
		{ "[]", "this is not a report of opcheck" },
		{ "7", "this is not a report of opcheck" },
		{ "{\"schema_version\": 1}", "this is not a report of opcheck" },
		{ "{\"schema_version\": \"2.0.0\"}", "the report has another schema version than 1" },
		{ "{\"schema_version\": \"1.0.0\"}", "the report has no usable 'tool'" },
		{ "{\"schema_version\": \"1.0.0\", \"tool\": {\"version\": \"1\"}}", "the report has no usable 'db'" },
		{ "{\"schema_version\": \"1.7.0\", \"tool\": 7}", "the report has no usable 'version'" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct result *untouched = NULL;
		struct err err = { 0 };

		assert_int_equal(report_load(str_from(cases[i].json), &untouched, &err), -ERR_REPORT);
		assert_string_equal(err.text, cases[i].text);
		assert_true(strlen(err.hint) > 0);
		assert_null(untouched);
	}
}

/* Replaces the first occurrence. */
static void replace(struct str json, const char *old, const char *new, struct buf *ret)
{
	size_t at = str_find(json, str_from(old));

	if (at == STR_NONE)
		fail_msg("no %s in the report", old);
	buf_add(ret, str_sub(json, 0, at));
	buf_add(ret, str_from(new));
	buf_add(ret, str_skip(json, at + strlen(old)));
}

static void a_value_that_the_writer_cannot_have_written_is_refused(void **state)
{
	static const struct {
		const char *old, *new, *key;
	} cases[] = {
		{ "\"calls\": 7", "\"calls\": -7", "calls" },
		{ "\"calls\": 7", "\"calls\": 7.5", "calls" },
		{ "\"calls\": 7", "\"calls\": 1e300", "calls" },
		{ "\"calls\": 7", "\"calls\": \"7\"", "calls" },
		{ "\"self_cpu_us\": -1.500", "\"self_cpu_us\": 1e19", "self_cpu_us" },
		{ "\"time_share\": 0.666667", "\"time_share\": 1.5", "time_share" },
		{ "\"time_share\": 0.666667", "\"time_share\": -0.5", "time_share" },
		{ "[[2,3],[],[[4],[5]]]", "[[2,\"</script>\"]]", "dims" },
		{ "[[2,3],[],[[4],[5]]]", "[[1e20]]", "dims" },
		{ "[[2,3],[],[[4],[5]]]", "{}", "dims" },
		{ "[[2,3],[],[[4],[5]]]", "7", "dims" },
		{ "[1, 3]", "[1]", "steps" },
		{ "[1, 3]", "[1, 5000000000]", "steps" },
		{ "\"steps\": [[", "\"steps\": {\"x\": [", "" },
		{ "\"flags\": [\"host-path\"", "\"flags\": [7", "flags" },
		{ "\"flags\": [\"host-path\"", "\"flags\": [\"a,=b\"", "flags" },
		{ "{\"status\": \"unsupported\"", "{\"status\": \"\\u001b[2J\"", "status" },
		{ "\"verdict\": \"blocked\"", "\"verdict\": \"\xe8\xae\xad\"", "verdict" },
		{ "\"format\": \"table\"", "\"format\": \"\\n\"", "format" },
		{ "\"version\": \"0.1.0\"", "\"version\": \"\\u001b]0;x\\u0007\"", "version" },
		{ "\"id\": \"npu@v2.7.1-26.0.0\"", "\"id\": \"npu@other\"", "verdicts" },
		{ "\"npu@v2.7.1-26.0.0\": {", "\"npu@other\": {", "verdicts" },
		{ "\"params\": {\"operator\": \"aten::add\"",
			"\"params\": {\"a\": \"\", \"b\": \"\", \"c\": \"\", \"d\": \"\", \"e\": \"\", \"f\": \"\"",
			"params" },
		{ "\"params\": {\"operator\": \"aten::add\"", "\"params\": {\"\\u001b\": \"x\"", "params" },
		{ "\"params\": {\"operator\": \"aten::add\"", "\"params\": {\"operator\": 7", "params" },
		{ "\"shapes\": true", "\"shapes\": 1", "shapes" },
		{ "\"steps\": 3,\n  \"step_us\"", "\"steps\": 0,\n  \"step_us\"", "cost" },
		{ "\"host_slowdown\": 1.500", "\"host_slowdown\": -1", "cost" },
		{ "\"host_slowdown\": 1.500", "\"host_slowdown\": 1e18", "host_slowdown" },
		{ "\"modules_by\": \"module\"", "\"modules_by\": \"\\u001b\"", "modules_by" },
		{ "\"targets\": {\"npu@v2.7.1-26.0.0\"", "\"targets\": {\"npu@other\"", "modules" },
		{ "\"depth\": 1", "\"depth\": -1", "depth" },
		{ "\"stall_s\": {\"lo\": 90.000", "\"stall_s\": {\"lo\": true", "lo" },
		{ "\"bytes\": 77", "\"no_bytes\": 77", "bytes" },
	};
	struct result *result = result_plain();
	CLEANUP(buf_clear) struct buf json = BUF_INIT(1 << 24);

	put_json(result, &json);
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		CLEANUP(buf_clear) struct buf damaged = BUF_INIT(1 << 24), want = BUF_INIT(200);
		struct result *untouched = NULL;
		struct err err = { 0 };

		replace(buf_str(&json), cases[i].old, cases[i].new, &damaged);
		if (report_load(buf_str(&damaged), &untouched, &err) != -ERR_REPORT)
			fail_msg("%s is taken", cases[i].new);
		buf_printf(&want, "the report has no usable '%s'", cases[i].key);
		if (cases[i].key[0] && strcmp(err.text, buf_text(&want)) != 0)
			fail_msg("%s: %s", cases[i].new, err.text);
		assert_null(untouched);
	}
	result_free(result);
}

/* Lists in the place of objects have children without names. */
static void parameters_are_an_object(void **state)
{
	struct result *result = result_plain(), *untouched = NULL;
	CLEANUP(buf_clear) struct buf json = BUF_INIT(1 << 24), damaged = BUF_INIT(1 << 24);
	struct err err = { 0 };
	struct str rest;
	size_t open, close;

	put_json(result, &json);
	rest = buf_str(&json);
	open = str_find(rest, STR("\"params\": {")) + strlen("\"params\": ");
	close = open + str_find(str_skip(rest, open), STR("}"));
	buf_add(&damaged, str_sub(rest, 0, open));
	buf_add(&damaged, STR("[\"x\", \"y\"]"));
	buf_add(&damaged, str_skip(rest, close + 1));
	assert_int_equal(report_load(buf_str(&damaged), &untouched, &err), -ERR_REPORT);
	assert_string_equal(err.text, "the report has no usable 'params'");
	assert_null(untouched);
	result_free(result);
}

static void every_cut_of_a_report_is_an_error(void **state)
{
	struct result *result = result_plain(), *untouched = NULL;
	CLEANUP(buf_clear) struct buf json = BUF_INIT(1 << 24);
	struct err err = { 0 };

	put_json(result, &json);
	for (size_t len = 0; len + 2 < json.len; len += 1 + json.len / 997) {
		assert_int_equal(report_load(str_sub(buf_str(&json), 0, len), &untouched, &err), -ERR_REPORT);
		assert_null(untouched);
	}
	result_free(result);
}

static void a_long_report_is_read_while_its_text_is_given_up(void **state)
{
	enum { FINDINGS = 20000 };
	struct result *result = result_plain(), *loaded = NULL;
	CLEANUP(buf_clear) struct buf first = BUF_INIT(1 << 26), second = BUF_INIT(1 << 26), text = BUF_INIT(1 << 26);
	struct result_finding *findings = arena_alloc(&result->arena, FINDINGS * sizeof(findings[0]));
	struct err err = { 0 };

	for (size_t i = 0; i < FINDINGS; i++)
		findings[i] = result->findings[0];
	result->findings = findings;
	result->finding_count = FINDINGS;
	put_json(result, &first);
	buf_add(&text, buf_str(&first));
	if (report_load_spending(&text, &loaded, &err))
		fail_msg("%s", err.text);
	assert_int_equal(text.len, 0);
	put_json(loaded, &second);
	assert_true(str_eq(buf_str(&second), buf_str(&first)));
	assert_true(loaded->findings[0].evidence_count > 0); /* lists that are equal are one */
	assert_ptr_equal(loaded->findings[0].evidence, loaded->findings[FINDINGS - 1].evidence);
	result_free(loaded);
	result_free(result);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_report_gives_the_same_bytes_again),
		cmocka_unit_test(what_is_no_report_is_an_error),
		cmocka_unit_test(a_value_that_the_writer_cannot_have_written_is_refused),
		cmocka_unit_test(parameters_are_an_object),
		cmocka_unit_test(every_cut_of_a_report_is_an_error),
		cmocka_unit_test(a_long_report_is_read_while_its_text_is_given_up),
	};

	return run_group(tests);
}
