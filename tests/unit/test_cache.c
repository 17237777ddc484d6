/* Bodies in memory: found by their key, bounded in bytes, and alive as long as somebody holds them. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "io/gunzip.h"
#include "server/http/cache.h"
#include "server/http/unpacking.h"
#include "tests/unit/check.h"

enum { BODY_BYTES = 1000, LARGE_BYTES = 64 * 1024 };

/* Answers here count how often they were dropped. */
static void drop_answer(void *answer)
{
	++*(int *)answer;
}

static struct str body_of(const struct cached *cached)
{
	return (struct str){ cached->body, cached->bytes };
}

static void a_body_is_found_by_its_key_alone(void **state)
{
	struct cache *cache = cache_new(1 << 20, drop_answer);
	struct cached *added = cache_add(cache, STR("a"), 1, STR("body of a")), *found = cache_find(cache, STR("a"));

	(void)state;
	assert_ptr_equal(found, added);
	assert_true(str_eq(body_of(found), STR("body of a")));
	assert_null(cache_find(cache, STR("b")));
	cached_release(found);
	found = cache_add(cache, STR("a"), 2, STR("another"));
	assert_int_equal(atomic_load(&found->version), 2);
	assert_true(str_eq(body_of(added), STR("body of a"))); /* which is held */
	cached_release(added);
	cache_free(cache);
	assert_true(str_eq(body_of(found), STR("another")));
	cached_release(found);
}

static void the_ones_asked_for_longest_ago_make_room(void **state)
{
	enum { COUNT = 100, KEPT = 10 };
	static const char text[BODY_BYTES] = "";
	struct cache *cache = cache_new(KEPT * BODY_BYTES, drop_answer);
	size_t kept = 0;
	char key[16];

	(void)state;
	assert_true(cache_takes(cache, BODY_BYTES));
	assert_false(cache_takes(cache, KEPT * BODY_BYTES));
	for (unsigned i = 0; i < COUNT; i++) {
		snprintf(key, sizeof(key), "%u", i);
		cached_release(cache_add(cache, str_from(key), 0, (struct str){ text, sizeof(text) }));
		cached_release(cache_find(cache, STR("0"))); /* asked for again and again */
	}
	for (unsigned i = 0; i < COUNT; i++) {
		struct cached *found;

		snprintf(key, sizeof(key), "%u", i);
		found = cache_find(cache, str_from(key));
		kept += found != NULL;
		assert_true(found || (i != 0 && i != COUNT - 1));
		cached_release(found);
	}
	assert_true(kept <= KEPT && kept >= KEPT / 2);
	cache_free(cache);
}

static void a_large_body_is_a_file_that_lives_as_long_as_it_is_held(void **state)
{
	char *text = calloc(1, LARGE_BYTES), read[8];
	struct cache *cache = cache_new(1 << 20, drop_answer);
	struct cached *cached;

	(void)state;
	memcpy(text, "large ..", sizeof(read));
	cached = cache_add(cache, STR("large"), 0, (struct str){ text, LARGE_BYTES });
	cache_free(cache);
	assert_null(cached->body);
	assert_int_equal(lseek(cached->file, 0, SEEK_END), LARGE_BYTES);
	assert_int_equal(pread(cached->file, read, sizeof(read), 0), sizeof(read));
	assert_memory_equal(read, text, sizeof(read));
	cached_release(cached);
	free(text);
}

static void an_answer_is_given_to_one_taker_while_its_body_is_there(void **state)
{
	int first = 0, second = 0;
	struct cache *cache = cache_new(1 << 20, drop_answer);
	struct cached *cached = cache_add(cache, STR("a"), 1, STR("body")),
		      *other = cache_add(cache, STR("b"), 1, STR("b"));

	(void)state;
	assert_null(cache_take_answer(cache, cached));
	cache_keep_answer(cache, cached, &first);
	assert_null(cache_take_answer(cache, other));
	assert_ptr_equal(cache_take_answer(cache, cached), &first);
	assert_null(cache_take_answer(cache, cached));
	cache_keep_answer(cache, cached, &first);
	cached_release(cache_add(cache, STR("a"), 2, STR("another"))); /* in its place */
	assert_int_equal(first, 1);
	cache_keep_answer(cache, cached, &second);
	assert_int_equal(second, 1);
	cached_release(cached);
	cached_release(other);
	cache_free(cache);
}

