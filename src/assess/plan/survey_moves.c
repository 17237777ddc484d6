#include "assess/plan/survey_moves.h"

/* --- sets of operators */

void survey_push(struct survey_set *set, size_t item)
{
	set->items[set->count++] = (uint32_t)item;
}

struct survey_set survey_subtract(struct arena *arena, const struct survey_set *a, const struct survey_set *b)
{
	struct survey_set set = { .items = arena_alloc(arena, (a->count + 1) * sizeof(set.items[0])) };
	size_t at = 0;

	for (size_t i = 0; i < a->count; i++) {
		while (at < b->count && b->items[at] < a->items[i])
			at++;
		if (at == b->count || b->items[at] != a->items[i])
			survey_push(&set, a->items[i]);
	}
	return set;
}

/* Items of a and b, which are disjoint, in arena. */
static struct survey_set unite_sets(struct arena *arena, const struct survey_set *a, const struct survey_set *b)
{
	struct survey_set all = { .items = arena_alloc(arena, (a->count + b->count + 1) * sizeof(all.items[0])) };

	for (size_t i = 0, j = 0; i < a->count || j < b->count;) {
		bool first = j == b->count || (i < a->count && a->items[i] < b->items[j]);

		survey_push(&all, first ? a->items[i++] : b->items[j++]);
	}
	return all;
}

/* --- which releases to move to */

static bool same_line(const struct release *a, const struct release *b)
{
	return a->target == b->target && a->torch_place == b->torch_place;
}

/* A stable release, or the last candidate where a line of PyTorch has nothing else. */
static bool is_choice(const struct survey *survey, size_t index)
{
	const struct release *release = survey->releases[index].target.release;

	if (release->kind == RELEASE_DEVELOPMENT)
		return false;
	if (release->kind == RELEASE_FINAL)
		return true;
	for (size_t i = 0; i < survey->count; i++) {
		const struct release *other = survey->releases[i].target.release;

		if (same_line(release, other) && other->kind != RELEASE_DEVELOPMENT &&
			(other->kind == RELEASE_FINAL || other->place > release->place))
			return false;
	}
	return true;
}

/* --- how far and how good */

static const struct release *release_at(const struct survey *survey, size_t index)
{
	return survey->releases[index].target.release;
}

/* Releases to choose from on the way, the last one counted. */
static unsigned distance(const struct survey *survey, size_t from, size_t to)
{
	unsigned count = 0;

	for (size_t i = from; i != to;) {
		i = to > from ? i + 1 : i - 1;
		count += i == to || is_choice(survey, i);
	}
	return count;
}

/* Operators that do not run, and those of which nothing is known. */
static struct survey_set open_on(struct arena *arena, const struct survey_release *release)
{
	return unite_sets(arena, &release->blockers, &release->unknown);
}

/* Fewer blockers, then fewer unknown operators, then more that certainly runs on the device: among releases that are
   clear of both, only the way counts. */
static int compare_release(const struct survey_release *a, const struct survey_release *b)
{
	bool clear = !(a->blockers.count + a->unknown.count);

	return ORDER(a->blockers.count, b->blockers.count) ?:
	       ORDER(a->unknown.count, b->unknown.count) ?:
	       clear ? 0 : ORDER(b->figures.readiness.time.lo_ppm, a->figures.readiness.time.lo_ppm);
}

/* The PyTorch stays, then fewer releases on, then forward. */
static int compare_way(const struct survey *survey, size_t from, size_t a, size_t b)
{
	const struct release *start = release_at(survey, from);

	return same_line(start, release_at(survey, b)) - same_line(start, release_at(survey, a)) ?:
	       ORDER(distance(survey, from, a), distance(survey, from, b)) ?:
	       (a < from) - (b < from);
}

static size_t choose_release(const struct survey *survey, size_t from)
{
	enum target_kind target = release_at(survey, from)->target;
	size_t best = from;

	if (survey->releases[from].needs_packages)
		return from;
	for (size_t i = 0; i < survey->count; i++) {
		/* a downgrade has to clear a blocker: an unknown operator is tested where the user is */
		bool helps = i > from || survey->releases[i].blockers.count < survey->releases[from].blockers.count;
		int order;

		if (release_at(survey, i)->target != target || !is_choice(survey, i) || !helps)
			continue;
		order = compare_release(&survey->releases[i], &survey->releases[best]);
		if (order < 0 || (!order && best != from && compare_way(survey, from, i, best) < 0))
			best = i;
	}
	return best;
}

/* Operators that newer kernels of CANN take off the AI CPU. */
static void find_kernels(struct arena *arena, const struct survey *survey, struct survey_move *move)
{
	move->kernels = SURVEY_NONE;
	for (size_t i = move->from + 1; i < survey->count; i++) {
		struct survey_set off;

		if (!same_line(release_at(survey, move->from), release_at(survey, i)) || !is_choice(survey, i))
			continue;
		off = survey_subtract(arena, &survey->releases[move->from].aicpu, &survey->releases[i].aicpu);
		if (off.count <= move->off_aicpu.count)
			continue;
		move->off_aicpu = off;
		move->kernels = i;
	}
}

/* --- the moves */

static void put_move(struct arena *arena, struct survey *survey, const struct survey_start *at)
{
	struct survey_move *move = &survey->moves[survey->move_count++];
	const struct survey_release *start = &survey->releases[at->release], *end;
	struct survey_set before, after;

	*move = (struct survey_move){
		.from = at->release, .to = choose_release(survey, at->release), .given = at->given
	};
	end = &survey->releases[move->to];
	before = open_on(arena, start);
	after = open_on(arena, end);
	move->clears = !end->blockers.count && !end->unknown.count;
	move->packages = start->needs_packages;
	move->releases = distance(survey, move->from, move->to);
	move->other_torch = !same_line(start->target.release, end->target.release);
	move->back = move->to < move->from;
	move->cleared = survey_subtract(arena, &before, &after);
	move->left = survey_subtract(arena, &before, &move->cleared);
	move->fresh = survey_subtract(arena, &after, &before);
	find_kernels(arena, survey, move);
}

void survey_moves(const struct survey_start starts[TARGET_COUNT], struct arena *arena, struct survey *survey)
{
	survey->moves = arena_alloc(arena, TARGET_COUNT * sizeof(survey->moves[0]));
	for (unsigned target = 0; target < TARGET_COUNT; target++) {
		if (starts[target].release != SURVEY_NONE)
			put_move(arena, survey, &starts[target]);
	}
}
