/* The bucket plan: against brute force on small histograms, and from hand-made profiles. */
#include "assess/model/words.h"
#include "assess/shape/buckets.h"
#include "assess/shape/buckets_gather.h"
#include "assess/shape/dynamic.h"
#include "tests/unit/check.h"
#include "tests/unit/sheets.h"

/* --- choosing */

/* A generator of its own: the same numbers everywhere. */
static uint32_t next_random(uint32_t *state)
{
	*state = *state * 1664525u + 1013904223u;
	return *state >> 8;
}

static uint64_t wasted_by(const struct bucket_value *values, size_t count, uint32_t chosen)
{
	uint64_t wasted = 0, calls = 0, elements = 0;

	for (size_t i = 0; i < count; i++) {
		calls += values[i].calls;
		elements += (uint64_t)values[i].elements;
		if (!(chosen & (1u << i)))
			continue;
		wasted += calls * (uint64_t)values[i].size - elements;
		calls = elements = 0;
	}
	return wasted;
}

/* Tries every choice of at most `most` sizes with the largest among them. */
static uint64_t least_by_trying(const struct bucket_value *values, size_t count, unsigned most)
{
	uint64_t least = UINT64_MAX;

	for (uint32_t chosen = 1u << (count - 1); chosen < 1u << count; chosen++) {
		uint64_t wasted = wasted_by(values, count, chosen);

		if ((unsigned)__builtin_popcount(chosen) <= most && wasted < least)
			least = wasted;
	}
	return least;
}

static uint64_t wasted_by_plan(const struct bucket_value *values, size_t count, const struct bucket_plan *plan)
{
	uint32_t chosen = 0;

	for (size_t i = 0, at = 0; i < count; i++) {
		if (at < plan->count && values[i].size == plan->sizes[at]) {
			chosen |= 1u << i;
			at++;
		}
	}
	assert_int_equal(__builtin_popcount(chosen), plan->count); /* sizes that occur, ascending */
	return wasted_by(values, count, chosen);
}

static void no_choice_wastes_less(void **state)
{
	uint32_t random = 1;

	(void)state;
	for (unsigned round = 0; round < 400; round++) {
		size_t count = 1 + next_random(&random) % 10;
		struct bucket_value values[10];
		int64_t size = 0;
		uint64_t real = 0;

		for (size_t i = 0; i < count; i++) {
			size += 1 + next_random(&random) % 50;
			values[i] = (struct bucket_value){ .size = size, .calls = 1 + next_random(&random) % 9 };
			values[i].elements = (unsigned __int128)size * values[i].calls;
			real += (uint64_t)values[i].elements;
		}
		for (unsigned most = 1; most <= 6; most++) {
			uint64_t least = least_by_trying(values, count, most);
			struct bucket_plan plan;

			buckets_choose(values, count, most, &plan);
			assert_true(plan.count <= most);
			assert_int_equal(plan.sizes[plan.count - 1], size);
			assert_int_equal(wasted_by_plan(values, count, &plan), least);
			assert_int_equal(plan.waste_ppm, (least * 1000000 + (least + real) / 2) / (least + real));
		}
	}
}

static void sizes_and_calls_of_any_size_do_not_overflow(void **state)
{
	struct bucket_value values[] = { { .size = 1, .calls = UINT64_MAX / 4 },
		{ .size = INT64_C(999999999999999), .calls = UINT64_MAX / 4 } };
	struct bucket_plan plan;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(values); i++)
		values[i].elements = (unsigned __int128)values[i].size * values[i].calls;
	buckets_choose(values, ARRAY_SIZE(values), 1, &plan);
	assert_int_equal(plan.count, 1);
	assert_in_range(plan.waste_ppm, 499999, 500000);
	buckets_choose(values, ARRAY_SIZE(values), 2, &plan);
	assert_int_equal(plan.count, 2);
	assert_int_equal(plan.waste_ppm, 0);
}

static void dimensions_of_size_0_waste_nothing(void **state)
{
	struct bucket_value value = { .size = 0, .calls = 3 };
	struct bucket_plan plan;

	(void)state;
	buckets_choose(&value, 1, 4, &plan);
	assert_int_equal(plan.count, 1);
	assert_int_equal(plan.waste_ppm, 0);
}

/* --- finding dimensions */

struct planned {
	struct arena arena;
	struct profile *profile;
	struct result_dynamic *dynamic;
	struct bucket_list list;
};

