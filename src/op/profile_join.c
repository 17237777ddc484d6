#include "op/profile_join.h"

#include <stdlib.h>

#include "base/memory/hash.h"
#include "base/value/figure.h"
#include "op/call.h"
#include "op/profile_impl.h"
#include "op/profile_links.h"
#include "op/profile_merge.h"

enum { NO_NAME = -1, ENOUGH_STEPS = 3, MAX_VARIANTS = 16 };

/* --- names, however a dump spells them */

struct name_sums {
	uint64_t calls;
	uint64_t warm; /* of these, outside compiling steps; all if every step compiled */
	int64_t self_cpu_ns, cpu_total_ns, self_device_ns;
};

/* One side: a part, and later the finished profile of it, with the same names at the same places. */
struct side {
	struct profile *profile;
	const struct profile_stream *stream; /* of the profile */
	uint32_t steps;                      /* with calls outside compiling steps */
	bool compiling;                      /* every step was, or the steps are unknown */
	struct map by_meaning;
	int64_t *first;         /* per name: the first one of the same meaning; NO_NAME: without calls */
	struct name_sums *sums; /* per first name */
	size_t operators;       /* of different meanings, with calls outside compiling steps */
};

static uint64_t hash_of_meaning(const struct profile_name *name)
{
	uint64_t hash = hash_seed() + name->name.name_class;

	return name->name.name_class == NAME_OPERATOR ? hash_str(hash_str(hash, name->name.ns), name->name.base)
						      : hash_str(hash, name->text);
}

static bool mean_the_same(const struct profile_name *a, const struct profile_name *b)
{
	if (a->name.name_class != b->name.name_class || a->name.cut != b->name.cut)
		return false;
	return a->name.name_class == NAME_OPERATOR
		       ? str_eq(a->name.ns, b->name.ns) && str_eq(a->name.base, b->name.base)
		       : str_eq(a->text, b->text);
}

/* The first name of the side that means the same, or NO_NAME. */
static int64_t name_on(const struct side *side, const struct profile_name *name)
{
	struct map_cursor at = map_start(&side->by_meaning, hash_of_meaning(name));

	while (map_next(&side->by_meaning, &at)) {
		if (mean_the_same(&side->profile->names.items[at.index], name))
			return at.index;
	}
	return NO_NAME;
}

/* The records of a table that is not counted in yet. */
static void add_table(struct side *side, const struct table *table)
{
	const struct profile *part = side->profile;

	if (!table->serial)
		return;
	for (size_t i = 0; i < table->slots.count; i++) {
		const struct slot *slot = &table->slots.items[i];
		struct name_sums *sums = &side->sums[part->uses.items[slot->use].name];

		FIGURES_ADD(sums, slot);
		if (!table->compiling || side->compiling)
			sums->warm = figure_count(sums->warm, slot->calls);
	}
}

/* Steps without compiling describe a run better: their number, or that of all if every step compiled. */
static void count_steps(struct side *side)
{
	const struct profile_stream *stream = &side->profile->streams.items[0];
	const struct stream_state *state = &side->profile->states.items[0];
	const struct step_run *runs = step_runs_items(&stream->compiling);
	const struct table *tables[] = { state->first, &state->tables[!state->current] };
	uint32_t all = stream->steps, compiling = 0;
	bool known = false; /* calls of such steps; unknown in a trace */

	for (size_t i = 0; i < side->profile->names.count; i++)
		known |= side->profile->names.items[i].compiling_calls > 0;
	for (size_t i = 0; i < stream->compiling.count; i++)
		compiling += runs[i].last - runs[i].first + 1;
	for (size_t i = 0; i < ARRAY_SIZE(tables); i++) {
		bool is_step = tables[i] && tables[i]->serial && tables[i]->operators;

		all += is_step;
		compiling += is_step && tables[i]->compiling;
		known |= is_step && tables[i]->compiling;
	}
	side->compiling = compiling && (compiling >= all || !known);
	side->steps = side->compiling ? all : all - compiling;
}

/* The sums of each name as it is spelled. */
static void sum_names(struct side *side)
{
	const struct profile *part = side->profile;
	const struct stream_state *state = &part->states.items[0];

	count_steps(side);
	for (size_t i = 0; i < part->uses.count; i++) {
		const struct profile_use *use = &part->uses.items[i];
		struct name_sums *sums = &side->sums[use->name];

		FIGURES_ADD(sums, use);
		sums->warm = figure_count(sums->warm, use->calls);
	}
	for (size_t i = 0; i < part->names.count && !side->compiling; i++)
		side->sums[i].warm -= part->names.items[i].compiling_calls;
	if (state->first)
		add_table(side, state->first);
	add_table(side, &state->tables[!state->current]);
}

