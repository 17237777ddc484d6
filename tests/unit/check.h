#pragma once
/* What every unit test needs: cmocka, and the run of the tests of one file. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/memory/mem.h"
#include "base/value/words.h"

#define run_group(tests) cmocka_run_group_tests(tests, NULL, NULL)

/* Fails unless a struct str has this text, and shows both. */
#define assert_str(actual, expected)                                                                                   \
	do {                                                                                                           \
		struct str assert_actual = (actual), assert_expected = str_from(expected);                             \
		if (!str_eq(assert_actual, assert_expected))                                                           \
			fail_msg("\"%.*s\" is not \"%.*s\"", STR_ARG(assert_actual), STR_ARG(assert_expected));        \
	} while (0)

/* The value of a word that a table of cases has. */
static inline unsigned enum_of(const struct words *words, const char *word)
{
	unsigned value;

	if (!word_find(words, str_from(word), &value))
		fail_msg("no word \"%s\"", word);
	return value;
}
