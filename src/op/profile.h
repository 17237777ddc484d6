#pragma once
/*
 * What was read from one or more dumps: which names were recorded, with which shapes, how often, how long, in which
 * steps.
 *
 * A profile takes rows from readers (profile_sink) and keeps one record a distinct (stream, name, overload, shapes,
 * dtypes). Its memory grows with those, never with the length of a dump; their number has a cap, and rows beyond it are
 * counted.
 *
 * Steps. Each table of a stream is a step, numbered from 1, unless it shows the same step as the table before it: users
 * print one step sorted in two ways, or once with shapes and once without. Two tables are views of one step when no
 * record that both hold differs, and either their printed totals are equal (5 significant digits, or 4 and a common
 * record), or there are no totals and every record of the shorter one is in the other, three of them with a time of 3
 * significant digits. The union of the views is counted, the finer view of an operator (with shapes, then with
 * overloads) before the coarser. A stepped table (a trace) numbers its steps itself, and what its rows say counts at
 * once.
 */
#include "base/limits.h"
#include "op/event.h"

struct step_runs {
	struct step_run {
		uint32_t first, last;
	} * items;
	size_t count, capacity;
	bool coarse; /* limits.step_runs was reached: the last run covers steps without calls, too */
};

/* One distinct name as recorded. */
struct profile_name {
	struct str text;
	struct name_style style;
	struct name name;  /* views into text or static */
	uint64_t calls;    /* of all its uses, after profile_finish */
	uint32_t last_use; /* the newest of its uses: further ones follow by previous_of_name */
};

#define NO_USE UINT32_MAX
/* One name with one set of shapes in one stream. Names that are no operators have one use, without shapes. */
struct profile_use {
	uint32_t name, stream;     /* positions in the profile's lists */
	uint32_t previous_of_name; /* another use of the name, or NO_USE */
	bool has_overload, shapes_cut, strides_vary, concrete_varies;
	struct str overload, shapes, dtypes;
	struct str strides, concrete; /* the smallest in byte order; "" when there was none */
	uint64_t calls;
	int64_t self_cpu_ns, cpu_total_ns, self_device_ns;
	struct step_runs steps;
};

struct profile_stream {
	struct str label; /* "" for an unmarked one */
	uint32_t steps;
	uint32_t views;             /* tables that showed a step once more */
	uint32_t averaged;          /* tables that cover several steps */
	uint32_t stepless;          /* tables whose steps are not told apart */
	unsigned has;               /* enum table_has of its tables, or-ed */
	unsigned lacks;             /* enum table_has that some table of it lacked */
	struct step_runs compiling; /* steps in which torch.compile was compiling */
	struct step_runs torn;      /* steps whose table has no end */
};

struct profile;
struct profile *profile_new(const struct limits *limits);
void profile_free(struct profile *profile);

/* The sink for a reader, as long as the profile. label_prefix ("" or such as "rank0") separates the streams of this
   dump from those of others; dumps with the same prefix and label continue one stream and its step numbers. */
struct event_sink profile_sink(struct profile *profile, struct str label_prefix);

/* Makes a profile without a sink a part: to be merged into another one, never to be finished itself. */
void profile_be_part(struct profile *profile);

/* Adds a part, as if its dumps had been read into profile_sink(profile, label_prefix); after that it can only be freed.
   Parts can be filled in threads of their own; they are merged in the order of their dumps. */
void profile_merge(struct profile *profile, struct profile *part, struct str label_prefix);

/* A number for all that a part holds: parts of the same content have the same one, whatever the run. */
uint64_t profile_content(const struct profile *part);

/* Counts the last tables in and sums up. Call once, before the functions below. */
void profile_finish(struct profile *profile);

/* What one dump brought in, by the order in which the sinks were made. */
struct profile_dump {
	uint32_t steps; /* that it was the first to show */
	uint32_t ranks; /* streams that it wrote to */
};
struct profile_dump profile_dump(const struct profile *profile, size_t index);

const struct profile_name *profile_names(const struct profile *profile, size_t *ret_count);
const struct profile_use *profile_uses(const struct profile *profile, size_t *ret_count);
const struct profile_stream *profile_streams(const struct profile *profile, size_t *ret_count);

/* Where operators (by their full names, without overloads) and kernels ran, as far as dumps show it; sorted by name. */
const struct op_observation *profile_observations(const struct profile *profile, size_t *ret_count);

/* Links of all streams and dumps, summed up, in the byte order of name and other. */
const struct op_link *profile_links(const struct profile *profile, enum relation relation, size_t *ret_count);

struct profile_turn {
	uint32_t use;   /* position in profile_uses; NO_USE when the caps of the profile left it out */
	uint32_t depth; /* how many operators it ran inside of */
};

/* The operators of a whole step of a stream in the order in which they began, at most limits.step_turns of them. */
const struct profile_turn *profile_order(const struct profile *profile, uint32_t stream, size_t *ret_count);

/* Calls in no record, and under no link, because a cap was reached. */
uint64_t profile_calls_over_cap(const struct profile *profile);
uint64_t profile_links_over_cap(const struct profile *profile);

/* Compiled code ran: operators inside it were not recorded. */
bool profile_has_compiled(const struct profile *profile);