/* Spellings of one name become one. */
static void index_names(struct side *side)
{
	const struct profile *part = side->profile;

	for (size_t i = 0; i < part->names.count; i++) {
		const struct profile_name *name = &part->names.items[i];
		struct name_sums *sums = &side->sums[i];

		side->first[i] = sums->calls ? name_on(side, name) : NO_NAME;
		if (side->first[i] != NO_NAME) {
			struct name_sums *first = &side->sums[side->first[i]];

			FIGURES_ADD(first, sums);
			first->warm = figure_count(first->warm, sums->warm);
		} else if (sums->calls) {
			side->first[i] = (int64_t)i;
			map_add(&side->by_meaning, hash_of_meaning(name), (uint32_t)i);
		}
	}
	for (size_t i = 0; i < part->names.count; i++)
		side->operators += side->first[i] == (int64_t)i && side->sums[i].warm &&
				   part->names.items[i].name.name_class == NAME_OPERATOR;
}

static struct side side_of(struct profile *part)
{
	struct side side = { .profile = part };

	side.first = mem_zalloc((part->names.count + 1) * sizeof(side.first[0]));
	side.sums = mem_zalloc((part->names.count + 1) * sizeof(side.sums[0]));
	sum_names(&side);
	index_names(&side);
	return side;
}

/* Counts all steps in. The part is empty then. */
static void side_finish(struct side *side)
{
	struct profile *part = side->profile;

	side->profile = profile_new(&part->limits);
	profile_merge(side->profile, part, STR(""));
	profile_finish(side->profile);
	side->stream = &side->profile->streams.items[0];
}

static void side_clear(struct side *side)
{
	if (side->stream)
		profile_free(side->profile);
	map_clear(&side->by_meaning);
	free(side->first);
	free(side->sums);
}

/* --- whether both show one run */

/* Number of operators that both sides must show: all of a complete side, none of the part cut off. */
static size_t names_to_share(const struct side sides[2], const bool cut[2])
{
	size_t a = sides[0].operators, b = sides[1].operators;

	if (cut[0] == cut[1])
		return (a > b) != cut[0] ? a : b;
	return cut[0] ? a : b;
}

/* Returns whether nine tenths of the calls agree after multiplying each side by its factor. */
static bool calls_agree(const struct side sides[2], const bool cut[2], const uint64_t factors[2])
{
	unsigned __int128 common = 0, all = 0;
	size_t names = 0;

	for (size_t i = 0; i < sides[0].profile->names.count; i++) {
		const struct profile_name *name = &sides[0].profile->names.items[i];
		int64_t other = name->name.name_class == NAME_OPERATOR && sides[0].first[i] == (int64_t)i
					? name_on(&sides[1], name)
					: NO_NAME;
		unsigned __int128 a, b;

		if (other == NO_NAME || !sides[0].sums[i].warm || !sides[1].sums[other].warm)
			continue;
		names++;
		a = (unsigned __int128)sides[0].sums[i].warm * factors[0];
		b = (unsigned __int128)sides[1].sums[other].warm * factors[1];
		common += a < b ? a : b;
		all += cut[0] == cut[1] ? (a > b ? a : b) : cut[0] ? a : b;
	}
	return all && common * 10 >= all * 9 && names * 10 >= names_to_share(sides, cut) * 9;
}

/* Calls of compiling steps alone are missing on a side without such steps. */
static bool show_one_run(struct profile *const parts[2], const bool cut[2], struct side sides[2])
{
	const uint64_t as_they_are[2] = { 1, 1 };

	if (parts[0]->streams.count != 1 || parts[1]->streams.count != 1)
		return false;
	sides[0] = side_of(parts[0]);
	sides[1] = side_of(parts[1]);

	const uint64_t a_step[2] = { sides[1].steps, sides[0].steps };
	const bool less[2] = { cut[0] || sides[1].compiling, cut[1] || sides[0].compiling };

	return (a_step[0] && a_step[1] && calls_agree(sides, less, a_step)) || calls_agree(sides, less, as_they_are);
}

