/* A site's own facts over the real ones: which of them wins where, and which text is refused. */
#include <stdio.h>

#include "base/value/sha256.h"
#include "opdb/db/lists.h"
#include "opdb/model/dtype.h"
#include "opdb/db/overlay.h"
#include "opdb/db/timing_facts.h"
#include "opdb/resolve/history.h"
#include "tests/unit/opdb_fixture.h"

#define HEADER "# op\ttarget\treleases\tchip\tdtypes\tstatus\tflags\treason\tevidence\tdate\n"
#define LINE(op, target, releases, chip, dtypes, status, flags)                                                        \
	op "\t" target "\t" releases "\t" chip "\t" dtypes "\t" status "\t" flags "\ta reason\tseen here\t.\n"

/* A handle of its own with one overlay. */
static struct fixture with_overlay(const struct fixture *fixture, const char *text)
{
	struct fixture laid = *fixture;
	struct err err = { 0 };

	if (opdb_open(fixture->path, &laid.db, &err) ||
		opdb_add_overlay_text(laid.db, STR("site.tsv"), str_from(text), &err))
		fail_msg("%s: %s", err.where, err.text);
	laid.resolver = resolver_new(laid.db);
	return laid;
}

static void clear(struct fixture *laid)
{
	resolver_free(laid->resolver);
	opdb_close(laid->db);
}

static void an_overlay_wins_and_shows_what_it_wins_over(void **state)
{
	struct fixture laid = with_overlay(*state,
		HEADER "aten::mm\tnpu\t*\t.\t.\tcpu-fallback\taicpu\tmeasured\thttps://wiki.example/mm\t2026-01-02\n");
	struct answer answer = answer_on(&laid, "npu@v2.7.1-26.0.0", "mm", READING_REACHED);

	assert_int_equal(answer.status, OP_CPU_FALLBACK);
	assert_int_equal(answer.explicit_status, OP_CPU_FALLBACK);
	assert_int_equal(answer.flags & (FLAG_OVERLAY | FLAG_AICPU), FLAG_OVERLAY | FLAG_AICPU);
	assert_true(str_starts(answer.via, STR("overlay site.tsv:2 (")));
	assert_true(str_ends(answer.via, STR("): measured; without it native: registered")));
	assert_str(evidence_kind_name(answer.evidence[0].kind), "overlay");
	assert_str(answer.evidence[0].ref, "https://wiki.example/mm");
	assert_str(answer.evidence[0].date, "2026-01-02");
	assert_true(str_starts(answer.evidence[1].ref, STR("https://github.com/Ascend/op-plugin/blob/")));
	answer = answer_on(&laid, "musa@v2.7.1", "mm", READING_REACHED);
	assert_int_equal(answer.status, OP_NATIVE);
	assert_int_equal(answer.flags & FLAG_OVERLAY, 0);
	clear(&laid);
}

static void the_more_specific_fact_wins_then_the_later_file(void **state)
{
	static const struct {
		const char *target, *name;
		enum op_status status;
	} cases[] = {
		{ "npu@v2.7.1-26.0.0", "add.Tensor", OP_UNSUPPORTED },       /* the overload itself */
		{ "npu@v2.7.1-26.0.0", "add.Scalar", OP_COMPOSITE },         /* the second file */
		{ "npu@v2.7.1-26.0.0:310P", "add.Scalar", OP_CPU_FALLBACK }, /* the chip */
		{ "npu@v2.7.1-26.0.0:910B", "add.Scalar", OP_COMPOSITE },
		{ "npu@v2.1.0-6.0.0", "add.Tensor", OP_NATIVE }, /* outside the span */
	};
	struct fixture laid = with_overlay(*state,
		HEADER LINE("aten::add", "npu", "2.7.1-7.2.0..2.7.1-26.0.0", ".", ".", "needs-package", ".")
			LINE("aten::add.Tensor", "npu", "2.7.1-26.0.0", ".", ".", "unsupported", ".")
				LINE("aten::add", "npu", "2.7.1-26.0.0", "310P", ".", "cpu-fallback", "."));
	struct err err = { 0 };

	assert_int_equal(
		opdb_add_overlay_text(laid.db, STR("later.tsv"),
			STR(HEADER LINE("aten::add", "npu", "2.7.1-26.0.0", ".", ".", "composite", ".")), &err),
		0);
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct answer answer = answer_on(&laid, cases[i].target, cases[i].name, READING_REACHED);

		if (answer.status != cases[i].status)
			fail_msg("%s on %s: %.*s", cases[i].name, cases[i].target,
				STR_ARG(op_status_name(answer.status)));
	}
	clear(&laid);
}

