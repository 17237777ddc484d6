/* What people call a release: every form of DESIGN.md, every row of the table of versions, and what is refused. */
#include "opdb/db/lists.h"
#include "opdb/text/tsv.h"
#include "tests/unit/opdb_fixture.h"

static void every_form_means_one_release(void **state)
{
	static const struct {
		const char *spec, *torch, *id;
	} cases[] = {
		{ "npu", "", "npu@v2.12.0-26.1.0" },
		{ "musa", "", "musa@v2.7.1" },
		{ "npu", "2.7.1", "npu@v2.7.1-26.1.0" },
		{ "npu", "2.7.1+cpu", "npu@v2.7.1-26.1.0" },
		{ "npu", "v2.6.0", "npu@v2.6.0-7.3.0" },
		{ "musa", "2.2.0", "musa@v2.0.1" },
		{ "npu@2.7.1", "", "npu@v2.7.1-26.1.0" },
		{ "npu@2.7.1", "2.7.1", "npu@v2.7.1-26.1.0" },
		{ "npu@1.8.1", "", "npu@v1.8.1-3.0.0" },
		{ "npu@2.2.0", "", "npu@v2.2.0-6.0.rc2" }, /* release candidates alone */
		{ "npu@2.7.1.post4", "", "npu@v2.7.1-26.0.0" },
		{ "npu@pip-2.7.1", "", "npu@v2.7.1-7.2.0" },
		{ "npu@pip-2.7.1.post4", "", "npu@v2.7.1-26.0.0" },
		{ "npu@1.11.0.rc1", "", "npu@v1.11.0-3.0.rc3" },
		{ "npu@1.11.0.rc1（beta）", "", "npu@v1.11.0-3.0.rc3" },
		{ "npu@cann-9.0.0", "2.8.0", "npu@v2.8.0-26.0.0" },
		{ "npu@cann-8.0.rc1", "2.2.0", "npu@v2.2.0-6.0.rc1" },
		{ "npu@cann-7.0.RC1", "2.0.1", "npu@v2.0.1-5.0.rc3" },
		{ "npu@v2.7.1-26.0.0", "", "npu@v2.7.1-26.0.0" },
		{ "npu@2.7.1-26.0.0", "", "npu@v2.7.1-26.0.0" },
		{ "npu@master", "", "npu@master" },
		{ "npu@v2.7.1", "", "npu@v2.7.1" }, /* the branch of that name is a development head */
		{ "npu@2.7.1-dev", "", "npu@v2.7.1" },
		{ "npu@v2.7.1-dev", "", "npu@v2.7.1" },
		{ "musa@v2.0.0", "", "musa@v2.0.0" },
		{ "musa@2.0.0", "2.2.0", "musa@v2.0.0" },
		{ "musa@2.0.0", "2.0.0", "musa@v1.2.1" },
		{ "musa@2.7.1", "", "musa@v2.7.1" },
		{ "musa@2.5.0", "", "musa@v2.5.0" },
		{ "musa@2.2.0", "", "musa@v2.0.1" },
		{ "musa@2.1.0", "", "musa@v2.1.0" }, /* no release is for a torch of that number */
		{ "musa@2.0.0-pt25", "", "musa@v2.0.0-pt25" },
		{ "npu:910B", "", "npu@v2.12.0-26.1.0:910B" },
		{ "npu@2.7.1:910B", "", "npu@v2.7.1-26.1.0:910B" },
		{ "npu@2.7.1:Ascend910B3", "", "npu@v2.7.1-26.1.0:910B3" },
		{ "npu@2.7.1:310p", "", "npu@v2.7.1-26.1.0:310P" },
		{ "npu@2.7.1:910A", "", "npu@v2.7.1-26.1.0:910A" },
		{ "npu@2.7.1:910_95", "", "npu@v2.7.1-26.1.0:910_95" },
		{ "musa@2.7.1:S4000", "", "musa@v2.7.1:S4000" },
	};
	const struct fixture *fixture = *state;

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct target target = { .release = NULL };
		struct err err = { 0 };

		if (target_resolve(fixture->db, str_from(cases[i].spec), str_from(cases[i].torch), &target, &err))
			fail_msg("%s: %s", cases[i].spec, err.text);
		assert_string_equal(target.id, cases[i].id);
		assert_true(str_starts(str_from(target.id), target.release->id));
	}
}

