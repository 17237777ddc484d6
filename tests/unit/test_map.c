/* The index from hashes to positions: nothing is lost, and equal hashes are told apart by the caller. */
#include "base/memory/hash.h"
#include "base/memory/map.h"
#include "tests/unit/check.h"

/* Whether a look-up offers index. */
static bool offers(const struct map *map, uint64_t hash, uint32_t index)
{
	struct map_cursor at = map_start(map, hash);

	while (map_next(map, &at)) {
		if (at.index == index)
			return true;
	}
	return false;
}

static size_t offers_of(const struct map *map, uint64_t hash)
{
	struct map_cursor at = map_start(map, hash);
	size_t count = 0;

	while (map_next(map, &at))
		count++;
	return count;
}

static void an_empty_map_offers_nothing(void **state)
{
	struct map map = { 0 };

	assert_int_equal(offers_of(&map, 0), 0);
	assert_int_equal(offers_of(&map, UINT64_MAX), 0);
	map_clear(&map);
}

static void everything_that_was_added_is_found_however_much_the_map_grows(void **state)
{
	enum { COUNT = 20000 };
	struct map map = { 0 };

	for (uint32_t i = 0; i < COUNT; i++)
		map_add(&map, hash_mix(i, 0x9e3779b97f4a7c15u), i);
	assert_int_equal(map.count, COUNT);
	assert_true(map.capacity < 4 * (size_t)COUNT);
	for (uint32_t i = 0; i < COUNT; i++)
		assert_true(offers(&map, hash_mix(i, 0x9e3779b97f4a7c15u), i));
	map_clear(&map);
	assert_int_equal(offers_of(&map, hash_mix(5, 0x9e3779b97f4a7c15u)), 0);
}

static void positions_with_one_hash_are_all_offered(void **state)
{
	static const uint64_t hashes[] = { 0, 1, UINT64_MAX, UINT64_C(0xffffffff) << 32 };

	for (size_t i = 0; i < ARRAY_SIZE(hashes); i++) {
		struct map map = { 0 };

		for (uint32_t index = 0; index < 100; index++)
			map_add(&map, hashes[i], index);
		for (uint32_t index = 0; index < 100; index++)
			assert_true(offers(&map, hashes[i], index));
		assert_int_equal(offers_of(&map, hashes[i]), 100);
		map_clear(&map);
	}
}

/* Cursors wrap at the end of the slots: the last slot's neighbour is the first. */
static void a_run_of_slots_goes_on_at_the_beginning(void **state)
{
	struct map map = { 0 };
	uint64_t last = (UINT64_C(63)) << 32;

	for (uint32_t index = 0; index < 10; index++)
		map_add(&map, last, index);
	map_add(&map, 0, 10);
	assert_int_equal(map.capacity, 64);
	assert_int_equal(offers_of(&map, last), 10);
	assert_true(offers(&map, 0, 10));
	map_clear(&map);
}

/* Which of several items is the first one must not depend on the seed of the process. */
static void positions_with_one_hash_come_in_the_order_in_which_they_were_added(void **state)
{
	struct map map = { 0 };
	uint64_t last = UINT64_MAX; /* the last slot of every capacity */
	struct map_cursor at;

	for (uint32_t index = 0; index < 300; index++)
		map_add(&map, last, index);
	at = map_start(&map, last);
	for (uint32_t index = 0; index < 300; index++) {
		assert_true(map_next(&map, &at));
		assert_int_equal(at.index, index);
	}
	map_clear(&map);
}

/* Also where names share a beginning, and where there is none. */
static void items_are_found_by_the_name_that_they_begin_with(void **state)
{
	static const struct {
		struct str name;
		int more;
	} items[] = { { STR("add"), 1 }, { STR("add_"), 2 }, { STR(""), 3 } };
	struct map map = { 0 };

	assert_int_equal(MAP_FIND(&map, items, STR("add")), MAP_NONE);
	for (uint32_t index = 0; index < ARRAY_SIZE(items); index++)
		map_add_name(&map, items[index].name, index);
	for (uint32_t index = 0; index < ARRAY_SIZE(items); index++)
		assert_int_equal(MAP_FIND(&map, items, items[index].name), index);
	assert_int_equal(MAP_FIND(&map, items, STR("ad")), MAP_NONE);
	map_clear(&map);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_empty_map_offers_nothing),
		cmocka_unit_test(everything_that_was_added_is_found_however_much_the_map_grows),
		cmocka_unit_test(positions_with_one_hash_are_all_offered),
		cmocka_unit_test(items_are_found_by_the_name_that_they_begin_with),
		cmocka_unit_test(a_run_of_slots_goes_on_at_the_beginning),
		cmocka_unit_test(positions_with_one_hash_come_in_the_order_in_which_they_were_added),
	};

	return run_group(tests);
}
