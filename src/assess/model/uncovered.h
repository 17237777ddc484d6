#pragma once
/* The names behind device time that is of no operator. */
#include "base/memory/arena.h"
#include "op/profile.h"

/* A set of name classes. */
#define NAME_CLASS(name_class) (1u << (name_class))

/* " (a, b)": the names of these classes that a dump shows first, up to five, the one with most time of its own on the
   device before the others; "" where none has any. In arena. */
struct str uncovered_names(struct arena *arena, const struct profile *profile, size_t dump, unsigned classes);