static void planned_clear(struct planned *planned)
{
	arena_clear(&planned->arena);
	profile_free(planned->profile);
}

static struct planned plan_with(const char *steps, const struct limits *limits)
{
	struct planned planned = { .arena = ARENA_INIT(ARENA_UNLIMITED), .profile = profile_of_steps(steps) };
	struct name_lookup nothing = { .known = NULL };
	struct bucket_source source = { 0 };
	struct operators operators;

	operators_gather(&planned.arena, planned.profile, &nothing, &operators);
	planned.dynamic = arena_alloc(&planned.arena, (operators.count + 1) * sizeof(planned.dynamic[0]));
	dynamic_analyse(&planned.arena, planned.profile, &operators, (struct dynamic_options){ 0 }, planned.dynamic);
	buckets_gather(planned.profile, &operators, planned.dynamic, &source);
	buckets_plan(&planned.arena, &source, limits, &planned.list);
	bucket_source_clear(&source);
	return planned;
}

static struct planned plan_of(const char *steps)
{
	struct limits limits = limits_default();

	return plan_with(steps, &limits);
}

static void places_with_the_same_sizes_are_one_dimension(void **state)
{
	CLEANUP(planned_clear)
	struct planned planned = plan_of(
		"aten::a [[8, 5], [5, 3]] x2; aten::b [[5]] | aten::a [[8, 5], [5, 3]] x2; aten::b [[5]] | "
		"aten::a [[8, 6], [6, 3]] x2; aten::b [[6]] | aten::a [[8, 9], [9, 3]] x2; aten::b [[9]]");
	const struct bucket_dim *dim = planned.list.items;

	(void)state;
	assert_int_equal(planned.list.count, 1);
	assert_int_equal(dim->place_count, 3);
	assert_str(dim->places[0].operator_name, "aten::a");
	assert_int_equal(dim->places[0].argument, 0);
	assert_int_equal(dim->places[0].dim, 1);
	assert_int_equal(dim->places[1].argument, 1);
	assert_int_equal(dim->places[1].dim, 0);
	assert_str(dim->places[2].operator_name, "aten::b");
	assert_int_equal(dim->min, 5);
	assert_int_equal(dim->max, 9);
	assert_int_equal(dim->distinct, 3);
	assert_int_equal(dim->steps, 4);
	/* two places of one call count once: 4 x 2 of aten::a and 4 of aten::b */
	assert_int_equal(dim->calls, 12);
	assert_int_equal(dim->plans[0].most, 2);
	assert_int_equal(dim->plans[0].sizes[0], 6);
	assert_int_equal(dim->plans[0].sizes[1], 9);
	/* 6 calls of 5 padded to 6: 6 of 6 * 9 + 3 * 9 */
	assert_int_equal(dim->plans[0].waste_ppm, 6 * 1000000 / (6 * 9 + 3 * 9));
	assert_int_equal(dim->plans[1].waste_ppm, 0);
}

static void layers_that_do_not_change_are_left_out(void **state)
{
	CLEANUP(planned_clear)
	struct planned planned = plan_of("aten::a [[8, 64]]; aten::a [[8, 5]] | aten::a [[8, 64]]; aten::a [[8, 5]] | "
					 "aten::a [[8, 64]]; aten::a [[8, 6]] | "
					 "aten::a [[8, 64]]; aten::a [[8, 7]]");

	(void)state;
	assert_int_equal(planned.list.count, 1);
	assert_int_equal(planned.list.items[0].max, 7);
	assert_int_equal(planned.list.items[0].calls, 4);
}

static void a_fixed_size_in_a_place_where_another_layer_changes_is_no_value(void **state)
{
	/* two layers: [4, n] and [n, 4] */
	CLEANUP(planned_clear)
	struct planned planned = plan_of("aten::a [[4, 5]]; aten::a [[5, 4]] | aten::a [[4, 5]]; aten::a [[5, 4]] | "
					 "aten::a [[4, 6]]; aten::a [[6, 4]] | aten::a [[4, 9]]; aten::a [[9, 4]]");

	(void)state;
	assert_int_equal(planned.list.count, 1);
	assert_int_equal(planned.list.items[0].min, 5);
	assert_int_equal(planned.list.items[0].distinct, 3);
	assert_int_equal(planned.list.items[0].place_count, 2);
}

