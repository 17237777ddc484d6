#include "assess/plan/places.h"

#include <stdlib.h>

#include "base/memory/map.h"
#include "base/memory/mem.h"
#include "base/value/figure.h"
#include "op/profile_links.h"

enum { MOST_PLACES = 2000, MOST_DEPTH = 64 };

/* One place while it is summed up. */
struct place {
	struct str path;
	uint32_t parent, child, next; /* positions, NO_PLACE for none */
	uint64_t calls;
	int64_t weight;
	struct place_sum {
		int64_t device_lo, device_hi, fallback, blocked, unknown;
	} * sums;               /* per target */
	uint32_t last_operator; /* the last one that was counted, so that each counts once */
	uint64_t operators;
	uint64_t *blockers; /* per target */
	size_t position;    /* in the result */
};

#define NO_PLACE UINT32_MAX

struct place_sums {
	const struct cost_request *request;
	const struct operators *operators;
	size_t targets;
	bool by_device; /* times are those of the device */
	bool by_calls;
	struct arena arena;
	struct {
		struct place *items;
		size_t count, capacity;
		struct map by_path;
	} places;
	uint64_t left_out;
	MEM_LIST(struct presence {
		uint32_t op;
		uint32_t place;
	})
	presences;          /* which operator is directly in which place */
	struct map by_name; /* recorded names to operators */
	const struct profile_name *names;
};

/* --- which operator a recorded name is */

static void index_names(struct place_sums *sums)
{
	const struct profile *profile = sums->request->judge->profile;
	size_t name_count;

	sums->names = profile_names(profile, &name_count);
	for (size_t i = 0; i < name_count; i++) {
		if (sums->request->judge->operators->of_names[i] != NO_OPERATOR)
			map_add_name(&sums->by_name, sums->names[i].text, (uint32_t)i);
	}
}

/* --- the places */

/* The path without what is deeper than MOST_DEPTH. */
static struct str shallow(struct str path)
{
	unsigned depth = 0;

	for (size_t i = 0; i < path.len; i++) {
		if (path.ptr[i] == '/' && ++depth == MOST_DEPTH)
			return str_sub(path, 0, i);
	}
	return path;
}

/* The place of a path, made with those around it if need be; when there are too many, the nearest one around it that is
   there, or NO_PLACE. */
static uint32_t place_at_path(struct place_sums *sums, struct str path, bool nested)
{
	uint32_t found = MAP_FIND(&sums->places.by_path, sums->places.items, path);
	struct place place = { .path = path, .parent = NO_PLACE, .child = NO_PLACE, .last_operator = NO_OPERATOR };
	size_t last_part = str_tail(path, '/').len;

	if (found != MAP_NONE)
		return found;
	if (nested && last_part + 1 < path.len)
		place.parent = place_at_path(sums, str_chop(path, last_part + 1), true);
	if (sums->places.count >= MOST_PLACES)
		return place.parent;
	place.sums = arena_alloc(&sums->arena, (sums->targets + 1) * sizeof(place.sums[0]));
	place.blockers = arena_alloc(&sums->arena, (sums->targets + 1) * sizeof(place.blockers[0]));
	map_add_name(&sums->places.by_path, path, (uint32_t)sums->places.count);
	MEM_PUSH(&sums->places, place);
	return (uint32_t)sums->places.count - 1;
}

static void add_to_target(
	struct place *place, size_t target, const struct judgement *judgement, int64_t weight, bool is_new)
{
	struct place_sum *sum = &place->sums[target];
	enum status_class class = op_status_class(judgement->verdict.status);
	bool host_work = judgement->verdict.flags & FLAG_HOST_WORK;

	if (!host_work && judgement_runs_on_device(judgement_worst(judgement)))
		sum->device_lo = figure_add(sum->device_lo, weight);
	if (!host_work && judgement_runs_on_device(judgement->best))
		sum->device_hi = figure_add(sum->device_hi, weight);
	if (class == CLASS_CPU)
		sum->fallback = figure_add(sum->fallback, weight);
	if (class == CLASS_BLOCKED)
		sum->blocked = figure_add(sum->blocked, weight);
	if (class == CLASS_UNKNOWN)
		sum->unknown = figure_add(sum->unknown, weight);
	place->blockers[target] += is_new && op_status_class(judgement->best) == CLASS_BLOCKED;
}

static int64_t weight_of(const struct place_sums *sums, const struct op_link *link)
{
	int64_t weight = sums->by_calls    ? (int64_t)link->calls
			 : sums->by_device ? link->self_device_ns
					   : link->self_cpu_ns;

	return weight > 0 ? weight : 0;
}

static void add_link(struct place_sums *sums, const struct op_link *link, uint32_t op, bool nested)
{
	uint32_t innermost = place_at_path(sums, nested ? shallow(link->other) : link->other, nested);

	if (innermost == NO_PLACE)
		sums->left_out = figure_count(sums->left_out, link->calls);
	else
		MEM_PUSH(&sums->presences, ((struct presence){ op, innermost }));
	for (uint32_t at = innermost; at != NO_PLACE; at = sums->places.items[at].parent) {
		struct place *place = &sums->places.items[at];
		bool is_new = place->last_operator != op;

		place->calls = figure_count(place->calls, link->calls);
		place->weight = figure_add(place->weight, weight_of(sums, link));
		place->operators += is_new;
		place->last_operator = op;
		for (size_t i = 0; i < sums->targets; i++)
			add_to_target(place, i, &sums->request->judgements[i][op], weight_of(sums, link), is_new);
	}
}

