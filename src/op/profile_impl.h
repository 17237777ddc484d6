#pragma once
/* The inside of a profile, shared by profile.c (records), profile_steps.c (steps) and profile_links.c (links, order). */
#include "op/profile_links_impl.h"
#include "op/profile_seen_impl.h"

/* What one table said of a use. */
struct slot {
	uint64_t table; /* serial number of the table; 0: none */
	uint64_t calls;
	int64_t self_cpu_ns, cpu_total_ns, self_device_ns;
	uint64_t digest; /* sum over rows of a hash of their figures */
};

/* The identity of a row as it was printed: what the look-up of every row compares, kept small for the cache. */
struct row_key {
	uint64_t hash;
	const char *text; /* name, overload, shapes and dtypes, one after the other */
	uint32_t name_len, overload_len, shapes_len, dtypes_len;
	uint32_t stream, use;
	unsigned spelling; /* of enum table_has */
	bool has_overload, cut;
	enum name_class known;
	bool is_operator, is_step, compiling; /* of the name's class */
};

/* A table whose rows are not in the totals yet. */
struct table {
	uint64_t serial;
	struct sink_state *sink; /* that began it */
	struct {
		uint32_t *items;
		size_t count, capacity;
	} uses;
	unsigned has;
	struct table_end end;
	bool compiling;        /* a mark of a running compilation was in it */
	uint32_t operators;    /* uses of operators */
	uint32_t steps_before; /* of a stepped table: steps that its stream had */
	uint64_t covers;       /* ProfilerStep rows: how many steps it averages */
};

/*
 * Rows are collected in tables[current]; tables[!current] is the step before, kept until it is known whether the current
 * table shows it once more. Each use has a slot for either.
 */
struct stream_state {
	struct table tables[2];
	unsigned current;
	struct turn_list order, telling; /* the longest so far, and that of the current table */
	struct first_step *first;        /* of a part (profile_merge.h); NULL: none yet */
};

/* One dump's way into the profile. */
struct sink_state {
	struct profile *profile;
	struct str label_prefix;
	struct profile_dump seen;
};

struct profile {
	struct limits limits;
	struct arena text;
	uint64_t seed;
	struct {
		struct profile_name *items;
		size_t count, capacity;
	} names;
	struct map names_by_text, keys_by_hash;
	size_t operator_names; /* of names */
	size_t name_stamp_count;
	uint64_t *name_stamps; /* per name: serial of the table that showed it in a finer view */
	struct {
		struct profile_use *items;
		size_t count, capacity;
	} uses;
	struct slot (*slots)[2]; /* per use */
	size_t slot_capacity;
	struct {
		struct row_key *items;
		size_t count, capacity;
	} keys;
	size_t operator_keys; /* of keys */
	struct {
		struct profile_stream *items;
		size_t count, capacity;
	} streams;
	struct {
		struct stream_state *items;
		size_t count, capacity;
	} states;
	struct {
		struct sink_state **items;
		size_t count, capacity;
	} sinks;
	struct seen_list seen;
	uint32_t further[NAME_CLASS_COUNT]; /* position and one of the name that stands for the ones over the limit */
	struct profile_link_lists links;
	uint64_t tables, calls_over_cap;
	bool compiled, part;
};

/* The current table of the stream has ended: it is a new step, one more view of the last one, or none. */
void profile_table_ended(struct profile *profile, unsigned stream);

/* Counts a row of a stepped table in; such a table has ended. */
void profile_add_call(struct profile *profile, uint32_t use, bool compiling, const struct op_row *row);
void profile_stepped_ended(struct profile *profile, unsigned stream);

/* Counts a held table in. */
void profile_commit(struct profile *profile, uint32_t stream, unsigned which);
