#include "assess/compare/share_base.h"

struct str shown_share(struct arena *arena, int64_t ppm)
{
	enum { PERCENT = 10000 };

	return arena_printf(arena, "%lld %%", (long long)(ppm / PERCENT));
}

bool share_bases_compare(struct share_base before, struct share_base after)
{
	enum { MOST_APART = 50000 }; /* millionths of the time that dumps show */
	int64_t apart = before.shown_ppm - after.shown_ppm;

	return before.basis == after.basis && apart < MOST_APART && apart > -MOST_APART;
}
