#pragma once
/* Graphs that a program captured while its dump was recorded. */
#include "op/profile.h"

/* Returns whether a dump of the profile records the capture of a graph. Tables of the host alone show none. */
bool graph_captured(const struct profile *profile);
bool graph_captured_in(const struct profile *profile, size_t dump);

/* Returns whether most launches went into a graph instead of running: the device times of operators are missing. */
bool graph_hides_device_time(const struct profile *profile);
