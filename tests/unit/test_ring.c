/* The ring hands everything over once and in order, whoever is slower, and lets both sides end. */
#include <time.h>

#include "base/memory/ring.h"

#include "tests/unit/check.h"

enum { SLOTS = 4, THINGS = 20000 };

struct hand_over {
	struct ring ring;
	unsigned values[SLOTS];
	unsigned sent; /* by the filler, until it ended */
	unsigned slow_every;
};

static void dawdle(unsigned i, unsigned every)
{
	if (every && i % every == 0)
		nanosleep(&(struct timespec){ .tv_nsec = 50000 }, NULL);
}

static void *fill_all(void *arg)
{
	struct hand_over *all = arg;
	unsigned slot;

	for (all->sent = 0; all->sent < THINGS && ring_free_slot(&all->ring, &slot); all->sent++) {
		dawdle(all->sent, all->slow_every);
		all->values[slot] = all->sent;
		ring_put(&all->ring);
	}
	ring_close(&all->ring);
	return NULL;
}

static void hand_over(unsigned least, unsigned slow_filler, unsigned slow_emptier)
{
	struct hand_over all = { .slow_every = slow_filler };
	unsigned slot, taken = 0;
	pthread_t thread;

	ring_init(&all.ring, SLOTS, least);
	assert_int_equal(pthread_create(&thread, NULL, fill_all, &all), 0);
	while (ring_take(&all.ring, &slot)) {
		dawdle(taken, slow_emptier);
		assert_int_equal(all.values[slot], taken++);
	}
	assert_int_equal(taken, THINGS);
	assert_false(ring_take(&all.ring, &slot));
	pthread_join(thread, NULL);
	ring_destroy(&all.ring);
}

static void everything_arrives_once_and_in_order(void **state)
{
	for (unsigned least = 1; least <= SLOTS / 2; least++) {
		hand_over(least, 0, 0);
		hand_over(least, 500, 0);
		hand_over(least, 0, 500);
		hand_over(least, 300, 700);
	}
}

static void what_is_full_at_the_end_is_still_taken(void **state)
{
	struct ring ring;
	unsigned slot;

	ring_init(&ring, SLOTS, SLOTS / 2);
	assert_true(ring_free_slot(&ring, &slot));
	ring_put(&ring);
	ring_close(&ring);
	assert_true(ring_take(&ring, &slot));
	assert_int_equal(slot, 0);
	assert_false(ring_take(&ring, &slot));
	ring_destroy(&ring);
}

static void one_full_slot_is_enough_where_so_told(void **state)
{
	struct ring ring;
	unsigned slot;

	ring_init(&ring, SLOTS, 1);
	assert_true(ring_free_slot(&ring, &slot));
	ring_put(&ring);
	assert_true(ring_take(&ring, &slot));
	ring_destroy(&ring);
}

static void a_filler_that_waits_is_sent_home(void **state)
{
	struct hand_over all = { 0 };
	pthread_t thread;

	ring_init(&all.ring, SLOTS, 1);
	assert_int_equal(pthread_create(&thread, NULL, fill_all, &all), 0);
	ring_stop(&all.ring);
	pthread_join(thread, NULL);
	assert_true(all.sent <= SLOTS);
	ring_destroy(&all.ring);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(everything_arrives_once_and_in_order),
		cmocka_unit_test(what_is_full_at_the_end_is_still_taken),
		cmocka_unit_test(one_full_slot_is_enough_where_so_told),
		cmocka_unit_test(a_filler_that_waits_is_sent_home),
	};

	return run_group(tests);
}
