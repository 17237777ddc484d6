/* Configuration: what wins, what is refused and where, and which file is found. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check/asked/config.h"
#include "check/asked/config_keys.h"
#include "tests/unit/check.h"
#include "tests/unit/temporary.h"

struct options {
	struct str lang, format, baseline;
	struct str_list targets, waivers;
	struct limits limits;
	bool expired;
};

static int set_limit(void *ctx, struct str value, struct err *err)
{
	return limits_set(&((struct options *)ctx)->limits, value, err);
}

static const struct option table[] = {
	{ 't', "target", "T", "", LIST(options, targets) },
	{ 0, "lang", "L", "", FIELD(options, lang) },
	{ 0, "format", "F", "", FIELD(options, format) },
	{ 0, "waivers", "W", "", LIST(options, waivers) },
	{ 0, "baseline", "B", "", FIELD(options, baseline) },
	{ 0, "fail-on-expired-waiver", NULL, "", FIELD(options, expired) },
	{ 0, "limit", "N", "", CALL(set_limit) },
	{ 0 },
};

/* "lang=en target=npu,musa ..." of what was set. */
static void put_options(struct buf *out, const struct options *options)
{
	buf_printf(out,
		"lang=%.*s format=%.*s baseline=%.*s expired=%d lines=%u shapes=%u targets=", STR_ARG(options->lang),
		STR_ARG(options->format), STR_ARG(options->baseline), options->expired,
		(unsigned)options->limits.line_bytes, (unsigned)options->limits.shapes);
	for (size_t i = 0; i < options->targets.count; i++)
		buf_printf(out, "%s,", options->targets.items[i].ptr);
	buf_add(out, STR(" waivers="));
	for (size_t i = 0; i < options->waivers.count; i++)
		buf_printf(out, "%s,", options->waivers.items[i].ptr);
}

static void hold(const char *near, const char *far, const char *wanted)
{
	CLEANUP(buf_clear) struct buf out = BUF_INIT(4000);
	struct options options = {
		.lang = STR(""), .format = STR(""), .baseline = STR(""), .limits = limits_default()
	};
	struct config config = config_of(config_keys());
	bool given[8] = { [2] = true };
	struct err err = { 0 };

	if (config_read_text(&config, str_from(near), "/repo/.opcheck.conf", true, &err) ||
		config_read_text(&config, str_from(far), "/home/opcheck.conf", false, &err) ||
		config_apply(&config, &(struct config_use){ "check", table, given, &options }, &err))
		fail_msg("%s: %s", err.where, err.text);
	put_options(&out, &options);
	assert_str(buf_str(&out), wanted);
	free(options.targets.items);
	free(options.waivers.items);
	config_clear(&config);
}

static void the_nearest_file_wins_key_by_key(void **state)
{
	hold("", "", "lang= format= baseline= expired=0 lines=1048576 shapes=100000 targets= waivers=");
	hold("target = npu\ntarget = musa\n", "target = npu@2.1.0\nlang = zh\n",
		"lang=zh format= baseline= expired=0 lines=1048576 shapes=100000 targets=npu,musa, waivers=");
	hold("format = json\n", "format = csv\n",
		"lang= format= baseline= expired=0 lines=1048576 shapes=100000 targets= waivers=");
	hold("[limits]\nline-bytes = 2K\n", "[limits]\nline-bytes = 4K\nshapes = 7\n",
		"lang= format= baseline= expired=0 lines=2048 shapes=7 targets= waivers=");
	hold("[gate]\nwaivers = ci/w.txt\nwaivers = /abs.txt\nfail-on-expired-waiver = true\n",
		"[gate]\nbaseline = b.json\n",
		"lang= format= baseline=/home/b.json expired=1 lines=1048576 shapes=100000 targets= "
		"waivers=/repo/ci/w.txt,/abs.txt,");
	hold("[gate]\nfail-on-expired-waiver = false\n", "[gate]\nfail-on-expired-waiver = true\n",
		"lang= format= baseline= expired=0 lines=1048576 shapes=100000 targets= waivers=");
}

static void variables_win_over_files(void **state)
{
	setenv("OPCHECK_TARGET", "npu@2.1.0, musa", 1);
	setenv("OPCHECK_WAIVERS", "a:b c", 1);
	setenv("OPCHECK_LIMIT", "shapes=9", 1);
	setenv("OPCHECK_LANG", "de", 1); /* whoever wants a language reads it */
	setenv("OPCHECK_FORMAT", "", 1);
	hold("target = npu\nlang = zh\n[gate]\nwaivers = x\n[limits]\nshapes = 3\nline-bytes = 512\n", "",
		"lang= format= baseline= expired=0 lines=512 shapes=9 targets=npu@2.1.0,musa, waivers=a,b c,");
	unsetenv("OPCHECK_TARGET");
	unsetenv("OPCHECK_WAIVERS");
	unsetenv("OPCHECK_LIMIT");
	unsetenv("OPCHECK_LANG");
	unsetenv("OPCHECK_FORMAT");
}