/* Information of a side, the most important first: sizes, all rows, changes between steps, times, types, overloads. */
static unsigned worth(const struct side *side, bool cut)
{
	unsigned steps = side->stream->steps < ENOUGH_STEPS ? side->stream->steps : ENOUGH_STEPS;
	unsigned has = side->stream->has;

	return (has & TABLE_HAS_SHAPES ? 256u : 0) + (cut ? 0 : 128u) + steps * 32 + (has & TABLE_HAS_TIMES ? 16u : 0) +
	       (has & TABLE_HAS_DEVICE_TIMES ? 8u : 0) + (has & TABLE_HAS_DTYPES ? 4u : 0) +
	       (has & TABLE_HAS_OVERLOADS ? 2u : 0);
}

/* --- joining */

/* Calls of one set of overload and types, and where they are of all shapes of a name, of shapes that differ in sizes
   alone: the types of a scalar are not those of a tensor in its place. */
struct variant {
	struct str overload, dtypes, shapes;
	bool has_overload, all_shapes;
	size_t arguments;
	uint64_t calls;
	uint32_t use; /* one of them */
};

struct variants {
	struct variant items[MAX_VARIANTS];
	size_t count;
	uint64_t calls;
};

struct joining {
	struct side *base, *other;
	struct profile *to;
	unsigned stream;
	unsigned gained;                  /* enum table_has that only the other side has */
	struct map by_shapes;             /* uses of the other side, by name and shapes */
	struct variants **by_name;        /* of the other side, per first name, where they were asked for */
	uint32_t *base_uses, *other_uses; /* per use: the joined one, or NO_USE */
	uint64_t *timed;                  /* per first name of the base: calls that have their times */
};

/* Returns the number of arguments in the shapes; 0 if unknown. */
static size_t count_arguments(struct str shapes)
{
	struct call call;

	return shapes.len && call_read(shapes, STR(""), STR(""), &call) ? call.count : 0;
}

static uint64_t hash_of_shapes(int64_t name, struct str shapes)
{
	return hash_str(hash_seed() + (uint64_t)name, shapes);
}

/* Counts calls in under their overload and types, unless these cannot be those of the base's use. */
static void add_variant(struct variants *list, const struct profile_use *base, struct variant more)
{
	if (base->has_overload) {
		if (more.has_overload && !str_eq(more.overload, base->overload))
			return;
		more.has_overload = true;
		more.overload = base->overload;
	}
	if (base->dtypes.len) {
		if (more.dtypes.len && !str_eq(more.dtypes, base->dtypes))
			return;
		more.dtypes = base->dtypes;
	}
	for (size_t i = 0; i < list->count; i++) {
		struct variant *known = &list->items[i];

		if (known->arguments == more.arguments &&
			(!more.all_shapes || shape_differs_in_sizes(known->shapes, more.shapes)) &&
			known->has_overload == more.has_overload && str_eq(known->overload, more.overload) &&
			str_eq(known->dtypes, more.dtypes)) {
			known->calls = figure_count(known->calls, more.calls);
			list->calls += more.calls;
			return;
		}
	}
	if (list->count == MAX_VARIANTS)
		return;
	list->items[list->count++] = more;
	list->calls += more.calls;
}

static struct variant variant_of(const struct joining *joining, uint32_t index)
{
	const struct profile_use *use = &joining->other->profile->uses.items[index];

	return (struct variant){ .overload = use->overload,
		.dtypes = use->dtypes,
		.shapes = use->shapes,
		.has_overload = use->has_overload,
		.arguments = count_arguments(use->shapes),
		.calls = use->calls,
		.use = index };
}

/* The variants of a name, whatever the shapes. */
static const struct variants *variants_of_name(struct joining *joining, int64_t name)
{
	static const struct profile_use any = { .has_overload = false };
	const struct profile *profile = joining->other->profile;

	if (joining->by_name[name])
		return joining->by_name[name];
	joining->by_name[name] = mem_zalloc(sizeof(struct variants));
	for (uint32_t i = 0; i < profile->names.count; i++) {
		if (joining->other->first[i] != name)
			continue;
		for (uint32_t use = profile->names.items[i].last_use; use != NO_USE;
			use = profile->uses.items[use].previous_of_name) {
			struct variant variant = variant_of(joining, use);

			variant.all_shapes = true;
			if (variant.calls)
				add_variant(joining->by_name[name], &any, variant);
		}
	}
	return joining->by_name[name];
}

