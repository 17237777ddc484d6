/* From tables to steps by the rules of profile.h: views of one step, the records that count, the steps of a use. */
#include "op/profile_steps.h"

#include <stdlib.h>

#include "base/memory/mem.h"
#include "base/value/figure.h"
#include "op/profile_links.h"

/* Digits of a time without the zeros at its end: 12.761 ms has five, 94.000 us has two. */
static unsigned significant_digits(int64_t ns)
{
	uint64_t digits = ns < 0 ? -(uint64_t)ns : (uint64_t)ns;
	unsigned count = 0;

	while (digits && digits % 10 == 0)
		digits /= 10;
	for (; digits; digits /= 10)
		count++;
	return count;
}

static unsigned fineness(unsigned has)
{
	return (has & TABLE_HAS_SHAPES ? 2 : 0) + (has & TABLE_HAS_OVERLOADS ? 1 : 0);
}

/* --- the share of its stated time that the rows of a table hold */

/* Printed times have five digits or fewer, so that rows never add up to the footer exactly. */
enum { ROUNDING_DIVISOR = 1000 };

/* Device time of a table by what its rows are. */
struct device_rows {
	int64_t operators_ns, collectives_ns;
	int64_t compiled_ns, functions_ns; /* rows of the host: functions of autograd, labels */
	int64_t kernels_ns;                /* rows of the device itself, which say once more what the host launched */
	int64_t spans_ns; /* the same of labels and steps: from their first kernel to their last, idle time included */
};

