/* Errors: set once, completed by callers, mapped to exit statuses. */
#include <errno.h>
#include <stdio.h>

#include "base/setup/err.h"
#include "tests/unit/check.h"

static void setting_replaces_all_that_was_there(void **state)
{
	struct err err = { .code = 1, .where = "old", .text = "old", .hint = "old" };

	assert_int_equal(err_set(&err, ERR_FORMAT, "%s has %d bytes", "it", 3), -ERR_FORMAT);
	assert_int_equal(err.code, ERR_FORMAT);
	assert_string_equal(err.text, "it has 3 bytes");
	assert_string_equal(err.where, "");
	assert_string_equal(err.hint, "");
}

static void the_first_position_and_hint_stay(void **state)
{
	struct err err;

	err_set(&err, ERR_OPEN, "cannot open");
	assert_int_equal(err_where(&err, "line %d", 7), -ERR_OPEN);
	assert_int_equal(err_where(&err, "line %d", 8), -ERR_OPEN);
	assert_int_equal(err_hint(&err, "look %s", "here"), -ERR_OPEN);
	assert_int_equal(err_hint(&err, "look %s", "there"), -ERR_OPEN);
	assert_string_equal(err.where, "line 7");
	assert_string_equal(err.hint, "look here");
}

static void a_file_goes_before_the_position_in_it(void **state)
{
	struct err err;

	err_set(&err, ERR_LIMIT, "too long");
	assert_int_equal(err_file(&err, "a.log"), -ERR_LIMIT);
	assert_string_equal(err.where, "a.log");
	err_set(&err, ERR_LIMIT, "too long");
	err_where(&err, "byte %d", 4711);
	err_file(&err, "a.log");
	assert_string_equal(err.where, "a.log: byte 4711");
}

static void the_word_of_the_system_follows_the_text(void **state)
{
	struct err err;

	assert_int_equal(err_os(&err, ERR_OUTPUT, ENOSPC, "cannot %s", "write"), -ERR_OUTPUT);
	assert_string_equal(err.text, "cannot write: No space left on device");
}

static void long_texts_are_cut_and_end_in_a_nul(void **state)
{
	char text[2000];
	struct err err;

	memset(text, 'x', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	err_os(&err, ERR_OPEN, ENOENT, "%s", text);
	err_where(&err, "%s", text);
	err_hint(&err, "%s", text);
	assert_int_equal(strlen(err.text), sizeof(err.text) - 1);
	assert_int_equal(strlen(err.where), sizeof(err.where) - 1);
	assert_int_equal(strlen(err.hint), sizeof(err.hint) - 1);
	err_file(&err, text);
	assert_int_equal(strlen(err.where), sizeof(err.where) - 1);
}

static void the_thousands_are_the_exit_status(void **state)
{
	static const struct {
		int code, status;
	} cases[] = {
		{ 0, 0 },
		{ ERR_OPTION, 2 },
		{ ERR_OPEN, 3 },
		{ ERR_FACT, 4 },
		{ ERR_REPLY, 5 },
		{ ERR_OUTPUT, 6 },
		{ ERR_INTERNAL, 70 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		assert_int_equal(err_exit_status(cases[i].code), cases[i].status);
}

static void every_code_has_a_name_with_its_number(void **state)
{
	char name[16];
	int last = 0;
	size_t count = 0;

	for (int code; (code = err_code_at(count)); count++) {
		assert_true(code > last);
		last = code;
		snprintf(name, sizeof(name), "OPC-%d", code);
		assert_string_equal(err_name(code), name);
	}
	assert_int_equal(last, ERR_INTERNAL);
	assert_int_equal(err_code_at(SIZE_MAX), 0);
	assert_null(err_name(0));
	assert_null(err_name(1999));
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(setting_replaces_all_that_was_there),
		cmocka_unit_test(the_first_position_and_hint_stay),
		cmocka_unit_test(a_file_goes_before_the_position_in_it),
		cmocka_unit_test(the_word_of_the_system_follows_the_text),
		cmocka_unit_test(long_texts_are_cut_and_end_in_a_nul),
		cmocka_unit_test(the_thousands_are_the_exit_status),
		cmocka_unit_test(every_code_has_a_name_with_its_number),
	};

	return run_group(tests);
}
