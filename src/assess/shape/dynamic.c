#include "assess/shape/dynamic.h"

#include <stdlib.h>

#include "assess/shape/steps.h"
#include "base/memory/hash.h"
#include "base/memory/mem.h"
#include "op/shape.h"

bool dynamic_is_changing(enum dynamic_kind kind)
{
	return kind >= DYNAMIC_LAST_BATCH;
}

bool dynamic_changes_at(const struct result_dynamic *dynamic, const struct shape_size *place)
{
	return ANY(i, dynamic->dim_count,
		dynamic->dims[i].argument == place->argument && dynamic->dims[i].tensor == place->tensor &&
			dynamic->dims[i].dim == place->dim);
}

/* All operators in one stream. */
struct rank {
	struct arena *arena;  /* of the result */
	struct arena scratch; /* of what is known of this rank alone */
	const struct profile *profile;
	const struct operators *operators;
	struct dynamic_options options;
	const struct profile_stream *stream;
	struct usable_steps steps;
	struct op_history *histories; /* per operator */
	bool *epoch_end;              /* [1..steps.count]: a step with a last, smaller batch */
	uint32_t *regular_before;     /* steps up to and with this one that are neither step 1 nor at an epoch's edge */
	bool epochs;                  /* some epoch_end is set */
	struct read_shapes *read;     /* of the operator at hand */
};

enum { MOST_PERCENT = 60 };

static bool is_most(size_t part, size_t all)
{
	return all && part * 100 >= all * MOST_PERCENT;
}

/* --- where epochs end */

/* A segment of one step that shrinks and after which the set before it comes back, or the stream ends. */
static bool is_short_step(const struct rank *rank, const struct op_history *history, size_t at)
{
	const struct segment *segment = &history->segments[at];
	struct step_changes changes;

	if (segment->first != segment->last || segment->first < 3)
		return false;
	if (segment->last < rank->steps.count &&
		history->segments[at + 1].signature != history->segments[at - 1].signature)
		return false;
	changes = op_changes_at(rank->profile, history, segment->first, rank->read);
	return changes.count && ALL(i, changes.count, changes.items[i].to < changes.items[i].from);
}

/* Marks the steps at which most of the operators that change have a short step. */
static void mark_short_steps(struct rank *rank)
{
	size_t bytes = (rank->steps.count + 2) * sizeof(uint32_t);
	uint32_t *changed = mem_zalloc(bytes), *shrank = mem_zalloc(bytes);

	for (size_t i = 0; i < rank->operators->count; i++) {
		const struct op_history *history = &rank->histories[i];

		for (size_t at = 1; at < history->count; at++) {
			changed[history->segments[at].first]++;
			shrank[history->segments[at].first] += is_short_step(rank, history, at);
		}
		read_shapes_clear(rank->read);
	}
	for (uint32_t step = 3; step <= rank->steps.count; step++) {
		rank->epoch_end[step] = is_most(shrank[step], changed[step]);
		rank->epochs |= rank->epoch_end[step];
	}
	free(changed);
	free(shrank);
}

/* Returns whether the operator has one set in all steps away from the edges of epochs. */
static bool is_regular(const struct rank *rank, const struct op_history *history)
{
	uint64_t signature = 0;
	bool seen = false;

	for (size_t at = 0; at < history->count; at++) {
		const struct segment *segment = &history->segments[at];

		if (rank->regular_before[segment->last] == rank->regular_before[segment->first - 1])
			continue;
		if (seen && segment->signature != signature)
			return false;
		signature = segment->signature;
		seen = true;
	}
	return seen;
}

static bool changes_late(const struct op_history *history)
{
	return history->count > 1 && history->segments[history->count - 1].first > 2;
}

/* Epochs are believed in when leaving their edges out makes most of the changing operators regular. */
static void find_epochs(struct rank *rank)
{
	size_t changing = 0, regular = 0;

	rank->epoch_end = arena_alloc(&rank->scratch, rank->steps.count + 2);
	rank->regular_before = arena_alloc(&rank->scratch, (rank->steps.count + 2) * sizeof(uint32_t));
	if (rank->options.rows_hidden || rank->steps.count < 4)
		return;
	mark_short_steps(rank);
	for (uint32_t step = 1; step <= rank->steps.count; step++) {
		bool edge = step == 1 || rank->epoch_end[step] || rank->epoch_end[step - 1];

		rank->regular_before[step] = rank->regular_before[step - 1] + !edge;
	}
	for (size_t i = 0; i < rank->operators->count; i++) {
		if (!changes_late(&rank->histories[i]))
			continue;
		changing++;
		regular += is_regular(rank, &rank->histories[i]);
	}
	rank->epochs = rank->epochs && rank->regular_before[rank->steps.count] >= 2 && is_most(regular, changing);
}

