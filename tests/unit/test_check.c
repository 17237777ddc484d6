/* The whole way, from dumps of the fixtures to every format and back. */
#include "assess/model/words.h"
#include "base/value/utf8.h"
#include "check/check.h"
#include "report/record/load.h"
#include "report/record/records.h"
#include "report/render.h"
#include "report/report.h"
#include "tests/unit/opdb_fixture.h"
#include "tests/unit/random.h"

static const char *const dumps[] = { "torch-2.13/resnet50.a.log", "torch-2.13/llama.a-full.log",
	"torch-2.13/compilemarks.a-full.log", "torch-1.13/resnet18.a-full.log", "eras/1.2-cuda.log",
	"eras/2.9-overload.log" };

static struct result *check_dump(const struct fixture *fixture, const char *name, const char *gate_words)
{
	static const struct str targets[] = { { "npu", 3 }, { "musa", 4 }, { "npu@2.1.0", 9 } };
	CLEANUP(buf_clear) struct buf path = BUF_INIT(1000);
	struct limits limits = limits_default();
	struct policy policy = { 0 };
	struct check_input input = { .name = STR("") };
	struct check_request request = { .inputs = &input,
		.input_count = 1,
		.db = fixture->db,
		.targets = targets,
		.target_count = ARRAY_SIZE(targets),
		.torch = STR(""),
		.policy = &policy,
		.limits = &limits };
	struct result *result = NULL;
	struct err err = { 0 };

	if (gate_words && gate_parse(&policy.gate, str_from(gate_words), &err))
		fail_msg("%s", err.text);
	source_path(&path, "tests/fixtures/");
	buf_add(&path, str_from(name));
	input.path = buf_text(&path);
	if (check_run(&request, &result, &err))
		fail_msg("%s: %s", err.where, err.text);
	return result;
}

static void a_report_read_back_renders_the_same_in_every_format(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(dumps); i++) {
		CLEANUP(buf_clear) struct buf json = BUF_INIT(1 << 26);
		struct render_options options = { .lang = LANG_ZH_CN, .all = true };
		struct result *result = check_dump(*state, dumps[i], "unsupported,conditional"), *loaded = NULL;
		struct err err = { 0 };

		render_json(result, &options, &json);
		if (report_load(buf_str(&json), &loaded, &err))
			fail_msg("%s: %s", dumps[i], err.text);
		for (size_t j = 0; j < renderer_count; j++) {
			CLEANUP(buf_clear) struct buf direct = BUF_INIT(1 << 26), converted = BUF_INIT(1 << 26);

			render_report(&renderers[j], result, &options, &direct);
			render_report(&renderers[j], loaded, &options, &converted);
			if (!str_eq(buf_str(&direct), buf_str(&converted)))
				fail_msg("%s differs as %s", dumps[i], renderers[j].name);
		}
		result_free(loaded);
		result_free(result);
	}
}

static void the_same_dump_gives_the_same_bytes(void **state)
{
	CLEANUP(buf_clear) struct buf first = BUF_INIT(1 << 26), second = BUF_INIT(1 << 26);
	struct render_options options = { .lang = LANG_EN };
	struct result *results[] = { check_dump(*state, dumps[1], NULL), check_dump(*state, dumps[1], NULL) };

	render_json(results[0], &options, &first);
	render_json(results[1], &options, &second);
	assert_str(buf_str(&second), buf_text(&first));
	result_free(results[0]);
	result_free(results[1]);
}

static void the_figures_of_a_real_report_fit_together(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(dumps); i++) {
		struct result *result = check_dump(*state, dumps[i], NULL);
		int64_t shares = 0;

		assert_int_equal(result->target_count, 3);
		assert_true(result->operator_count > 3);
		for (size_t j = 0; j < result->operator_count; j++) {
			const struct result_operator *op = &result->operators[j];

			shares += op->share_ppm;
			assert_int_equal(op->verdict_count, result->target_count);
			assert_true(!j || op->share_ppm <= result->operators[j - 1].share_ppm);
		}
		/* each share is rounded by itself */
		assert_true(shares > result->shown_ppm - (int64_t)result->operator_count &&
			    shares < result->shown_ppm + (int64_t)result->operator_count);
		for (size_t j = 0; j < result->target_count; j++) {
			uint64_t counted = 0;

			for (size_t k = 0; k < result->targets[j].count_count; k++)
				counted += result->targets[j].counts[k].operators;
			assert_int_equal(counted, result->operator_count);
			assert_str(word_for(&gate_state_words, result->targets[j].gate), "none");
		}
		result_free(result);
	}
}

