#pragma once
/* The inside of a profile that keeps where things ran. */
#include "base/arena.h"
#include "base/map.h"
#include "op/seen.h"

struct profile;

struct seen_list {
	struct op_seen *items;
	size_t count, capacity;
	struct map by_name;
};

/* Counts in where something ran, and puts all of it in order. */
void profile_take_seen(struct profile *profile, const struct op_seen *seen);
void profile_sort_seen(struct profile *profile);
