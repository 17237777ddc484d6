#pragma once
/* The device and the release that a dump was made on. */
#include "assess/model/capture.h"

/* The release that a dump was made with, on its chip where the database knows that. False when the dump does not say,
   or names one that the database does not have or that may be any of several. */
bool origin_release(const struct opdb *db, const struct device_facts *facts, struct target *ret);

/* Where a dump was made, for its report. Texts live in arena or are static. */
void origin_describe(
	struct arena *arena, const struct opdb *db, const struct device_facts *facts, struct result_device *ret);

/* The target on which every one of the dumps was made; DEVICE_UNKNOWN when one of them names another device or none. */
enum device_kind origin_of_all(const struct assess_input *inputs, size_t count);
