#include "server/jobs/turn.h"

#include "base/view/find.h"

/* A candidate by what counts, the most important first; the least comes first. */
struct rank {
	uint64_t running; /* of its owner */
	bool again;       /* its owner started last */
	int64_t size;     /* steps of its dump, less those made up for by age */
};

static bool is_small(const struct turn *turn, const struct turn_job *job)
{
	return turn->small_bytes && job->bytes <= turn->small_bytes;
}

static uint64_t running_of(const struct turn *turn, uint64_t owner)
{
	return SUM(i, turn->running_count, turn->running[i].owner == owner);
}

static bool may_start(const struct turn *turn, const struct turn_job *job)
{
	bool small = ANY(i, turn->running_count, is_small(turn, &turn->running[i]));
	uint64_t slots = turn->running_count - small;
	uint64_t share = turn->jobs > 1 ? turn->jobs - 1 : 1;

	if (job->held)
		return false;
	if (is_small(turn, job) && !small)
		return true;
	if (slots >= turn->jobs)
		return false;
	return running_of(turn, job->owner) < share ||
	       !ANY(i, turn->waiting_count, !turn->waiting[i].held && turn->waiting[i].owner != job->owner);
}

static struct rank rank_of(const struct turn *turn, const struct turn_job *job)
{
	enum { STEP_BYTES = 1024 * 1024, STEP = 8 };
	struct rank rank = { .running = running_of(turn, job->owner) +
					SUM(i, turn->elsewhere_count, turn->elsewhere[i].owner == job->owner),
		.again = job->owner == turn->last_owner };

	for (uint64_t bytes = job->bytes; bytes > STEP_BYTES; bytes /= STEP)
		rank.size++;
	rank.size -= (int64_t)((turn->started - job->started) / TURN_AGE);
	return rank;
}

static bool comes_before(const struct rank *a, const struct rank *b)
{
	if (a->running != b->running)
		return a->running < b->running;
	return a->again != b->again ? b->again : a->size < b->size;
}

size_t turn_next(const struct turn *turn)
{
	size_t next = TURN_NONE;
	struct rank first = { 0 };

	for (size_t i = 0; i < turn->waiting_count; i++) {
		struct rank rank = rank_of(turn, &turn->waiting[i]);

		if ((next == TURN_NONE || comes_before(&rank, &first)) && may_start(turn, &turn->waiting[i])) {
			next = i;
			first = rank;
		}
	}
	return next;
}