static void what_runs_through_another_overload_follows_its_fact(void **state)
{
	struct fixture laid = with_overlay(
		*state, HEADER LINE("aten::special_erfcx.out", "npu", "*", ".", ".", "unsupported", "."));
	struct answer answer = answer_on(&laid, "npu@v2.7.1-26.0.0", "special_erfcx", READING_REACHED);

	assert_int_equal(answer.status, OP_UNSUPPORTED);
	assert_int_equal(answer.flags & FLAG_OVERLAY, FLAG_OVERLAY);
	assert_true(str_starts(answer.via, STR("structured -> special_erfcx.out: overlay site.tsv:2")));
	clear(&laid);
}

static void flags_alone_leave_the_status(void **state)
{
	struct fixture laid = with_overlay(
		*state, HEADER LINE("aten::mm", "npu", "*", ".", ".", ".", "reported-broken"));
	struct answer answer = answer_on(&laid, "npu@v2.7.1-26.0.0", "mm", READING_REACHED);

	assert_int_equal(answer.status, OP_NATIVE);
	assert_int_equal(answer.flags & (FLAG_OVERLAY | FLAG_REPORTED_BROKEN), FLAG_OVERLAY | FLAG_REPORTED_BROKEN);
	assert_true(str_starts(answer.via, STR("registered; overlay site.tsv:2")));
	clear(&laid);
}

static void what_holds_for_a_dtype_or_an_unnamed_chip_is_possible_and_not_certain(void **state)
{
	struct fixture laid = with_overlay(*state,
		HEADER LINE("aten::mm", "npu", "*", ".", "bfloat16 float64", "cpu-fallback", ".")
			LINE("aten::mm", "npu", "*", "910A", ".", "unsupported", "."));
	struct answer answer = answer_on(&laid, "npu@v2.7.1-26.0.0", "mm", READING_REACHED);

	assert_int_equal(answer.status, OP_NATIVE);
	assert_int_equal(answer.site_limit_count, 2);
	assert_int_equal(answer.site_limits[0].dtypes, DTYPE_BF16 | DTYPE_FP64);
	assert_int_equal(answer.site_limits[0].status, OP_CPU_FALLBACK);
	assert_int_equal(answer.site_limits[0].flags, FLAG_OVERLAY | FLAG_DTYPE_LIMITED);
	assert_true(
		str_starts(answer.site_limits[0].text, STR("bfloat16 float64: cpu-fallback (overlay site.tsv:2 (")));
	assert_int_equal(answer.site_limits[1].status, OP_UNSUPPORTED);
	assert_int_equal(answer.site_limits[1].flags, FLAG_OVERLAY | FLAG_SOC_LIMITED);
	assert_true(str_starts(answer.site_limits[1].text, STR("910A: unsupported (overlay site.tsv:3 (")));
	answer = answer_on(&laid, "npu@v2.7.1-26.0.0:910A", "mm", READING_REACHED);
	assert_int_equal(answer.status, OP_UNSUPPORTED);
	assert_int_equal(answer.site_limit_count, 1);
	answer = answer_on(&laid, "npu@v2.7.1-26.0.0:910B", "mm", READING_REACHED);
	assert_int_equal(answer.status, OP_NATIVE);
	assert_int_equal(answer.site_limit_count, 1);
	assert_int_equal(answer.site_limits[0].status, OP_CPU_FALLBACK);
	clear(&laid);
}

static void operators_that_nobody_else_knows_may_have_facts(void **state)
{
	struct fixture laid = with_overlay(*state,
		HEADER LINE("ours::fused_step", "musa", "*", ".", ".", "native", ".")
			LINE("aten::lift_fresh", "npu", "1.11.0-5.0.0", ".", ".", "composite", "."));
	struct answer answer = answer_on(&laid, "musa@v2.7.1", "ours::fused_step", READING_REACHED);

	assert_int_equal(answer.status, OP_NATIVE);
	assert_int_equal(answer.flags & FLAG_OVERLAY, FLAG_OVERLAY);
	answer = answer_on(&laid, "npu@v2.7.1-26.0.0", "ours::fused_step", READING_REACHED);
	assert_int_equal(answer.status, OP_UNKNOWN);
	answer = answer_on(&laid, "npu@v1.11.0-5.0.0", "lift_fresh", READING_REACHED); /* not in that PyTorch */
	assert_int_equal(answer.status, OP_COMPOSITE);
	clear(&laid);
}

