#pragma once
/*
 * Rules applied to the scripts of a project: findings, each with the row that says what a port does there.
 *
 * Strings that name a device or a communication backend count only where one is expected, also through a name that
 * reaches such a use, in whatever module it is assigned.
 */
#include "scan/find/resolve.h"
#include "scan/find/rules.h"

/* Somewhere in a script. */
struct source_place {
	const struct script *script;
	uint32_t node;     /* what is shown */
	uint32_t from, to; /* bytes that a replacement replaces; none: from == to */
	const struct source_rule *rule;
	struct str name; /* what it is a use of, as fingerprints and waivers have it */
	bool doubtful;   /* a person has to look, whatever the row says */
	bool word;       /* of a command or a setting: replaced as it is */
	uint8_t served;  /* a bit by target: the program has a branch for it beside this one, so a person has to look */
};

static inline bool is_served(const struct source_place *place, unsigned target)
{
	return place->served & 1u << target;
}

/* The action of the row, if it is certain. */
static inline enum source_action place_action(const struct source_place *place, unsigned target)
{
	enum source_action action = place->rule->on[target].action;

	return (place->doubtful || is_served(place, target)) && action == SOURCE_MUST_CHANGE ? SOURCE_CHECK : action;
}

/* A missing argument, shown where it would be; not reported where it is not needed. */
static inline bool is_absent(const struct source_place *place)
{
	return strcmp(place->rule->rule, "src-absent-flag") == 0;
}

struct candidate; /* of follow.h */

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
