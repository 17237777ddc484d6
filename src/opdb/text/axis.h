#pragma once
/*
 * An ordered list of names (the releases of a target, the versions of PyTorch) and the spans over it.
 *
 * A place is the position of a name, from 0. Text "2.1.0..2.3.1 2.6.0" means two spans: the places of 2.1.0 to 2.3.1,
 * and that of 2.6.0.
 */
#include "base/memory/map.h"

struct axis {
	struct str *items; /* views of the fact text */
	size_t count;
	size_t capacity;
	struct map map;
};

struct span {
	unsigned first, last; /* places, both inclusive */
};

void axis_clear(struct axis *axis);

/* False when the name is there already. */
bool axis_add(struct axis *axis, struct str name);

/* False for an unknown name. */
bool axis_find(const struct axis *axis, struct str name, unsigned *ret_place);

enum span_result { SPAN_END, SPAN_OK, SPAN_UNKNOWN, SPAN_REVERSED };

/* Takes the next span off *rest. *ret_name is the name that SPAN_UNKNOWN or SPAN_REVERSED is about. */
enum span_result axis_span(const struct axis *axis, struct str *rest, struct span *ret, struct str *ret_name);