static void the_history_of_a_name_follows_it(void **state)
{
	struct fixture laid = with_overlay(
		*state, HEADER LINE("aten::mm", "musa", "2.7.1", ".", ".", "unsupported", "."));
	struct target target = target_named(&laid, "musa@v2.7.1");
	struct history history;
	struct err err = { 0 };

	assert_int_equal(resolve_history(laid.resolver, &target,
				 &(struct op_query){ .ns = STR("aten"), .base = STR("mm") }, &history, &err),
		0);
	assert_ptr_equal(history.since, target.release);
	assert_int_equal(history.transitions[history.count - 1].status, OP_UNSUPPORTED);
	clear(&laid);
}

/* Rows behind a good first one; the error is at line 3. */
static void a_line_that_cannot_be_right_is_refused_and_changes_nothing(void **state)
{
	static const struct {
		const char *line, *text;
	} cases[] = {
		{ LINE("mm", "npu", "*", ".", ".", "native", "."), "its namespace is missing" },
		{ LINE("aten::", "npu", "*", ".", ".", "native", "."), "is not an operator" },
		{ LINE("aten::mmm", "npu", "*", ".", ".", "native", "."), "unknown operator \"aten::mmm\"" },
		{ LINE("npu::npu_nothing", "npu", "*", ".", ".", "native", "."), "unknown operator" },
		{ LINE("aten::add.Nothing", "npu", "*", ".", ".", "native", "."), "unknown overload" },
		{ LINE("ours::step.out", "npu", "*", ".", ".", "native", "."), "unknown overload" },
		{ LINE("aten::mm", "cuda", "*", ".", ".", "native", "."), "is not a target" },
		{ LINE("aten::mm", "musa", ".", ".", ".", "native", "."), "no releases" },
		{ LINE("aten::mm", "musa", "2.7.1 9.9", ".", ".", "native", "."), "unknown release \"9.9\" of musa" },
		{ LINE("aten::mm", "musa", "2.7.1..1.3.0", ".", ".", "native", "."), "ends before it begins" },
		{ LINE("aten::mm", "musa", "*", "910B", ".", "native", "."), "unknown chip \"910B\"" },
		{ LINE("aten::mm", "musa", "*", ".", "float-16", "native", "."), "is not a list of dtypes" },
		{ LINE("aten::mm", "musa", "*", ".", ".", "fine", "."), "is not a status" },
		{ LINE("aten::mm", "musa", "*", ".", ".", ".", "overlay"), "is not a flag" },
		{ LINE("aten::mm", "musa", "*", ".", ".", ".", "."), "has neither a status nor a flag" },
		{ "aten::mm\tmusa\t*\t.\t.\tnative\t.\t.\tseen\t.\n", "no reason" },
		{ "aten::mm\tmusa\t*\t.\t.\tnative\t.\twhy\t.\t.\n", "no evidence" },
		{ "aten::mm\tmusa\t*\t.\t.\tnative\t.\twhy\tseen\t2026-1-1\n", "is not a date" },
		{ "aten::mm\tmusa\t*\n", "columns" },
		{ LINE("aten::bmm", "npu", "2.7.1-7.3.0", ".", ".", "native", "."), "line 2 has" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		CLEANUP(buf_clear) struct buf text = BUF_INIT(4096);
		struct fixture laid = with_overlay(*state, HEADER);
		struct err err = { 0 };
		size_t count;

		buf_printf(&text, "%s%s%s", HEADER,
			LINE("aten::bmm", "npu", "2.7.1-7.2.0..2.7.1-26.0.0", ".", ".", "unsupported", "."),
			cases[i].line);
		assert_int_equal(opdb_add_overlay_text(laid.db, STR("bad.tsv"), buf_str(&text), &err), -ERR_FACT);
		if (strcmp(err.where, "bad.tsv:3") != 0 || !strstr(err.text, cases[i].text))
			fail_msg("%s: %s, not %s", err.where, err.text, cases[i].text);
		opdb_overlays(laid.db, &count);
		assert_int_equal(count, 1);
		assert_int_equal(answer_on(&laid, "npu@v2.7.1-26.0.0", "bmm", READING_REACHED).status, OP_NATIVE);
		clear(&laid);
	}
}

/* The set of types with these bits, in words. */
static const char *types_of(unsigned set, char words[200])
{
	size_t len = 0;

	for (unsigned i = 0; i < DTYPE_COUNT; i++) {
		if (set >> i & 1)
			len += (size_t)snprintf(
				words + len, 200 - len, "%s%.*s", len ? " " : "", STR_ARG(dtype_name(i)));
	}
	return words;
}

static void one_name_has_so_many_lines_and_no_more(void **state)
{
	CLEANUP(buf_clear) struct buf text = BUF_INIT(1 << 20);
	struct fixture laid = with_overlay(*state, HEADER);
	struct err err = { 0 };

	buf_add(&text, STR(HEADER));
	for (unsigned i = 0; i < 5000; i++) {
		char words[200];

		buf_printf(&text, "aten::mm\tnpu\t*\t.\t%s\tnative\t.\twhy\tseen\t.\n", types_of(i + 1, words));
	}
	assert_int_equal(opdb_add_overlay_text(laid.db, STR("many.tsv"), buf_str(&text), &err), -ERR_FACT);
	assert_non_null(strstr(err.text, "more than 4096 lines about \"mm\""));
	clear(&laid);
}

static void a_file_is_bounded_and_known_by_its_digest(void **state)
{
	const struct fixture *fixture = *state;
	struct fixture laid = with_overlay(*state, HEADER);
	const struct overlay *overlays;
	struct scratch scratch;
	struct err err = { 0 };
	size_t count;

	scratch_make(&scratch);
	file_write(
		scratch_path(&scratch, "site.tsv"), STR(HEADER LINE("aten::mm", "npu", "*", ".", ".", "native", ".")));
	assert_int_equal(opdb_add_overlay(laid.db, scratch.path, 64, &err), -ERR_LIMIT);
	assert_int_equal(opdb_add_overlay(laid.db, "/nowhere/site.tsv", 4096, &err), -ERR_FACT);
	assert_int_equal(opdb_add_overlay(laid.db, scratch.path, 4096, &err), 0);
	overlays = opdb_overlays(laid.db, &count);
	assert_int_equal(count, 2);
	assert_str(overlays[1].name, "site.tsv");
	assert_int_equal(overlays[1].facts, 1);
	assert_int_equal(overlays[1].sha256.len, 64);
	assert_true(str_eq(opdb_info(laid.db)->sha256, opdb_info(fixture->db)->sha256));
	assert_false(str_eq(opdb_info(laid.db)->digest, opdb_info(fixture->db)->digest));
	assert_true(str_eq(opdb_info(fixture->db)->digest, opdb_info(fixture->db)->sha256));
	scratch_remove(&scratch);
	clear(&laid);
}

/* Reports name the file, so assessments by the same facts under another name differ. */
static void the_digest_is_that_of_names_facts_and_order(void **state)
{
	static const char facts[] = HEADER LINE("aten::mm", "npu", "*", ".", ".", "native", "."),
			  other[] = HEADER LINE("aten::mm", "npu", "*", ".", ".", "unsupported", ".");
	static const struct {
		const char *name, *text;
	} cases[][2] = {
		{ { "a.tsv", facts }, { "b.tsv", other } },
		{ { "a.tsv", facts }, { "c.tsv", other } },
		{ { "a.tsv", facts }, { "b.tsv", facts } },
		{ { "b.tsv", other }, { "a.tsv", facts } },
	};
	const struct fixture *fixture = *state;
	char digests[ARRAY_SIZE(cases)][SHA256_HEX_BYTES];

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct opdb *db;
		struct err err = { 0 };

		assert_int_equal(opdb_open(fixture->path, &db, &err), 0);
		for (size_t j = 0; j < ARRAY_SIZE(cases[i]); j++)
			assert_int_equal(
				opdb_add_overlay_text(db, str_from(cases[i][j].name), str_from(cases[i][j].text), &err),
				0);
		snprintf(digests[i], sizeof(digests[i]), "%.*s", STR_ARG(opdb_info(db)->digest));
		for (size_t j = 0; j < i; j++)
			assert_string_not_equal(digests[i], digests[j]);
		opdb_close(db);
	}
}

