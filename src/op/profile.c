#include "op/profile.h"

#include <assert.h>
#include <stdlib.h>

#include "base/memory/hash.h"
#include "base/value/figure.h"
#include "op/profile_links.h"
#include "op/profile_records.h"
#include "op/profile_steps.h"

struct profile *profile_new(const struct limits *limits)
{
	struct profile *profile = mem_zalloc(sizeof(*profile));

	profile->limits = *limits;
	profile->text = ARENA_INIT(ARENA_UNLIMITED); /* bounded by the caps and by limits.line_bytes */
	profile->seed = hash_seed();
	return profile;
}

void profile_free(struct profile *profile)
{
	if (!profile)
		return;
	profile_links_clear(profile);
	for (size_t i = 0; i < profile->uses.count; i++) {
		step_runs_clear(&profile->uses.items[i].steps);
		free(profile->uses.items[i].details);
	}
	for (size_t i = 0; i < profile->states.count; i++) {
		free(profile->states.items[i].tables[0].slots.items);
		free(profile->states.items[i].tables[1].slots.items);
		profile_free_table(profile->states.items[i].first);
		step_runs_clear(&profile->streams.items[i].compiling);
		step_runs_clear(&profile->streams.items[i].torn);
	}
	for (size_t i = 0; i < profile->sinks.count; i++)
		free(profile->sinks.items[i]);
	map_clear(&profile->names_by_text);
	map_clear(&profile->keys_by_hash);
	map_clear(&profile->observations_by_name);
	free(profile->observations.items);
	free(profile->keys.items);
	arena_clear(&profile->text);
	free(profile->names.items);
	free(profile->name_stamps);
	free(profile->uses.items);
	free(profile->places);
	free(profile->streams.items);
	free(profile->states.items);
	free(profile->sinks.items);
	free(profile);
}

/* --- the sink */

static bool stream_known(const struct profile *profile, struct str prefix, struct str label, unsigned *ret)
{
	for (size_t i = 0; i < profile->streams.count; i++) {
		struct str known = profile->streams.items[i].label;

		if (known.len == prefix.len + label.len && str_starts(known, prefix) && str_ends(known, label)) {
			*ret = (unsigned)i;
			return true;
		}
	}
	return false;
}

static unsigned sink_stream(void *ctx, struct str label)
{
	struct sink_state *sink = ctx;
	struct profile *profile = sink->profile;
	struct profile_stream stream = { 0 };
	unsigned known;

	sink->dump.ranks++;
	if (stream_known(profile, sink->label_prefix, label, &known))
		return known;
	stream.label = arena_printf(&profile->text, "%.*s%.*s", STR_ARG(sink->label_prefix), STR_ARG(label));
	MEM_PUSH(&profile->streams, stream);
	MEM_PUSH(&profile->states, ((struct stream_state){ 0 }));
	return (unsigned)profile->streams.count - 1;
}

static void sink_table_begin(void *ctx, unsigned stream, unsigned has)
{
	struct profile *profile = ((struct sink_state *)ctx)->profile;
	struct stream_state *state = &profile->states.items[stream];
	struct table *table = &state->tables[state->current];

	table->serial = ++profile->tables;
	table->sink = ctx;
	table->slots.count = 0;
	table->has = has;
	table->compiling = false;
	table->operators = 0;
	table->covers = 0;
	if (has & TABLE_STEPPED) {
		profile_commit(profile, stream, !state->current);
		table->steps_before = profile->streams.items[stream].steps;
	}
}

/* Tables of other things than operators say nothing of what operators lack. */
static void note_columns(struct profile_stream *stream, struct table *table, const struct table_end *end)
{
	table->has &= ~end->lacks;
	if (table->has & (TABLE_DEVICE_TASKS | TABLE_HOST_CALLS)) {
		stream->has |= table->has & SPELLINGS;
		return;
	}
	stream->has |= table->has;
	stream->lacks |= ~table->has;
}

