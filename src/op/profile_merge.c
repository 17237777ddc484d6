/*
 * One profile taken into another, as if the dump of the second had been read into the first.
 *
 * The table before a table decides whether it is a step, and that may be in another dump. A part therefore keeps the
 * first step of each stream apart and holds its last one: the whole profile sees both as tables, and adds up the
 * steps between them.
 */
#include "op/profile_merge.h"

#include <stdlib.h>

#include "base/memory/hash.h"
#include "base/value/figure.h"
#include "op/profile_links.h"
#include "op/profile_records.h"
#include "op/profile_steps.h"

struct merge {
	struct profile *to;
	struct profile *part;
	struct sink_state *sink;
	uint32_t *streams; /* per stream of the part: that of the whole */
	uint32_t *uses;    /* per use of the part: that of the whole, or NO_USE over the limits */
};

void profile_be_part(struct profile *profile)
{
	profile->part = true;
}

/* --- the same streams, names and uses */

static unsigned spelling_of(struct name_style style)
{
	return (style.bare ? TABLE_BARE_NAMES : 0u) | (style.device_task ? TABLE_DEVICE_TASKS : 0u) |
	       (style.host_call ? TABLE_HOST_CALLS : 0u);
}

/* Returns whether a name collects all further ones of its class. */
static bool is_further(const struct profile *part, const struct profile_use *use)
{
	return part->further[part->names.items[use->name].name.name_class] == use->name + 1;
}

uint32_t profile_use_like(
	struct profile *profile, unsigned stream, const struct profile *part, const struct profile_use *use)
{
	const struct profile_name *name = &part->names.items[use->name];
	struct op_row row = { .name = name->text,
		.overload = use->overload,
		.shapes = use->shapes,
		.dtypes = use->dtypes,
		.known = name->style.known,
		.has_overload = use->has_overload,
		.name_cut = name->style.cut,
		.shapes_cut = use->shapes_cut };

	if (is_further(part, use))
		return profile_further_use(profile, stream, name->name.name_class);
	return profile_use_of(profile, stream, &row, spelling_of(name->style));
}

/* Position where a name was first seen: in the part, unless an earlier dump has it. */
static void note_place(struct merge *merge, size_t use)
{
	const struct profile_name *from = &merge->part->names.items[merge->part->uses.items[use].name];
	struct profile_name *to;

	if (merge->uses[use] == NO_USE)
		return;
	to = &merge->to->names.items[merge->to->uses.items[merge->uses[use]].name];
	if (to->line || to->offset)
		return;
	to->dump = (uint32_t)merge->to->sinks.count - 1;
	to->line = from->line;
	to->offset = from->offset;
}

static void map_streams_and_uses(struct merge *merge, const struct event_sink *sink)
{
	const struct profile *part = merge->part;

	merge->streams = mem_zalloc((part->streams.count + 1) * sizeof(merge->streams[0]));
	merge->uses = mem_zalloc((part->uses.count + 1) * sizeof(merge->uses[0]));
	for (size_t i = 0; i < part->streams.count; i++)
		merge->streams[i] = sink->stream(sink->ctx, part->streams.items[i].label);
	for (size_t i = 0; i < part->uses.count; i++) {
		merge->uses[i] = profile_use_like(
			merge->to, merge->streams[part->uses.items[i].stream], part, &part->uses.items[i]);
		note_place(merge, i);
	}
}

static void add_over_cap(struct merge *merge, uint64_t calls)
{
	merge->to->calls_over_cap = figure_count(merge->to->calls_over_cap, calls);
}

/* --- the first and the last step: shown to the whole profile as tables */

static void show_slot(struct merge *merge, struct table *table, unsigned which, const struct slot *from)
{
	uint32_t use = merge->uses[from->use];
	struct slot shown = *from, *slot;

	if (use == NO_USE) {
		add_over_cap(merge, from->calls);
		return;
	}
	slot = profile_slot(merge->to, table, which, use);
	shown.use = use;
	if (slot)
		profile_add_to_slot(slot, &shown);
	else
		profile_add_slot(merge->to, table, which, shown);
}

