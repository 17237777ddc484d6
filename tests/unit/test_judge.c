/* Verdicts on operators of a profile whose dump shows data types: which limits count, and which do not. */
#include "assess/judge.h"
#include "tests/unit/opdb_fixture.h"

struct trial {
	struct arena arena;
	struct profile *profile;
	struct operators operators;
};

static bool known(void *ctx, struct str base)
{
	return true;
}

static size_t completions(void *ctx, struct str ns, struct str prefix, struct str *ret, size_t max)
{
	return 0;
}

/* A profile of one operator with these types in Python's form; "" for a dump that shows none. */
static struct trial trial_of(const char *name, const char *dtypes)
{
	struct trial trial = { .arena = ARENA_INIT(ARENA_UNLIMITED) };
	struct limits limits = limits_default();
	struct name_lookup lookup = { NULL, known, completions };
	struct op_row row = { .name = str_from(name), .overload = STR(""), .shapes = STR("[[2]]"), .dtypes = str_from(dtypes), .calls = 1 };
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

static struct judgement judge(struct fixture *fixture, struct trial *trial, const char *spec, struct result_verdict *verdict)
{
	struct judge judge = { .arena = &trial->arena, .resolver = fixture->resolver, .profile = trial->profile,
		.operators = &trial->operators };
	struct target target = target_named(fixture, spec);
	struct judgement judgement;
	struct err err = { 0 };

	if (judge_operator(&judge, 0, &target, verdict, &judgement, &err))
		fail_msg("%s", err.text);
	return judgement;
}

static void limits_count_where_the_dump_shows_the_type(void **state)
{
	static const struct {
		const char *name, *dtypes, *target;
		unsigned flags; /* of the limits */
		const char *condition;
	} cases[] = {
		{ "aten::roll", "['float', 'Scalar']", "npu@v2.7.1-26.0.0", 0, NULL },
		{ "aten::roll", "['c10::complex<float>']", "npu@v2.7.1-26.0.0", FLAG_DTYPE_LIMITED, "op-dtype" },
		{ "aten::roll", "", "npu@v2.7.1-26.0.0", 0, NULL },
		{ "aten::mul", "['short int', 'short int']", "npu@v2.7.1-26.0.0", FLAG_AICPU, NULL },
		{ "aten::mul", "['float', 'float']", "npu@v2.7.1-26.0.0", 0, NULL },
		{ "aten::relu", "['c10::BFloat16']", "npu@v2.7.1-26.0.0:310P", FLAG_DTYPE_LIMITED, "op-dtype" },
		{ "aten::relu", "['c10::BFloat16']", "npu@v2.7.1-26.0.0:910B", 0, NULL },
		{ "aten::mm", "['float', 'float']", "npu@v2.7.1-26.1.0:950", FLAG_SOC_LIMITED, "op-chip" },
		{ "aten::conv3d", "['float', 'float']", "npu@v2.5.1-7.0.0", FLAG_REPORTED_BROKEN, "op-reported" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		CLEANUP(trial_clear) struct trial trial = trial_of(cases[i].name, cases[i].dtypes);
		const unsigned limits = FLAG_DTYPE_LIMITED | FLAG_AICPU | FLAG_SOC_LIMITED | FLAG_REPORTED_BROKEN;
		struct result_verdict verdict;
		struct judgement judgement = judge(*state, &trial, cases[i].target, &verdict);

		if ((judgement.flags & limits) != cases[i].flags || verdict.condition_count != (cases[i].condition != NULL))
			fail_msg("case %zu: flags %#x, %zu conditions", i, judgement.flags, verdict.condition_count);
		assert_int_equal(op_status_class(judgement.status), CLASS_DEVICE);
		assert_int_equal(judgement.worst == OP_UNSUPPORTED, cases[i].condition != NULL);
		if (cases[i].condition)
			assert_string_equal(verdict.conditions[0].id, cases[i].condition);
	}
}

static void a_name_that_no_composite_chose_is_said_to_be_called(void **state)
{
	CLEANUP(trial_clear) struct trial trial = trial_of("aten::cudnn_batch_norm", "");
	struct result_verdict verdict;
	struct judgement judgement = judge(*state, &trial, "musa@v2.7.1", &verdict);

	assert_int_equal(judgement.status, OP_UNSUPPORTED);
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