/* Links come sorted by name, so that those of one operator come together, unless it was recorded under several names.
   */
static bool gather_links(struct place_sums *sums, enum relation relation)
{
	size_t count;
	const struct op_link *links = profile_links(sums->request->judge->profile, relation, &count);

	for (size_t i = 0; i < count; i++) {
		uint32_t name = MAP_FIND(&sums->by_name, sums->names, links[i].name);
		uint32_t op = name == MAP_NONE ? NO_OPERATOR : sums->request->judge->operators->of_names[name];

		if (op != NO_OPERATOR)
			add_link(sums, &links[i], op, relation == RELATION_MODULE);
	}
	return sums->places.count > 0;
}

/* --- their order */

/* Lightest first. */
static int by_weight(const void *a, const void *b, void *ctx)
{
	const struct place *places = ctx;
	const struct place *left = &places[*(const uint32_t *)a], *right = &places[*(const uint32_t *)b];

	return ORDER(left->weight, right->weight) ?: str_cmp(right->path, left->path);
}

/* Puts each in front of its siblings, the lightest first, so that the heaviest ends up before all; returns the
   outermost. */
static uint32_t link_places(struct place_sums *sums)
{
	size_t count = sums->places.count;
	uint32_t *order = mem_zalloc((count + 1) * sizeof(order[0])), outermost = NO_PLACE;

	for (size_t i = 0; i < count; i++)
		order[i] = (uint32_t)i;
	qsort_r(order, count, sizeof(order[0]), by_weight, sums->places.items);
	for (size_t i = 0; i < count; i++) {
		struct place *place = &sums->places.items[order[i]];
		uint32_t *list = place->parent == NO_PLACE ? &outermost : &sums->places.items[place->parent].child;

		place->next = *list;
		*list = order[i];
	}
	free(order);
	return outermost;
}

/* At most MOST_DEPTH deep. */
static void put_places(const struct place_sums *sums, uint32_t first, uint32_t depth, struct result *result)
{
	int64_t whole = sums->request->weights->whole;

	for (uint32_t at = first; at != NO_PLACE; at = sums->places.items[at].next) {
		struct place *place = &sums->places.items[at];
		struct result_place *ret = &result->places.items[result->places.count];

		place->position = result->places.count++;
		*ret = (struct result_place){ .path = arena_keep(&result->arena, place->path),
			.depth = depth,
			.calls = place->calls,
			.operators = place->operators,
			.share_ppm = share_ppm(place->weight, whole),
			.target_count = sums->targets };
		ret->targets = arena_alloc(&result->arena, (sums->targets + 1) * sizeof(ret->targets[0]));
		for (size_t i = 0; i < sums->targets; i++) {
			const struct place_sum *sum = &place->sums[i];

			ret->targets[i] = (struct result_place_target){ share_ppm(sum->device_lo, whole),
				share_ppm(sum->device_hi, whole), share_ppm(sum->fallback, whole),
				share_ppm(sum->blocked, whole), share_ppm(sum->unknown, whole), place->blockers[i],
				result->targets[i].id };
		}
		put_places(sums, place->child, depth + 1, result);
	}
}

/* --- which operators are where */

static int by_operator(const void *a, const void *b)
{
	const struct presence *left = a, *right = b;

	return ORDER(left->op, right->op) ?: ORDER(left->place, right->place);
}

/* Each operator gets the positions of its places, in their order and each once. */
static void put_presences(struct place_sums *sums, struct result *result)
{
	struct presence *items = sums->presences.items;
	size_t count = sums->presences.count;
	int64_t *positions = arena_alloc(&result->arena, (count + 1) * sizeof(positions[0]));
	const struct presence *last = NULL;
	struct result_operator **of = mem_zalloc((result->operator_count + 1) * sizeof(struct result_operator *));

	for (size_t i = 0; i < result->operator_count; i++)
		of[sums->request->order[i]] = &result->operators[i];
	for (size_t i = 0; i < count; i++)
		items[i].place = (uint32_t)sums->places.items[items[i].place].position;
	if (count)
		qsort(items, count, sizeof(items[0]), by_operator);
	for (size_t i = 0; i < count; last = &items[i++]) {
		struct result_operator *op = of[items[i].op];

		if (last && by_operator(last, &items[i]) == 0)
			continue;
		op->places = op->place_count ? op->places : positions;
		op->place_count++;
		*positions++ = items[i].place;
	}
	free(of);
}

/* Where in the program the operators are: fills in places of the result, by module path, or by line of source where the
   dump has no modules. A module holds what runs in the modules inside it. Operators without a place in the dump are in
   none. */
void places_add(const struct cost_request *request, struct result *result)
{
	struct place_sums all = { .request = request,
		.operators = request->judge->operators,
		.targets = result->target_count,
		.by_device = request->weights->basis == BASIS_DEVICE_TIME,
		.by_calls = request->weights->basis == BASIS_CALLS,
		.arena = ARENA_INIT(ARENA_UNLIMITED) };

	index_names(&all);
	result->places.kind = gather_links(&all, RELATION_MODULE)   ? PLACES_MODULES
			      : gather_links(&all, RELATION_SOURCE) ? PLACES_LINES
								    : PLACES_NONE;
	result->places.items = arena_alloc(&result->arena, (all.places.count + 1) * sizeof(result->places.items[0]));
	put_places(&all, link_places(&all), 0, result);
	put_presences(&all, result);
	result->places.left_out = all.left_out;
	arena_clear(&all.arena);
	map_clear(&all.places.by_path);
	map_clear(&all.by_name);
	free(all.places.items);
	free(all.presences.items);
}