/* --- kinds */

static int by_signature(const void *a, const void *b)
{
	return ORDER(*(const int64_t *)a, *(const int64_t *)b);
}

/* Different sets among all steps. */
static size_t distinct_sets(const struct op_history *history)
{
	CLEANUP(mem_release) uint64_t *signatures = mem_resize(NULL, history->count, sizeof(signatures[0]));
	size_t distinct = 0;

	for (size_t i = 0; i < history->count; i++)
		signatures[i] = history->segments[i].signature;
	qsort(signatures, history->count, sizeof(signatures[0]), by_signature);
	for (size_t i = 0; i < history->count; i++)
		distinct += i == 0 || signatures[i] != signatures[i - 1];
	return distinct;
}

static enum dynamic_kind changing_kind(const struct rank *rank, const struct op_history *history)
{
	const struct segment *last = &history->segments[history->count - 1];
	/* when the profile could keep no more shapes, new ones are missing from then on */
	bool is_cut = profile_calls_over_cap(rank->profile) && !last->uses;
	size_t steps = is_cut ? last->first - 1 : rank->steps.count;

	return distinct_sets(history) * 4 > steps * 3 ? DYNAMIC_UNBOUNDED : DYNAMIC_BOUNDED;
}

/* Returns whether the only change after the warm-up is one shape that comes and goes. */
static bool is_presence(const struct rank *rank, const struct op_history *history)
{
	uint64_t only = 0;

	for (size_t i = 0; i < history->event_count; i++) {
		const struct step_event *event = &history->events[i];
		uint64_t signature = event->joins ? event->signature : -event->signature;

		if (event->step < 3 || event->step > rank->steps.count)
			continue;
		if (only && only != signature)
			return false;
		only = signature;
	}
	return true;
}

/* With rows hidden only sets that have nothing in common are known to differ. */
static enum dynamic_kind kind_of_hidden(const struct rank *rank, const struct op_history *history)
{
	size_t changes = 0;

	for (size_t at = 1; at < history->count; at++) {
		if (history->segments[at].first < 3)
			continue;
		if (!op_sets_are_disjoint(history, at))
			return DYNAMIC_UNKNOWN;
		changes++;
	}
	return changes >= 2 ? changing_kind(rank, history) : DYNAMIC_UNKNOWN;
}

static enum dynamic_kind kind_in_rank(const struct rank *rank, const struct op_history *history)
{
	if (!history->shapes || rank->steps.count < 2 || rank->stream->averaged || rank->stream->stepless)
		return DYNAMIC_UNKNOWN;
	if (rank->options.rows_hidden)
		return kind_of_hidden(rank, history);
	if (changes_late(history)) {
		if (rank->epochs && is_regular(rank, history))
			return DYNAMIC_LAST_BATCH;
		if (!is_presence(rank, history))
			return changing_kind(rank, history);
		return history->cut || profile_calls_over_cap(rank->profile) ? DYNAMIC_UNKNOWN : DYNAMIC_STATIC;
	}
	if (history->cut || (history->count > 1 && rank->steps.count < 3))
		return DYNAMIC_UNKNOWN;
	if (history->count == 1)
		return DYNAMIC_STATIC;
	return history->segments[0].uses ? DYNAMIC_WARM_UP : DYNAMIC_LATE;
}

/* --- evidence */

/* The kind of the first change from the given step on. */
static struct message change_evidence(const struct rank *rank, const struct op_history *history, uint32_t from)
{
	struct step_changes changes;
	const struct size_change *change = &changes.items[0];
	struct message message = message_of("dynamic-differs");
	uint32_t step = 0;

	for (size_t at = 1; at < history->count && !step; at++)
		step = history->segments[at].first >= from ? history->segments[at].first : 0;
	if (!step)
		return message_of("dynamic-same");
	changes = op_changes_at(rank->profile, history, step, rank->read);
	if (!changes.came || !changes.went)
		message.id = changes.came ? "dynamic-comes" : "dynamic-goes";
	message_add_number(&message, rank->arena, "step", rank->steps.original[step]);
	message_add_number(&message, rank->arena, "previous", rank->steps.original[step - 1]);
	if (!changes.count)
		return message;
	message.id = change->tensor ? "dynamic-size-in-list" : "dynamic-size";
	message_add_number(&message, rank->arena, "argument", change->argument);
	if (change->tensor)
		message_add_number(&message, rank->arena, "tensor", change->tensor);
	message_add_number(&message, rank->arena, "dim", change->dim);
	message_add_number(&message, rank->arena, "from", change->from);
	message_add_number(&message, rank->arena, "to", change->to);
	return message;
}

