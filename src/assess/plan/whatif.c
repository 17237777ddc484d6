#include "assess/plan/whatif.h"

#include <stdlib.h>

#include "base/memory/map.h"
#include "base/memory/mem.h"
#include "base/value/figure.h"
#include "opdb/db/lists.h"

enum { MOST_FIXES = 20, MOST_MOVES = 8, MOST_NAMES = 6 };

#define NO_PACKAGE MAP_NONE

/* The gain of a change, the most important figure first. */
struct gain {
	int64_t blockers, open, weight, operators;
	int64_t aicpu; /* of the weight, what certainly leaves the AI CPU */
};

struct package {
	struct str name;
	bool installed;
	struct gain gain; /* of installing it now */
};

/* The remaining work on an operator. */
struct state {
	enum op_status status, best, worst;
	uint32_t package;                   /* position in the packages, NO_PACKAGE for none */
	bool host_work;                     /* in no share on the device */
	bool done;                          /* replaced or settled: no release changes it any more */
	int64_t aicpu_lo_ppm, aicpu_hi_ppm; /* of its time, while it runs on the device */
};

struct move {
	const struct release *release;
	struct state *states; /* on it, as the facts say */
};

struct way {
	const struct cost_request *request;
	const struct target *target;
	const struct judgement *judgements; /* on it, in the order of the operators */
	const struct result *result;
	size_t place; /* of the target */
	const struct operators *operators;
	struct arena *arena;
	struct state *now; /* in the order of the operators */
	struct move moves[MOST_MOVES];
	size_t move_count;
	bool moved;
	struct fix {
		enum fix_kind kind;
		size_t which; /* release, package or operator */
	} taken[MOST_FIXES];  /* so far, in their order */
	struct {
		struct package *items;
		size_t count, capacity;
		struct map by_name;
	} packages;
	struct err *err;
};

/* --- what a state counts */

static bool state_blocks(const struct state *state)
{
	return op_status_class(state->status) == CLASS_BLOCKED;
}

static bool is_open(const struct state *state)
{
	return op_status_class(state->worst) >= CLASS_BLOCKED;
}

/* Of a weight, the part that a state has on the AI CPU. */
static int64_t part_on_aicpu(const struct state *state, int64_t weight, int64_t ppm)
{
	return judgement_runs_on_device(state->status) ? (int64_t)((__int128)weight * ppm / 1000000) : 0;
}

static void add_gain(struct gain *gain, const struct state *before, const struct state *after, int64_t weight)
{
	int device = judgement_runs_on_device(after->worst) - judgement_runs_on_device(before->worst);

	gain->blockers += state_blocks(before) - state_blocks(after);
	gain->open += is_open(before) - is_open(after);
	gain->weight = figure_add(gain->weight, device * weight);
	gain->operators += device;
	gain->aicpu = figure_add(gain->aicpu, part_on_aicpu(before, weight, before->aicpu_lo_ppm));
	gain->aicpu = figure_add(gain->aicpu, -part_on_aicpu(after, weight, after->aicpu_lo_ppm));
}

static int compare_gain(const struct gain *a, const struct gain *b)
{
	const int64_t differences[] = { a->blockers - b->blockers, a->open - b->open, a->weight - b->weight,
		a->operators - b->operators, a->aicpu - b->aicpu };
	size_t first = 0;

	while (first + 1 < ARRAY_SIZE(differences) && !differences[first])
		first++;
	return (differences[first] > 0) - (differences[first] < 0);
}

static uint32_t package_named(struct way *way, struct str name)
{
	uint32_t at = MAP_FIND(&way->packages.by_name, way->packages.items, name);

	if (at != MAP_NONE || !name.len)
		return at;
	map_add_name(&way->packages.by_name, name, (uint32_t)way->packages.count);
	MEM_PUSH(&way->packages, ((struct package){ .name = name }));
	return (uint32_t)way->packages.count - 1;
}

static struct state state_of(struct way *way, const struct judgement *judgement)
{
	return (struct state){ .status = judgement->verdict.status,
		.best = judgement->best,
		.worst = judgement_worst(judgement),
		.package = package_named(way, judgement->package),
		.host_work = judgement->verdict.flags & FLAG_HOST_WORK,
		.aicpu_lo_ppm = judgement->verdict.aicpu.lo_ppm,
		.aicpu_hi_ppm = judgement->verdict.aicpu.hi_ppm };
}

