/* The whole way, from dumps of the fixtures to every format and back, on the real facts. */
#include "base/utf8.h"
#include "check/check.h"
#include "report/load.h"
#include "report/render.h"
#include "tests/unit/opdb_fixture.h"

static const char *const dumps[] = { "torch-2.13/resnet50.a.log", "torch-2.13/llama.a-full.log", "torch-2.13/compilemarks.a-full.log",
	"torch-1.13/resnet18.a-full.log", "eras/1.2-cuda.log", "eras/2.9-overload.log" };

static struct result *check_dump(const struct fixture *fixture, const char *name, const char *gate_words)
{
	static const struct str targets[] = { { "npu", 3 }, { "musa", 4 }, { "npu@2.1.0", 9 } };
	CLEANUP(buf_clear) struct buf path = BUF_INIT(1000);
	struct limits limits = limits_default();
	struct gate gate = { .statuses = 0 };
	struct check_input input = { .name = STR("") };
	struct check_request request = { .inputs = &input, .input_count = 1, .db = fixture->db, .targets = targets,
		.target_count = ARRAY_SIZE(targets), .torch = STR(""), .gate = &gate, .limits = &limits };
	struct result *result = NULL;
	struct err err = { 0 };

	if (gate_words && gate_parse(&gate, str_from(gate_words), &err))
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

			renderers[j].render(result, &options, &direct);
			renderers[j].render(loaded, &options, &converted);
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
			const struct result_operator *operator = &result->operators[j];

			shares += operator->share_ppm;
			assert_int_equal(operator->verdict_count, result->target_count);
			assert_true(!j || operator->share_ppm <= result->operators[j - 1].share_ppm);
		}
		/* each share is rounded by itself */
		assert_true(shares > 1000000 - (int64_t)result->operator_count && shares < 1000000 + (int64_t)result->operator_count);
		for (size_t j = 0; j < result->target_count; j++) {
			uint64_t counted = 0;

			for (size_t k = 0; k < result->targets[j].count_count; k++)
				counted += result->targets[j].counts[k].operators;
			assert_int_equal(counted, result->operator_count);
			assert_str(result->targets[j].gate, "none");
		}
		result_free(result);
	}
}

static void a_real_report_fits_eighty_columns(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(dumps) * LANG_COUNT; i++) {
		CLEANUP(buf_clear) struct buf out = BUF_INIT(1 << 26);
		struct render_options options = { .lang = (enum lang)(i % LANG_COUNT), .all = true };
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

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_report_read_back_renders_the_same_in_every_format),
		cmocka_unit_test(the_same_dump_gives_the_same_bytes),
		cmocka_unit_test(the_figures_of_a_real_report_fit_together),
		cmocka_unit_test(a_real_report_fits_eighty_columns),
	};

	return cmocka_run_group_tests(tests, fixture_build, fixture_clean);
}