static void what_means_nothing_or_too_much_is_an_error_with_a_hint(void **state)
{
	static const struct {
		const char *spec, *torch;
		enum err_code code;
		const char *hint; /* a part of it */
	} cases[] = {
		{ "cuda", "", ERR_TARGET, "npu@2.7.1" },
		{ "", "", ERR_TARGET, "npu@2.7.1" },
		{ "NPU", "", ERR_TARGET, "npu" },
		{ "npu@", "", ERR_TARGET, "npu" },
		{ "npu@2.7.1:", "", ERR_TARGET, "npu@2.7.1" },
		{ "npu@2.7.2", "", ERR_TARGET, "npu@2.7.1" },
		{ "npu@v2.7.1-26.0.1", "", ERR_TARGET, "nearest: npu@v2.7.1-26.0.0" },
		{ "musa@v2.7.2", "", ERR_TARGET, "nearest: musa@v2.7." },
		{ "npu@cann-9.9.9", "", ERR_TARGET, "" },
		{ "npu@1.5.0.post8", "", ERR_TARGET, "opcheck targets" }, /* in the table of versions, without facts */
		{ "npu", "2.13.0", ERR_TARGET, "opcheck targets" },       /* master alone is for it */
		{ "npu@2.7.1", "2.6.0", ERR_TARGET, "npu@v2.6.0-7.3.0" },
		{ "npu@v2.7.1-26.0.0", "2.6.0", ERR_TARGET, "npu@v2.6.0-7.3.0" },
		{ "npu@2.7.1:XYZ", "", ERR_TARGET, "910A, 310P, 910B, 310B, 910_93, 950" },
		{ "npu@2.7.1:S4000", "", ERR_TARGET, "910B" },
		{ "musa@2.7.1:910B", "", ERR_TARGET, "S4000" },
		{ "musa@2.0.0", "", ERR_AMBIGUOUS, "musa@v1.2.1 (torch 2.0.0), musa@v2.0.0 (torch 2.2.0)" },
		{ "npu@cann-9.0.0", "", ERR_AMBIGUOUS,
			"npu@v2.7.1-26.0.0 (torch 2.7.1), npu@v2.8.0-26.0.0 (torch 2.8.0)" },
		{ "npu@\033[2J", "", ERR_TARGET, "" },
	};
	const struct fixture *fixture = *state;

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct target target = { .release = NULL };
		struct err err = { 0 };

		assert_int_equal(
			target_resolve(fixture->db, str_from(cases[i].spec), str_from(cases[i].torch), &target, &err),
			-(int)cases[i].code);
		if (!strstr(err.hint, cases[i].hint))
			fail_msg("%s: hint \"%s\"", cases[i].spec, err.hint);
		assert_string_not_equal(err.hint, "");
		assert_null(strchr(err.text, '\033'));
		assert_null(target.release);
	}
}

/* A row of npu/versions.tsv means its release by pip version and by CANN with torch; one without facts means none. */
static void check_version_row(const struct fixture *fixture, const struct tsv *row)
{
	bool known = !str_has(row->cells[4], STR("no-facts"));
	const char *const prefixes[] = { "npu@pip-", "npu@cann-" };

	for (size_t i = 0; i < ARRAY_SIZE(prefixes); i++) {
		CLEANUP(buf_clear) struct buf spec = BUF_INIT(200);
		struct target target;
		struct err err = { 0 };
		int code;

		if (!row->cells[1 + i].len)
			continue; /* the row names no pip version */
		buf_printf(&spec, "%s%.*s", prefixes[i], STR_ARG(row->cells[1 + i]));
		code = target_resolve(fixture->db, buf_str(&spec), row->cells[0], &target, &err);
		assert_int_equal(code, known ? 0 : -ERR_TARGET);
		if (known)
			assert_true(str_eq(target.release->name, row->cells[3]));
	}
}

static void every_row_of_the_table_of_versions_means_its_release(void **state)
{
	CLEANUP(buf_clear) struct buf path = BUF_INIT(4096);
	CLEANUP(buf_clear) struct buf text = BUF_INIT(1 << 20);
	struct err err = { 0 };
	struct tsv tsv;
	size_t rows = 0;

	source_path(&path, "opdb/npu/versions.tsv");
	file_read(buf_text(&path), &text);
	assert_int_equal(
		tsv_open(&tsv, STR("versions.tsv"), buf_str(&text), STR("torch pip cann release remark source"), &err),
		0);
	for (; tsv_next(&tsv, &err) > 0; rows++)
		check_version_row(*state, &tsv);
	assert_int_equal(rows, 62);
}

static void every_release_is_found_by_its_id_and_by_its_aliases(void **state)
{
	const struct fixture *fixture = *state;
	struct arena arena = ARENA_INIT(1 << 20);
	size_t count, named = 0;
	const struct release *releases = opdb_releases(fixture->db, &count);

	assert_int_equal(count, 87);
	for (size_t i = 0; i < count; i++) {
		struct alias_list aliases;
		struct target target;
		struct err err = { 0 };

		assert_int_equal(target_resolve(fixture->db, releases[i].id, STR(""), &target, &err), 0);
		assert_ptr_equal(target.release, &releases[i]);
		assert_int_equal(target_aliases(fixture->db, &releases[i], &arena, &aliases, &err), 0);
		for (size_t n = 0; n < aliases.count; n++, named++) {
			assert_int_equal(target_resolve(fixture->db, aliases.items[n], STR(""), &target, &err), 0);
			assert_ptr_equal(target.release, &releases[i]);
		}
	}
	assert_true(named > 120);
	arena_clear(&arena);
}

static void a_release_tells_its_versions_and_what_happens_without_a_kernel(void **state)
{
	const struct release *release = target_named(*state, "npu@v2.1.0-6.0.rc1").release;

	assert_str(release->torch, "2.1.0");
	assert_str(release->plugin, "6.0.rc1");
	assert_str(release->cann, "8.0.RC1");
	assert_str(release->pip, "2.1.0.post3, 2.1.0.post4");
	assert_str(release->date, "2024-11-28");
	assert_str(release->fallback, "runs on the CPU through a boxed fallback, one warning per operator");
	assert_int_equal(release->kind, RELEASE_CANDIDATE);
	release = target_named(*state, "musa").release;
	assert_str(release->cann, "");
	assert_str(release->fallback, "raises, no CPU fallback");
	assert_int_equal(release->kind, RELEASE_FINAL);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_form_means_one_release),
		cmocka_unit_test(what_means_nothing_or_too_much_is_an_error_with_a_hint),
		cmocka_unit_test(every_row_of_the_table_of_versions_means_its_release),
		cmocka_unit_test(every_release_is_found_by_its_id_and_by_its_aliases),
		cmocka_unit_test(a_release_tells_its_versions_and_what_happens_without_a_kernel),
	};

	return cmocka_run_group_tests(tests, fixture_build, fixture_clean);
}
