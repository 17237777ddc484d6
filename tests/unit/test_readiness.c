/* Intervals and the one word: what is certain, what is possible, and never more than the whole. */
#include "assess/model/words.h"
#include "assess/judge/readiness.h"
#include "base/value/figure.h"
#include "tests/unit/check.h"
#include "tests/unit/random.h"
#include "tests/unit/sheets.h"

struct summing {
	struct arena arena;
	struct profile *profile;
	struct operators *operators; /* in the arena */
	struct weights weights;
};

static struct summing weigh(const char *rows)
{
	struct summing all = { .arena = ARENA_INIT(ARENA_UNLIMITED), .profile = profile_of_steps(rows) };
	struct name_lookup nothing = { .known = NULL };

	all.operators = arena_alloc(&all.arena, sizeof(*all.operators));
	operators_gather(&all.arena, all.profile, &nothing, all.operators);
	weights_choose(all.profile, all.operators, &all.weights);
	return all;
}

static void summing_clear(struct summing *all)
{
	arena_clear(&all->arena);
	profile_free(all->profile);
}

static struct judgement certain(enum op_status status)
{
	return (struct judgement){ .verdict.status = status, .best = status, .worst = status };
}

static void the_basis_is_device_time_then_cpu_time_then_calls(void **state)
{
	static const struct {
		const char *rows, *basis;
		int64_t time, calls;
	} cases[] = {
		{ "aten::a [[1]] x3 =5 d2; aten::b [[1]] x4 =6 d0", "self_device_time", 2000, 7 },
		{ "aten::a [[1]] x3 =5; aten::b [[1]] x4 =6", "self_cpu_time", 11000, 7 },
		{ "aten::a [[1]] x3 =-5; aten::b [[1]] x4 =6", "self_cpu_time", 6000, 7 },
		{ "aten::a [[1]] x3 =0; aten::b [[1]] x4 =0", "calls", 7, 7 },
		{ "aten::a [[1]] x3 =-5", "calls", 3, 3 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		CLEANUP(summing_clear) struct summing all = weigh(cases[i].rows);

		assert_str(word_for(&basis_words, all.weights.basis), cases[i].basis);
		assert_int_equal(all.weights.time_total, cases[i].time);
		assert_int_equal(all.weights.calls_total, cases[i].calls);
	}
}

static void shares_are_rounded_millionths(void **state)
{
	static const struct {
		int64_t part, whole, ppm;
	} cases[] = {
		{ 1, 3, 333333 },
		{ 2, 3, 666667 },
		{ 0, 5, 0 },
		{ 5, 5, 1000000 },
		{ 0, 0, 0 },
		{ 5, 0, 0 },
		{ 1, 2000000, 1 },
		{ 1, 2000001, 0 },
		{ FIGURE_MAX, FIGURE_MAX, 1000000 },
		{ INT64_MAX, INT64_MAX, 1000000 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		assert_int_equal(share_ppm(cases[i].part, cases[i].whole), cases[i].ppm);
}

static void each_status_counts_where_it_belongs(void **state)
{
	static const struct {
		struct judgement judgement;
		int64_t device_lo, device_hi, runs_lo, runs_hi;
	} cases[] = {
		{ { .verdict.status = OP_NATIVE, .best = OP_NATIVE, .worst = OP_NATIVE }, 1000000, 1000000, 1000000,
			1000000 },
		{ { .verdict.status = OP_NATIVE_JIT, .best = OP_NATIVE_JIT, .worst = OP_NATIVE_JIT }, 1000000, 1000000,
			1000000, 1000000 },
		{ { .verdict.status = OP_COMPOSITE, .best = OP_COMPOSITE, .worst = OP_COMPOSITE }, 1000000, 1000000,
			1000000, 1000000 },
		{ { .verdict.status = OP_EQUIVALENT, .best = OP_EQUIVALENT, .worst = OP_EQUIVALENT }, 1000000, 1000000,
			1000000, 1000000 },
		{ { .verdict.status = OP_CPU_FALLBACK, .best = OP_CPU_FALLBACK, .worst = OP_CPU_FALLBACK }, 0, 0,
			1000000, 1000000 },
		{ { .verdict.status = OP_UNSUPPORTED, .best = OP_UNSUPPORTED, .worst = OP_UNSUPPORTED }, 0, 0, 0, 0 },
		{ { .verdict.status = OP_NEEDS_PACKAGE, .best = OP_NEEDS_PACKAGE, .worst = OP_NEEDS_PACKAGE }, 0, 0, 0,
			0 },
		/* unknown is never counted as certain */
		{ { .verdict.status = OP_UNKNOWN, .best = OP_NATIVE, .worst = OP_UNKNOWN }, 0, 1000000, 0, 1000000 },
		{ { .verdict.status = OP_NATIVE, .best = OP_NATIVE, .worst = OP_UNSUPPORTED }, 0, 1000000, 0, 1000000 },
		{ { .verdict.status = OP_CPU_FALLBACK, .best = OP_NATIVE, .worst = OP_CPU_FALLBACK }, 0, 1000000,
			1000000, 1000000 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		CLEANUP(summing_clear) struct summing all = weigh("aten::a [[1]] x3 =5");
		struct result_target target = { .count_count = 0 };

		readiness_sum(&all.arena, &all.weights, &cases[i].judgement, false, &target);
		assert_int_equal(target.readiness.time.lo_ppm, cases[i].device_lo);
		assert_int_equal(target.readiness.time.hi_ppm, cases[i].device_hi);
		assert_int_equal(target.coverage.operators.lo_ppm, cases[i].runs_lo);
		assert_int_equal(target.coverage.calls.hi_ppm, cases[i].runs_hi);
		assert_int_equal(target.count_count, 1);
		assert_int_equal(target.counts[0].status, cases[i].judgement.verdict.status);
		assert_int_equal(target.counts[0].time_ppm, 1000000);
	}
}

static void shares_are_by_time_by_calls_and_by_operators(void **state)
{
	CLEANUP(summing_clear)
	struct summing all = weigh("aten::a [[1]] x6 =1; aten::b [[1]] x3 =2; aten::c [[1]] x1 =7");
	const struct judgement judgements[] = { certain(OP_NATIVE), certain(OP_CPU_FALLBACK), certain(OP_UNSUPPORTED) };
	struct result_target target = { .count_count = 0 };

	readiness_sum(&all.arena, &all.weights, judgements, false, &target);
	assert_int_equal(target.readiness.time.lo_ppm, 100000);
	assert_int_equal(target.readiness.calls.lo_ppm, 600000);
	assert_int_equal(target.readiness.operators.lo_ppm, 333333);
	assert_int_equal(target.coverage.time.lo_ppm, 300000);
	assert_int_equal(target.coverage.calls.lo_ppm, 900000);
	assert_int_equal(target.coverage.operators.lo_ppm, 666667);
	assert_int_equal(target.count_count, 3);
	assert_str(word_for(&op_status_words, target.counts[0].status), "native");
	assert_str(word_for(&op_status_words, target.counts[2].status), "unsupported");
	assert_int_equal(target.counts[2].time_ppm, 700000);
}

/* What certainly runs on the AI CPU or the host decides; what may does not. */
static void a_slow_target_warns_from_a_share_on(void **state)
{
	static const struct {
		int64_t aicpu_lo_ppm, slow_ppm;
		const char *verdict;
	} cases[] = {
		{ 0, 50000, "ready" },
		{ 99998, 50000, "ready" }, /* of one of two operators */
		{ 100000, 50000, "ready-with-warnings" },
		{ 100000, 60000, "ready" },
		{ 0, 0, "ready-with-warnings" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		CLEANUP(summing_clear) struct summing all = weigh("aten::a [[1]] =5.5; aten::b [[1]] =5.5");
		const struct judgement judgements[] = { { .verdict.status = OP_NATIVE },
			{ .verdict.status = OP_NATIVE,
				.verdict.flags = FLAG_AICPU,
				.verdict.aicpu.lo_ppm = cases[i].aicpu_lo_ppm,
				.verdict.aicpu.hi_ppm = 1000000 } };
		struct result_target target = { .count_count = 0 };

		all.weights.slow_ppm = cases[i].slow_ppm;
		readiness_sum(&all.arena, &all.weights, judgements, false, &target);
		assert_str(word_for(&verdict_words, target.verdict), cases[i].verdict);
	}
}

static void one_word_says_the_worst(void **state)
{
	static const struct {
		struct judgement judgements[2];
		bool hidden;
		const char *verdict;
	} cases[] = {
		{ { { .verdict.status = OP_NATIVE },
			  { .verdict.status = OP_COMPOSITE, .best = OP_COMPOSITE, .worst = OP_COMPOSITE } },
			false, "ready" },
		{ { { .verdict.status = OP_NATIVE },
			  { .verdict.status = OP_NATIVE, .verdict.flags = FLAG_INFERRED | FLAG_MIXED_OVERLOADS } },
			false, "ready" },
		{ { { .verdict.status = OP_NATIVE },
			  { .verdict.status = OP_NATIVE_JIT, .best = OP_NATIVE_JIT, .worst = OP_NATIVE_JIT } },
			false, "ready-with-warnings" },
		{ { { .verdict.status = OP_NATIVE }, { .verdict.status = OP_NATIVE, .verdict.flags = FLAG_HOST_PATH } },
			false, "ready" },
		{ { { .verdict.status = OP_NATIVE },
			  { .verdict.status = OP_CPU_FALLBACK, .best = OP_CPU_FALLBACK, .worst = OP_CPU_FALLBACK } },
			false, "ready-with-warnings" },
		{ { { .verdict.status = OP_NATIVE }, { .verdict.status = OP_NATIVE, .worst = OP_CPU_FALLBACK } }, false,
			"ready-with-warnings" },
		{ { { .verdict.status = OP_NATIVE }, { .verdict.status = OP_NATIVE } }, true, "inconclusive" },
		{ { { .verdict.status = OP_NATIVE }, { .verdict.status = OP_UNKNOWN, .worst = OP_UNKNOWN } }, false,
			"inconclusive" },
		{ { { .verdict.status = OP_NATIVE }, { .verdict.status = OP_NATIVE, .worst = OP_UNSUPPORTED } }, false,
			"inconclusive" },
		{ { { .verdict.status = OP_NATIVE },
			  { .verdict.status = OP_UNSUPPORTED, .best = OP_UNSUPPORTED, .worst = OP_UNSUPPORTED } },
			true, "blocked" },
		{ { { .verdict.status = OP_UNKNOWN, .worst = OP_UNKNOWN },
			  { .verdict.status = OP_NEEDS_PACKAGE, .best = OP_NEEDS_PACKAGE, .worst = OP_NEEDS_PACKAGE } },
			false, "blocked" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		CLEANUP(summing_clear) struct summing all = weigh("aten::a [[1]]; aten::b [[1]]");
		struct result_target target = { .count_count = 0 };

		readiness_sum(&all.arena, &all.weights, cases[i].judgements, cases[i].hidden, &target);
		assert_str(word_for(&verdict_words, target.verdict), cases[i].verdict);
	}
}

/* Time that no row covers hides calls and operators, too. */
static void time_without_rows_lowers_the_low_end_of_every_share(void **state)
{
	CLEANUP(summing_clear) struct summing all = weigh("aten::a [[1]] x3 =5");
	struct result_target target = { .count_count = 0 };
	struct judgement judgement = certain(OP_NATIVE);

	weights_add_uncovered(&all.weights, 15000);
	readiness_sum(&all.arena, &all.weights, &judgement, false, &target);
	for (int i = 0; i < 3; i++) {
		assert_int_equal((&target.readiness.time)[i].lo_ppm, 250000);
		assert_int_equal((&target.readiness.time)[i].hi_ppm, 1000000);
	}
}

/* Whatever the judgements: lo is at most hi, readiness at most coverage, nothing leaves [0, 1], the counts are all. */
static void intervals_keep_their_order(void **state)
{
	CLEANUP(summing_clear)
	struct summing all = weigh("aten::a [[1]] x18446744073709551615 =9000000000000000; aten::b [[1]] "
				   "x18446744073709551615 =9000000000000000; aten::c [[1]] x7 =3;"
				   "aten::d [[1]] x1 =-4; aten::e [[1]] x2 =0");
	uint64_t seed = 41;

	for (unsigned round = 0; round < 2000; round++) {
		struct judgement judgements[5];
		struct result_target target = { .count_count = 0 };
		uint64_t counted = 0;

		for (size_t i = 0; i < ARRAY_SIZE(judgements); i++) {
			judgements[i] = certain((enum op_status)random_below(&seed, OP_STATUS_COUNT));
			judgements[i].best = (enum op_status)random_below(&seed, judgements[i].verdict.status + 1);
			judgements[i].worst = (enum op_status)(
				judgements[i].verdict.status +
				random_below(&seed, OP_STATUS_COUNT - judgements[i].verdict.status));
		}
		readiness_sum(&all.arena, &all.weights, judgements, false, &target);
		for (int i = 0; i < 3; i++) {
			const struct result_interval *ready = &(&target.readiness.time)[i],
						     *covered = &(&target.coverage.time)[i];

			assert_true(0 <= ready->lo_ppm && ready->lo_ppm <= ready->hi_ppm && ready->hi_ppm <= 1000000);
			assert_true(ready->lo_ppm <= covered->lo_ppm && covered->lo_ppm <= covered->hi_ppm);
			assert_true(ready->hi_ppm <= covered->hi_ppm && covered->hi_ppm <= 1000000);
		}
		for (size_t i = 0; i < target.count_count; i++)
			counted += target.counts[i].operators;
		assert_int_equal(counted, ARRAY_SIZE(judgements));
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_basis_is_device_time_then_cpu_time_then_calls),
		cmocka_unit_test(shares_are_rounded_millionths),
		cmocka_unit_test(each_status_counts_where_it_belongs),
		cmocka_unit_test(shares_are_by_time_by_calls_and_by_operators),
		cmocka_unit_test(a_slow_target_warns_from_a_share_on),
		cmocka_unit_test(one_word_says_the_worst),
		cmocka_unit_test(time_without_rows_lowers_the_low_end_of_every_share),
		cmocka_unit_test(intervals_keep_their_order),
	};

	return run_group(tests);
}
