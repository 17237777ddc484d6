#pragma once
/* Parameters of a request, fields of a form: names and values in the order in which they came. Empty values do not
   count, and of a name that has one value the last counts. */
#include "base/memory/arena.h"
#include "base/memory/buf.h"
#include "base/setup/err.h"

struct parameter {
	struct str name, value;
};

struct parameters { /* a MEM_LIST */
	struct parameter *items;
	size_t count, capacity;
};

/* The value of a name, "" without one; all of them, in the arena. */
struct str parameters_value(const struct parameters *parameters, const char *name);
struct str *parameters_values(
	const struct parameters *parameters, const char *name, struct arena *arena, size_t *ret_count);

/* Reads "true" or "false": 1; 0 with false when it is not given. ERR_VALUE. */
int parameters_switch(const struct parameters *parameters, const char *name, bool *ret, struct err *err);

/* Appends all but those of a name, each as "NAME=VALUE&", encoded. */
void parameters_put(struct buf *buf, const struct parameters *parameters, const char *but);
