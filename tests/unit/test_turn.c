/* The rule by which the next job starts, as a table: who runs, who waits, who is next. */
#include "server/jobs/turn.h"
#include "base/memory/mem.h"
#include "tests/unit/check.h"

#define MIB (UINT64_C(1) << 20)
enum { MOST = 6, SMALL = 0, LARGE = 20, HUGE_MIB = 2048 };

/* Owners are letters, 0 behind the last; bytes are MiB, 0: a small dump. */
struct side {
	char owner;
	unsigned mib;
	uint64_t started;
	bool held;
};
struct row {
	const char *name;
	uint64_t jobs, small_bytes, started;
	char last;
	struct side running[MOST], waiting[MOST];
	int next; /* -1: none */
};

static const struct row rows[] = {
	{ "none waits", 2, MIB, .next = -1 },
	{ "an owner alone has every slot", 2, MIB, .running = { { 'a', LARGE } }, .waiting = { { 'a', LARGE } } },
	{ "no slot is left", 2, MIB, .running = { { 'a', LARGE }, { 'b', LARGE } }, .waiting = { { 'c', LARGE } },
		.next = -1 },
	{ "a small dump of another owner has a slot beyond", 2, MIB, .running = { { 'a', LARGE }, { 'a', LARGE } },
		.waiting = { { 'a', LARGE }, { 'b', SMALL } }, .next = 1 },
	{ "so has one of the same owner", 2, MIB, .running = { { 'a', LARGE }, { 'a', LARGE } },
		.waiting = { { 'a', SMALL } } },
	{ "that slot is one", 2, MIB, .running = { { 'a', LARGE }, { 'a', LARGE }, { 'b', SMALL } },
		.waiting = { { 'c', SMALL } }, .next = -1 },
	{ "a second small one takes a usual slot", 2, MIB, .running = { { 'a', LARGE }, { 'b', SMALL } },
		.waiting = { { 'c', SMALL } } },
	{ "small ones leave large ones their slots", 2, MIB, .running = { { 'a', SMALL }, { 'b', LARGE } },
		.waiting = { { 'c', LARGE } } },
	{ "without small-bytes there is no such slot", 2, 0, .running = { { 'a', LARGE }, { 'a', LARGE } },
		.waiting = { { 'b', SMALL } }, .next = -1 },
	{ "an owner leaves a slot while another waits", 3, MIB, .running = { { 'a', LARGE }, { 'a', LARGE } },
		.waiting = { { 'a', LARGE }, { 'b', HUGE_MIB } }, .next = 1 },
	{ "one slot is given in turns", 1, MIB, .last = 'a', .waiting = { { 'a', LARGE }, { 'b', LARGE } }, .next = 1 },
	{ "one slot is nobody's alone", 1, MIB, .last = 'a', .waiting = { { 'a', LARGE } } },
	{ "the owner with the fewest running comes first", 4, MIB, .running = { { 'a', LARGE } },
		.waiting = { { 'a', 2 }, { 'b', LARGE } }, .next = 1 },
	{ "the smaller dump comes first", 2, MIB, .waiting = { { 'a', HUGE_MIB }, { 'b', 2 } }, .next = 1 },
	{ "of like sizes the older comes first", 2, MIB, .waiting = { { 'a', 7 }, { 'b', 2 } } },
	{ "age makes up for size", 2, MIB, .started = 16, .waiting = { { 'a', HUGE_MIB, 0 }, { 'b', 2, 16 } } },
	{ "a little age does not", 2, MIB, .started = 8, .waiting = { { 'a', HUGE_MIB, 0 }, { 'b', 2, 8 } },
		.next = 1 },
	{ "a held one does not start", 2, MIB, .waiting = { { 'a', SMALL, 0, true }, { 'b', LARGE } }, .next = 1 },
	{ "nor does it take another's slot", 2, MIB, .running = { { 'b', LARGE } },
		.waiting = { { 'a', LARGE, 0, true }, { 'b', LARGE } }, .next = 1 },
};

static size_t fill(struct turn_job *jobs, const struct side *sides)
{
	size_t count = 0;

	for (; count < MOST && sides[count].owner; count++)
		jobs[count] = (struct turn_job){ (uint64_t)sides[count].owner, sides[count].mib * MIB,
			sides[count].started, sides[count].held };
	return count;
}

static void each_row_has_its_next(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		const struct row *row = &rows[i];
		struct turn_job running[MOST], waiting[MOST];
		struct turn turn = { row->jobs, row->small_bytes, row->started, (uint64_t)row->last, running, waiting,
			fill(running, row->running), fill(waiting, row->waiting) };
		size_t next = turn_next(&turn);

		if (next != (row->next < 0 ? TURN_NONE : (size_t)row->next))
			fail_msg("%s: %zu", row->name, next);
	}
}

/* An owner with small dumps without end: a large one of an earlier one starts after a bounded number of them. */
static void small_dumps_without_end_pass_a_large_one_a_bounded_number_of_times(void **state)
{
	struct turn_job waiting[] = { { 'a', HUGE_MIB * MIB, 0, false }, { 'b', 0, 0, false } };
	struct turn turn = { 1, MIB, 0, 'z', NULL, waiting, 0, ARRAY_SIZE(waiting) };

	(void)state;
	while (turn_next(&turn) == 1 && turn.started < 1000) {
		waiting[1].owner++; /* another one each time */
		waiting[1].started = ++turn.started;
	}
	assert_in_range(turn.started, 1, 5 * TURN_AGE);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_row_has_its_next),
		cmocka_unit_test(small_dumps_without_end_pass_a_large_one_a_bounded_number_of_times),
	};

	return run_group(tests);
}