/* All of it has code of recipes as well, which stays as it is: tests/cli/test_reports.py. */
static void a_real_report_fits_eighty_columns(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(dumps) * LANG_COUNT; i++) {
		CLEANUP(buf_clear) struct buf out = BUF_INIT(1 << 26);
		struct render_options options = { .lang = (enum lang)(i % LANG_COUNT) };
		struct result *result = check_dump(*state, dumps[i / LANG_COUNT], NULL);
		struct str rest, line;

		render_text(result, &options, &out);
		rest = buf_str(&out);
		while (str_cut(&rest, '\n', &line)) {
			if (utf8_columns(line) > 80)
				fail_msg("%s: %.*s", dumps[i / LANG_COUNT], STR_ARG(line));
		}
		result_free(result);
	}
}

/* A file of waivers drawn by chance: patterns of findings that there are, some with an end, some that fit nothing. */
static void draw_waivers(struct buf *text, const struct result *result, uint64_t *random)
{
	for (size_t i = 0, count = 1 + random_below(random, 8); i < count; i++) {
		const struct result_finding *finding = &result->findings[random_below(random, result->finding_count)];

		bool any = !finding->operator_name.len || random_below(random, 3) == 0;

		buf_printf(text, "[waiver w%zu]\nreason = by chance\nop = %.*s%s\n", i, STR_ARG(finding->operator_name),
			any ? "*" : "");
		if (random_below(random, 2))
			buf_printf(text, "rule = %s\n", finding->what.id);
		if (random_below(random, 3) == 0)
			buf_printf(text, "target = %s\n", random_below(random, 2) ? "npu@*" : "musa@*");
		if (random_below(random, 3) == 0)
			buf_printf(text, "until = 20%u-06-30\n", (unsigned)(20 + random_below(random, 12)));
		if (finding->fact.len && random_below(random, 4) == 0)
			buf_printf(text, "until_fact_changes = true\nfact = %.*s\n", STR_ARG(finding->fact));
	}
}

/* Both lists into one again, in the order that all had; nothing that a policy added stays. */
static void undo(struct result *result, const struct result *before)
{
	struct result_finding *all = arena_alloc(&result->arena, before->finding_count * sizeof(all[0]));
	size_t kept = 0, waived = 0;

	assert_int_equal(result->finding_count + result->waived_count, before->finding_count);
	for (size_t i = 0; i < before->finding_count; i++) {
		bool is_kept = kept < result->finding_count &&
			       result->findings[kept].what.id == before->findings[i].what.id &&
			       str_eq(result->findings[kept].operator_name, before->findings[i].operator_name) &&
			       str_eq(result->findings[kept].target, before->findings[i].target);

		assert_true(is_kept || waived < result->waived_count);
		all[i] = is_kept ? result->findings[kept++] : result->waived[waived++];
		all[i].waiver = NULL;
	}
	result->findings = all;
	result->finding_count = before->finding_count;
	result->waived_count = 0;
	result->policy = (struct result_policy){ .date = STR(""), .baseline.name = STR("") };
	for (size_t i = 0; i < result->target_count; i++) {
		result->targets[i].gate = GATE_NONE;
		result->targets[i].check_count = 0;
	}
}

static void a_waiver_never_changes_anything_but_the_gate(void **state)
{
	enum { ROUNDS = 60 };
	struct render_options options = { .lang = LANG_EN };
	uint64_t random = 4711;
	size_t waived = 0, passed = 0;

	for (size_t i = 0; i < ROUNDS; i++) {
		CLEANUP(buf_clear)
		struct buf plain = BUF_INIT(1 << 26), policed = BUF_INIT(1 << 26), text = BUF_INIT(1 << 16);
		struct result *before = check_dump(*state, dumps[i % ARRAY_SIZE(dumps)], NULL);
		struct result *after = check_dump(*state, dumps[i % ARRAY_SIZE(dumps)], NULL);
		struct policy policy;
		struct err err = { 0 };

		policy_init(&policy);
		memcpy(policy.date, "2026-11-21", DATE_BYTES);
		assert_int_equal(
			gate_parse(&policy.gate, STR("unsupported,cpu-fallback,conditional,dynamic-unbounded"), &err),
			0);
		draw_waivers(&text, before, &random);
		if (policy_add_waivers(&policy, buf_str(&text), STR("w"), STR(""), &err))
			fail_msg("%s: %s", err.where, err.text);
		policy_apply(&policy, after);
		policy_clear(&policy);
		waived += after->waived_count;
		passed += after->targets[0].gate == GATE_PASSED;
		undo(after, before);
		render_json(before, &options, &plain);
		render_json(after, &options, &policed);
		assert_true(str_eq(buf_str(&plain), buf_str(&policed)));
		result_free(before);
		result_free(after);
	}
	assert_true(waived > ROUNDS); /* the draw has power */
	assert_true(passed < ROUNDS);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_report_read_back_renders_the_same_in_every_format),
		cmocka_unit_test(the_same_dump_gives_the_same_bytes),
		cmocka_unit_test(the_figures_of_a_real_report_fit_together),
		cmocka_unit_test(a_real_report_fits_eighty_columns),
		cmocka_unit_test(a_waiver_never_changes_anything_but_the_gate),
	};

	return cmocka_run_group_tests(tests, fixture_build, fixture_clean);
}
