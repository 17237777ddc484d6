/* Shapes as profilers print them: whole, cut, nested, and what only looks like one. */
#include "op/shape.h"
#include "tests/unit/check.h"

static void a_text_is_cut_when_its_brackets_do_not_balance(void **state)
{
	static const struct {
		const char *text;
		bool cut;
	} cases[] = {
		{ "[[2, 3, 8, 8], [8], []]", false },
		{ "[]", false },
		{ "", false },
		{ "my label", false },
		{ "[[2, 3, 8", true },
		{ "[", true },
		{ "[[2, 3], [8]", true },
		{ "[[2], ", true },
		{ "[[[2], [3]], []]", false },
		{ "[[]]", false },
		{ "[[]]]", false },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		assert_int_equal(shape_text_is_cut(str_from(cases[i].text)), cases[i].cut);
}

static void json_is_compact_and_holds_the_whole_arguments_of_a_cut_text(void **state)
{
	static const struct {
		const char *text, *json;
	} cases[] = {
		{ "[[2, 3, 8, 8], [8], []]", "[[2,3,8,8],[8],[]]" },
		{ "[]", "[]" },
		{ "[[]]", "[[]]" },
		{ "[[[2, 2], [3]], [], [1]]", "[[[2,2],[3]],[],[1]]" },
		{ "[[-1, 0]]", "[[-1,0]]" },
		{ "[[999999999999999]]", "[[999999999999999]]" },
		{ "[ [ 1 , 2 ] , [ ] ]", "[[1,2],[]]" },
		{ "[[007]]", "[[7]]" },
		{ "[[2, 3], [8, 9", "[[2,3]]" },
		{ "[[2, 3], [8, 9]", "[[2,3],[8,9]]" },
		{ "[[2, 3], ", "[[2,3]]" },
		{ "[[2, 3]", "[[2,3]]" },
		{ "[[2, 3", "[]" },
		{ "[[[2], [3], [4", "[]" },
		{ "[", "[]" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		CLEANUP(buf_clear) struct buf json = BUF_INIT(1000);

		assert_true(shape_put_json(&json, str_from(cases[i].text)));
		assert_str(buf_str(&json), cases[i].json);
	}
}

/* Whatever gets through here stands raw in a JSON report. */
static void what_is_no_list_of_lists_of_numbers_adds_nothing(void **state)
{
	static const char *const cases[] = { "", "  ", "my label", "[[1 2]]", "[[1,,2]]", "[[1,]]", "[,]", "[[1], ]",
		"[[,1]]", "[1]", "[1, [2]]", "[[1]] [[2]]", "[[1]][[2]]", "[[1]]x", "[[1]],", "[[1]]]", "]", "[[x]]",
		"[['</script>']]", "[[1.5]]", "[[--1]]", "[[-]]", "[[1e3]]", "[[+1]]", "[[[[1]]]]",
		"[[1000000000000000]]", "[[99999999999999999999]]", "[[1] [2]]", "[[1\t, 2]]", "[(1, 2)]",
		"[[1], None]", "[[\xd9\xa1]]", "1", "[[1]x, [2" };

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		CLEANUP(buf_clear) struct buf json = BUF_INIT(1000);
		struct arena arena = ARENA_INIT(ARENA_UNLIMITED);
		struct shape shape = { .count = 77 };

		buf_add(&json, STR("x"));
		if (shape_put_json(&json, str_from(cases[i])))
			fail_msg("\"%s\" becomes %s", cases[i], buf_text(&json));
		assert_str(buf_str(&json), "x");
		assert_false(shape_parse(&arena, str_from(cases[i]), &shape));
		assert_int_equal(shape.count, 77);
		arena_clear(&arena);
	}
}

static void every_size_knows_its_place(void **state)
{
	static const struct shape_size want[] = { { 0, 0, 0, 2 }, { 0, 0, 1, 3 }, { 2, 0, 0, 4 }, { 2, 1, 0, 5 },
		{ 2, 1, 1, 6 }, { 3, 0, 0, -1 } };
	struct arena arena = ARENA_INIT(ARENA_UNLIMITED);
	struct shape shape;

	assert_true(shape_parse(&arena, STR("[[2, 3], [], [[4], [5, 6]], [-1]]"), &shape));
	assert_int_equal(shape.arguments, 4);
	assert_int_equal(shape.count, ARRAY_SIZE(want));
	for (size_t i = 0; i < ARRAY_SIZE(want); i++) {
		assert_int_equal(shape.sizes[i].argument, want[i].argument);
		assert_int_equal(shape.sizes[i].tensor, want[i].tensor);
		assert_int_equal(shape.sizes[i].dim, want[i].dim);
		assert_int_equal(shape.sizes[i].size, want[i].size);
	}
	arena_clear(&arena);
}

static void of_a_cut_text_only_certain_sizes_are_taken(void **state)
{
	static const struct {
		const char *text;
		size_t count;
	} cases[] = { { "[[2, 3], [8, 91", 3 }, { "[[2, 3], [8, ", 3 }, { "[[2, 3], [8", 2 }, { "[[2, 3], [-", 2 },
		{ "[[2, 3]", 2 }, { "[", 0 } };

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct arena arena = ARENA_INIT(ARENA_UNLIMITED);
		struct shape shape;

		assert_true(shape_parse(&arena, str_from(cases[i].text), &shape));
		assert_int_equal(shape.count, cases[i].count);
		arena_clear(&arena);
	}
}

