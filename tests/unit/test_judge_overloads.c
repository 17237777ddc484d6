/* Verdicts on operators whose overloads differ: which of them a dump lets be told, and what is said of those that it does not. */
#include "assess/judge/judge.h"
#include "tests/unit/opdb_fixture.h"

static bool known(void *ctx, struct str base)
{
	return true;
}

static size_t completions(void *ctx, struct str ns, struct str prefix, struct str *ret, size_t max)
{
	return 0;
}

struct recorded {
	const char *shapes, *dtypes;
	const char *overload; /* NULL: not told */
};

/* Judges one operator that was called in these ways; the texts of *ret live in the arena. */
static struct judgement judge(struct fixture *fixture, struct arena *arena, const char *name,
	const struct recorded *calls, size_t count, const char *spec, struct result_verdict *ret)
{
	struct limits limits = limits_default();
	struct name_lookup lookup = { NULL, known, completions };
	struct profile *profile = profile_new(&limits);
	struct event_sink sink = profile_sink(profile, STR(""));
	unsigned stream = sink.stream(sink.ctx, STR(""));
	struct table_end end = { -1, -1, -1, false };
	struct target target = target_named(fixture, spec);
	struct operators operators;
	struct call_facts call_facts;
	struct judge judge = { .arena = arena,
		.resolver = fixture->resolver,
		.profile = profile,
		.operators = &operators,
		.call_facts = &call_facts };
	struct judgement judged;
	struct err err = { 0 };

	sink.table_begin(sink.ctx, stream, TABLE_HAS_SHAPES | TABLE_HAS_DTYPES | TABLE_HAS_OVERLOADS);
	for (size_t i = 0; i < count; i++) {
		const char *overload = calls[i].overload;
		struct op_row row = { .name = str_from(name),
			.overload = str_from(overload ? overload : ""),
			.has_overload = overload != NULL,
			.shapes = str_from(calls[i].shapes),
			.dtypes = str_from(calls[i].dtypes),
			.calls = 1 };

		sink.rows(sink.ctx, stream, &row, 1);
	}
	sink.table_end(sink.ctx, stream, &end);
	profile_finish(profile);
	operators_gather(arena, profile, &lookup, &operators);
	if (call_facts_gather(&judge, &call_facts, &err) || judge_operator(&judge, &target, 0, &judged, &err))
		fail_msg("%s", err.text);
	profile_free(profile);
	*ret = judged.verdict;
	return judged;
}

#define CLAMP "aten::clamp_min" /* clamp_min(Tensor self, Scalar min) and clamp_min.Tensor(Tensor self, Tensor min) */
#define WITH_ANY "[[4], []]"
#define SCALAR "['float', 'Scalar']"
#define TENSOR "['float', 'float']"
#define MUSA "musa@v1.3.0" /* the first runs, the second does not */

