#pragma once
/*
 * Texts that may name a device, and where they go: through names, attributes, parameters, results and comparisons, over
 * the whole project. What is written and what is compared with it form one group; one certain use makes all of it
 * certain, so that a rename is whole or is not made.
 *
 * Attributes and keys are known by their name alone, whatever they belong to.
 */
#include "scan/find/check.h"

enum sense {
	SENSE_NONE, /* a word, unless a use is found */
	SENSE_DOUBTFUL,
	SENSE_SURE
};

struct candidate {
	struct source_place place;
	enum sense sense;
};

/* Finds the groups, and reports the candidates that are certain or doubtful. */
void follow_candidates(struct check *check);

/* Returns whether an attribute, a key or an option of that name holds a device, as far as followed. */
bool follow_is_device(const struct check *check, struct str name);
