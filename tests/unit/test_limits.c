/* Limits: one table, set by name, never below what the program needs to run. */
#include "base/memory/buf.h"
#include "base/setup/limits.h"
#include "tests/unit/check.h"

static uint64_t value_of(const struct limits *limits, const struct limit_key *key)
{
	uint64_t value;

	memcpy(&value, (const char *)limits + key->offset, sizeof(value));
	return value;
}

static void every_member_has_one_row_and_a_default_within_its_bounds(void **state)
{
	struct limits limits = limits_default();

	assert_int_equal(limit_key_count, sizeof(struct limits) / sizeof(uint64_t));
	for (size_t i = 0; i < limit_key_count; i++) {
		const struct limit_key *key = &limit_keys[i];

		assert_true(value_of(&limits, key) == key->initial);
		assert_true(key->initial >= key->min && key->initial <= key->max);
		assert_true(strlen(key->help) > 10);
		for (size_t j = 0; j < i; j++) {
			assert_int_not_equal(key->offset, limit_keys[j].offset);
			assert_string_not_equal(key->name, limit_keys[j].name);
		}
	}
}

static void a_limit_is_set_by_name_with_an_optional_unit(void **state)
{
	static const struct {
		const char *assignment;
		uint64_t value;
	} cases[] = {
		{ "line-bytes=256", 256 },
		{ "line-bytes=64K", 64 << 10 },
		{ "line-bytes=2M", 2 << 20 },
		{ "line-bytes=1G", 1 << 30 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct limits limits = limits_default(), changed;
		struct err err = { 0 };

		assert_int_equal(limits_set(&limits, str_from(cases[i].assignment), &err), 0);
		assert_int_equal(limits.line_bytes, cases[i].value);
		changed = limits_default();
		changed.line_bytes = limits.line_bytes;
		assert_memory_equal(&limits, &changed, sizeof(limits));
	}
}

static void a_limit_answers_to_its_earlier_name_in_the_unit_of_that(void **state)
{
	struct limits limits = limits_default(), untouched;
	struct err err = { 0 };

	assert_int_equal(limits_set(&limits, STR("window-events=4K"), &err), 0);
	assert_int_equal(limits.sort_bytes, 4096 * LIMITS_EVENT_BYTES);
	untouched = limits;
	assert_int_equal(limits_set(&limits, STR("window-events=1"), &err), -ERR_VALUE);
	assert_true(strstr(err.text, "window-events needs a whole number from 2 to ") != NULL);
	assert_int_equal(
		limits_set(&limits, STR("window-events=384307168202282327"), &err), -ERR_VALUE); /* times 48 wraps */
	assert_memory_equal(&limits, &untouched, sizeof(limits));
}

static void what_is_no_assignment_changes_nothing_and_is_an_error(void **state)
{
	static const char *const cases[] = { "", "=", "=5", "line-bytes", "line-bytes=", "line-bytes=0",
		"line-bytes=255", "line-bytes=-1", "line-bytes=1.5M", "line-bytes=1m", "line-bytes=1MB", "line-bytes=M",
		"line-bytes= 512", "line-bytes=18446744073709551616", "line-bytes=18014398509481984K",
		"line-bytes=17179869184G", "line-bytes=18014398509481985K", "line-bytes=17179869185G", "line-bytes=2G",
		"lines=5", "LINE-BYTES=512", "line-bytes=512=512", "names=4294967296" };

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct limits limits = limits_default(), untouched = limits_default();
		struct err err = { 0 };

		if (limits_set(&limits, str_from(cases[i]), &err) != -ERR_VALUE)
			fail_msg("\"%s\" is taken", cases[i]);
		assert_memory_equal(&limits, &untouched, sizeof(limits));
		assert_true(strlen(err.text) > 0 && strlen(err.hint) > 0);
	}
}

static void every_limit_takes_its_own_bounds(void **state)
{
	for (size_t i = 0; i < limit_key_count; i++) {
		const struct limit_key *key = &limit_keys[i];
		const uint64_t bounds[] = { key->min, key->max };

		for (size_t j = 0; j < ARRAY_SIZE(bounds); j++) {
			CLEANUP(buf_clear) struct buf text = BUF_INIT(100);
			struct limits limits = limits_default();
			struct err err;

			buf_printf(&text, "%s=%llu", key->name, (unsigned long long)bounds[j]);
			assert_int_equal(limits_set(&limits, buf_str(&text), &err), 0);
			assert_true(value_of(&limits, key) == bounds[j]);
		}
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_member_has_one_row_and_a_default_within_its_bounds),
		cmocka_unit_test(a_limit_is_set_by_name_with_an_optional_unit),
		cmocka_unit_test(a_limit_answers_to_its_earlier_name_in_the_unit_of_that),
		cmocka_unit_test(what_is_no_assignment_changes_nothing_and_is_an_error),
		cmocka_unit_test(every_limit_takes_its_own_bounds),
	};

	return run_group(tests);
}
