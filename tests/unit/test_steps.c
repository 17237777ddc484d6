/* The history of one operator in a stream: segments of equal sets, what joins and what leaves. */
#include "assess/shape/steps.h"
#include "tests/unit/check.h"
#include "tests/unit/sheets.h"

struct tale {
	struct arena arena;
	struct profile *profile;
	struct operators operators;
	struct usable_steps steps;
	struct op_history history; /* of the first operator */
};

static struct tale tell(const char *tables)
{
	struct tale tale = { .arena = ARENA_INIT(ARENA_UNLIMITED), .profile = profile_of_steps(tables) };
	struct name_lookup nothing = { .known = NULL };
	struct op_history *histories;

	operators_gather(&tale.arena, tale.profile, &nothing, &tale.operators);
	usable_steps_make(&tale.arena, tale.profile, 0, &tale.steps);
	histories = arena_alloc(&tale.arena, tale.operators.count * sizeof(histories[0]));
	op_histories_make(&tale.arena, tale.profile, &tale.steps, &tale.operators, histories);
	tale.history = histories[0];
	return tale;
}

static void tale_clear(struct tale *tale)
{
	arena_clear(&tale->arena);
	profile_free(tale->profile);
}

static void steps_are_numbered_without_the_compiling_ones(void **state)
{
	CLEANUP(tale_clear)
	struct tale tale = tell(
		"aten::a [[1]]; x (dynamo_timed) | aten::a [[2]] | aten::a [[3]]; x (dynamo_timed) | aten::a [[4]]");

	assert_int_equal(tale.steps.count, 2);
	assert_int_equal(tale.steps.left_out, 2);
	assert_int_equal(tale.steps.original[1], 2);
	assert_int_equal(tale.steps.original[2], 4);
}

/* "1-2:1 3:0 4:2": first and last step and the size of the set. */
static void assert_segments(const struct op_history *history, const char *want)
{
	CLEANUP(buf_clear) struct buf text = BUF_INIT(1000);

	for (size_t i = 0; i < history->count; i++) {
		const struct segment *segment = &history->segments[i];

		buf_printf(&text, i ? " %u" : "%u", segment->first);
		if (segment->last != segment->first)
			buf_printf(&text, "-%u", segment->last);
		buf_printf(&text, ":%u", segment->uses);
		assert_int_equal(segment->signature == 0, segment->uses == 0);
	}
	assert_str(buf_str(&text), want);
}

