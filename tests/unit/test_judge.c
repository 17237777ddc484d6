/* Verdicts on operators of a profile whose dump shows data types: which limits count, and which do not. */
#include "assess/judge/judge.h"
#include "tests/unit/opdb_fixture.h"

struct trial {
	struct arena arena;
	struct profile *profile;
	struct operators operators;
	struct call_facts call_facts;
};

static bool known(void *ctx, struct str base)
{
	return true;
}

static size_t completions(void *ctx, struct str ns, struct str prefix, struct str *ret, size_t max)
{
	return 0;
}

/* A profile of one operator with these shapes and types in Python's form; "" for a dump that shows none. */
static struct trial trial_of(const char *name, const char *shapes, const char *dtypes)
{
	struct trial trial = { .arena = ARENA_INIT(ARENA_UNLIMITED) };
	struct limits limits = limits_default();
	struct name_lookup lookup = { NULL, known, completions };
	struct op_row row = { .name = str_from(name),
		.overload = STR(""),
		.shapes = str_from(shapes),
		.dtypes = str_from(dtypes),
		.calls = 1 };
	struct table_end end = { -1, -1, -1, false };
	struct event_sink sink;
	unsigned stream;

	trial.profile = profile_new(&limits);
	sink = profile_sink(trial.profile, STR(""));
	stream = sink.stream(sink.ctx, STR(""));
	sink.table_begin(sink.ctx, stream, TABLE_HAS_SHAPES | (row.dtypes.len ? TABLE_HAS_DTYPES : 0u));
	sink.rows(sink.ctx, stream, &row, 1);
	sink.table_end(sink.ctx, stream, &end);
	profile_finish(trial.profile);
	operators_gather(&trial.arena, trial.profile, &lookup, &trial.operators);
	assert_int_equal(trial.operators.count, 1);
	return trial;
}

static void trial_clear(struct trial *trial)
{
	profile_free(trial->profile);
	arena_clear(&trial->arena);
}

static struct judgement judge(
	struct fixture *fixture, struct trial *trial, const char *spec, struct result_verdict *verdict)
{
	struct judge asked = { .arena = &trial->arena,
		.resolver = fixture->resolver,
		.profile = trial->profile,
		.operators = &trial->operators,
		.call_facts = &trial->call_facts };
	struct target target = target_named(fixture, spec);
	struct judgement judged;
	struct err err = { 0 };

	if (call_facts_gather(&asked, &trial->call_facts, &err) || judge_operator(&asked, &target, 0, &judged, &err))
		fail_msg("%s", err.text);
	*verdict = judged.verdict;
	return judged;
}