/* The other side's record of such calls: same shapes, else shapes of the same form, else the operator's. */
static struct variants variants_for(struct joining *joining, const struct profile_use *use)
{
	const struct profile_name *name = &joining->base->profile->names.items[use->name];
	int64_t other = name->name.name_class == NAME_OPERATOR ? name_on(joining->other, name) : NO_NAME;
	struct variants found = { .count = 0 };
	struct map_cursor at;

	if (other == NO_NAME)
		return found;
	at = map_start(&joining->by_shapes, hash_of_shapes(other, use->shapes));
	while (map_next(&joining->by_shapes, &at)) {
		const struct profile_use *seen = &joining->other->profile->uses.items[at.index];

		if (joining->other->first[seen->name] == other && str_eq(seen->shapes, use->shapes))
			add_variant(&found, use, variant_of(joining, at.index));
	}
	for (int alike = 1; alike >= 0 && !found.count; alike--) {
		const struct variants *all = variants_of_name(joining, other);
		size_t arguments = count_arguments(use->shapes);

		for (size_t i = 0; i < all->count; i++) {
			struct variant variant = all->items[i];

			variant.all_shapes = false;
			if (alike ? shape_differs_in_sizes(variant.shapes, use->shapes)
				  : !arguments || !variant.arguments || variant.arguments == arguments)
				add_variant(&found, use, variant);
		}
	}
	return found;
}

static int64_t part_of(int64_t whole, uint64_t from, uint64_t to, uint64_t all)
{
	return (int64_t)((__int128)whole * to / all - (__int128)whole * from / all);
}

/* The times that the other side has of the next calls of a name. */
static void fill_times(struct joining *joining, uint32_t name, struct profile_use *piece)
{
	int64_t first = joining->base->first[name];
	int64_t other = name_on(joining->other, &joining->base->profile->names.items[name]);
	uint64_t all = joining->base->sums[first].calls, from = joining->timed[first], to = from + piece->calls;
	const struct name_sums *sums;

	if (other == NO_NAME || !all || to > all)
		return;
	joining->timed[first] = to;
	sums = &joining->other->sums[other];
	if (joining->gained & TABLE_HAS_TIMES) {
		piece->self_cpu_ns = part_of(sums->self_cpu_ns, from, to, all);
		piece->cpu_total_ns = part_of(sums->cpu_total_ns, from, to, all);
	}
	if (joining->gained & TABLE_HAS_DEVICE_TIMES)
		piece->self_device_ns = part_of(sums->self_device_ns, from, to, all);
}

/* Runs of both, in the order of their first steps. */
static void add_runs(struct step_runs *to, size_t max_runs, const struct step_runs *from, uint32_t last_step)
{
	struct step_runs both = { .coarse = to->coarse || from->coarse };
	const struct step_run *own = step_runs_items(to), *others = step_runs_items(from);
	size_t i = 0, j = 0;

	while (i < to->count || (j < from->count && others[j].first <= last_step)) {
		bool first = j == from->count || others[j].first > last_step ||
			     (i < to->count && own[i].first <= others[j].first);
		struct step_run run = first ? own[i++] : others[j++];

		run.last = run.last < last_step ? run.last : last_step;
		step_runs_append(&both, max_runs, run);
	}
	step_runs_clear(to);
	*to = both;
}

/* Adds calls like those of a use of one side; returns the joined use, or NO_USE over the limits. */
static uint32_t add_calls(struct joining *joining, const struct profile *from, const struct profile_use *piece)
{
	struct profile *to = joining->to;
	uint32_t at = profile_use_like(to, joining->stream, from, piece);
	struct profile_use *use;

	if (at == NO_USE) {
		to->calls_over_cap = figure_count(to->calls_over_cap, piece->calls);
		return at;
	}
	use = &to->uses.items[at];
	if (from == joining->base->profile) {
		to->names.items[use->name].line = from->names.items[piece->name].line;
		to->names.items[use->name].offset = from->names.items[piece->name].offset;
	}
	profile_add_use(to, use, piece);
	add_runs(&use->steps, to->limits.step_runs, &piece->steps, joining->base->stream->steps);
	return at;
}

