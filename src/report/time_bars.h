#pragma once
/* Bars of a target's time: by where it goes and by status. */
#include "assess/model/result.h"
#include "report/doc.h"

/* A place where time goes; id is that of a label. */
enum { TARGET_PLACES = 5 };
struct target_place {
	const char *id;
	struct result_interval share;
};

/* Returns the number of places, empty ones left out. */
size_t target_places(const struct result_target *target, struct target_place ret[TARGET_PLACES]);

/* Returns the share of the time that operators cover: less than the whole where other work was launched. */
int64_t time_covered_ppm(const struct result *result);

void place_bar_build(struct doc *doc, const struct result_target *target, int64_t covered_ppm);
void status_bar_build(struct doc *doc, const struct result_target *target, int64_t covered_ppm);
