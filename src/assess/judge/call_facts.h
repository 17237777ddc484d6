#pragma once
/* What the recorded calls of a dump tell of its operators whatever the target: their overloads and the types of their
   data. */
#include "assess/judge/overload.h"
#include "opdb/model/dtype.h"

/* Types that the calls of one operator compute in, enum dtype. What only chooses or places (an index, a mask, a target
   class) is no data, and a tensor without dimensions follows the others, as a number does. */
struct shown_types {
	unsigned sure;
	unsigned maybe;    /* of a tensor without dimensions that may decide */
	unsigned sized;    /* those of sure that some tensor with dimensions has */
	bool told, untold; /* some call tells; some does not */
};

struct part_memo;
struct limit_memo;

struct call_facts {
	struct arena *arena;
	struct overload_choice *choices; /* one per operator */
	struct shown_types *types;
	struct part_memo **units;   /* which part runs on the AI CPU, by what releases say of units (trial_units.c) */
	struct limit_memo **limits; /* which limits of arguments its calls meet (trial_arguments.c) */
	unsigned types_seen;        /* anywhere in the dump, in any argument */
	bool tells_types;           /* some call does */
	bool makes_complex;         /* some operator has a complex result by definition, which may feed any other */
	bool captured;              /* the program captured a graph */
};

/* What one use of an operator tells. */
struct use_facts {
	struct call call;
	const struct schema_param *params; /* of the signature that it most likely has; NULL: none fits */
	struct shown_types types;
};

/* False where the use does not tell its types. */
bool call_facts_of_use(const struct overload_choice *choice, const struct profile_use *use, struct use_facts *ret);

/* Of the judge's profile, which has no call facts yet. Everything in *ret lives in the judge's arena, in the profile
   and in the resolver. ERR_DB_DAMAGED, ERR_LIMIT. */
int call_facts_gather(const struct judge *judge, struct call_facts *ret, struct err *err);

/* The types that data of the operator may have: those that are shown, and for calls that do not tell those that the
   dump has of the ones that models compute in unless they ask for others, or, where it has none, all of these and, in a
   program that makes complex numbers, complex64. */
unsigned types_possible(const struct judge *judge, size_t op);

/* Whether nothing says which types its data has: neither the dump, for any of its operators, nor the user. */
bool types_are_open(const struct judge *judge, size_t op);