static void segments_cover_all_steps_and_differ_from_their_neighbours(void **state)
{
	static const struct {
		const char *tables, *segments;
	} cases[] = {
		{ "aten::a [[1]] | aten::a [[1]] | aten::a [[1]]", "1-3:1" },
		{ "aten::a [[1]] | aten::a [[2]] | aten::a [[1]]", "1:1 2:1 3:1" },
		{ "aten::a [[1]]; aten::a [[2]] | aten::a [[2]] | aten::a [[2]]", "1:2 2-3:1" },
		{ "aten::a [[1]] | aten::b [[1]] | aten::a [[1]]", "1:1 2:0 3:1" },
		{ "aten::a [[1]] | aten::b [[1]] | aten::b [[1]]", "1:1 2-3:0" },
		/* leaving a compiling step out joins what is equal on both sides of it */
		{ "aten::a [[1]] | aten::a [[2]]; x (dynamo_timed) | aten::a [[1]]", "1-2:1" },
		{ "aten::a [[1]]; x (dynamo_timed)", "" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		CLEANUP(tale_clear) struct tale tale = tell(cases[i].tables);

		assert_segments(&tale.history, cases[i].segments);
		if (tale.history.count) {
			assert_int_equal(tale.history.segments[0].first, 1);
			assert_int_equal(tale.history.segments[tale.history.count - 1].last, tale.steps.count);
		}
	}
}

static void equal_sets_have_equal_signatures_in_any_order(void **state)
{
	CLEANUP(tale_clear)
	struct tale tale = tell(
		"aten::a [[1]]; aten::a [[2]] | aten::a [[3]] | aten::a [[2]]; aten::a [[1]] | aten::a [[1]]");

	assert_segments(&tale.history, "1:2 2:1 3:2 4:1");
	assert_true(tale.history.segments[0].signature == tale.history.segments[2].signature);
	assert_true(tale.history.segments[1].signature != tale.history.segments[3].signature);
}

static void disjoint_sets_have_nothing_in_common(void **state)
{
	static const struct {
		const char *tables;
		bool disjoint;
	} cases[] = {
		{ "aten::a [[1]] | aten::a [[2]]", true },
		{ "aten::a [[1]]; aten::a [[2]] | aten::a [[3]]; aten::a [[4]]", true },
		{ "aten::a [[1]]; aten::a [[2]] | aten::a [[2]]; aten::a [[4]]", false },
		{ "aten::a [[1]]; aten::a [[2]] | aten::a [[2]]", false },
		{ "aten::a [[1]] | aten::b [[1]]", false },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		CLEANUP(tale_clear) struct tale tale = tell(cases[i].tables);

		assert_int_equal(op_sets_are_disjoint(&tale.history, 1), cases[i].disjoint);
	}
}

static struct step_changes changes_at(const struct tale *tale, uint32_t step)
{
	CLEANUP(read_shapes_clear) struct read_shapes read = READ_SHAPES_INIT;

	return op_changes_at(tale->profile, &tale->history, step, &read);
}

static void changes_are_those_against_the_most_similar_shape(void **state)
{
	static const struct {
		const char *tables;
		size_t count;
		struct size_change first;
		bool came, went;
	} cases[] = {
		{ "aten::a [[8, 3], [5]] | aten::a [[4, 3], [5]]", 1, { 0, 0, 0, 8, 4 }, true, true },
		{ "aten::a [[8, 3], [5]] | aten::a [[4, 3], [6]]", 2, { 0, 0, 0, 8, 4 }, true, true },
		{ "aten::a [[8, 3]]; aten::a [[9, 9]] | aten::a [[8, 4]]", 1, { 0, 0, 1, 3, 4 }, true, true },
		{ "aten::a [[8, 3]] | aten::a [[8]]", 0, { 0 }, true, true },
		{ "aten::a [[8]] | aten::a [[8]]; aten::a [[9]]", 0, { 0 }, true, false },
		{ "aten::a [[8]]; aten::a [[9]] | aten::a [[9]]", 0, { 0 }, false, true },
		{ "aten::a [[8], x] | aten::a [[9], x]", 0, { 0 }, true, true },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		CLEANUP(tale_clear) struct tale tale = tell(cases[i].tables);
		struct step_changes changes = changes_at(&tale, 2);

		assert_int_equal(changes.count, cases[i].count);
		assert_int_equal(changes.came, cases[i].came);
		assert_int_equal(changes.went, cases[i].went);
		if (changes.count) {
			assert_int_equal(changes.items[0].argument, cases[i].first.argument);
			assert_int_equal(changes.items[0].dim, cases[i].first.dim);
			assert_int_equal(changes.items[0].from, cases[i].first.from);
			assert_int_equal(changes.items[0].to, cases[i].first.to);
		}
	}
}

static void no_more_changes_are_given_than_there_is_room(void **state)
{
	CLEANUP(tale_clear)
	struct tale tale = tell("aten::a [[1,1,1,1,1,1,1,1,1]]; aten::a [[5,5,5,5,5,5,5,5,5]] | "
				"aten::a [[2,2,2,2,2,2,2,2,2]]; aten::a [[6,6,6,6,6,6,6,6,6]]");

	assert_int_equal(changes_at(&tale, 2).count, MAX_CHANGES);
}

static void shapes_that_were_read_before_change_nothing(void **state)
{
	CLEANUP(tale_clear)
	struct tale tale = tell("aten::a [[8, 3]]; aten::a [[8] | aten::a [[4, 3]] | aten::a [[8, 5]]; aten::a [[8] | "
				"aten::a [[4, 3]]");
	CLEANUP(read_shapes_clear) struct read_shapes read = READ_SHAPES_INIT;

	for (uint32_t step = 2; step <= 4; step++) {
		struct step_changes again = op_changes_at(tale.profile, &tale.history, step, &read),
				    alone = changes_at(&tale, step);

		assert_int_equal(again.count, alone.count);
		assert_true(again.count > 0);
		for (size_t i = 0; i < alone.count; i++) {
			assert_int_equal(again.items[i].dim, alone.items[i].dim);
			assert_int_equal(again.items[i].from, alone.items[i].from);
			assert_int_equal(again.items[i].to, alone.items[i].to);
		}
	}
}

static void cut_and_missing_shapes_are_noted(void **state)
{
	CLEANUP(tale_clear)
	struct tale cut = tell("aten::a [[1], [2 | aten::a [[1]]"), bare = tell("aten::a | aten::a");

	assert_true(cut.history.cut && cut.history.shapes);
	assert_false(bare.history.cut || bare.history.shapes);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(steps_are_numbered_without_the_compiling_ones),
		cmocka_unit_test(segments_cover_all_steps_and_differ_from_their_neighbours),
		cmocka_unit_test(equal_sets_have_equal_signatures_in_any_order),
		cmocka_unit_test(disjoint_sets_have_nothing_in_common),
		cmocka_unit_test(changes_are_those_against_the_most_similar_shape),
		cmocka_unit_test(no_more_changes_are_given_than_there_is_room),
		cmocka_unit_test(shapes_that_were_read_before_change_nothing),
		cmocka_unit_test(cut_and_missing_shapes_are_noted),
	};

	return run_group(tests);
}