static bool needs(const struct state *state)
{
	return state->status == OP_NEEDS_PACKAGE && state->package != NO_PACKAGE;
}

/* A package that is needed has the operator. */
static struct state with_package(const struct state *state)
{
	struct state after = *state;

	after.status = after.worst = after.best = OP_NATIVE;
	return after;
}

/* The state of an operator after a fix; the same where the fix is about others. */
static struct state after_fix(const struct way *way, const struct fix *fix, size_t index)
{
	const struct state *now = &way->now[index], *there;
	struct state after = *now;

	switch (fix->kind) {
	case FIX_RELEASE:
		there = &way->moves[fix->which].states[index];
		if (now->done)
			return *now;
		return needs(there) && way->packages.items[there->package].installed ? with_package(there) : *there;
	case FIX_PACKAGE:
		return needs(now) && now->package == fix->which ? with_package(now) : *now;
	case FIX_SETTLE:
	case FIX_REPLACE:
		break;
	}
	if (fix->which != index)
		return *now;
	after.done = true;
	after.status = after.best = after.worst = fix->kind == FIX_SETTLE ? now->best : OP_NATIVE;
	if (fix->kind == FIX_REPLACE)
		after.aicpu_lo_ppm = after.aicpu_hi_ppm = 0;
	return after;
}

static struct gain gain_of(const struct way *way, const struct fix *fix)
{
	bool one = fix->kind == FIX_SETTLE || fix->kind == FIX_REPLACE;
	struct gain gain = { 0 };

	if (fix->kind == FIX_PACKAGE)
		return way->packages.items[fix->which].gain;
	for (size_t i = one ? fix->which : 0; i < (one ? fix->which + 1 : way->operators->count); i++) {
		struct state after = after_fix(way, fix, i);

		add_gain(&gain, &way->now[i], &after, way->operators->items[i].weight);
	}
	return gain;
}

/* --- which fix is next */

/* The fix of one operator; false if it certainly runs on the device. */
static bool fix_for(const struct way *way, size_t index, struct fix *ret)
{
	const struct state *now = &way->now[index];
	enum status_class class = op_status_class(now->status);

	if (judgement_runs_on_device(now->worst))
		return false;
	*ret = (struct fix){ .kind = FIX_REPLACE, .which = index };
	if (needs(now))
		*ret = (struct fix){ .kind = FIX_PACKAGE, .which = now->package };
	else if (class == CLASS_UNKNOWN || class == CLASS_DEVICE)
		ret->kind = FIX_SETTLE;
	return true;
}

/* The gain of each package, in one pass. */
static void weigh_packages(struct way *way)
{
	for (size_t i = 0; i < way->packages.count; i++)
		way->packages.items[i].gain = (struct gain){ 0 };
	for (size_t i = 0; i < way->operators->count; i++) {
		const struct state *now = &way->now[i];
		struct state after = with_package(now);

		if (needs(now))
			add_gain(&way->packages.items[now->package].gain, now, &after, way->operators->items[i].weight);
	}
}

static void consider_fix(
	const struct way *way, const struct fix *fix, struct fix *best, struct gain *most, uint64_t *count)
{
	static const struct gain nothing;
	struct gain gain = gain_of(way, fix);

	if (compare_gain(&gain, &nothing) <= 0)
		return;
	++*count;
	if (compare_gain(&gain, most) > 0) {
		*best = *fix;
		*most = gain;
	}
}

/* The fix that brings most, of equal ones a release before a package before the operator of larger share; *ret_count:
   how many bring something. */
static struct fix choose_fix(struct way *way, uint64_t *ret_count)
{
	struct fix best = { 0 }, fix;
	struct gain most = { 0 };

	weigh_packages(way);
	*ret_count = 0;
	for (size_t i = 0; i < way->move_count && !way->moved; i++) {
		fix = (struct fix){ .kind = FIX_RELEASE, .which = i };
		consider_fix(way, &fix, &best, &most, ret_count);
	}
	for (size_t i = 0; i < way->packages.count; i++) {
		fix = (struct fix){ .kind = FIX_PACKAGE, .which = i };
		consider_fix(way, &fix, &best, &most, ret_count);
	}
	for (size_t rank = 0; rank < way->operators->count; rank++) {
		if (fix_for(way, way->request->order[rank], &fix) && fix.kind != FIX_PACKAGE)
			consider_fix(way, &fix, &best, &most, ret_count);
	}
	return best;
}

