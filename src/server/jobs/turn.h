#pragma once
/*
 * The turn of jobs: the waiting one that starts next. A pure function of numbers, so that a database can apply the same
 * rule.
 *
 * - At most `jobs` run, and one more while no other small one runs: its dump has at most small_bytes.
 * - While another owner waits, an owner runs at most max(1, jobs - 1); the slot beyond `jobs` does not count.
 * - Of those left, the owner with the fewest running comes first, also on other machines, then any owner before the one
 *   that started last.
 * - Then the smaller dump comes first, by steps of eight times its bytes. Each TURN_AGE jobs started since a job was
 *   added make up for one step, so a large one is passed by a bounded number.
 * - Then the older comes first.
 *
 * No running job is ended for another one.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TURN_AGE = 4 };
#define TURN_NONE SIZE_MAX

struct turn_job {
	uint64_t owner;   /* hash of its name */
	uint64_t bytes;   /* of its dump */
	uint64_t started; /* number of jobs that had started when it was added */
	bool held;        /* it must not start, nor does it wait for others */
};

struct turn {
	uint64_t jobs, small_bytes;               /* small_bytes 0: no slot beyond `jobs` */
	uint64_t started;                         /* number of jobs that have started */
	uint64_t last_owner;                      /* of the job that started last */
	const struct turn_job *running, *waiting; /* waiting: in the order in which they were added */
	size_t running_count, waiting_count;
	const struct turn_job *elsewhere; /* on other machines: they take no slot here */
	size_t elsewhere_count;
};

/* Returns the position among those that wait, or TURN_NONE. */
size_t turn_next(const struct turn *turn);
