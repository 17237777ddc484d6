/* Waivers: what a file may say, where it is wrong, and which findings one speaks of. */
#include "assess/gate/waiver.h"
#include "tests/unit/check.h"

static int read_waivers(const char *text, struct arena *arena, struct waiver_list *list, struct err *err)
{
	return waivers_read(str_from(text), STR("w.txt"), arena, list, err);
}

static void every_key_is_read(void **state)
{
	struct arena arena = ARENA_INIT(ARENA_UNLIMITED);
	struct waiver_list list = { 0 };
	struct err err = { 0 };

	assert_int_equal(
		read_waivers("# accepted\n\n[waiver a.b-c_1]\nop = aten::isin*\nrule = op-*\ntarget = npu@*\nmodule = "
			     "head.*\n"
			     "path = src/*.py\ndtype = bf16\nfingerprint = 0123456789abcdef\nuntil = 2027-03-31\n"
			     "until_fact_changes = true\nfact = fedcba9876543210\nreason = once an epoch\nowner = "
			     "me@example.org\n"
			     "ref = https://example.org/1\njustification = accepted_slow\n",
			&arena, &list, &err),
		0);
	assert_int_equal(list.count, 1);
	assert_str(list.items[0].id, "a.b-c_1");
	assert_str(list.items[0].patterns[WAIVER_OP], "aten::isin*");
	assert_str(list.items[0].patterns[WAIVER_FINGERPRINT], "0123456789abcdef");
	assert_int_equal(list.items[0].until_day, 20908);
	assert_true(list.items[0].until_fact_changes);
	assert_str(list.items[0].owner, "me@example.org");
	assert_str(list.items[0].justification, "accepted_slow");
	assert_int_equal(list.items[0].line, 3);
	waivers_clear(&list);
	arena_clear(&arena);
}

static void a_wrong_waiver_is_refused_with_its_line(void **state)
{
	static const struct {
		const char *text, *where, *message;
	} cases[] = {
		{ "op = a\n", "w.txt:1", "'op' comes before the first waiver" },
		{ "[gate]\n", "w.txt:1", "[gate] begins no waiver" },
		{ "[waiver]\n", "w.txt:1", "[waiver] begins no waiver" },
		{ "[waiver a b]\n", "w.txt:1", "[waiver a b] begins no waiver" },
		{ "[waiver a]\nop = x\n", "w.txt:1", "waiver 'a' has no reason" },
		{ "[waiver a]\nreason = r\n", "w.txt:1", "waiver 'a' would waive everything" },
		{ "[waiver a]\nop = x\nreason =\n", "w.txt:3", "reason needs a value of 1 to 512 bytes" },
		{ "[waiver a]\nop = x\nop = y\n", "w.txt:3", "op is given twice" },
		{ "[waiver a]\nopp = x\n", "w.txt:2", "a waiver has no 'opp'" },
		{ "[waiver a]\nop = x\nreason = r\n\n[waiver a]\n", "w.txt:5",
			"waiver 'a' exists already, at w.txt:1" },
		{ "[waiver a]\nop = x\nreason = r\nuntil = 2026-02-30\n", "w.txt:1", "'2026-02-30' is not a date" },
		{ "[waiver a]\nop = x\nreason = r\nuntil_fact_changes = yes\n", "w.txt:4",
			"'yes' is neither true nor false" },
		{ "[waiver a]\nop = x\nreason = r\nuntil_fact_changes = true\n", "w.txt:1",
			"until_fact_changes = true and fact belong together" },
		{ "[waiver a]\nop = x\nreason = r\nfact = 0123456789abcdef\n", "w.txt:1",
			"until_fact_changes = true and fact belong together" },
		{ "[waiver a]\nop = x\nreason = r\njustification = tired\n", "w.txt:1", "no justification 'tired'" },
		{ "[waiver a]\nword\n", "w.txt:2", "'word' is not a setting" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct arena arena = ARENA_INIT(ARENA_UNLIMITED);
		struct waiver_list list = { 0 };
		struct err err = { 0 };

		assert_int_equal(read_waivers(cases[i].text, &arena, &list, &err), -ERR_WAIVER);
		assert_string_equal(err.where, cases[i].where);
		assert_string_equal(err.text, cases[i].message);
		waivers_clear(&list);
		arena_clear(&arena);
	}
}

static struct result_finding finding(void)
{
	struct result_finding finding = { .what = message_of("op-dtype"),
		.operator_name = STR("aten::isin"),
		.target = STR("npu@v2.7.1-26.0.0"),
		.fingerprint = STR("0123456789abcdef"),
		.fact = STR("") };

	message_add(&finding.what, "dtypes", STR("bf16, fp64"));
	return finding;
}

static void all_patterns_that_are_given_must_fit(void **state)
{
	static const struct {
		const char *keys;
		bool fits, fits_operator;
	} cases[] = {
		{ "op = aten::isin\n", true, true },
		{ "op = aten::is*\n", true, true },
		{ "op = aten::add\n", false, false },
		{ "rule = op-dtype\n", true, false },
		{ "rule = op-*\ntarget = npu@*\n", true, false },
		{ "op = aten::isin\nrule = op-unsupported\n", false, false },
		{ "target = npu@*\n", true, true },
		{ "target = musa@*\n", false, false },
		{ "dtype = fp64\n", true, false },
		{ "dtype = fp32\n", false, false },
		{ "module = *\n", true, false },
		{ "module = head.*\n", false, false },
		{ "fingerprint = 0123456789abcdef\n", true, false },
		{ "fingerprint = 0023456789abcdef\n", false, false },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct arena arena = ARENA_INIT(ARENA_UNLIMITED);
		struct result_finding about = finding();
		CLEANUP(buf_clear) struct buf text = BUF_INIT(1000);
		struct waiver_list list = { 0 };
		struct err err = { 0 };

		buf_printf(&text, "[waiver a]\nreason = r\n%s", cases[i].keys);
		assert_int_equal(read_waivers(buf_text(&text), &arena, &list, &err), 0);
		if (waiver_fits(&list.items[0], &about) != cases[i].fits)
			fail_msg("%s", cases[i].keys);
		if (waiver_fits_operator(&list.items[0], about.operator_name, about.target) != cases[i].fits_operator)
			fail_msg("%s of the operator", cases[i].keys);
		waivers_clear(&list);
		arena_clear(&arena);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_key_is_read),
		cmocka_unit_test(a_wrong_waiver_is_refused_with_its_line),
		cmocka_unit_test(all_patterns_that_are_given_must_fit),
	};

	return run_group(tests);
}