/* One use of the base, in pieces where the other side tells its calls apart. */
static void join_use(struct joining *joining, uint32_t index)
{
	const struct profile *base = joining->base->profile;
	const struct profile_use *use = &base->uses.items[index];
	struct variants found = variants_for(joining, use);
	uint64_t before = 0;

	if (!found.calls) {
		found.items[0] = (struct variant){ .overload = use->overload,
			.dtypes = use->dtypes,
			.has_overload = use->has_overload,
			.calls = 1,
			.use = NO_USE };
		found.count = found.calls = 1;
	}
	for (size_t i = 0; i < found.count; before += found.items[i++].calls) {
		const struct variant *variant = &found.items[i];
		uint64_t from = (uint64_t)part_of((int64_t)use->calls, 0, before, found.calls);
		uint64_t to = (uint64_t)part_of((int64_t)use->calls, 0, before + variant->calls, found.calls);
		struct profile_use piece = *use;

		if (from == to)
			continue;
		piece.overload = variant->overload;
		piece.has_overload = variant->has_overload;
		piece.dtypes = variant->dtypes;
		piece.calls = to - from;
		piece.self_cpu_ns = part_of(use->self_cpu_ns, from, to, use->calls);
		piece.cpu_total_ns = part_of(use->cpu_total_ns, from, to, use->calls);
		piece.self_device_ns = part_of(use->self_device_ns, from, to, use->calls);
		piece.kernels = (uint32_t)part_of(use->kernels, from, to, use->calls);
		fill_times(joining, use->name, &piece);
		joining->base_uses[index] = add_calls(joining, base, &piece);
		if (variant->use != NO_USE)
			joining->other_uses[variant->use] = joining->base_uses[index];
	}
}

static bool was_compiling(const struct profile_stream *stream, const struct step_runs *steps)
{
	const struct step_run *runs = step_runs_items(steps), *compiling = step_runs_items(&stream->compiling);
	size_t at = 0;

	for (size_t i = 0; i < steps->count; i++) {
		while (at < stream->compiling.count && compiling[at].last < runs[i].last)
			at++;
		if (at == stream->compiling.count || compiling[at].first > runs[i].first)
			return false;
	}
	return steps->count;
}

/* Returns whether the base shows a name, or a longer one of which a column cut it. */
static bool is_shown(const struct joining *joining, const struct profile_name *name)
{
	const struct profile *base = joining->base->profile;

	return name_on(joining->base, name) != NO_NAME ||
	       (name->style.cut && ANY(i, base->names.count,
					   base->names.items[i].calls &&
						   str_starts(base->names.items[i].text, str_chop(name->text, 3))));
}

/* Add names that only the other side shows, unless it was compiling. For other names than operators calls suffice:
   their time may be an operator's. */
static void add_unshown(struct joining *joining, uint32_t index)
{
	const struct profile *other = joining->other->profile;
	struct profile_use use = other->uses.items[index];
	const struct profile_name *name = &other->names.items[use.name];

	if (is_shown(joining, name) || was_compiling(joining->other->stream, &use.steps))
		return;
	if (name->name.name_class != NAME_OPERATOR)
		use.self_cpu_ns = use.cpu_total_ns = use.self_device_ns = 0;
	joining->other_uses[index] = add_calls(joining, other, &use);
}

static void join_uses(struct joining *joining)
{
	const struct profile *base = joining->base->profile, *other = joining->other->profile;

	for (uint32_t i = 0; i < other->uses.count; i++) {
		const struct profile_use *use = &other->uses.items[i];

		joining->other_uses[i] = NO_USE;
		if (use->calls)
			map_add(&joining->by_shapes, hash_of_shapes(joining->other->first[use->name], use->shapes), i);
	}
	for (uint32_t i = 0; i < base->uses.count; i++) {
		joining->base_uses[i] = NO_USE;
		if (base->uses.items[i].calls)
			join_use(joining, i);
	}
	for (uint32_t i = 0; i < other->uses.count; i++) {
		if (other->uses.items[i].calls)
			add_unshown(joining, i);
	}
}

static void join_streams(struct joining *joining)
{
	const struct profile_stream *base = joining->base->stream, *other = joining->other->stream;
	struct profile_stream *to = &joining->to->streams.items[joining->stream];

	to->steps = base->steps;
	to->views = base->views;
	to->averaged = base->averaged;
	to->stepless = base->stepless;
	to->has = base->has | joining->gained;
	to->lacks = base->lacks & ~joining->gained;
	add_runs(&to->compiling, PROFILE_COMPILING_RUNS, &base->compiling, base->steps);
	if (base->steps == other->steps)
		add_runs(&to->compiling, PROFILE_COMPILING_RUNS, &other->compiling, base->steps);
	add_runs(&to->torn, PROFILE_COMPILING_RUNS, &base->torn, base->steps);
}

