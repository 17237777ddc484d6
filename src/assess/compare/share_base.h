#pragma once
/* The base of shares, without which captures do not compare. */
#include "assess/model/result.h"

/* The base of a result's shares: captures with another one cannot be compared. */
struct share_base {
	enum basis basis;
	int64_t shown_ppm; /* of the time in the basis */
};

/* Returns whether shares of both compare: one basis, and nearly as much of it shown. */
bool share_bases_compare(struct share_base before, struct share_base after);

/* "61 %" */
struct str shown_share(struct arena *arena, int64_t ppm);