static void show_table(struct merge *merge, size_t stream, const struct table *from)
{
	struct stream_state *state = &merge->to->states.items[merge->streams[stream]];
	struct table *table = &state->tables[state->current];
	struct table emptied = *table;

	if (!from->serial)
		return;
	*table = *from;
	table->serial = ++merge->to->tables;
	table->sink = merge->sink;
	table->slots = emptied.slots;
	table->slots.count = 0;
	for (size_t i = 0; i < from->slots.count; i++)
		show_slot(merge, table, state->current, &from->slots.items[i]);
	profile_table_ended(merge->to, merge->streams[stream]);
}

/* --- what is between them: sums */

static void add_runs(struct step_runs *to, size_t max_runs, const struct step_runs *from, uint32_t steps_before)
{
	const struct step_run *items = step_runs_items(from);

	to->coarse |= from->coarse;
	for (size_t i = 0; i < from->count; i++)
		step_runs_append(
			to, max_runs, (struct step_run){ items[i].first + steps_before, items[i].last + steps_before });
}

static void add_use(struct merge *merge, size_t index, const uint32_t *steps_before)
{
	const struct profile_use *from = &merge->part->uses.items[index];
	struct profile_use *use;

	if (merge->uses[index] == NO_USE) {
		add_over_cap(merge, from->calls);
		return;
	}
	use = &merge->to->uses.items[merge->uses[index]];
	profile_add_use(merge->to, use, from);
	add_runs(&use->steps, merge->to->limits.step_runs, &from->steps, steps_before[from->stream]);
}

/* Counts the steps in that were shown so far, so that those of the part follow; returns how many steps the stream has
   then. */
static uint32_t settle_steps(struct merge *merge, size_t stream)
{
	uint32_t to = merge->streams[stream];

	if (merge->part->streams.items[stream].steps)
		profile_commit(merge->to, to, !merge->to->states.items[to].current);
	return merge->to->streams.items[to].steps;
}

static void add_stream(struct merge *merge, size_t index, uint32_t steps_before)
{
	const struct profile_stream *from = &merge->part->streams.items[index];
	struct profile_stream *to = &merge->to->streams.items[merge->streams[index]];

	to->has |= from->has;
	to->lacks |= from->lacks;
	to->steps += from->steps;
	to->views += from->views;
	to->averaged += from->averaged;
	to->stepless += from->stepless;
	add_runs(&to->compiling, PROFILE_COMPILING_RUNS, &from->compiling, steps_before);
	add_runs(&to->torn, PROFILE_COMPILING_RUNS, &from->torn, steps_before);
}

static void add_sums(struct merge *merge)
{
	const struct profile *part = merge->part;
	uint32_t *steps_before = mem_zalloc((part->streams.count + 1) * sizeof(steps_before[0]));

	for (size_t i = 0; i < part->streams.count; i++) {
		steps_before[i] = settle_steps(merge, i);
		add_stream(merge, i, steps_before[i]);
	}
	for (size_t i = 0; i < part->uses.count; i++)
		add_use(merge, i, steps_before);
	for (size_t i = 0; i < part->sinks.count; i++) {
		merge->sink->dump.steps += part->sinks.items[i]->dump.steps;
		profile_add_time(&merge->sink->dump.host, &part->sinks.items[i]->dump.host);
		profile_add_time(&merge->sink->dump.device, &part->sinks.items[i]->dump.device);
	}
	add_over_cap(merge, part->calls_over_cap);
	free(steps_before);
}

/* --- links and orders */

static void add_links(struct merge *merge)
{
	struct profile *to = merge->to;

	for (size_t i = 0; i < RELATION_COUNT; i++)
		profile_add_links(to, (enum relation)i, merge->part->links[i].items, merge->part->links[i].count);
	to->link_calls_over_cap = figure_count(to->link_calls_over_cap, merge->part->link_calls_over_cap);
}