static void overloads_are_told_apart_by_what_the_dump_shows(void **state)
{
	static const struct {
		struct recorded calls[2];
		size_t count;
		enum op_status status, best, worst;
		const char *via; /* how it ends */
		size_t conditions;
	} cases[] = {
		/* the names alone: both may be meant */
		{ { { "", "", NULL } }, 1, OP_NATIVE, OP_NATIVE, OP_UNSUPPORTED, "", 1 },
		{ { { WITH_ANY, "", NULL } }, 1, OP_NATIVE, OP_NATIVE, OP_UNSUPPORTED,
			"overloads that fit, by shapes: clamp_min, clamp_min.Tensor", 1 },
		{ { { "[[4], [4]]", "", NULL } }, 1, OP_UNSUPPORTED, OP_UNSUPPORTED, OP_UNSUPPORTED,
			"the only overload that fits, by shapes: clamp_min.Tensor", 0 },
		{ { { WITH_ANY, SCALAR, NULL } }, 1, OP_NATIVE, OP_NATIVE, OP_NATIVE,
			"the only overload that fits, by dtypes and shapes: clamp_min", 0 },
		{ { { WITH_ANY, TENSOR, NULL } }, 1, OP_UNSUPPORTED, OP_UNSUPPORTED, OP_UNSUPPORTED,
			"the only overload that fits, by dtypes and shapes: clamp_min.Tensor", 0 },
		{ { { WITH_ANY, "", "Tensor" } }, 1, OP_UNSUPPORTED, OP_UNSUPPORTED, OP_UNSUPPORTED,
			"overload recorded: clamp_min.Tensor", 0 },
		{ { { WITH_ANY, "", "" } }, 1, OP_NATIVE, OP_NATIVE, OP_NATIVE, "overload recorded: clamp_min", 0 },
		/* every call is made: the worst of them counts */
		{ { { WITH_ANY, SCALAR, NULL }, { WITH_ANY, TENSOR, NULL } }, 2, OP_UNSUPPORTED, OP_UNSUPPORTED,
			OP_UNSUPPORTED,
			"each the only overload that fits, by dtypes and shapes: clamp_min, clamp_min.Tensor", 0 },
		/* one that fits nothing says nothing */
		{ { { WITH_ANY, SCALAR, NULL }, { "[[4]]", "['float']", NULL } }, 2, OP_NATIVE, OP_NATIVE,
			OP_UNSUPPORTED, "", 1 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct arena arena = ARENA_INIT(ARENA_UNLIMITED);
		struct result_verdict verdict;
		struct judgement judgement = judge(
			*state, &arena, CLAMP, cases[i].calls, cases[i].count, MUSA, &verdict);
		bool mixed = cases[i].best != cases[i].worst;

		if (judgement.verdict.status != cases[i].status || judgement.best != cases[i].best ||
			judgement.worst != cases[i].worst)
			fail_msg("case %zu: status %d, %d to %d", i, judgement.verdict.status, judgement.best,
				judgement.worst);
		if (!str_ends(verdict.via, str_from(cases[i].via)))
			fail_msg("case %zu: via %.*s", i, STR_ARG(verdict.via));
		assert_int_equal((judgement.verdict.flags & FLAG_MIXED_OVERLOADS) != 0, mixed);
		assert_int_equal(verdict.condition_count, cases[i].conditions);
		arena_clear(&arena);
	}
}

/* What more knowledge makes of the interval: every dump that shows more lies inside one that shows less. */
static void knowledge_never_widens(void **state)
{
	static const char *const specs[] = { "npu@v2.5.1-7.0.0", "npu@v2.7.1-26.0.0:910A", "npu@v2.12.0-26.1.0",
		"npu@v1.11.0-5.0.0", "musa@v2.7.1", MUSA };
	static const struct {
		const char *name, *shapes, *dtypes, *overload;
	} calls[] = {
		{ "aten::_ctc_loss", "[[4, 2, 9], [2, 3], [], [], [], []]",
			"['float', 'long int', 'ScalarList', 'ScalarList', 'Scalar', 'Scalar']", "" },
		{ "aten::_ctc_loss", "[[4, 2, 9], [2, 3], [], [], [], []]",
			"['float', 'long int', 'long int', 'long int', 'Scalar', 'Scalar']", "Tensor" },
		{ "aten::clamp_min", "[[4], [4]]", "['float', 'float']", "Tensor" },
		{ "aten::clamp_min", "[[4], []]", "['float', 'Scalar']", "" },
		{ "aten::round", "[[4], []]", "['float', 'Scalar']", "decimals" },
		{ "aten::relu", "[[4]]", "['c10::BFloat16']", "" },
		{ "aten::mm", "[[4, 4], [4, 4]]", "['c10::BFloat16', 'c10::BFloat16']", "" },
		{ "aten::mm", "[[4, 4], [4, 4]]", "['c10::Half', 'c10::Half']", "" },
		{ "aten::argsort", "[[4], [], []]", "['c10::BFloat16', 'Scalar', 'Scalar']", "" },
		{ "aten::bernoulli_", "[[4], [], []]", "['c10::BFloat16', 'Scalar', '']", "float" },
		{ "aten::_foreach_add_", "[[], []]", "['TensorList', 'Scalar']", "Scalar" },
		{ "aten::where", "[[4], [], []]", "['bool', 'float', 'Scalar']", "ScalarOther" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(calls) * ARRAY_SIZE(specs); i++) {
		const char *name = calls[i / ARRAY_SIZE(specs)].name, *shapes = calls[i / ARRAY_SIZE(specs)].shapes;
		const char *dtypes = calls[i / ARRAY_SIZE(specs)].dtypes,
			   *overload = calls[i / ARRAY_SIZE(specs)].overload;
		const struct recorded steps[] = { { "", "", NULL }, { shapes, "", NULL }, { shapes, dtypes, NULL },
			{ shapes, dtypes, overload } };
		struct arena arena = ARENA_INIT(ARENA_UNLIMITED);
		struct judgement before = { .best = OP_NATIVE, .worst = OP_UNKNOWN };

		for (size_t step = 0; step < ARRAY_SIZE(steps); step++) {
			struct result_verdict verdict;
			struct judgement after = judge(
				*state, &arena, name, &steps[step], 1, specs[i % ARRAY_SIZE(specs)], &verdict);

			if (op_status_class(after.best) < op_status_class(before.best) ||
				op_status_class(judgement_worst(&after)) > op_status_class(judgement_worst(&before)) ||
				after.best > after.worst)
				fail_msg("%s on %s, step %zu: %d to %d after %d to %d", name,
					specs[i % ARRAY_SIZE(specs)], step, after.best, after.worst, before.best,
					before.worst);
			before = after;
		}
		arena_clear(&arena);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(overloads_are_told_apart_by_what_the_dump_shows),
		cmocka_unit_test(knowledge_never_widens),
	};

	return cmocka_run_group_tests(tests, fixture_build, fixture_clean);
}