static void a_wrong_variable_is_named(void **state)
{
	static const struct {
		const char *name, *value;
	} cases[] = { { "OPCHECK_FORMAT", "pdf" }, { "OPCHECK_LIMIT", "shapes=none" },
		{ "OPCHECK_FAIL_ON_EXPIRED_WAIVER", "1" } };

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct options options = { .limits = limits_default() };
		struct config config = config_of(config_keys());
		bool given[8] = { false };
		struct err err = { 0 };

		setenv(cases[i].name, cases[i].value, 1);
		assert_int_equal(config_apply(&config, &(struct config_use){ "check", table, given, &options }, &err),
			-ERR_CONFIG);
		assert_string_equal(err.where + 1, cases[i].name);
		unsetenv(cases[i].name);
		config_clear(&config);
	}
}

static void wrong_settings_are_refused_with_file_and_line(void **state)
{
	static const struct {
		const char *text, *where, *message;
	} cases[] = {
		{ "\ntargt = npu\n", "x.conf:2", "unknown setting 'targt'" },
		{ "fail-on = unsupported\n", "x.conf:1", "unknown setting 'fail-on'" },
		{ "[gates]\n", "x.conf:1", "no section 'gates'" },
		{ "lang =\n", "x.conf:1", "'lang' has no value" },
		{ "lang = en\nlang = zh\n", "x.conf:2", "'lang' is already set in line 1" },
		{ "lang = de\n", "x.conf:1", "no language 'de'" },
		{ "color = red\n", "x.conf:1", "color is auto, always or never, not 'red'" },
		{ "format = pdf\n", "x.conf:1", "no format 'pdf'" },
		{ "[gate]\nfail-on = nothing\n", "x.conf:2", "the gate does not know 'nothing'" },
		{ "[gate]\nmin-readiness = most\n", "x.conf:2",
			"min-readiness takes a share from 0% to 100%, not 'most'" },
		{ "[gate]\nfail-on-expired-waiver = yes\n", "x.conf:2", "'yes' is not true or false" },
		{ "[limits]\nlines = 3\n", "x.conf:2", "unknown limit" },
		{ "[limits]\nshapes = 0\n", "x.conf:2", "limit shapes needs a whole number from 1 to 2147483648" },
		{ "server = http://example.org\n", "x.conf:1", "'server' cannot be set by the file of a repository" },
		{ "no setting\n", "x.conf:1", "'no setting' is not a setting" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct config config = config_of(config_keys());
		struct err err = { 0 };

		assert_int_equal(config_read_text(&config, str_from(cases[i].text), "x.conf", true, &err), -ERR_CONFIG);
		assert_string_equal(err.where, cases[i].where);
		assert_string_equal(err.text, cases[i].message);
		config_clear(&config);
	}
}

static void touch(const char *path)
{
	FILE *file = fopen(path, "we");

	assert_non_null(file);
	fclose(file);
}

static bool finds(const char *directory, const char *wanted)
{
	struct config config = config_of(config_keys());
	struct str found;
	bool as_wanted;

	assert_int_equal(chdir(directory), 0);
	found = config_find(&config, ".x.conf");
	as_wanted = wanted ? str_ends(found, str_from(wanted)) && found.len : !found.len;
	config_clear(&config);
	return as_wanted;
}

static void parents_count_up_to_the_root_of_the_repository(void **state)
{
	char directory[PATH_MAX];

	assert_non_null(mkdtemp(temporary_path(directory, sizeof(directory))));
	assert_int_equal(chdir(directory), 0);
	assert_true(!mkdir("outer", 0700) && !mkdir("outer/repo", 0700) && !mkdir("outer/repo/a", 0700) &&
		    !mkdir("outer/repo/a/b", 0700) && !mkdir("outer/repo/.git", 0700) && !mkdir("loose", 0700));
	touch(".x.conf");
	touch("outer/.x.conf");
	assert_true(finds(directory, "/.x.conf"));
	assert_true(finds("loose", NULL)); /* no repository: what lies above is not looked at */
	assert_true(finds("../outer/repo/a/b", NULL));
	touch("../../.x.conf");
	assert_true(finds(".", "/outer/repo/.x.conf"));
	touch("../.x.conf");
	assert_true(finds(".", "/outer/repo/a/.x.conf"));
	assert_int_equal(chdir(directory), 0);
	assert_true(!unlink("outer/repo/a/.x.conf") && !unlink("outer/repo/.x.conf") && !unlink("outer/.x.conf") &&
		    !unlink(".x.conf"));
	assert_true(!rmdir("outer/repo/.git") && !rmdir("outer/repo/a/b") && !rmdir("outer/repo/a") &&
		    !rmdir("outer/repo") && !rmdir("outer") && !rmdir("loose"));
	assert_true(!chdir("/") && !rmdir(directory));
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_nearest_file_wins_key_by_key),
		cmocka_unit_test(variables_win_over_files),
		cmocka_unit_test(a_wrong_variable_is_named),
		cmocka_unit_test(wrong_settings_are_refused_with_file_and_line),
		cmocka_unit_test(parents_count_up_to_the_root_of_the_repository),
	};

	return run_group(tests);
}