/* --- releases to move to */

int target_like(const struct opdb *db, const struct release *release, const struct target *other, struct target *ret,
	struct err *err)
{
	CLEANUP(buf_clear) struct buf spec = BUF_INIT(TARGET_ID_BYTES);

	*ret = target_of(release);
	if (!other || !other->chip)
		return 0;
	buf_printf(&spec, "%s%s", ret->id, strrchr(other->id, ':')); /* behind the release */
	return target_resolve(db, buf_str(&spec), STR(""), ret, err);
}

/* Adds the move to a release with the judgements there. */
static int add_move(struct way *way, const struct release *release)
{
	const struct judge *judge = way->request->judge;
	struct judgement *judgements;
	struct move *move = &way->moves[way->move_count];
	struct target target;
	int status;

	if (way->move_count == MOST_MOVES || ANY(i, way->move_count, way->moves[i].release == release))
		return 0;
	way->move_count++;
	move->release = release;
	move->states = arena_alloc(judge->arena, (way->operators->count + 1) * sizeof(move->states[0]));
	judgements = arena_alloc(judge->arena, (way->operators->count + 1) * sizeof(judgements[0]));
	status = target_like(resolver_db(judge->resolver), release, way->target, &target, way->err)
			 ?: judge_all(judge, &target, judgements, way->err);
	for (size_t rank = 0; rank < way->operators->count && !status; rank++) {
		size_t index = way->request->order[rank];

		move->states[index] = state_of(way, &judgements[index]);
	}
	return status;
}

/* The first release for each newer CANN, for the same PyTorch: its kernels may take an operator off the AI CPU. */
static int list_newer_kernels(struct way *way)
{
	const struct release *from = way->target->release;
	size_t count;
	const struct release *releases = opdb_target_releases(
		resolver_db(way->request->judge->resolver), from->target, &count);
	unsigned cann = from->cann_place;
	int status = 0;

	for (size_t i = 0; i < count && !status; i++) {
		const struct release *release = &releases[i];

		if (release->kind != RELEASE_FINAL || release->torch_place != from->torch_place ||
			release->place <= from->place || release->cann_place <= cann)
			continue;
		cann = release->cann_place;
		status = add_move(way, release);
	}
	return status;
}

/* The next releases on which single operators run, those of the largest share first. */
static int list_moves(struct way *way)
{
	bool slow = false;
	int status = 0;

	for (size_t i = 0; i < way->operators->count && way->move_count < MOST_MOVES && !status; i++) {
		const struct release *better = way->judgements[way->request->order[i]].better;

		slow |= way->judgements[i].verdict.aicpu.lo_ppm > 0;
		if (better)
			status = add_move(way, better);
	}
	return slow && !status ? list_newer_kernels(way) : status;
}

/* --- what is reported of a fix */

static const struct result_verdict *verdict_on(const struct way *way, size_t index)
{
	size_t rank = 0;

	while (way->request->order[rank] != index)
		rank++;
	return &way->result->operators[rank].verdicts[way->place];
}

static enum effort effort_for(const struct way *way, const struct fix *fix)
{
	static const enum effort efforts[] = {
		[FIX_RELEASE] = EFFORT_UPGRADE, [FIX_PACKAGE] = EFFORT_PACKAGE, [FIX_SETTLE] = EFFORT_CONFIG
	};
	const struct result_verdict *verdict;

	if (fix->kind < ARRAY_SIZE(efforts))
		return efforts[fix->kind];
	verdict = verdict_on(way, fix->which);
	if (ANY(i, verdict->advice_count, strcmp(verdict->advice[i].id, "advice-recipe") == 0))
		return EFFORT_RECIPE;
	return verdict->dtypes.len ? EFFORT_AVOID : EFFORT_PORT;
}

static struct str subject_of(const struct way *way, const struct fix *fix)
{
	if (fix->kind == FIX_RELEASE)
		return way->moves[fix->which].release->id;
	return fix->kind == FIX_PACKAGE ? way->packages.items[fix->which].name : way->operators->items[fix->which].name;
}