static void a_last_batch_is_told_from_lengths(void **state)
{
	CLEANUP(planned_clear)
	struct planned planned = plan_of("aten::a [[8]] | aten::a [[8]] | aten::a [[8]] | aten::a [[3]]");

	(void)state;
	assert_int_equal(planned.list.count, 1);
	assert_str(word_for(&dynamic_words, planned.list.items[0].kind), "last-batch");
}

static void dims_say_in_which_steps_and_calls(void **state)
{
	CLEANUP(planned_clear)
	struct planned planned = plan_of(
		"aten::a [[2, 7]] x3; aten::a [[9, 9, 9]] | aten::a [[2, 7]] x3; aten::a [[9, 9, 9]] | "
		"aten::a [[2, 6]] x3; aten::a [[9, 9, 9]] | aten::a [[2, 5]] x3; aten::a [[9, 9, 9]]");
	const struct result_dynamic *dynamic = &planned.dynamic[0];

	(void)state;
	assert_int_equal(dynamic->dim_count, 1);
	assert_int_equal(dynamic->dims[0].steps, 4);
	assert_int_equal(dynamic->dims[0].calls, 12);
}

static void a_flattened_dimension_follows_the_one_it_is_made_of(void **state)
{
	CLEANUP(planned_clear)
	struct planned planned = plan_of("aten::a [[5]] x9; aten::b [[20]] x5; aten::c [[21]] | aten::a [[5]] x9; "
					 "aten::b [[20]] x5; aten::c [[21]] | "
					 "aten::a [[6]] x9; aten::b [[24]] x5; aten::c [[24]] | aten::a [[9]] x9; "
					 "aten::b [[36]] x5; aten::c [[36]]");

	(void)state;
	assert_int_equal(planned.list.count, 3);
	assert_int_equal(planned.list.items[0].factor, 0);
	assert_int_equal(planned.list.items[1].factor, 4);
	assert_int_equal(planned.list.items[1].follows, 0);
	assert_int_equal(planned.list.items[2].factor, 0);
}

static void nothing_changes_nothing_is_planned(void **state)
{
	CLEANUP(planned_clear) struct planned planned = plan_of("aten::a [[2]] | aten::a [[2]] | aten::a [[2]]");

	(void)state;
	assert_int_equal(planned.list.count, 0);
	assert_int_equal(planned.list.left_out, 0);
}

static void past_the_limits_sizes_are_joined_and_dimensions_counted(void **state)
{
	struct limits limits = limits_default();

	(void)state;
	limits.bucket_values = 2;
	limits.bucket_dims = 1;
	CLEANUP(planned_clear)
	struct planned planned = plan_with(
		"aten::a [[1]] x2; aten::b [[7]] | aten::a [[1]] x2; aten::b [[7]] | aten::a [[2]] x2; aten::b [[8]] | "
		"aten::a [[3]] x2; aten::b [[9]] | aten::a [[4]] x2; aten::b [[7]]",
		&limits);
	const struct bucket_dim *dim = planned.list.items;

	assert_int_equal(planned.list.count, 1);
	assert_int_equal(planned.list.left_out, 1);
	assert_str(dim->places[0].operator_name, "aten::a"); /* has most calls */
	assert_int_equal(dim->distinct, 4);
	assert_int_equal(dim->value_count, 2);
	assert_int_equal(dim->plans[3].count, 2);
	assert_int_equal(dim->plans[3].sizes[0], 2);
	assert_int_equal(dim->plans[3].sizes[1], 4);
	/* what is wasted counts the sizes that were joined: 4 calls of 1 and 2 of 3, each with one element too many */
	assert_int_equal(dim->plans[3].waste_ppm, (6 * 1000000 + 14) / 28);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_choice_wastes_less),
		cmocka_unit_test(sizes_and_calls_of_any_size_do_not_overflow),
		cmocka_unit_test(dimensions_of_size_0_waste_nothing),
		cmocka_unit_test(places_with_the_same_sizes_are_one_dimension),
		cmocka_unit_test(layers_that_do_not_change_are_left_out),
		cmocka_unit_test(a_fixed_size_in_a_place_where_another_layer_changes_is_no_value),
		cmocka_unit_test(a_last_batch_is_told_from_lengths),
		cmocka_unit_test(dims_say_in_which_steps_and_calls),
		cmocka_unit_test(a_flattened_dimension_follows_the_one_it_is_made_of),
		cmocka_unit_test(nothing_changes_nothing_is_planned),
		cmocka_unit_test(past_the_limits_sizes_are_joined_and_dimensions_counted),
	};

	return run_group(tests);
}
