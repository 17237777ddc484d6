/* What an observation says about what was predicted. */
#include "assess/model/words.h"
#include "assess/compare/agree.h"
#include "tests/unit/check.h"

static void every_sight_beside_every_status(void **state)
{
	/* per status: device, ai-cpu, host, raised, ran, called. =: agrees, w: predicted worse, b: predicted better, n: not predicted,
	   -: not observable */
	static const struct {
		const char *status, *flag, *overload, *outcomes;
		bool condition;
	} cases[] = {
		{ "native", NULL, NULL, "=bbb--" },
		{ "native-jit", NULL, NULL, "=bbb--" },
		{ "composite", NULL, NULL, "=bbb--" },
		{ "equivalent", NULL, NULL, "=bbb--" },
		{ "native", "aicpu", NULL, "==bb--" },
		{ "native", "host-path", NULL, "===b--" },
		{ "native", "reported-broken", NULL, "====--" },
		{ "native", "soc-limited", NULL, "=bbb--" },
		{ "native", NULL, NULL, "====--", true },
		{ "native", NULL, "unsupported", "====--" },
		{ "cpu-fallback", NULL, NULL, "ww=b--" },
		{ "cpu-fallback", NULL, "native", "===b--" },
		{ "unsupported", NULL, NULL, "www=w-" },
		{ "needs-package", NULL, NULL, "====--" },
		{ "unknown", NULL, NULL, "nnnnn-" },
	};
	static const char *const sights[] = { "device", "ai-cpu", "host", "raised", "ran", "called" };

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct result_overload overload = { STR("x"),
			enum_of(&op_status_words, cases[i].overload ? cases[i].overload : "unknown") };
		struct result_verdict verdict = { .status = enum_of(&op_status_words, cases[i].status),
			.flags = cases[i].flag ? 1u << enum_of(&flag_words, cases[i].flag) : 0,
			.overloads = &overload,
			.overload_count = cases[i].overload != NULL,
			.condition_count = cases[i].condition };

		for (size_t j = 0; j < ARRAY_SIZE(sights); j++) {
			struct str outcome = word_for(
				&outcome_words, agree_outcome(&verdict, enum_of(&where_words, sights[j])));
			const char *word = cases[i].outcomes[j] == '='   ? "agrees"
					   : cases[i].outcomes[j] == 'w' ? "predicted-worse"
					   : cases[i].outcomes[j] == 'b' ? "predicted-better"
					   : cases[i].outcomes[j] == 'n' ? "not-predicted"
									 : "not-observable";

			if (!str_eq(outcome, str_from(word)))
				fail_msg("case %zu, %s: %.*s", i, sights[j], STR_ARG(outcome));
		}
	}
}

static void sums_and_score(void **state)
{
	struct arena arena = ARENA_INIT(ARENA_UNLIMITED);
	struct result_verdict native = { .status = OP_NATIVE }, broken = { .status = OP_UNSUPPORTED },
			      unknown = { .status = OP_UNKNOWN };
	struct result_observed device = { .where = WHERE_DEVICE }, called = { .where = WHERE_CALLED };
	struct agree_item items[] = {
		{ STR("a::same"), OUTCOME_COUNT, &native, &device, false, 2, 30 },
		{ STR("a::same2"), OUTCOME_COUNT, &native, &device, false, 1, 30 },
		{ STR("a::worse"), OUTCOME_COUNT, &broken, &device, false, 3, 10 },
		{ STR("a::unknown"), OUTCOME_COUNT, &unknown, &device, false, 5, 7 },
		{ STR("a::called"), OUTCOME_COUNT, &native, &called, false, 9, 0 },
		{ STR("a::gone"), OUTCOME_NOT_SEEN, &native, NULL, false, 4, 0 },
		{ STR("a::new"), OUTCOME_DEVICE_ONLY, NULL, &device, true, 6, 90 },
	};
	struct agreement agreement = { .target = STR("npu@x"), .made_on = true };

	agree(&arena, items, ARRAY_SIZE(items), &agreement);
	assert_int_equal(agreement.state, AGREEMENT_COMPARED);
	assert_int_equal(agreement.score.operators_ppm, 666666); /* rounded down */
	assert_int_equal(agreement.score.calls_ppm, 500000);
	assert_int_equal(agreement.score.time_ppm, 857142);
	assert_int_equal(agreement.sum_count, 6);
	assert_str(agreement.entries[0].operator_name, "a::worse");
	assert_str(agreement.entries[1].operator_name, "a::unknown");
	assert_str(agreement.entries[2].operator_name, "a::same"); /* of equal time the one with more calls */
	assert_int_equal(agreement_sum_of(&agreement, OUTCOME_AGREES)->device_ns, 60);
	assert_int_equal(agreement_sum_of(&agreement, OUTCOME_NOT_SEEN)->calls, 4);
	assert_null(agreement_sum_of(&agreement, OUTCOME_BETTER));
	assert_int_equal(agreement.entries[5].observed, WHERE_DEVICE);
	assert_true(agreement.entries[5].implied);
	assert_int_equal(agreement.entries[5].predicted, OP_STATUS_COUNT);
	assert_int_equal(agreement.entries[6].observed, WHERE_ABSENT);
	arena_clear(&arena);
}

static void nothing_seen_is_no_score(void **state)
{
	struct arena arena = ARENA_INIT(ARENA_UNLIMITED);
	struct result_verdict native = { .status = OP_NATIVE };
	struct result_observed called = { .where = WHERE_CALLED }, host = { .where = WHERE_HOST };
	struct agree_item items[] = { { STR("a::b"), OUTCOME_COUNT, &native, &called, false, 9, 0 },
		{ STR("a::c"), OUTCOME_COUNT, &native, &host, false, 9, 0 } };
	struct agreement agreement = { .target = STR("npu@x"), .made_on = true };

	agree(&arena, items, 1, &agreement);
	assert_int_equal(agreement.state, AGREEMENT_NOT_OBSERVABLE);
	assert_int_equal(agreement.score.operators_ppm, -1);
	agree(&arena, items, 0, &agreement);
	assert_int_equal(agreement.state, AGREEMENT_NOT_OBSERVABLE);
	assert_int_equal(agreement.sum_count, 0);
	agree(&arena, items, 2, &agreement);
	assert_int_equal(agreement.score.operators_ppm, 0);
	assert_int_equal(agreement.score.time_ppm, -1); /* no device time to share */
	arena_clear(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_sight_beside_every_status),
		cmocka_unit_test(sums_and_score),
		cmocka_unit_test(nothing_seen_is_no_score),
	};

	return run_group(tests);
}
