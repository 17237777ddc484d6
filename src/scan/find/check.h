#pragma once
/*
 * Rules applied to the scripts of a project: findings, each with the row that says what a port does there.
 *
 * Strings that name a device or a communication backend count only where one is expected, also through a name that
 * reaches such a use, in whatever module it is assigned.
 */
#include "scan/find/place.h"
#include "scan/find/resolve.h"

/* A text that may name a device or a backend, and how far its place says so. */
enum sense {
	SENSE_NONE, /* a word, unless a use is found */
	SENSE_DOUBTFUL,
	SENSE_SURE
};

struct candidate {
	struct source_place place;
	enum sense sense;
};

/* A text that is read as a command. */
struct command_text {
	const struct script *script;
	uint32_t node;
};

struct check {
	const struct project *project;
	const struct rule_book *book;
	uint64_t places_most;
	MEM_LIST(struct source_place) places;
	uint64_t left_out; /* past the most */
	MEM_LIST(struct candidate) candidates;
	MEM_LIST(struct command_text) commands;
	struct map by_command;          /* by node alone */
	MEM_LIST(struct str) own_names; /* members of the project that are named like one of a tensor */
	MEM_LIST(struct str)
	device_names; /* of attributes, keys and options that hold one; by_device_name finds them */
	struct map by_device_name;
	struct arena text;                 /* of names */
	const struct script **last_import; /* by row: the script that imports the package, of those looked at */
};

/* Returns whether an attribute, a key or an option of that name holds a device, as far as followed. */
static inline bool is_device_name(const struct check *check, struct str name)
{
	return MAP_FIND(&check->by_device_name, check->device_names.items, name) != MAP_NONE;
}
