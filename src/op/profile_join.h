#pragma once
/*
 * One run that two dumps show, such as a table and a trace of it. Added up, everything would count twice.
 *
 * Two parts (op/profile.h) show one run when nine tenths of the operators are in both, and nine tenths of the calls
 * agree: of the calls a step, or of all of them. Steps of tables that were compiling are left out of that.
 *
 * The calls, times and steps of one of them count. It is the one with shapes; if both have them, with all rows, more
 * steps, times, types, overloads: the first of these that tells them apart. The other lends its types, overloads,
 * times, links and order where the first has none, for calls of the same shapes or else of the operator, and adds the
 * names that only it shows.
 */
#include "op/profile.h"

/*
 * A part of both, to be freed by the caller; *ret_base is the one that counts, and the two are empty then. NULL, and
 * nothing changed, when they do not show one run, or one of them has several streams. cut: the part has not all rows;
 * those it lacks are not asked for.
 */
struct profile *profile_join(struct profile *const parts[2], const bool cut[2], unsigned *ret_base);

/* Returns whether two parts show one run, as above. */
bool profile_shows_one_run(struct profile *const parts[2], const bool cut[2]);

/* A sink for a dump whose part was joined with another one: to profile_dump it showed no step first. */
void profile_add_joined(struct profile *profile, struct str label_prefix);
