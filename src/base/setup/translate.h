#pragma once
/*
 * Errors and help in another language than English. The English text in the code is the key of a table, which has
 * pairs of lines:
 *
 *	unknown option '--%s'
 *		未知选项 '--%s'
 *
 * Both have the same conversions in the same order (tests/cli/test_chinese.py). Set once, before threads begin.
 */
#include <stdbool.h>

/* Take a table, "" for English; the text outlives its use. */
void translation_set(const char *table);

/* Let errors of this thread be English until it ends, for those that become part of a report. */
void translation_pause(bool paused);

/* Returns the text in the language set; the English one if the table lacks it. */
const char *translated(const char *english) __attribute__((format_arg(1)));