static struct message unknown_evidence(const struct rank *rank, const struct op_history *history)
{
	if (!history->shapes)
		return message_of("dynamic-no-shapes");
	if (rank->stream->averaged)
		return message_of("dynamic-averaged");
	if (rank->stream->stepless)
		return message_of("dynamic-no-steps");
	if (rank->steps.count < 2)
		return message_of(rank->steps.left_out ? "dynamic-only-compiled" : "dynamic-one-step");
	if (rank->options.rows_hidden)
		return message_of("dynamic-hidden-rows");
	if (history->cut)
		return message_of("dynamic-cut-shapes");
	return message_of(rank->steps.count < 3 ? "dynamic-two-steps" : "dynamic-over-limit");
}

static struct message evidence_of(const struct rank *rank, const struct op_history *history, enum dynamic_kind kind)
{
	struct message message;

	switch (kind) {
	case DYNAMIC_UNKNOWN:
		return unknown_evidence(rank, history);
	case DYNAMIC_STATIC:
		if (history->count > 1)
			return change_evidence(rank, history, 2);
		message = message_of("dynamic-same-steps");
		message_add_number(&message, rank->arena, "steps", rank->steps.count);
		return message;
	case DYNAMIC_LATE:
	case DYNAMIC_WARM_UP:
		return change_evidence(rank, history, 2);
	default:
		return change_evidence(rank, history, 3);
	}
}

/* --- the dimensions that change */

/* A size that was seen at a place. */
struct dim_value {
	uint16_t argument, tensor, dim;
	int64_t size;
};

struct dim_values {
	struct dim_value *items;
	size_t count, capacity;
	struct map places; /* of the items, each of which is there once */
	struct map steps;  /* whose changes are in, each of which differs from the others */
};

static void add_value(struct dim_values *values, struct dim_value value)
{
	uint64_t place = (uint64_t)value.argument << 32 | (uint64_t)value.tensor << 16 | value.dim;
	uint64_t hash = hash_mix(place ^ 0x9e3779b97f4a7c15u, (uint64_t)value.size ^ 0xd6e8feb86659fd93u);
	struct map_cursor at = map_start(&values->places, hash);

	while (map_next(&values->places, &at)) {
		const struct dim_value *known = &values->items[at.index];

		if (known->argument == value.argument && known->tensor == value.tensor && known->dim == value.dim &&
			known->size == value.size)
			return;
	}
	map_add(&values->places, hash, (uint32_t)values->count);
	MEM_PUSH(values, value);
}

static int by_place_and_size(const void *a, const void *b)
{
	const struct dim_value *left = a, *right = b;

	return ORDER(left->argument, right->argument) ?:
	       ORDER(left->tensor, right->tensor) ?:
	       ORDER(left->dim, right->dim) ?:
	       ORDER(left->size, right->size);
}

/* Returns whether the changes of a step are in already: data of few sizes makes the same ones again and again. */
static bool knows_changes(struct dim_values *values, const struct op_history *history, uint32_t step)
{
	uint64_t hash = op_events_hash(history, step);
	struct map_cursor at = map_start(&values->steps, hash);

	while (map_next(&values->steps, &at)) {
		if (op_events_hash(history, at.index) == hash)
			return true;
	}
	map_add(&values->steps, hash, step);
	return false;
}

static void collect_values(const struct rank *rank, const struct op_history *history, struct dim_values *values)
{
	enum { MAX_SEGMENTS = 512 };
	for (size_t at = 1; at < history->count && at < MAX_SEGMENTS; at++) {
		uint32_t step = history->segments[at].first;
		struct step_changes changes;

		if (step < 3 || knows_changes(values, history, step))
			continue;
		changes = op_changes_at(rank->profile, history, step, rank->read);
		for (size_t i = 0; i < changes.count; i++) {
			const struct size_change *change = &changes.items[i];

			add_value(values,
				(struct dim_value){ change->argument, change->tensor, change->dim, change->from });
			add_value(values,
				(struct dim_value){ change->argument, change->tensor, change->dim, change->to });
		}
	}
}

