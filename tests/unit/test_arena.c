/* Memory that is given back at once: alignment, budget, and that nothing in it moves or overlaps. */
#include <stdalign.h>

#include "base/memory/arena.h"
#include "tests/unit/check.h"
#include "tests/unit/random.h"

static void memory_is_zeroed_aligned_and_never_shared(void **state)
{
	enum { PIECES = 2000 };
	static struct {
		unsigned char *bytes;
		size_t len;
	} pieces[PIECES];
	struct arena arena = ARENA_INIT(ARENA_UNLIMITED);
	uint64_t seed = 7;

	for (size_t i = 0; i < PIECES; i++) {
		size_t len = random_below(&seed, i % 50 ? 300 : 100000);

		pieces[i].bytes = arena_alloc(&arena, len);
		pieces[i].len = len;
		assert_int_equal((uintptr_t)pieces[i].bytes % alignof(max_align_t), 0);
		for (size_t j = 0; j < len; j++)
			assert_int_equal(pieces[i].bytes[j], 0);
		memset(pieces[i].bytes, (int)(i % 255 + 1), len);
	}
	for (size_t i = 0; i < PIECES; i++) {
		for (size_t j = 0; j < pieces[i].len; j++)
			assert_int_equal(pieces[i].bytes[j], i % 255 + 1);
	}
	arena_clear(&arena);
}

static void a_joined_arena_holds_what_both_held(void **state)
{
	struct arena one = ARENA_INIT(ARENA_UNLIMITED), other = ARENA_INIT(ARENA_UNLIMITED);
	struct str first = arena_keep(&one, STR("first")), second = arena_keep(&other, STR("second"));
	size_t used_bytes = one.used_bytes + other.used_bytes;

	arena_join(&one, &other);
	assert_int_equal(one.used_bytes, used_bytes);
	assert_int_equal(other.used_bytes, 0);
	arena_clear(&other);
	assert_str(first, "first");
	assert_str(second, "second");
	assert_str(arena_keep(&one, STR("third")), "third");
	arena_join(&other, &one); /* into an empty one */
	assert_str(second, "second");
	arena_clear(&other);
}

static void large_pieces_do_not_waste_the_block_for_small_ones(void **state)
{
	struct arena arena = ARENA_INIT(ARENA_UNLIMITED);
	size_t wanted = 0;

	for (size_t i = 0; i < 200; i++) {
		wanted += 20000 + 16;
		assert_non_null(arena_alloc(&arena, 20000));
		assert_non_null(arena_alloc(&arena, 16));
	}
	assert_true(arena.used_bytes < wanted + wanted / 10);
	arena_clear(&arena);
}

static void the_budget_counts_whole_blocks_and_is_never_passed(void **state)
{
	enum { BUDGET = 300000 };
	struct arena arena = ARENA_INIT(BUDGET);
	size_t pieces = 0;

	while (arena_alloc(&arena, 1000))
		pieces++;
	assert_true(pieces * 1000 > BUDGET / 2);
	assert_true(arena.used_bytes <= BUDGET);
	assert_null(arena_alloc(&arena, 100000));
	assert_true(arena.used_bytes <= BUDGET);
	arena_clear(&arena);
	assert_int_equal(arena.used_bytes, 0);
	assert_non_null(arena_alloc(&arena, 1000));
	arena_clear(&arena);
}

static void a_size_that_no_memory_has_is_refused(void **state)
{
	static const size_t sizes[] = { SIZE_MAX, SIZE_MAX - 15, SIZE_MAX - 31 };
	struct arena arena = ARENA_INIT(ARENA_UNLIMITED);

	for (size_t i = 0; i < ARRAY_SIZE(sizes); i++)
		assert_null(arena_alloc(&arena, sizes[i]));
	assert_int_equal(arena.used_bytes, 0);
	arena_clear(&arena);
}

static void a_copy_ends_in_a_nul_that_does_not_count(void **state)
{
	struct arena arena = ARENA_INIT(ARENA_UNLIMITED);
	char text[] = "aten::add";
	struct str copy = arena_keep(&arena, (struct str){ text, 4 }), empty = { NULL, 7 };

	text[0] = 'x';
	assert_str(copy, "aten");
	assert_int_equal(copy.ptr[4], '\0');
	assert_true(arena_copy(&arena, (struct str){ NULL, 0 }, &empty));
	assert_str(empty, "");
	arena_clear(&arena);
}

static void what_is_printed_or_kept_as_bytes_is_a_copy(void **state)
{
	struct arena arena = ARENA_INIT(ARENA_UNLIMITED);
	int numbers[] = { 1, 2 }, *kept = arena_keep_bytes(&arena, numbers, sizeof(numbers));
	struct str printed = arena_printf(&arena, "%s.%d", "add", 7);

	numbers[1] = 3;
	assert_int_equal(kept[1], 2);
	assert_str(printed, "add.7");
	assert_int_equal(printed.ptr[printed.len], '\0');
	assert_str(arena_printf(&arena, "%s", ""), "");
	assert_non_null(arena_keep_bytes(&arena, NULL, 0));
	arena_clear(&arena);
}

static void a_copy_over_the_budget_leaves_the_result_alone(void **state)
{
	struct arena arena = ARENA_INIT(100);
	struct str copy = STR("untouched");

	assert_false(arena_copy(&arena, STR("text"), &copy));
	assert_str(copy, "untouched");
	arena_clear(&arena);
}

static void what_is_reset_keeps_a_small_block_that_is_zeroed_again(void **state)
{
	enum { SMALL = 100, LARGE = 100000 };
	struct arena arena = ARENA_INIT(ARENA_UNLIMITED);
	const char zeros[SMALL] = { 0 };
	size_t kept;
	char *first;

	(void)state;
	arena_reset(&arena);
	first = memset(arena_alloc(&arena, SMALL), 'x', SMALL);
	kept = arena.used_bytes;
	memset(arena_alloc(&arena, LARGE), 'x', LARGE);
	arena_reset(&arena);
	assert_int_equal(arena.used_bytes, kept);
	assert_ptr_equal(arena_alloc(&arena, SMALL), first);
	assert_memory_equal(first, zeros, SMALL);
	arena_clear(&arena);
	arena_alloc(&arena, LARGE);
	arena_reset(&arena);
	assert_int_equal(arena.used_bytes, 0);
	arena_clear(&arena);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(memory_is_zeroed_aligned_and_never_shared),
		cmocka_unit_test(what_is_reset_keeps_a_small_block_that_is_zeroed_again),
		cmocka_unit_test(a_joined_arena_holds_what_both_held),
		cmocka_unit_test(large_pieces_do_not_waste_the_block_for_small_ones),
		cmocka_unit_test(the_budget_counts_whole_blocks_and_is_never_passed),
		cmocka_unit_test(a_size_that_no_memory_has_is_refused),
		cmocka_unit_test(a_copy_ends_in_a_nul_that_does_not_count),
		cmocka_unit_test(what_is_printed_or_kept_as_bytes_is_a_copy),
		cmocka_unit_test(a_copy_over_the_budget_leaves_the_result_alone),
	};

	return run_group(tests);
}
