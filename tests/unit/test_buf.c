/* The growing text: its maximum, and that passing it is never half done. */
#include <stdlib.h>

#include "base/memory/buf.h"
#include "tests/unit/check.h"

static void an_empty_buffer_is_an_empty_text(void **state)
{
	struct buf buf = BUF_INIT(10);
	char *taken;

	assert_str(buf_str(&buf), "");
	assert_string_equal(buf_text(&buf), "");
	buf_add(&buf, STR(""));
	assert_str(buf_str(&buf), "");
	assert_false(buf.full);
	buf_clear(&buf);
	taken = buf_take(&buf);
	assert_string_equal(taken, "");
	free(taken);
}

static void appends_follow_each_other_and_end_in_a_nul(void **state)
{
	struct buf buf = BUF_INIT(1 << 20);

	for (unsigned i = 0; i < 1000; i++) {
		buf_printf(&buf, "%03u", i);
		buf_byte(&buf, ',');
		buf_add(&buf, (struct str){ "a\0b", 3 });
		assert_int_equal(buf.ptr[buf.len], '\0');
	}
	assert_int_equal(buf.len, 7000);
	assert_memory_equal(buf.ptr + 6993, "999,a\0b", 7);
	buf_clear(&buf);
}

static void the_maximum_itself_is_allowed(void **state)
{
	struct buf buf = BUF_INIT(6);

	buf_add(&buf, STR("abc"));
	buf_printf(&buf, "%d", 123);
	assert_false(buf.full);
	assert_str(buf_str(&buf), "abc123");
	buf_clear(&buf);
}

static void past_the_maximum_nothing_is_added_any_more(void **state)
{
	struct buf buf = BUF_INIT(6);

	buf_add(&buf, STR("abcd"));
	buf_add(&buf, STR("efg"));
	assert_true(buf.full);
	assert_str(buf_str(&buf), "abcd");
	buf_byte(&buf, 'x');
	buf_printf(&buf, "%s", "");
	assert_str(buf_str(&buf), "abcd");
	assert_true(buf.full);
	buf_clear(&buf);
	assert_false(buf.full);
	buf_add(&buf, STR("again"));
	assert_str(buf_str(&buf), "again");
	buf_clear(&buf);
}

static void a_buffer_without_room_refuses_the_first_byte(void **state)
{
	struct buf buf = BUF_INIT(0);

	buf_add(&buf, STR(""));
	assert_false(buf.full);
	buf_byte(&buf, 'x');
	assert_true(buf.full);
	assert_str(buf_str(&buf), "");
	buf_clear(&buf);
}

static void resetting_empties_the_text_and_forgets_that_it_was_full(void **state)
{
	struct buf buf = BUF_INIT(4);

	buf_reset(&buf);
	assert_str(buf_str(&buf), "");
	buf_add(&buf, STR("abc"));
	buf_add(&buf, STR("de"));
	buf_reset(&buf);
	assert_string_equal(buf_text(&buf), "");
	buf_add(&buf, STR("de"));
	assert_str(buf_str(&buf), "de");
	assert_false(buf.full);
	buf_clear(&buf);
}

static void taking_hands_the_text_over_and_leaves_the_maximum(void **state)
{
	struct buf buf = BUF_INIT(5);
	char *taken;

	buf_add(&buf, STR("abcde"));
	taken = buf_take(&buf);
	assert_string_equal(taken, "abcde");
	assert_null(buf.ptr);
	assert_int_equal(buf.max_bytes, 5);
	free(taken);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_empty_buffer_is_an_empty_text),
		cmocka_unit_test(appends_follow_each_other_and_end_in_a_nul),
		cmocka_unit_test(the_maximum_itself_is_allowed),
		cmocka_unit_test(past_the_maximum_nothing_is_added_any_more),
		cmocka_unit_test(a_buffer_without_room_refuses_the_first_byte),
		cmocka_unit_test(resetting_empties_the_text_and_forgets_that_it_was_full),
		cmocka_unit_test(taking_hands_the_text_over_and_leaves_the_maximum),
	};

	return run_group(tests);
}