/* Groups the values by place: minimum, maximum and how many different ones. */
static void dims_of(struct arena *arena, struct dim_values *values, struct result_dynamic *ret)
{
	struct result_dim *dim = NULL;

	if (!values->count)
		return;
	qsort(values->items, values->count, sizeof(values->items[0]), by_place_and_size);
	ret->dims = arena_alloc(arena, (values->count + 1) * sizeof(ret->dims[0]));
	for (size_t i = 0; i < values->count; i++) {
		const struct dim_value *value = &values->items[i];

		if (!dim || dim->argument != value->argument || dim->tensor != value->tensor ||
			dim->dim != value->dim) {
			dim = &ret->dims[ret->dim_count++];
			*dim = (struct result_dim){ value->argument, value->tensor, value->dim, value->size,
				value->size, 0 };
		}
		dim->distinct++;
		dim->max = value->size;
	}
}

/* --- all ranks */

static void take_rank(const struct rank *rank, struct result_dynamic *ret)
{
	for (size_t i = 0; i < rank->operators->count; i++) {
		const struct op_history *history = &rank->histories[i];
		struct dim_values values = { 0 };
		enum dynamic_kind kind;

		if (!history->event_count)
			continue;
		kind = kind_in_rank(rank, history);
		if (ret[i].evidence.id && kind <= ret[i].kind)
			continue;
		ret[i].kind = kind;
		ret[i].evidence = evidence_of(rank, history, kind);
		ret[i].dim_count = 0;
		if (dynamic_is_changing(kind)) {
			collect_values(rank, history, &values);
			dims_of(rank->arena, &values, &ret[i]);
			free(values.items);
			map_clear(&values.places);
			map_clear(&values.steps);
		}
		read_shapes_clear(rank->read);
	}
}

/* --- what is said beside the kind */

static uint64_t distinct_shapes(const struct profile_use *uses, const struct op *op)
{
	CLEANUP(map_clear) struct map places = { 0 }; /* of uses whose text is the first of its kind */
	uint64_t distinct = 0;

	for (size_t i = 0; i < op->use_count; i++) {
		struct str text = uses[op->uses[i]].shapes;
		uint64_t hash = uses[op->uses[i]].shapes_hash;
		struct map_cursor at = map_start(&places, hash);
		bool known = !text.len;

		op_fetch_ahead(op, uses, i);
		while (!known && map_next(&places, &at))
			known = str_eq(uses[at.index].shapes, text);
		if (!known)
			map_add(&places, hash, op->uses[i]);
		distinct += !known;
	}
	return distinct;
}

/* The guide's script: new after step 1, or with a shape text that step 1 had not. */
static bool guide_says_dynamic(const struct profile_use *uses, const struct op *op)
{
	for (size_t i = 0; i < op->use_count; i++) {
		const struct profile_use *use = &uses[op->uses[i]];

		if (use->shapes.len && use->steps.count && step_runs_items(&use->steps)->first > 1)
			return true;
	}
	return false;
}

void dynamic_set_data_dependent(struct result_dynamic *dynamic)
{
	dynamic->kind = DYNAMIC_DATA_DEPENDENT;
	dynamic->evidence = message_of("dynamic-by-definition");
}

void dynamic_analyse(struct arena *arena, const struct profile *profile, const struct operators *operators,
	struct dynamic_options options, struct result_dynamic *ret)
{
	size_t stream_count, use_count;
	const struct profile_stream *streams = profile_streams(profile, &stream_count);
	const struct profile_use *uses = profile_uses(profile, &use_count);

	memset(ret, 0, operators->count * sizeof(ret[0]));
	for (size_t i = 0; i < stream_count; i++) {
		struct read_shapes read = READ_SHAPES_INIT;
		struct rank rank = { .arena = arena,
			.scratch = ARENA_INIT(ARENA_UNLIMITED),
			.profile = profile,
			.operators = operators,
			.options = options,
			.read = &read,
			.stream = &streams[i] };

		usable_steps_make(&rank.scratch, profile, (uint32_t)i, &rank.steps);
		rank.histories = arena_alloc(&rank.scratch, (operators->count + 1) * sizeof(rank.histories[0]));
		op_histories_make(&rank.scratch, profile, &rank.steps, operators, rank.histories);
		find_epochs(&rank);
		take_rank(&rank, ret);
		arena_clear(&rank.scratch);
	}
	for (size_t i = 0; i < operators->count; i++) {
		if (!ret[i].evidence.id) {
			ret[i].kind = DYNAMIC_UNKNOWN;
			ret[i].evidence = message_of("dynamic-only-compiled");
		}
		ret[i].distinct = distinct_shapes(uses, &operators->items[i]);
		ret[i].guide_rule = guide_says_dynamic(uses, &operators->items[i]) ? GUIDE_DYNAMIC : GUIDE_STATIC;
	}
}