#define CHIPS "# chip\ttarget\tfamily\tfp32\ttf32\tfp16\tbf16\tint8\tbandwidth\tfloor\tassumed\tmeasured\tsource\n"
#define RATIOS "# class\tfamily\tbin\tp10\tp50\tp90\tcalls\tworkloads\n"

static void a_site_adds_chips_and_ratios_of_its_own(void **state)
{
	struct fixture laid = with_overlay(*state,
		CHIPS "910C\tnpu\tnpu\t90\t.\t400\t.\t.\t3200\t1.2\tfp16\t1\ta sheet\n"
		      "910B2\tnpu\tnpu\t1\t1\t2\t2\t3\t4\t5\t.\t1\tmeasured here\n");
	const struct timing_facts *facts;
	struct err err = { 0 };

	assert_int_equal(opdb_add_overlay_text(laid.db, STR("ratios.tsv"),
				 STR(RATIOS "matmul\tnpu\tl\t1.1\t1.2\t1.3\t100\t2\n"), &err),
		0);
	assert_int_equal(timing_facts_get(laid.db, &facts, &err), 0);
	assert_true(timing_chip(facts, STR("910C"))->peaks[PEAK_FP16] == 400);
	assert_int_equal(timing_chip(facts, STR("910C"))->assumed, 1 << PEAK_FP16);
	assert_true(timing_chip(facts, STR("910B2"))->bandwidth == 4); /* before the shipped one */
	assert_true(timing_ratio(facts, STR("npu"), WORK_MATMUL, BIN_LARGE)->ratios[RATIO_P50] == 1.2);
	clear(&laid);
}

