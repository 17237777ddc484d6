/* What is known beside registrations: which releases a report means, what wins over what, and what follows for an answer. */
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "opdb/db/lists.h"
#include "opdb/model/dtype.h"
#include "opdb/db/meant.h"
#include "opdb/db/note.h"
#include "opdb/resolve/history.h"
#include "tests/unit/opdb_fixture.h"

static size_t count_of(const struct fixture *fixture, enum target_kind target, const struct release_set *set)
{
	size_t count, found = 0;
	const struct release *releases = opdb_target_releases(fixture->db, target, &count);

	for (size_t i = 0; i < count; i++)
		found += release_set_has(set, &releases[i]);
	return found;
}

static void a_report_means_the_releases_that_its_versions_name(void **state)
{
	static const struct {
		struct versions_named told;
		const char *release; /* one of those meant */
		size_t count;        /* 0: any number */
	} cases[] = {
		{ { TARGET_NPU, STR("2.1.0"), STR("2.1.0.post10"), STR("") }, "npu@v2.1.0-6.0.0", 1 },
		{ { TARGET_NPU, STR("2.7.1"), STR("7.3.0"), STR("") }, "npu@v2.7.1-7.3.0", 1 },
		{ { TARGET_NPU, STR("2.12"), STR(""), STR("") }, "npu@v2.12.0-26.1.0", 0 },
		{ { TARGET_NPU, STR("2.15.0.dev20260812"), STR("master 15514cc70"), STR("") }, "npu@master", 1 },
		{ { TARGET_MUSA, STR(""), STR("1.3.0+81caf0a"), STR("") }, "musa@v1.3.0", 1 },
		{ { TARGET_MUSA, STR(""), STR("v2.7.1"), STR("") }, "musa@v2.7.1", 1 },
		{ { TARGET_MUSA, STR(""), STR("<1.3.0"), STR("") }, "musa@v1.0.0", 0 },
		{ { TARGET_MUSA, STR(""), STR("<2.11.0.post2"), STR("") }, "musa@v2.7.1", 0 },
		/* tag v2.0.0 is of 2025: in 2023 it was a version of PyTorch */
		{ { TARGET_MUSA, STR(""), STR("2.0.0+git63348e6"), STR("2023-09-07") }, "musa@v1.0.0", 2 },
		{ { TARGET_MUSA, STR(""), STR("2.0.0"), STR("2025-09-07") }, "musa@v2.0.0", 1 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		bool told;
		struct release_set set = releases_meant(((struct fixture *)*state)->db, &cases[i].told, &told);
		struct target target = target_named(*state, cases[i].release);

		assert_true(told);
		if (!release_set_has(&set, target.release))
			fail_msg("case %zu does not mean %s", i, cases[i].release);
		if (cases[i].count && count_of(*state, cases[i].told.target, &set) != cases[i].count)
			fail_msg("case %zu means %zu releases", i, count_of(*state, cases[i].told.target, &set));
	}
}

static void a_report_without_versions_means_every_release(void **state)
{
	const struct fixture *fixture = *state;
	struct versions_named told = { TARGET_MUSA, STR(""), STR(""), STR("2025-01-01") };
	struct release_set set;
	bool has_versions;
	size_t count;

	set = releases_meant(fixture->db, &told, &has_versions);
	opdb_target_releases(fixture->db, TARGET_MUSA, &count);
	assert_false(has_versions);
	assert_int_equal(count_of(fixture, TARGET_MUSA, &set), count);
}

static void chips_are_found_in_a_sentence(void **state)
{
	unsigned old = chips_named(TARGET_NPU, STR("Ascend910A has no bf16"));

	(void)state;
	assert_true(old && !(old & (old - 1)));
	assert_int_equal(chips_named(TARGET_NPU, STR("310P, 910A")), chips_named(TARGET_NPU, STR("a 310P card")) | old);
	assert_int_equal(chips_named(TARGET_NPU, STR("A2 and A3 are too short to be sure")), 0);
	assert_int_equal(chips_named(TARGET_MUSA, STR("910B")), 0);
}

/* --- on a database of its own, with reports that a test writes */

/* Replaces the reports and facts about aten::relu by those that are given, and opens the database again. */
static void say(struct fixture *fixture, const char *rows)
{
	CLEANUP(buf_clear) struct buf sql = BUF_INIT(1 << 16);
	struct err err = { 0 };
	sqlite3 *sqlite;

	resolver_free(fixture->resolver);
	opdb_close(fixture->db);
	assert_int_equal(sqlite3_open(fixture->path, &sqlite), SQLITE_OK);
	buf_printf(&sql, "DELETE FROM reported; DELETE FROM api_operator;");
	if (*rows)
		buf_printf(&sql,
			"INSERT INTO reported (ns, base, target, op, torch, plugin, observed, detail, source, date,"
			" chip, dtype, confidence, condition)"
			" VALUES %s;",
			rows);
	assert_int_equal(sqlite3_exec(sqlite, buf_text(&sql), NULL, NULL, NULL), SQLITE_OK);
	sqlite3_close(sqlite);
	assert_int_equal(opdb_open(fixture->path, &fixture->db, &err), 0);
	fixture->resolver = resolver_new(fixture->db);
}

#define REPORT(torch, plugin, observed, detail, date)                                                                  \
	"('aten', 'relu', 'npu', 'relu', '" torch "', '" plugin "', '" observed "', '" detail                          \
	"', 'https://example.org/r', '" date "', '', '', '', '')"

static void a_failure_on_the_release_lowers_what_is_certain(void **state)
{
	struct answer answer;

	say(*state, REPORT("2.7.1", "26.0.0", "not_implemented", "crashes", "2026-09-01"));
	answer = answer_on(*state, "npu@v2.7.1-26.0.0", "relu", READING_REACHED);
	assert_int_equal(answer.status, OP_NATIVE); /* what is registered stays so */
	assert_int_equal(answer.certain, OP_UNSUPPORTED);
	assert_true(answer.flags & FLAG_REPORTED_BROKEN);
	assert_str(answer.evidence[answer.evidence_count - 1].ref, "https://example.org/r");
	assert_int_equal(answer.evidence[answer.evidence_count - 1].kind, EVIDENCE_REPORT);
	answer = answer_on(*state, "npu@v2.7.1-26.1.0", "relu", READING_REACHED);
	assert_int_equal(answer.certain, OP_NATIVE);
	assert_false(answer.flags & FLAG_REPORTED_BROKEN);
}

static void a_fallback_without_a_version_is_a_flag_alone(void **state)
{
	struct answer answer;

	say(*state, REPORT("", "", "cpu_fallback", "slow", "2026-09-01"));
	answer = answer_on(*state, "npu@v2.7.1-26.0.0", "relu", READING_REACHED);
	assert_int_equal(answer.certain, OP_NATIVE);
	assert_true(answer.flags & FLAG_HOST_PATH);
}

static void the_more_specific_report_wins_and_the_loser_stays(void **state)
{
	struct answer answer;

	say(*state, REPORT("", "", "not_implemented", "crashes", "2026-09-09") "," REPORT(
			    "2.7.1", "26.0.0", "native", "runs", "2026-09-01"));
	answer = answer_on(*state, "npu@v2.7.1-26.0.0", "relu", READING_REACHED);
	assert_false(answer.flags & FLAG_REPORTED_BROKEN);
	assert_int_equal(answer.notes[0].note->kind, NOTE_RUNS);
	for (size_t i = 0, lost = 0; i <= answer.note_count; i++) {
		if (i == answer.note_count)
			assert_int_equal(lost, 1);
		else
			lost += answer.notes[i].lost;
	}
	/* elsewhere nothing is more specific */
	answer = answer_on(*state, "npu@v2.7.1-26.1.0", "relu", READING_REACHED);
	assert_true(answer.flags & FLAG_REPORTED_BROKEN);
}

static void the_newer_report_wins_among_equals(void **state)
{
	struct answer answer;

	say(*state, REPORT("2.7.1", "26.0.0", "dtype_limited", "complex64 rejected", "2026-01-01") "," REPORT(
			    "2.7.1", "26.0.0", "native", "complex64", "2026-02-01"));
	answer = answer_on(*state, "npu@v2.7.1-26.0.0", "relu", READING_REACHED);
	assert_true(answer.accepted & DTYPE_COMPLEX64);
	assert_false(answer.refused & DTYPE_COMPLEX64);
	say(*state, REPORT("2.7.1", "26.0.0", "dtype_limited", "complex64 rejected", "2026-03-01") "," REPORT(
			    "2.7.1", "26.0.0", "native", "complex64", "2026-02-01"));
	answer = answer_on(*state, "npu@v2.7.1-26.0.0", "relu", READING_REACHED);
	assert_true(answer.refused & DTYPE_COMPLEX64);
	assert_true(answer.flags & FLAG_DTYPE_LIMITED);
}

static void a_type_that_ran_on_the_release_is_refused_by_no_kernel(void **state)
{
	struct answer answer;

	say(*state, "");
	answer = answer_on(*state, "npu@v2.7.1-26.0.0", "relu", READING_REACHED);
	assert_true(answer.barred & answer.refused & answer.units.refused & DTYPE_COMPLEX64);
	say(*state, REPORT("2.7.1", "26.0.0", "native", "complex64", "2026-02-01"));
	answer = answer_on(*state, "npu@v2.7.1-26.0.0", "relu", READING_REACHED);
	assert_false((answer.barred | answer.refused | answer.units.refused) & DTYPE_COMPLEX64);
	assert_true(answer.barred & answer.refused & answer.units.refused & DTYPE_COMPLEX128);
	answer = answer_on(*state, "npu@v2.7.1-7.3.0", "relu", READING_REACHED);
	assert_true(answer.barred & answer.refused & answer.units.refused & DTYPE_COMPLEX64);
}

static void reports_can_be_left_out(void **state)
{
	struct fixture *fixture = *state;
	struct answer answer;

	say(fixture, REPORT("2.7.1", "26.0.0", "not_implemented", "crashes", "2026-09-01"));
	resolver_without_reported(fixture->resolver);
	answer = answer_on(fixture, "npu@v2.7.1-26.0.0", "relu", READING_REACHED);
	assert_int_equal(answer.certain, OP_NATIVE);
	assert_false(answer.flags & FLAG_REPORTED_BROKEN);
}

static void an_old_chip_has_no_bf16_and_a_new_one_has(void **state)
{
	struct answer answer;

	say(*state, "");
	answer = answer_on(*state, "npu@v2.7.1-26.0.0:310P", "relu", READING_REACHED);
	assert_true(answer.refused & DTYPE_BF16);
	answer = answer_on(*state, "npu@v2.7.1-26.0.0:910B", "relu", READING_REACHED);
	assert_false(answer.refused & DTYPE_BF16);
}

static void the_ai_cpu_is_named_with_its_types(void **state)
{
	struct answer answer;

	say(*state, "");
	answer = answer_on(*state, "npu@v2.7.1-26.0.0", "mul", READING_REACHED);
	assert_int_equal(answer.slow, DTYPE_INT16 | DTYPE_FP64 | DTYPE_COMPLEX128);
	answer = answer_on(*state, "npu@v2.7.1-26.0.0", "sort", READING_REACHED);
	assert_true(answer.flags & FLAG_AICPU);
	answer = answer_on(*state, "musa@v2.7.1", "mul", READING_REACHED);
	assert_false(answer.flags & FLAG_AICPU);
}

static void layouts_without_a_kernel_are_told(void **state)
{
	struct answer answer;

	say(*state, "");
	answer = answer_on(*state, "musa@v2.7.1", "addmm", READING_REACHED);
	assert_int_equal(answer.layouts, LAYOUT_SPARSE | LAYOUT_SPARSE_CSR);
	answer = answer_on(*state, "musa@v2.7.1", "relu", READING_REACHED);
	assert_false(answer.layouts & LAYOUT_SPARSE && !answer.overload_count);
}

static void history_tells_runs_and_backports(void **state)
{
	const struct fixture *fixture = *state;
	struct target target = target_named(fixture, "npu@v2.7.1-26.0.0");
	struct history history;
	struct err err = { 0 };

	assert_int_equal(resolve_history(fixture->resolver, &target,
				 &(struct op_query){ .ns = STR("aten"), .base = STR("isin") }, &history, &err),
		0);
	assert_str(history.earliest->date, "2023-12-30");
	for (size_t i = 0; i < history.count; i++) {
		assert_true(history.transitions[i].last->place >= history.transitions[i].release->place);
		if (i)
			assert_true(history.transitions[i].release->place > history.transitions[i - 1].last->place);
	}
	for (size_t i = 0; i < history.backport_count; i++)
		assert_true(history.backports[i]->torch_place < history.earliest->torch_place);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_report_means_the_releases_that_its_versions_name),
		cmocka_unit_test(a_report_without_versions_means_every_release),
		cmocka_unit_test(chips_are_found_in_a_sentence),
		cmocka_unit_test(history_tells_runs_and_backports),
		cmocka_unit_test(a_failure_on_the_release_lowers_what_is_certain),
		cmocka_unit_test(a_fallback_without_a_version_is_a_flag_alone),
		cmocka_unit_test(the_more_specific_report_wins_and_the_loser_stays),
		cmocka_unit_test(the_newer_report_wins_among_equals),
		cmocka_unit_test(a_type_that_ran_on_the_release_is_refused_by_no_kernel),
		cmocka_unit_test(reports_can_be_left_out),
		cmocka_unit_test(an_old_chip_has_no_bf16_and_a_new_one_has),
		cmocka_unit_test(the_ai_cpu_is_named_with_its_types),
		cmocka_unit_test(layouts_without_a_kernel_are_told),
	};

	return cmocka_run_group_tests(tests, fixture_build, fixture_clean);
}