static void apply_fix(struct way *way, const struct fix *fix)
{
	bool one = fix->kind == FIX_SETTLE || fix->kind == FIX_REPLACE;

	for (size_t i = one ? fix->which : 0; i < (one ? fix->which + 1 : way->operators->count); i++)
		way->now[i] = after_fix(way, fix, i);
	way->moved |= fix->kind == FIX_RELEASE;
	if (fix->kind == FIX_PACKAGE)
		way->packages.items[fix->which].installed = true;
}

/* The names of the operators that the next fix makes better in what gain counts. */
static void name_lifted(const struct way *way, const struct fix *fix, struct result_fix *ret)
{
	static const struct gain nothing;

	ret->operators = arena_alloc(way->arena, MOST_NAMES * sizeof(ret->operators[0]));
	for (size_t rank = 0; rank < way->operators->count; rank++) {
		size_t index = way->request->order[rank];
		struct state after = after_fix(way, fix, index);
		struct gain gain = { 0 };

		add_gain(&gain, &way->now[index], &after, WHOLE_PPM);
		if (compare_gain(&gain, &nothing) <= 0)
			continue;
		ret->operator_total++;
		if (ret->operator_count < MOST_NAMES)
			ret->operators[ret->operator_count++] = arena_keep(
				way->arena, way->operators->items[index].name);
	}
}

static void measure_way(const struct way *way, struct result_fix *ret)
{
	int64_t device[2] = { 0 }, runs[2] = { 0 }, aicpu[2] = { 0 };
	int64_t uncovered = way->request->weights->uncovered, whole = way->request->weights->whole;
	int64_t on_device = whole - way->request->weights->host_time;

	for (size_t i = 0; i < way->operators->count; i++) {
		const struct state *state = &way->now[i];
		const enum op_status ends[2] = { state->worst, state->best };
		const int64_t parts[2] = { state->aicpu_lo_ppm, state->aicpu_hi_ppm };
		int64_t weight = way->operators->items[i].weight;

		for (unsigned end = 0; end < 2; end++) {
			if (judgement_runs_on_device(ends[end]) && !state->host_work)
				device[end] = figure_add(device[end], weight);
			runs[end] = figure_add(runs[end], judgement_runs(ends[end]) ? weight : 0);
			aicpu[end] = figure_add(aicpu[end], part_on_aicpu(state, weight, parts[end]));
		}
		ret->blockers += state_blocks(state);
	}
	ret->aicpu = (struct result_interval){ share_ppm(aicpu[0], whole), share_ppm(aicpu[1], whole) };
	ret->readiness = (struct result_interval){ share_ppm(device[0], on_device),
		share_ppm(figure_add(device[1], uncovered), on_device) };
	ret->coverage = (struct result_interval){ share_ppm(runs[0], whole),
		share_ppm(figure_add(runs[1], uncovered), whole) };
}

/* --- the way */

static void take_fixes(struct way *way, struct result_target *ret)
{
	uint64_t count;

	ret->fixes = arena_alloc(way->arena, MOST_FIXES * sizeof(ret->fixes[0]));
	for (;;) {
		struct fix fix = choose_fix(way, &count);
		struct result_fix *next;

		if (!count || ret->fix_count == MOST_FIXES)
			break;
		next = &ret->fixes[ret->fix_count++];
		*next = (struct result_fix){ .kind = fix.kind,
			.effort = effort_for(way, &fix),
			.what = arena_keep(way->arena, subject_of(way, &fix)),
			.dtypes = fix.kind == FIX_REPLACE || fix.kind == FIX_SETTLE ? verdict_on(way, fix.which)->dtypes
										    : STR("") };
		name_lifted(way, &fix, next);
		way->taken[ret->fix_count - 1] = fix;
		apply_fix(way, &fix);
		measure_way(way, next);
	}
	ret->fixes_left = count;
}

/* --- what each fix changes by itself */

struct selection {
	struct way *way;
	const struct state *start; /* of the operators before any fix */
	size_t count;              /* of fixes */
	size_t release;            /* which of them moves to another one; count: none */
};

/* Readiness of the target after the first fixes, with or without the move, whatever its position. */
static struct result_fix measure_first(const struct selection *selection, size_t fixes, bool moved)
{
	struct way *way = selection->way;
	struct result_fix ret = { 0 };

