#pragma once
/*
 * Readiness of a target: intervals by time, by calls and by operators, and one word.
 *
 * lo counts what is certain, hi adds what is unknown or depends on a condition. Unknown is never in lo.
 */
#include "assess/judge/judgement.h"

/* The weights of the operators: what share of time, of calls and of the list each is. */
struct weights {
	enum basis basis;
	const struct operators *operators;
	int64_t time_total, calls_total;
	int64_t uncovered;                             /* time in the basis that is of no operator */
	int64_t whole;                                 /* that and time_total: what shares of the time are of */
	int64_t host_time, host_calls, host_operators; /* of work that no device takes: in no share on the device */
	int64_t slow_ppm; /* of it, on the host or the AI CPU for certain: what makes a target slow */
};

/* Chooses the basis and sets weight of each operator. Negative times count as 0. All time is covered at first. Times of
   the device count unless a graph was captured in place of most of the work. */
void weights_choose(const struct profile *profile, struct operators *operators, struct weights *ret);
void weights_add_uncovered(struct weights *weights, int64_t uncovered);
void weights_leave_out(struct weights *weights, const bool *host_work);

/* The share of weight in millionths of the whole, rounded to the nearest; 0 of 0. */
int64_t share_ppm(int64_t part, int64_t whole);

/* Returns whether the share on the host or the AI CPU makes the target slow. */
enum { USUAL_SLOW_PPM = 50000 };
bool readiness_is_slow(const struct weights *weights, const struct judgement *judgements);

/* Returns whether a target that runs the operator is ready with warnings at best; the AI CPU and copies to the host
   inside of a kernel matter on a slow one alone. */
bool judgement_wants_warning(const struct judgement *judgement, bool slow);

/* Of a target on whose operators these are the judgements. */
struct target_doubts {
	bool hidden; /* the capture may hide operators */
	bool slow;   /* readiness_is_slow */
};
enum verdict readiness_verdict(const struct judgement *judgements, size_t count, struct target_doubts doubts);

/* Sums up the judgements on all operators (in their order) for a target. hidden: the capture may hide operators. */
void readiness_sum(struct arena *arena, const struct weights *weights, const struct judgement *judgements, bool hidden,
	struct result_target *ret);