static int64_t larger(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

/* A label that the host shows, too, spans its kernels; one of the device alone is a kernel of unusual spelling. */
static bool is_span(enum name_class name_class, const struct slot *slot)
{
	return name_class == NAME_STEP || name_class == NAME_OPTIMIZER || name_class == NAME_PYTHON_FRAME ||
	       (name_class == NAME_LABEL && slot->cpu_total_ns);
}

static void add_device(struct device_rows *rows, enum name_class name_class, const struct slot *slot)
{
	int64_t host_ns = figure_add(slot->self_device_ns, -slot->on_device_ns);
	int64_t *host = name_class == NAME_OPERATOR     ? &rows->operators_ns
			: name_class == NAME_COLLECTIVE ? &rows->collectives_ns
			: name_class == NAME_COMPILE    ? &rows->compiled_ns
							: &rows->functions_ns;
	int64_t *device = is_span(name_class, slot) ? &rows->spans_ns : &rows->kernels_ns;

	*host = figure_add(*host, host_ns);
	*device = figure_add(*device, slot->on_device_ns);
}

static int64_t linked(const struct device_rows *rows)
{
	return figure_add(rows->operators_ns, rows->collectives_ns);
}

/* Kernels without what their rows of the host launched are linked to nothing. */
static int64_t launched_or_not(const struct device_rows *rows)
{
	int64_t others_ns = figure_add(rows->compiled_ns, rows->functions_ns);

	return larger(figure_add(linked(rows), others_ns), rows->kernels_ns);
}

/*
 * The footer adds up the kernels; until PyTorch 2.4 it added the spans of labels to them, which is known from its size:
 * a span of the step alone is as long as all kernels, and what is left covers the rows.
 */
static int64_t device_total(const struct device_rows *rows, int64_t footer_ns)
{
	int64_t shown = launched_or_not(rows), kernels = figure_add(footer_ns, -rows->spans_ns);

	if (rows->spans_ns >= footer_ns / 2 && kernels >= shown)
		footer_ns = kernels;
	return larger(footer_ns, shown);
}

void profile_add_time(struct profile_time *time, const struct profile_time *more)
{
	time->operators_ns = figure_add(time->operators_ns, more->operators_ns);
	time->collectives_ns = figure_add(time->collectives_ns, more->collectives_ns);
	time->compiled_ns = figure_add(time->compiled_ns, more->compiled_ns);
	time->functions_ns = figure_add(time->functions_ns, more->functions_ns);
	time->others_ns = figure_add(time->others_ns, more->others_ns);
	time->missing_ns = figure_add(time->missing_ns, more->missing_ns);
}

static int64_t missing_of(int64_t total_ns, int64_t shown_ns)
{
	int64_t missing = total_ns - shown_ns;

	return missing > total_ns / ROUNDING_DIVISOR ? missing : 0;
}

/* Adds what the table shows, and what it does not, to its dump. Nothing of a stepped table, whose reader counts that,
   and of tasks and calls of the runtime, which show the work of other tables once more. */
static void count_shown(const struct profile *profile, const struct table *table)
{
	struct profile_dump *dump = &table->sink->dump;
	struct profile_time host = { 0 }, device = { 0 };
	struct device_rows rows = { 0 };
	int64_t shown_ns = 0;

	if (table->has & (TABLE_STEPPED | TABLE_DEVICE_TASKS | TABLE_HOST_CALLS))
		return;
	for (size_t i = 0; i < table->slots.count; i++) {
		const struct slot *slot = &table->slots.items[i];
		enum name_class name_class = profile->names.items[profile->uses.items[slot->use].name].name.name_class;

		shown_ns = figure_add(shown_ns, slot->self_cpu_ns);
		if (name_class == NAME_OPERATOR)
			host.operators_ns = figure_add(host.operators_ns, slot->self_cpu_ns);
		add_device(&rows, name_class, slot);
	}
	if (table->has & TABLE_HAS_TIMES)
		host.missing_ns = missing_of(table->end.footer_cpu_ns, shown_ns);
	if (table->has & TABLE_HAS_DEVICE_TIMES) {
		int64_t all_ns = launched_or_not(&rows);

		device.operators_ns = rows.operators_ns;
		device.collectives_ns = rows.collectives_ns;
		device.compiled_ns = rows.compiled_ns;
		device.functions_ns = rows.functions_ns;
		device.others_ns = missing_of(all_ns, linked(&rows));
		device.missing_ns = missing_of(device_total(&rows, table->end.footer_device_ns), all_ns);
	}
	profile_add_time(&dump->host, &host);
	profile_add_time(&dump->device, &device);
}

/* --- slots */

struct slot *profile_add_slot(struct profile *profile, struct table *table, unsigned which, struct slot slot)
{
	profile->places[slot.use][which] = (uint32_t)table->slots.count;
	MEM_PUSH(&table->slots, slot);
	return &table->slots.items[table->slots.count - 1];
}

void profile_add_to_slot(struct slot *slot, const struct slot *more)
{
	FIGURES_ADD(slot, more);
	slot->on_device_ns = figure_add(slot->on_device_ns, more->on_device_ns);
	slot->digest += more->digest;
}

/* --- views */

/* Agreement of the records of two tables of a stream. */
struct agreement {
	size_t common;
	size_t precise; /* common ones with a self time of three or more significant digits */
	bool contradicts;
};

static struct agreement compare_records(
	const struct profile *profile, const struct table *shown, unsigned current, const struct table *held)
{
	struct agreement found = { 0 };

	for (size_t i = 0; i < shown->slots.count && !found.contradicts; i++) {
		const struct slot *slot = &shown->slots.items[i];
		const struct slot *other = profile_slot(profile, held, !current, slot->use);

		if (!other)
			continue;
		found.common++;
		found.precise += significant_digits(slot->self_cpu_ns) >= 3;
		found.contradicts = slot->digest != other->digest;
	}
	return found;
}

/* Returns whether the current table is another view of the held step, by the rule of profile.h. */
static bool is_view(const struct profile *profile, const struct stream_state *state)
{
	const struct table *shown = &state->tables[state->current], *held = &state->tables[!state->current];
	struct agreement found;
	unsigned digits;

	if (!held->serial || !held->operators)
		return false;
	if (shown->end.footer_cpu_ns >= 0 && held->end.footer_cpu_ns >= 0) {
		if (shown->end.footer_cpu_ns != held->end.footer_cpu_ns ||
			shown->end.footer_device_ns != held->end.footer_device_ns)
			return false;
		digits = significant_digits(shown->end.footer_cpu_ns);
		found = compare_records(profile, shown, state->current, held);
		return !found.contradicts && (digits >= 5 || (digits == 4 && found.common));
	}
	found = compare_records(profile, shown, state->current, held);
	return !found.contradicts && found.precise >= 3 &&
	       found.common == (shown->slots.count < held->slots.count ? shown->slots.count : held->slots.count);
}

static void stamp_names(struct profile *profile, const struct table *table)
{
	if (profile->name_stamp_count < profile->names.count) {
		profile->name_stamps = mem_resize(profile->name_stamps, profile->names.capacity, sizeof(uint64_t));
		memset(profile->name_stamps + profile->name_stamp_count, 0,
			(profile->names.capacity - profile->name_stamp_count) * sizeof(uint64_t));
		profile->name_stamp_count = profile->names.capacity;
	}
	for (size_t i = 0; i < table->slots.count; i++)
		profile->name_stamps[profile->uses.items[table->slots.items[i].use].name] = table->serial;
}

/* Keeps of the coarser table's records those whose operator the finer one does not show. */
static void drop_covered(struct profile *profile, struct table *coarse, unsigned which, const struct table *fine)
{
	size_t count = coarse->slots.count;

	stamp_names(profile, fine);
	coarse->slots.count = 0;
	for (size_t i = 0; i < count; i++) {
		struct slot slot = coarse->slots.items[i];

		if (profile->name_stamps[profile->uses.items[slot.use].name] != fine->serial)
			profile_add_slot(profile, coarse, which, slot);
	}
}

/* Adds to the held table what the current one shows beyond it. */
static void merge_view(struct profile *profile, struct stream_state *state)
{
	struct table *shown = &state->tables[state->current], *held = &state->tables[!state->current];
	unsigned shown_fineness = fineness(shown->has), held_fineness = fineness(held->has);

	if (shown_fineness < held_fineness)
		drop_covered(profile, shown, state->current, held);
	else if (shown_fineness > held_fineness)
		drop_covered(profile, held, !state->current, shown);
	for (size_t i = 0; i < shown->slots.count; i++) {
		if (!profile_slot(profile, held, !state->current, shown->slots.items[i].use))
			profile_add_slot(profile, held, !state->current, shown->slots.items[i]);
	}
	held->has |= shown->has;
	held->compiling |= shown->compiling;
	if (held->covers < shown->covers)
		held->covers = shown->covers;
}

/* The uses of a table lie apart in memory: fetches those that come some places later, and then the ends of their
   runs. */
static void fetch_ahead(const struct profile *profile, const struct table *table, size_t at)
{
	enum { FAR = 8, NEAR = 4 };

	if (at + FAR < table->slots.count) {
		size_t use = table->slots.items[at + FAR].use;

		__builtin_prefetch(&profile->uses.items[use].calls, 1);
		__builtin_prefetch(&profile->uses.items[use].steps, 1);
	}
	if (at + NEAR < table->slots.count) {
		const struct step_runs *runs = &profile->uses.items[table->slots.items[at + NEAR].use].steps;

		if (runs->capacity)
			__builtin_prefetch(&runs->many[runs->count - 1], 1);
	}
}

/* Puts a held table aside, if it is the first step of its stream in a part. */
static bool keep_first(struct profile *profile, uint32_t stream, unsigned which)
{
	struct stream_state *state = &profile->states.items[stream];
	struct table *table = &state->tables[which];

	if (!profile->part || !table->operators || state->first || profile->streams.items[stream].steps)
		return false;
	state->first = mem_zalloc(sizeof(*state->first));
	*state->first = *table;
	*table = (struct table){ 0 }; /* the first one has the list now */
	return true;
}

typedef void mark_step(struct step_runs *runs, size_t max_runs, uint32_t step);

/* Add the figures of a table to its stream, and to this step if it is one. */
static void count_table(struct profile_stream *stream, const struct table *table, mark_step *mark, uint32_t step)
{
	bool is_step = table->operators > 0;

	stream->steps += is_step;
	table->sink->dump.steps += is_step;
	stream->averaged += table->covers > 1;
	stream->stepless += is_step && table->has & TABLE_NO_STEPS;
	if (is_step && table->compiling)
		mark(&stream->compiling, PROFILE_COMPILING_RUNS, step);
	if (is_step && table->end.cut)
		mark(&stream->torn, PROFILE_COMPILING_RUNS, step);
}

/* A label or a function has the work on the device that it launched itself; its own rows there are spans of others. */
static void add_slot(struct profile *profile, struct profile_use *use, const struct slot *slot, bool compiling)
{
	struct profile_name *name = &profile->names.items[use->name];

	if (compiling)
		name->compiling_calls = figure_count(name->compiling_calls, slot->calls);
	FIGURES_ADD(use, slot);
	if (name->name.name_class != NAME_OPERATOR && name->name.name_class != NAME_KERNEL &&
		name->name.name_class != NAME_MEMORY)
		use->self_device_ns = figure_add(use->self_device_ns, -slot->on_device_ns);
}

void profile_commit(struct profile *profile, uint32_t stream_index, unsigned which)
{
	struct profile_stream *stream = &profile->streams.items[stream_index];
	struct table *table = &profile->states.items[stream_index].tables[which];
	bool is_step = table->operators > 0;

	if (!table->serial || keep_first(profile, stream_index, which))
		return;
	count_table(stream, table, step_runs_add, stream->steps + 1);
	count_shown(profile, table);
	for (size_t i = 0; i < table->slots.count; i++) {
		struct profile_use *use = &profile->uses.items[table->slots.items[i].use];

		fetch_ahead(profile, table, i);
		add_slot(profile, use, &table->slots.items[i], table->compiling);
		if (is_step)
			step_runs_add(&use->steps, profile->limits.step_runs, stream->steps);
	}
	table->serial = 0;
	table->slots.count = 0;
}

void profile_commit_first(struct profile *profile, uint32_t stream_index)
{
	struct profile_stream *stream = &profile->streams.items[stream_index];
	struct table *first = profile->states.items[stream_index].first;

	if (!first)
		return;
	step_runs_shift(&stream->compiling);
	step_runs_shift(&stream->torn);
	for (size_t i = 0; i < profile->uses.count; i++) {
		if (profile->uses.items[i].stream == stream_index)
			step_runs_shift(&profile->uses.items[i].steps);
	}
	count_table(stream, first, step_runs_prepend, 1);
	count_shown(profile, first);
	for (size_t i = 0; i < first->slots.count; i++) {
		struct profile_use *use = &profile->uses.items[first->slots.items[i].use];

		add_slot(profile, use, &first->slots.items[i], first->compiling);
		step_runs_prepend(&use->steps, profile->limits.step_runs, 1);
	}
	profile->states.items[stream_index].first = NULL;
	profile_free_table(first);
}

void profile_free_table(struct table *table)
{
	if (!table)
		return;
	free(table->slots.items);
	free(table);
}

void profile_add_call(struct profile *profile, uint32_t use_index, bool compiling, const struct op_row *row)
{
	struct profile_use *use = &profile->uses.items[use_index];
	struct profile_stream *stream = &profile->streams.items[use->stream];
	const struct stream_state *state = &profile->states.items[use->stream];
	uint32_t step = row->step + state->tables[state->current].steps_before;

	FIGURES_ADD(use, row);
	profile_add_kernels(use, row->kernels);
	if (!row->step)
		return;
	step_runs_add_any(&use->steps, profile->limits.step_runs, step);
	if (compiling)
		step_runs_add_any(&stream->compiling, PROFILE_COMPILING_RUNS, step);
}

void profile_stepped_ended(struct profile *profile, unsigned stream_index)
{
	struct profile_stream *stream = &profile->streams.items[stream_index];
	struct stream_state *state = &profile->states.items[stream_index];
	struct table *table = &state->tables[state->current];

	stream->has |= table->end.has;
	stream->lacks |= ~table->end.has;
	stream->steps += table->end.steps;
	table->sink->dump.steps += table->end.steps;
	table->serial = 0;
}

void profile_table_ended(struct profile *profile, unsigned stream)
{
	struct stream_state *state = &profile->states.items[stream];
	struct table *table = &state->tables[state->current];

	if (!table->operators) { /* such as the lone ProfilerStep* row that 2.13 prints on exit: no step */
		profile_commit(profile, stream, state->current);
		return;
	}
	if (is_view(profile, state)) {
		merge_view(profile, state);
		profile->streams.items[stream].views++;
		table->serial = 0;
		return;
	}
	profile_commit(profile, stream, !state->current);
	state->current = !state->current;
}
