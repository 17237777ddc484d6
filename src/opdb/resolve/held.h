#pragma once
/* Range of an answer: the consecutive releases on which all its facts are the same. */
#include "opdb/resolve/resolver.h"

/* From now on the resolver notes what answers about one release follow from, beside the name that is given; NULL for
   none. It watches once at a time. */
void resolver_watch(struct resolver *resolver, const struct name_facts *name);

/* Ends that: the last of the target's releases in a row, from the one that was asked about on, to which the same
   questions have the same answers but for texts and evidence. */
const struct release *resolver_held_until(struct resolver *resolver, const struct release *asked);
