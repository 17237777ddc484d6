#include "check/score/score_limit.h"

#include "base/memory/mem.h"
#include "base/view/ascii.h"
#include "opdb/model/argument_limit.h"
#include "opdb/model/dtype.h"

/* --- words */

/* Returns whether the text has the word, whatever its case; "groups" matches "group", 8 does not match 82. */
static bool names_word(struct str text, struct str word)
{
	if (word.len > 3 && word.ptr[word.len - 1] == 's')
		word.len--;
	for (size_t at = 0; word.len && at + word.len <= text.len; at++) {
		size_t end = at + word.len;
		bool whole = (!at || !is_word(text.ptr[at - 1])) &&
			     !(end < text.len && is_digit(word.ptr[0]) && is_digit(text.ptr[end]));

		if (whole && str_eq_fold(str_sub(text, at, end), word))
			return true;
	}
	return false;
}

/* --- one test: "rank:self>8" */

struct limit_test {
	struct str name, argument, rest; /* "rank", "self", "8" */
};

static bool next_test(struct str *tests, struct limit_test *ret)
{
	struct str joined = { 0 }, test;
	size_t end = 0;

	if (!tests->len || !str_cut(tests, ' ', &joined))
		return false;
	str_cut(&joined, '&', &test);
	str_cut(&test, ':', &ret->name);
	while (end < test.len && !str_has(STR(",<>@"), str_sub(test, end, end + 1)))
		end++;
	ret->argument = str_sub(test, 0, end);
	ret->rest = str_skip(test, end < test.len ? end + 1 : end);
	return true;
}

/* "larger than 8 dimensions", "only 4-D". */
static bool rank_is_told(struct str most, struct str detail)
{
	static const struct str exceeding[] = { STR("more than "), STR("larger than "), STR("only "), STR("at most "),
		STR("exceeds ") };

	for (size_t i = 0; i < ARRAY_SIZE(exceeding); i++) {
		size_t at = str_find(detail, exceeding[i]);
		struct str rest = str_skip(detail, at == STR_NONE ? detail.len : at + exceeding[i].len);

		if (str_starts(rest, most) && (str_starts(str_skip(rest, most.len), STR("-D")) ||
						      str_starts(str_skip(rest, most.len), STR(" dim"))))
			return true;
	}
	return false;
}

static bool test_is_told(const struct limit_test *test, struct str detail)
{
	if (str_eq(test->name, STR("always")))
		return true;
	if (str_eq(test->name, STR("rank")))
		return rank_is_told(test->rest, detail);
	if (str_eq(test->name, STR("count")))
		return names_word(detail, STR("empty"));
	if (str_eq(test->name, STR("length")) && str_starts(test->rest, STR("-1")) &&
		names_word(detail, STR("last dim")))
		return true;
	return names_word(detail, test->argument);
}

bool limit_is_told(const struct observation *row, const struct answer *answer)
{
	struct limit_test test;

	for (size_t i = 0; i < answer->argument_count; i++) {
		struct str tests = answer->arguments[i]->test;

		while (next_test(&tests, &test)) {
			if (!str_eq(test.name, STR("takes")) && test_is_told(&test, row->detail))
				return true;
		}
	}
	for (size_t i = 0; i < answer->library.collective_count; i++) {
		const struct collective_fact *fact = answer->library.collectives[i];

		if (!fact->supported && fact->reduce_op.len && names_word(row->detail, fact->reduce_op))
			return true;
	}
	return limit_types_told(row, answer);
}

unsigned limit_types_told(const struct observation *row, const struct answer *answer)
{
	struct limit_test test;
	unsigned told = 0;

	for (size_t i = 0; i < answer->argument_count; i++) {
		struct str tests = answer->arguments[i]->test;

		while (next_test(&tests, &test)) {
			unsigned taken = 0;
			struct str type;

			while (test.rest.len && str_cut(&test.rest, ',', &type))
				taken |= dtype_from(type);
			if (str_eq(test.name, STR("takes")) && test_is_told(&test, row->detail))
				told |= (row->types ? row->types : dtypes_named(row->detail).refused) & ~taken;
		}
	}
	return told;
}