static void sink_rows(void *ctx, unsigned stream, const struct op_row *rows, size_t count)
{
	profile_add_rows(((struct sink_state *)ctx)->profile, stream, rows, count);
}

static void sink_table_end(void *ctx, unsigned stream, const struct table_end *end)
{
	struct profile *profile = ((struct sink_state *)ctx)->profile;
	struct stream_state *state = &profile->states.items[stream];

	state->tables[state->current].end = *end;
	profile_order_ended(profile, stream);
	if (state->tables[state->current].has & TABLE_STEPPED) {
		profile_stepped_ended(profile, stream);
		return;
	}
	note_columns(&profile->streams.items[stream], &state->tables[state->current], end);
	profile_table_ended(profile, stream);
}

static void sink_links(
	void *ctx, unsigned stream UNUSED, enum relation relation, const struct op_link *links, size_t count)
{
	profile_add_links(((struct sink_state *)ctx)->profile, relation, links, count);
}

static void sink_order(void *ctx, unsigned stream, const struct op_turn *turns, size_t count)
{
	struct profile *profile = ((struct sink_state *)ctx)->profile;
	const struct stream_state *state = &profile->states.items[stream];
	unsigned spelling = state->tables[state->current].has & SPELLINGS;

	for (size_t i = 0; i < count; i++)
		profile_add_turn(
			profile, stream, profile_use_of_turn(profile, stream, &turns[i], spelling), turns[i].depth);
}

static void sink_observe(void *ctx, const struct op_observation *observation)
{
	profile_add_observation(((struct sink_state *)ctx)->profile, observation);
}

struct event_sink profile_sink(struct profile *profile, struct str label_prefix)
{
	struct sink_state *sink = mem_zalloc(sizeof(*sink));

	*sink = (struct sink_state){ .profile = profile, .label_prefix = arena_keep(&profile->text, label_prefix) };
	MEM_PUSH(&profile->sinks, sink);
	return (struct event_sink){ .ctx = sink,
		.stream = sink_stream,
		.table_begin = sink_table_begin,
		.rows = sink_rows,
		.table_end = sink_table_end,
		.links = sink_links,
		.order = sink_order,
		.observe = sink_observe };
}

/* --- the finished profile */

struct profile_dump profile_dump(const struct profile *profile, size_t index)
{
	assert(index < profile->sinks.count);
	return profile->sinks.items[index]->dump;
}

/* End of rows: free the index of records, which takes as much memory as they do. */
static void forget_rows(struct profile *profile)
{
	map_clear(&profile->names_by_text);
	map_clear(&profile->keys_by_hash);
	free(profile->keys.items);
	free(profile->places);
	profile->keys.items = NULL;
	profile->places = NULL;
}

void profile_finish(struct profile *profile)
{
	assert(!profile->part);
	for (size_t i = 0; i < profile->streams.count; i++)
		profile_commit(profile, (uint32_t)i, !profile->states.items[i].current);
	profile_sort_observations(profile);
	for (size_t i = 0; i < profile->uses.count; i++) {
		const struct profile_use *use = &profile->uses.items[i];

		profile->names.items[use->name].calls = figure_count(profile->names.items[use->name].calls, use->calls);
	}
	profile_sort_links(profile);
	forget_rows(profile);
}

const struct profile_name *profile_names(const struct profile *profile, size_t *ret_count)
{
	*ret_count = profile->names.count;
	return profile->names.items;
}

const struct profile_use *profile_uses(const struct profile *profile, size_t *ret_count)
{
	*ret_count = profile->uses.count;
	return profile->uses.items;
}

const struct profile_stream *profile_streams(const struct profile *profile, size_t *ret_count)
{
	*ret_count = profile->streams.count;
	return profile->streams.items;
}

uint64_t profile_calls_over_cap(const struct profile *profile)
{
	return profile->calls_over_cap;
}

bool profile_has_compiled(const struct profile *profile)
{
	return profile->compiled;
}

bool profile_has_strides(const struct profile *profile)
{
	return profile->has_strides;
}

bool profile_is_joined(const struct profile *profile)
{
	return profile->joined;
}
