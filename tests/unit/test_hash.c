/* The hash of tables in memory: every byte and the length count, whatever the alignment. */
#include "base/memory/hash.h"
#include "tests/unit/check.h"

static void the_same_text_has_the_same_hash_at_every_address(void **state)
{
	char space[200];

	for (size_t len = 0; len < 70; len++) {
		uint64_t first = 0;

		for (size_t shift = 0; shift < 17; shift++) {
			memset(space, 'y', sizeof(space));
			for (size_t i = 0; i < len; i++)
				space[shift + i] = (char)('a' + i % 26);
			if (!shift)
				first = hash_str(42, (struct str){ space, len });
			assert_true(hash_str(42, (struct str){ space + shift, len }) == first);
		}
	}
}

static void every_byte_and_the_length_count(void **state)
{
	char text[64] = { 0 };

	for (size_t len = 1; len <= sizeof(text); len++) {
		uint64_t zeros = hash_str(42, (struct str){ text, len });

		assert_true(zeros != hash_str(42, (struct str){ text, len - 1 }));
		for (size_t i = 0; i < len; i++) {
			text[i] = 1;
			assert_true(hash_str(42, (struct str){ text, len }) != zeros);
			text[i] = 0;
		}
	}
}

static void another_seed_gives_another_hash(void **state)
{
	assert_true(hash_str(1, STR("aten::add")) != hash_str(2, STR("aten::add")));
	assert_true(hash_str(1, STR("")) != hash_str(2, STR("")));
	assert_true(hash_seed() == hash_seed());
}

static void chained_texts_keep_their_borders(void **state)
{
	uint64_t left = hash_str(hash_str(7, STR("ab")), STR("c"));

	assert_true(left != hash_str(hash_str(7, STR("a")), STR("bc")));
	assert_true(left != hash_str(hash_str(7, STR("c")), STR("ab")));
}

/* The map takes a slot from the upper half alone. */
static void the_upper_half_spreads_over_near_texts(void **state)
{
	enum { COUNT = 4096, SLOTS = 8192 };
	static unsigned char seen[SLOTS];
	unsigned filled = 0;

	for (unsigned i = 0; i < COUNT; i++) {
		char text[8] = { 'a', 't', (char)(i & 15), (char)(i >> 4 & 15), (char)(i >> 8), 0, 0, 0 };

		seen[hash_str(99, (struct str){ text, 5 }) >> 32 & (SLOTS - 1)] = 1;
	}
	for (unsigned i = 0; i < SLOTS; i++)
		filled += seen[i];
	/* thrown at random, 4096 balls fill 3223 of 8192 boxes, give or take thirty */
	assert_true(filled > 3000 && filled < 3450);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_same_text_has_the_same_hash_at_every_address),
		cmocka_unit_test(every_byte_and_the_length_count),
		cmocka_unit_test(another_seed_gives_another_hash),
		cmocka_unit_test(chained_texts_keep_their_borders),
		cmocka_unit_test(the_upper_half_spreads_over_near_texts),
	};

	return run_group(tests);
}
