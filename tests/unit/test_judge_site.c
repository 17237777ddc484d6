/* What becomes of a site's facts about some types once a dump shows types, or does not. */
#include "assess/judge/judge.h"
#include "opdb/db/overlay.h"
#include "tests/unit/opdb_fixture.h"

#define HEADER "# op\ttarget\treleases\tchip\tdtypes\tstatus\tflags\treason\tevidence\tdate\n"

static struct profile *profile_of(const char *dtypes)
{
	struct limits limits = limits_default();
	struct profile *profile = profile_new(&limits);
	struct event_sink sink = profile_sink(profile, STR(""));
	struct table_end end = { .footer_cpu_ns = -1, .footer_device_ns = -1, .share_ppm = -1 };
	struct op_row row = { .name = STR("aten::mm"),
		.overload = STR(""),
		.shapes = STR("[[2, 2], [2, 2]]"),
		.dtypes = str_from(dtypes),
		.calls = 1,
		.self_cpu_ns = 1000,
		.cpu_total_ns = 1000 };
	unsigned stream = sink.stream(sink.ctx, STR(""));

	sink.table_begin(sink.ctx, stream, TABLE_HAS_SHAPES | TABLE_HAS_TIMES | (dtypes[0] ? TABLE_HAS_DTYPES : 0));
	sink.rows(sink.ctx, stream, &row, 1);
	sink.table_end(sink.ctx, stream, &end);
	profile_finish(profile);
	return profile;
}

struct outcome {
	struct judgement judgement;
	size_t limits; /* conditions of overlays */
};

/* aten::mm with these types, judged on musa with one line of overlay. */
static struct outcome judge_line(const struct fixture *fixture, const char *line, const char *dtypes)
{
	struct arena arena = ARENA_INIT(ARENA_UNLIMITED);
	CLEANUP(buf_clear) struct buf text = BUF_INIT(4096);
	struct profile *profile = profile_of(dtypes);
	struct name_lookup nothing = { NULL };
	struct operators operators;
	struct call_facts call_facts;
	struct judge judge;
	struct fixture laid = *fixture;
	struct judgement judged;
	struct outcome outcome = { 0 };
	struct err err = { 0 };
	struct target target;

	buf_printf(&text, "%s%s", HEADER, line);
	if (opdb_open(fixture->path, &laid.db, &err) ||
		opdb_add_overlay_text(laid.db, STR("site.tsv"), buf_str(&text), &err))
		fail_msg("%s: %s", err.where, err.text);
	laid.resolver = resolver_new(laid.db);
	target = target_named(&laid, "musa@v2.7.1");
	operators_gather(&arena, profile, &nothing, &operators);
	assert_int_equal(operators.count, 1);
	judge = (struct judge){ .arena = &arena,
		.resolver = laid.resolver,
		.profile = profile,
		.operators = &operators,
		.call_facts = &call_facts };
	assert_int_equal(call_facts_gather(&judge, &call_facts, &err), 0);
	assert_int_equal(judge_operator(&judge, &target, 0, &judged, &err), 0);
	outcome.judgement = judged;
	for (size_t i = 0; i < judged.verdict.condition_count; i++)
		outcome.limits += strcmp(judged.verdict.conditions[i].id, "op-overlay-limit") == 0;
	resolver_free(laid.resolver);
	opdb_close(laid.db);
	profile_free(profile);
	arena_clear(&arena);
	return outcome;
}

static void a_fact_about_types_falls_away_where_the_dump_shows_others(void **state)
{
	static const struct {
		const char *dtypes;
		size_t limits;
		enum op_status worst;
	} cases[] = {
		{ "", 1, OP_CPU_FALLBACK }, /* nothing is shown */
		{ "['float', 'float']", 0, OP_NATIVE },
		{ "['c10::BFloat16', 'float']", 1, OP_CPU_FALLBACK },
		{ "['double', 'double']", 1, OP_CPU_FALLBACK },
	};
	static const char line[] = "aten::mm\tmusa\t*\t.\tbf16 fp64\tcpu-fallback\t.\twhy\tseen\t.\n";

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct outcome outcome = judge_line(*state, line, cases[i].dtypes);

		if (outcome.limits != cases[i].limits || outcome.judgement.worst != cases[i].worst)
			fail_msg("%s: %zu limits, worst %.*s", cases[i].dtypes, outcome.limits,
				STR_ARG(op_status_name(outcome.judgement.worst)));
		assert_int_equal(outcome.judgement.verdict.status, OP_NATIVE);
		assert_int_equal(!!(outcome.judgement.verdict.flags & FLAG_OVERLAY), cases[i].limits);
	}
}

static void flags_of_the_site_stay_whatever_the_dump_shows(void **state)
{
	static const char line[] = "aten::mm\tmusa\t*\t.\t.\t.\taicpu reported-broken\twhy\tseen\t.\n";
	static const char *const shown[] = { "", "['float', 'float']" };

	for (size_t i = 0; i < ARRAY_SIZE(shown); i++) {
		struct outcome outcome = judge_line(*state, line, shown[i]);

		assert_int_equal(outcome.limits, 0);
		assert_int_equal(outcome.judgement.verdict.flags & (FLAG_AICPU | FLAG_REPORTED_BROKEN | FLAG_OVERLAY),
			FLAG_AICPU | FLAG_REPORTED_BROKEN | FLAG_OVERLAY);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_fact_about_types_falls_away_where_the_dump_shows_others),
		cmocka_unit_test(flags_of_the_site_stay_whatever_the_dump_shows),
	};

	return cmocka_run_group_tests(tests, fixture_build, fixture_clean);
}