static void add_orders(struct merge *merge)
{
	for (size_t i = 0; i < merge->part->streams.count; i++) {
		const struct turn_list *order = &merge->part->states.items[i].order;

		for (size_t j = 0; j < order->count; j++) {
			uint32_t use = order->items[j].use;

			profile_add_turn(merge->to, merge->streams[i], use == NO_USE ? NO_USE : merge->uses[use],
				order->items[j].depth);
		}
		profile_order_ended(merge->to, merge->streams[i]);
	}
}

/* The first part becomes the whole, without a copy; its held tables come first. */
static void become(struct profile *profile, struct profile *part, struct str label_prefix)
{
	struct profile empty = *profile;
	struct sink_state *sink;

	*profile = *part;
	*part = empty;
	part->part = true;
	profile->part = false;
	sink = profile->sinks.items[0];
	sink->profile = profile;
	sink->label_prefix = arena_keep(&profile->text, label_prefix);
	for (size_t i = 0; i < profile->streams.count; i++) {
		struct str *label = &profile->streams.items[i].label;

		*label = arena_printf(&profile->text, "%.*s%.*s", STR_ARG(label_prefix), STR_ARG(*label));
		profile_commit_first(profile, (uint32_t)i);
	}
}

void profile_merge(struct profile *profile, struct profile *part, struct str label_prefix)
{
	struct event_sink sink;
	struct merge merge = { .to = profile, .part = part };

	if (!profile->part && !profile->sinks.count && part->sinks.count == 1) {
		become(profile, part, label_prefix);
		return;
	}
	sink = profile_sink(profile, label_prefix);
	merge.sink = sink.ctx;
	map_streams_and_uses(&merge, &sink);
	merge.sink->dump.ranks = 0;
	for (size_t i = 0; i < part->sinks.count; i++)
		merge.sink->dump.ranks += part->sinks.items[i]->dump.ranks;
	for (size_t i = 0; i < part->streams.count; i++) {
		if (part->states.items[i].first)
			show_table(&merge, i, part->states.items[i].first);
	}
	add_sums(&merge);
	for (size_t i = 0; i < part->streams.count; i++)
		show_table(&merge, i, &part->states.items[i].tables[!part->states.items[i].current]);
	add_links(&merge);
	add_orders(&merge);
	for (size_t i = 0; i < part->observations.count; i++)
		profile_add_observation(profile, &part->observations.items[i]);
	profile->compiled |= part->compiled;
	profile->joined |= part->joined;
	free(merge.streams);
	free(merge.uses);
}

/* --- content */

static uint64_t table_content(const struct table *table)
{
	uint64_t sum = table->serial;

	for (size_t i = 0; table->serial && i < table->slots.count; i++) {
		const struct slot *slot = &table->slots.items[i];

		sum = hash_mix(sum + slot->digest, (slot->calls << 1) | 1) + slot->use;
	}
	return sum;
}

uint64_t profile_content(const struct profile *part)
{
	uint64_t sum = part->uses.count;

	for (size_t i = 0; i < part->uses.count; i++) {
		const struct profile_use *use = &part->uses.items[i];

		sum = hash_str(sum, part->names.items[use->name].text);
		sum = hash_str(sum, use->shapes);
		sum = hash_mix(sum ^ (uint64_t)use->self_cpu_ns, (uint64_t)use->cpu_total_ns * 2 + 1);
		sum = hash_mix(sum ^ (uint64_t)use->self_device_ns, use->calls * 2 + 1);
	}
	for (size_t i = 0; i < part->states.count; i++) {
		const struct stream_state *state = &part->states.items[i];

		if (state->first)
			sum = hash_mix(sum, table_content(state->first) | 1);
		sum = hash_mix(sum + 1, table_content(&state->tables[!state->current]) | 1);
	}
	return sum;
}
