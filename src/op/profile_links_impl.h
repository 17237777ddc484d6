#pragma once
/* The inside of a profile's links and orders (profile_links.c). */
#include "base/map.h"
#include "op/profile.h"

/* Links of all kinds; their number is bounded together. */
struct profile_link_lists {
	struct link_list {
		struct profile_link *items;
		size_t count, capacity;
		struct map by_hash;
	} of[RELATION_COUNT];
	size_t count;
	uint64_t calls_over_cap;
};

struct turn_list {
	struct profile_turn *items;
	size_t count, capacity;
};

void profile_links_clear(struct profile *profile);

/* Takes the strides and the values of a row over into its use. */
void profile_take_details(struct profile_use *use, const struct op_row *row);

void profile_take_links(struct profile *profile, enum relation relation, const struct op_link *links, size_t count);

/* One more operator of the current table's order; use NO_USE when it is not in the profile. */
void profile_take_turn(struct profile *profile, unsigned stream, uint32_t use, uint32_t depth);

/* The current table of the stream has ended: keeps its order if it is the longest. */
void profile_order_ended(struct profile *profile, unsigned stream);

/* Puts the links in their order. */
void profile_sort_links(struct profile *profile);