static void limits_count_where_the_dump_shows_the_type(void **state)
{
	static const struct {
		const char *name, *shapes, *dtypes, *target;
		unsigned flags;        /* of the limits */
		const char *condition; /* NULL: none, and nothing is in doubt */
		enum op_status status;
	} cases[] = {
		{ "aten::roll", "[[2], [], []]", "['float', 'ScalarList', 'ScalarList']", "npu@v2.7.1-26.0.0", 0, NULL,
			OP_NATIVE },
		{ "aten::roll", "[[2], [], []]", "['c10::complex<float>', 'ScalarList', 'ScalarList']",
			"npu@v2.7.1-26.0.0", FLAG_DTYPE_LIMITED, NULL, OP_UNSUPPORTED },
		/* of another CANN than those that were read nobody knows for certain */
		{ "aten::roll", "[[2], [], []]", "['c10::complex<float>', 'ScalarList', 'ScalarList']",
			"npu@v2.6.0-7.1.0", FLAG_DTYPE_LIMITED, "op-dtype", OP_NATIVE },
		{ "aten::roll", "[[2], [], []]", "", "npu@v2.7.1-26.0.0", 0, NULL, OP_NATIVE },
		{ "aten::mul", "[[2], [2]]", "['short int', 'short int']", "npu@v2.7.1-26.0.0", FLAG_AICPU, NULL,
			OP_NATIVE },
		{ "aten::mul", "[[2], [2]]", "['float', 'float']", "npu@v2.7.1-26.0.0", 0, NULL, OP_NATIVE },
		/* a chip without the type refuses it for certain; where nobody shows the types it does so if it gets it */
		{ "aten::relu", "[[2]]", "['c10::BFloat16']", "npu@v2.7.1-26.0.0:310P", FLAG_DTYPE_LIMITED, NULL,
			OP_UNSUPPORTED },
		{ "aten::relu", "[[2]]", "['c10::BFloat16']", "npu@v2.7.1-26.0.0:910B", 0, NULL, OP_NATIVE },
		{ "aten::relu", "[[2]]", "['c10::BFloat16']", "npu@v2.7.1-26.0.0", 0, NULL, OP_NATIVE },
		{ "aten::relu", "[[2]]", "", "npu@v2.7.1-26.0.0:910A", FLAG_DTYPE_LIMITED, "op-dtype-open", OP_NATIVE },
		{ "aten::relu", "[[2]]", "", "npu@v2.7.1-26.0.0:910B", 0, NULL, OP_NATIVE },
		{ "aten::relu", "[[2]]", "['float']", "npu@v2.7.1-26.0.0:910A", 0, NULL, OP_NATIVE },
		/* an operator of whole numbers was given whole numbers */
		{ "aten::bitwise_and", "[[2], [2]]", "", "npu@v2.7.1-26.0.0:910A", 0, NULL, OP_NATIVE },
		/* what chooses is no data; a number follows the tensor; a composite's calls are judged; views take all */
		{ "aten::nll_loss_forward", "[[2, 3], [2], [], [], []]",
			"['float', 'long int', '', 'Scalar', 'Scalar']", "npu@v2.7.1-26.0.0", 0, NULL, OP_NATIVE },
		{ "aten::mul", "[[2], []]", "['float', 'double']", "npu@v2.12.0-26.1.0", 0, NULL, OP_NATIVE },
		{ "aten::sort", "[[2], [], []]", "['double', 'Scalar', 'Scalar']", "npu@v2.12.0-26.1.0",
			FLAG_DTYPE_LIMITED, NULL, OP_UNSUPPORTED },
		{ "aten::to", "[[2], [], [], [], []]", "['double', 'Scalar', 'Scalar', 'Scalar', '']",
			"npu@v2.12.0-26.1.0", 0, NULL, OP_COMPOSITE },
		{ "aten::as_strided", "[[2], [], [], []]", "['double', 'ScalarList', 'ScalarList', '']",
			"npu@v2.12.0-26.1.0", 0, NULL, OP_NATIVE },
		{ "aten::mm", "[[2, 2], [2, 2]]", "['float', 'float']", "npu@v2.7.1-26.1.0:950", FLAG_SOC_LIMITED,
			"op-chip", OP_NATIVE },
		{ "aten::conv3d", "[[2]]", "['float']", "npu@v2.5.1-7.0.0", FLAG_REPORTED_BROKEN, "op-reported",
			OP_COMPOSITE },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		CLEANUP(trial_clear) struct trial trial = trial_of(cases[i].name, cases[i].shapes, cases[i].dtypes);
		const unsigned limits = FLAG_DTYPE_LIMITED | FLAG_AICPU | FLAG_SOC_LIMITED | FLAG_REPORTED_BROKEN;
		struct result_verdict verdict;
		struct judgement judgement = judge(*state, &trial, cases[i].target, &verdict);
		enum op_status worst = cases[i].condition ? OP_UNSUPPORTED : cases[i].status;

		if ((judgement.verdict.flags & limits) != cases[i].flags ||
			verdict.condition_count != (cases[i].condition != NULL))
			fail_msg("case %zu: flags %#x, %zu conditions", i, judgement.verdict.flags,
				verdict.condition_count);
		if (judgement.verdict.status != cases[i].status || judgement_worst(&judgement) != worst ||
			judgement.best != cases[i].status)
			fail_msg("case %zu: status %d, %d to %d", i, judgement.verdict.status, judgement.best,
				judgement.worst);
		if (cases[i].condition)
			assert_string_equal(verdict.conditions[0].id, cases[i].condition);
	}
}

static void a_name_that_no_composite_chose_is_said_to_be_called(void **state)
{
	CLEANUP(trial_clear) struct trial trial = trial_of("aten::cudnn_batch_norm", "[[2]]", "");
	struct result_verdict verdict;
	struct judgement judgement = judge(*state, &trial, "musa@v2.7.1", &verdict);

	assert_int_equal(judgement.verdict.status, OP_UNSUPPORTED);
	assert_true(str_starts(verdict.via, STR("called by name: ")));
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(limits_count_where_the_dump_shows_the_type),
		cmocka_unit_test(a_name_that_no_composite_chose_is_said_to_be_called),
	};

	return cmocka_run_group_tests(tests, fixture_build, fixture_clean);
}
