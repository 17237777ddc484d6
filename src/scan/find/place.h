#pragma once
/* Uses of the device in a script, each with the row that says what a port does there. */
#include "scan/find/bind.h"
#include "scan/find/rules.h"

/* Places of a script that one row stands for. */
struct stops {
	size_t count;
	struct str names, lines; /* joined by commas */
};

/* Somewhere in a script. */
struct source_place {
	const struct script *script;
	uint32_t node;     /* what is shown */
	uint32_t from, to; /* bytes that a replacement replaces; none: from == to */
	const struct source_rule *rule;
	struct str name;           /* what it is a use of, as fingerprints and waivers have it */
	bool doubtful;             /* a person has to look, whatever the row says */
	bool word;                 /* of a command or a setting: replaced as it is */
	bool summed;               /* another place has the row for it */
	const struct stops *stops; /* of the one that has; NULL: of this place alone */
	uint8_t served; /* a bit by target: the program has a branch for it beside this one, so a person has to look */
};

/* Position of a place in the text: of several lines, that of its CUDA name. */
uint32_t place_anchor(const struct source_place *place);

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
	return rule_is(place->rule, "src-absent-flag");
}

/* A path as reports show it, never cut. */
struct str place_path(struct arena *arena, struct str path);

/* The first line of a text, cut where it is long, as reports show it. */
struct str place_text(struct arena *arena, struct str text);

/* The replacement of the text found: "npu:0" for "cuda:0". "" if unknown. */
struct str place_replacement(const struct source_place *place, unsigned target, struct arena *arena);