	memcpy(way->now, selection->start, way->operators->count * sizeof(way->now[0]));
	for (size_t i = 0; i < way->packages.count; i++)
		way->packages.items[i].installed = false;
	for (size_t i = 0; i < fixes; i++) {
		if (i != selection->release || moved)
			apply_fix(way, &way->taken[i]);
	}
	if (moved && selection->release >= fixes)
		apply_fix(way, &way->taken[selection->release]);
	measure_way(way, &ret);
	return ret;
}

static struct result_interval added(struct result_interval after, struct result_interval before)
{
	return (struct result_interval){ after.lo_ppm - before.lo_ppm, after.hi_ppm - before.hi_ppm };
}

static struct result_change change_between(const struct result_fix *before, const struct result_fix *after)
{
	return (struct result_change){ .readiness = added(after->readiness, before->readiness),
		.coverage = added(after->coverage, before->coverage),
		.blockers = (int64_t)after->blockers - (int64_t)before->blockers };
}

/* Returns whether an operator needs the package, here or after the move. */
static bool may_need(const struct selection *selection, size_t index, size_t package)
{
	const struct way *way = selection->way;
	const struct state *start = &selection->start[index];

	if (needs(start) && start->package == package)
		return true;
	if (selection->release == selection->count)
		return false;
	start = &way->moves[way->taken[selection->release].which].states[index];
	return needs(start) && start->package == package;
}

/* The last earlier fix of the same operator, or the package that it comes with; as a number from 1, 0: none. */
static size_t fix_before(const struct selection *selection, size_t at)
{
	const struct way *way = selection->way;
	const struct fix *fix = &way->taken[at];

	if (fix->kind != FIX_SETTLE && fix->kind != FIX_REPLACE)
		return 0;
	for (size_t i = at; i > 0; i--) {
		const struct fix *other = &way->taken[i - 1];
		bool same = other->kind != FIX_PACKAGE && other->kind != FIX_RELEASE && other->which == fix->which;

		if (same || (other->kind == FIX_PACKAGE && may_need(selection, fix->which, other->which)))
			return i;
	}
	return 0;
}

static void put_alone(const struct selection *selection, struct result_fix *fixes)
{
	struct result_fix none = measure_first(selection, 0, false), here = none, moved = none, after;
	bool moves = selection->release < selection->count;

	if (moves)
		moved = measure_first(selection, 0, true);
	for (size_t i = 0; i < selection->count; i++) {
		struct result_alone *alone = arena_alloc(selection->way->arena, sizeof(*alone));

		fixes[i].alone = alone;
		if (i == selection->release) {
			after = measure_first(selection, 0, true);
			alone->here = change_between(&none, &after);
			continue;
		}
		after = measure_first(selection, i + 1, false);
		alone->after = fix_before(selection, i);
		alone->here = change_between(&here, &after);
		here = after;
		alone->has_moved = moves;
		if (!moves)
			continue;
		after = measure_first(selection, i + 1, true);
		alone->moved = change_between(&moved, &after);
		moved = after;
	}
}

int whatif_plan(const struct cost_request *request, size_t place, struct result *result, struct err *err)
{
	struct way way = { .request = request,
		.target = &request->targets[place],
		.judgements = request->judgements[place],
		.result = result,
		.place = place,
		.operators = request->judge->operators,
		.arena = &result->arena,
		.err = err };
	struct result_target *ret = &result->targets[place];
	size_t bytes = (way.operators->count + 1) * sizeof(way.now[0]);
	CLEANUP(mem_release) struct state *start = mem_zalloc(bytes);
	struct selection selection = { .way = &way, .start = start };
	int status;

	way.now = mem_zalloc(bytes);
	for (size_t rank = 0; rank < way.operators->count; rank++) { /* packages are numbered by share, too */
		size_t index = request->order[rank];

		way.now[index] = state_of(&way, &way.judgements[index]);
	}
	memcpy(start, way.now, bytes);
	status = list_moves(&way);
	if (!status) {
		take_fixes(&way, ret);
		selection.count = ret->fix_count;
		selection.release = POSITION(i, ret->fix_count, way.taken[i].kind == FIX_RELEASE);
		put_alone(&selection, ret->fixes);
	}
	free(way.now);
	free(way.packages.items);
	map_clear(&way.packages.by_name);
	return status;
}