static void a_shape_that_is_too_large_is_refused_before_memory_is_taken(void **state)
{
	CLEANUP(buf_clear) struct buf text = BUF_INIT(1 << 24);
	struct arena arena = ARENA_INIT(1 << 20);
	struct shape shape;

	buf_add(&text, STR("[[1"));
	for (size_t i = 0; i < 70000; i++)
		buf_add(&text, STR(", 1"));
	buf_add(&text, STR("]]"));
	assert_false(shape_parse(&arena, buf_str(&text), &shape));
	assert_int_equal(arena.used_bytes, 0);
	assert_false(shape_parse(&arena, str_sub(buf_str(&text), 0, 205000), &shape));
	assert_int_equal(arena.used_bytes, 0);
	arena_clear(&arena);
}

static void texts_that_differ_in_sizes_alone_are_told_from_others(void **state)
{
	static const struct {
		const char *a, *b;
		bool alike;
	} cases[] = {
		{ "[[2, 3], []]", "[[2, 3], []]", true },
		{ "[[2, 3], []]", "[[160, 1], []]", true },
		{ "[[2, 3, 8", "[[2, 3, 16", true },
		{ "", "", true },
		{ "[[2, 3], []]", "[[2], []]", false },
		{ "[[2, 3], []]", "[[2, 3], [4]]", false },
		{ "[[2, 3], []]", "[[2, -3], []]", false },
		{ "[[2]]", "[[2]", false },
		{ "[[12], [3]]", "[[1, 3]]", false },
		{ "[[12]]", "[[1]]", true },
		{ "[[12], [31]]", "[[1], [301]]", true },
		{ "[[]]", "[[1]]", false },
		{ "[[1]]", "[[1111111111111111]]", false },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		assert_int_equal(shape_differs_in_sizes(str_from(cases[i].a), str_from(cases[i].b)), cases[i].alike);
		assert_int_equal(shape_differs_in_sizes(str_from(cases[i].b), str_from(cases[i].a)), cases[i].alike);
	}
}

static void an_arena_without_room_is_no_shape(void **state)
{
	struct arena arena = ARENA_INIT(10);
	struct shape shape = { .count = 77 };

	assert_false(shape_parse(&arena, STR("[[1]]"), &shape));
	assert_int_equal(shape.count, 77);
	arena_clear(&arena);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_text_is_cut_when_its_brackets_do_not_balance),
		cmocka_unit_test(json_is_compact_and_holds_the_whole_arguments_of_a_cut_text),
		cmocka_unit_test(what_is_no_list_of_lists_of_numbers_adds_nothing),
		cmocka_unit_test(every_size_knows_its_place),
		cmocka_unit_test(of_a_cut_text_only_certain_sizes_are_taken),
		cmocka_unit_test(a_shape_that_is_too_large_is_refused_before_memory_is_taken),
		cmocka_unit_test(texts_that_differ_in_sizes_alone_are_told_from_others),
		cmocka_unit_test(an_arena_without_room_is_no_shape),
	};

	return run_group(tests);
}
