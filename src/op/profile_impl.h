#pragma once
/* The members of a profile. */
#include "base/memory/arena.h"
#include "base/memory/map.h"
#include "base/memory/mem.h"
#include "op/profile_table.h"

/* Columns of a table that decide how its names are read. */
#define SPELLINGS ((unsigned)(TABLE_BARE_NAMES | TABLE_DEVICE_TASKS | TABLE_HOST_CALLS))

/* The identity of a row as printed, which every look-up compares; small, for the cache. */
struct row_key {
	uint64_t hash;
	const char *text; /* name, overload, shapes and dtypes, one after the other */
	uint32_t name_len, overload_len, shapes_len, dtypes_len;
	uint32_t stream, use;
	uint16_t spelling; /* of enum table_has */
	uint8_t known;     /* enum name_class */
	bool has_overload : 1, cut : 1;
	bool is_operator : 1, is_step : 1, compiling : 1; /* of the name's class */
};

/* One dump's way into the profile. */
struct sink_state {
	struct profile *profile;
	struct str label_prefix;
	struct profile_dump dump;
};

struct profile {
	struct limits limits;
	struct arena text;
	uint64_t seed;
	MEM_LIST(struct profile_name) names;
	struct map names_by_text, keys_by_hash;
	size_t operator_names; /* of names */
	size_t name_stamp_count;
	uint64_t *name_stamps; /* per name: serial of the table that showed it in a finer view */
	MEM_LIST(struct profile_use) uses;
	uint32_t (*places)[2]; /* per use: its slot in either table of its stream, if that slot is of this use */
	size_t place_capacity;
	MEM_LIST(struct row_key) keys;
	size_t operator_keys; /* of keys */
	MEM_LIST(struct profile_stream) streams;
	MEM_LIST(struct stream_state) states;
	MEM_LIST(struct sink_state *) sinks;
	MEM_LIST(struct op_observation) observations;
	struct map observations_by_name;
	MEM_LIST(struct op_link) links[RELATION_COUNT];
	struct map links_by_hash[RELATION_COUNT];
	size_t link_count;                  /* of all relations: bounded together */
	uint32_t further[NAME_CLASS_COUNT]; /* position plus one of the name that collects those over the limit */
	uint64_t tables, calls_over_cap, link_calls_over_cap;
	bool compiled, has_strides, part;
	bool joined; /* of two dumps of one run */
};

/* One list a stream, and its steps are left out of every answer: it may be longer than those of the uses. */
enum { PROFILE_COMPILING_RUNS = 4096 };