static void answers_are_few(void **state)
{
	enum { MANY = 1000 };
	static int dropped[MANY];
	struct cache *cache = cache_new(1 << 20, drop_answer);
	struct cached *cached = cache_add(cache, STR("a"), 1, STR("body"));
	size_t count = 0;

	(void)state;
	for (size_t i = 0; i < MANY; i++)
		cache_keep_answer(cache, cached, &dropped[i]);
	for (size_t i = 0; i < MANY; i++)
		count += dropped[i] == 0;
	assert_true(count > 0 && count < MANY / 10);
	cache_empty(cache);
	for (size_t i = 0; i < MANY; i++)
		assert_int_equal(dropped[i], 1);
	cached_release(cached);
	cache_free(cache);
}

static void what_answers_hold_beside_the_cache_is_counted(void **state)
{
	static const char text[BODY_BYTES] = "";
	struct str body = { text, sizeof(text) };
	struct cache *cache = cache_new(2 * BODY_BYTES, drop_answer);
	struct cached *first = cache_add(cache, STR("a"), 1, body), *second, *same;

	(void)state;
	assert_int_equal(cache_charged(cache), 0); /* it is in the cache */
	same = cache_add(cache, STR("a"), 1, body);
	assert_ptr_equal(same, first); /* made twice at the same time: the second is dropped */
	assert_int_equal(cache_charged(cache), 0);
	cached_release(same);
	second = cache_add(cache, STR("a"), 2, body);
	assert_int_equal(cache_charged(cache), BODY_BYTES); /* the first, which its answer holds */
	cached_release(first);
	assert_int_equal(cache_charged(cache), 0);
	assert_true(cache_charge(cache, 100, 150));
	assert_false(cache_charge(cache, 51, 150));
	assert_int_equal(cache_charged(cache), 100);
	cache_discharge(cache, 100);
	cache_free(cache);
	cached_release(second);
}

static void a_body_too_large_for_the_cache_is_its_callers_alone(void **state)
{
	char *text = calloc(1, LARGE_BYTES);
	struct cache *cache = cache_new(LARGE_BYTES, drop_answer);
	struct cached *cached = cache_add(cache, STR("large"), 0, (struct str){ text, LARGE_BYTES });

	(void)state;
	assert_false(cached->placed);
	assert_null(cache_find(cache, STR("large")));
	assert_int_equal(cache_charged(cache), LARGE_BYTES);
	cached_release(cached);
	assert_int_equal(cache_charged(cache), 0);
	cache_free(cache);
	free(text);
}

static void a_packed_body_is_read_as_its_text(void **state)
{
	char *text = calloc(1, LARGE_BYTES), piece[UNPACKING_PIECE_BYTES];
	CLEANUP(buf_clear) struct buf packed = BUF_UNLIMITED;
	struct str whole = { text, LARGE_BYTES };
	struct cache *cache = cache_new(1 << 20, drop_answer);
	struct cached *cached, *plain;
	struct unpacking *unpacking;
	size_t len, sum = 0;

	(void)state;
	for (size_t i = 0; i < LARGE_BYTES; i++)
		text[i] = (char)(i * i % 251);
	assert_true(gzip_pack(whole, &packed));
	cached = cache_add_packed(cache, STR("p"), 1, buf_str(&packed), LARGE_BYTES);
	plain = unpacking_keep(cache, STR("t"), cached);
	assert_int_equal(plain->bytes, LARGE_BYTES);
	unpacking = unpacking_begin(cached);
	while ((len = unpacking_read(unpacking, piece, sizeof(piece)))) {
		assert_memory_equal(piece, text + sum, len);
		assert_int_equal(cached_read(plain, sum, piece, len), len);
		assert_memory_equal(piece, text + sum, len);
		sum += len;
	}
	assert_int_equal(sum, LARGE_BYTES);
	unpacking_end(unpacking);
	cached_release(plain);
	cached_release(cached);
	/* cut short */
	cached = cache_add_packed(cache, STR("d"), 1, str_chop(buf_str(&packed), packed.len / 2), LARGE_BYTES);
	assert_null(unpacking_keep(cache, STR("e"), cached));
	cached_release(cached);
	cache_free(cache);
	free(text);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_body_is_found_by_its_key_alone),
		cmocka_unit_test(the_ones_asked_for_longest_ago_make_room),
		cmocka_unit_test(a_large_body_is_a_file_that_lives_as_long_as_it_is_held),
		cmocka_unit_test(an_answer_is_given_to_one_taker_while_its_body_is_there),
		cmocka_unit_test(answers_are_few),
		cmocka_unit_test(what_answers_hold_beside_the_cache_is_counted),
		cmocka_unit_test(a_body_too_large_for_the_cache_is_its_callers_alone),
		cmocka_unit_test(a_packed_body_is_read_as_its_text),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
