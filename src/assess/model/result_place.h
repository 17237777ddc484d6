#pragma once
/* Where in the program the time goes: modules and lines of source. See result.h. */
#include "base/value/words.h"

/* A place in the program: a module path or a line of source, with all that is below it. */
struct result_place {
	struct str path;
	uint32_t depth; /* of a module: 0 for the outermost; its parent comes before it */
	uint64_t calls, operators;
	int64_t share_ppm; /* of the basis, of all operators */
	struct result_place_target {
		int64_t device_lo_ppm, device_hi_ppm; /* shares of the basis, as share_ppm */
		int64_t fallback_ppm, blocked_ppm, unknown_ppm;
		uint64_t blockers; /* different operators below it that certainly do not run */
		struct str target;
	} * targets; /* in the order of the targets */
	size_t target_count;
};

enum place_kind { PLACES_NONE, PLACES_MODULES, PLACES_LINES };

struct result_places {
	enum place_kind kind;
	struct result_place *items; /* modules as a tree, lines by share */
	size_t count;
	uint64_t left_out; /* calls past the most places that are kept apart */
};