static void a_bad_row_of_a_chip_is_refused_with_its_line(void **state)
{
	static const struct {
		const char *text, *where, *message;
	} cases[] = {
		{ CHIPS "910C\tnpu\tnpu\t90\t.\t.\t.\t.\t3200\t1.2\t.\t1\ta\n"
			"910D\tnpu\tnpu\tfast\t.\t.\t.\t.\t3200\t1.2\t.\t1\ta\n",
			"site.tsv:3", "the cell of column \"fp32\" does not fit" },
		{ CHIPS "910C\tcuda\tnpu\t90\t.\t.\t.\t.\t3200\t1.2\t.\t1\ta\n", "site.tsv:2",
			"the cell of column \"target\" does not fit" },
		{ CHIPS "910C\tnpu\tnpu\t90\t.\t.\t.\t.\t3200\t1.2\tfp32\t1\t.\n", "site.tsv:2",
			"the cell of column \"source\" does not fit" },
		{ RATIOS "matmul\tnpu\tx\t1.1\t1.2\t1.3\t100\t2\n", "site.tsv:2",
			"the cell of column \"bin\" does not fit" },
		{ RATIOS "matmul\tnpu\tl\t1.1\t1.2\t1.3\t100\n", "site.tsv:2", "expected 8 columns, found 7" },
	};
	const struct fixture *fixture = *state;

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		const struct timing_facts *facts;
		struct err err = { 0 };
		struct opdb *db;

		assert_int_equal(opdb_open(fixture->path, &db, &err), 0);
		assert_int_equal(opdb_add_overlay_text(db, STR("site.tsv"), str_from(cases[i].text), &err), -ERR_FACT);
		assert_string_equal(err.where, cases[i].where);
		assert_string_equal(err.text, cases[i].message);
		assert_int_equal(timing_facts_get(db, &facts, &err), 0);
		assert_null(timing_chip(facts, STR("910C")));
		opdb_close(db);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_overlay_wins_and_shows_what_it_wins_over),
		cmocka_unit_test(the_more_specific_fact_wins_then_the_later_file),
		cmocka_unit_test(what_runs_through_another_overload_follows_its_fact),
		cmocka_unit_test(flags_alone_leave_the_status),
		cmocka_unit_test(what_holds_for_a_dtype_or_an_unnamed_chip_is_possible_and_not_certain),
		cmocka_unit_test(operators_that_nobody_else_knows_may_have_facts),
		cmocka_unit_test(the_history_of_a_name_follows_it),
		cmocka_unit_test(a_line_that_cannot_be_right_is_refused_and_changes_nothing),
		cmocka_unit_test(one_name_has_so_many_lines_and_no_more),
		cmocka_unit_test(a_file_is_bounded_and_known_by_its_digest),
		cmocka_unit_test(the_digest_is_that_of_names_facts_and_order),
		cmocka_unit_test(a_site_adds_chips_and_ratios_of_its_own),
		cmocka_unit_test(a_bad_row_of_a_chip_is_refused_with_its_line),
	};

	return cmocka_run_group_tests(tests, fixture_build, fixture_clean);
}
