#pragma once
/* The bar of a target's time by where it goes. */
#include "assess/model/result.h"
#include "report/doc/doc.h"

/* A place where time goes; id is that of a label. */
enum { TARGET_PLACES = 5 };
struct target_place {
	const char *id;
	struct result_interval share;
};

/* Returns the number of places, empty ones left out. */
size_t target_places(const struct result_target *target, struct target_place ret[TARGET_PLACES]);

/* Parts of the whole time; the part not shown comes last. */
void place_bar_build(struct doc *doc, const struct result_target *target, int64_t shown_ppm);