static void join_order(struct joining *joining)
{
	const struct turn_list *order = &joining->base->profile->states.items[0].order;
	const uint32_t *uses = joining->base_uses;

	if (!order->count) {
		order = &joining->other->profile->states.items[0].order;
		uses = joining->other_uses;
	}
	for (size_t i = 0; i < order->count; i++) {
		uint32_t use = order->items[i].use;

		profile_add_turn(
			joining->to, joining->stream, use == NO_USE ? NO_USE : uses[use], order->items[i].depth);
	}
	profile_order_ended(joining->to, joining->stream);
}

/* Links and observations: those of the base, and of the other side the kinds that the base has none of. */
static void join_rest(struct joining *joining)
{
	const struct profile *base = joining->base->profile, *other = joining->other->profile;

	for (size_t i = 0; i < RELATION_COUNT; i++) {
		const struct profile *from = base->links[i].count ? base : other;

		profile_add_links(joining->to, (enum relation)i, from->links[i].items, from->links[i].count);
	}
	for (size_t i = 0; i < base->observations.count; i++)
		profile_add_observation(joining->to, &base->observations.items[i]);
	for (size_t i = 0; i < other->observations.count && !base->observations.count; i++)
		profile_add_observation(joining->to, &other->observations.items[i]);
	joining->to->compiled = base->compiled || other->compiled;
	joining->to->calls_over_cap = figure_count(joining->to->calls_over_cap, base->calls_over_cap);
	joining->to->link_calls_over_cap = figure_count(base->link_calls_over_cap, other->link_calls_over_cap);
}

static struct profile *join_sides(struct side *base, struct side *other)
{
	enum { FILLED = TABLE_HAS_DTYPES | TABLE_HAS_OVERLOADS | TABLE_HAS_TIMES | TABLE_HAS_DEVICE_TIMES };
	struct joining joining = { .base = base,
		.other = other,
		.to = profile_new(&base->profile->limits),
		.gained = other->stream->has & ~base->stream->has & FILLED };
	struct event_sink sink = profile_sink(joining.to, STR(""));

	profile_be_part(joining.to);
	joining.to->joined = true;
	joining.stream = sink.stream(sink.ctx, base->stream->label);
	joining.by_name = mem_zalloc((other->profile->names.count + 1) * sizeof(joining.by_name[0]));
	joining.base_uses = mem_zalloc((base->profile->uses.count + 1) * sizeof(uint32_t));
	joining.other_uses = mem_zalloc((other->profile->uses.count + 1) * sizeof(uint32_t));
	joining.timed = mem_zalloc((base->profile->names.count + 1) * sizeof(uint64_t));
	joining.to->sinks.items[0]->dump = base->profile->sinks.items[0]->dump;
	joining.to->sinks.items[0]->dump.steps = base->stream->steps;
	join_streams(&joining);
	join_uses(&joining);
	join_order(&joining);
	join_rest(&joining);
	for (size_t i = 0; i < other->profile->names.count; i++)
		free(joining.by_name[i]);
	free(joining.by_name);
	free(joining.base_uses);
	free(joining.other_uses);
	free(joining.timed);
	map_clear(&joining.by_shapes);
	return joining.to;
}

bool profile_shows_one_run(struct profile *const parts[2], const bool cut[2])
{
	struct side sides[2] = { 0 };
	bool ret = show_one_run(parts, cut, sides);

	side_clear(&sides[0]);
	side_clear(&sides[1]);
	return ret;
}

struct profile *profile_join(struct profile *const parts[2], const bool cut[2], unsigned *ret_base)
{
	struct profile *joined = NULL;
	struct side sides[2] = { 0 };

	if (show_one_run(parts, cut, sides)) {
		side_finish(&sides[0]);
		side_finish(&sides[1]);
		*ret_base = worth(&sides[1], cut[1]) > worth(&sides[0], cut[0]);
		joined = join_sides(&sides[*ret_base], &sides[!*ret_base]);
	}
	side_clear(&sides[0]);
	side_clear(&sides[1]);
	return joined;
}

void profile_add_joined(struct profile *profile, struct str label_prefix)
{
	struct event_sink sink = profile_sink(profile, label_prefix);

	sink.stream(sink.ctx, STR(""));
}
