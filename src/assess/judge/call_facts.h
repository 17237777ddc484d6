#pragma once
/* Facts of a dump's recorded calls that hold for any target: overloads and data types. */
#include "assess/judge/overload.h"
#include "opdb/model/dtype.h"

/* Types that the calls of one operator compute in, enum dtype. Arguments that only choose or place (an index, a
   mask, a target class) are not data; a tensor without dimensions follows the others, as a number does. */
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
	struct limit_memo **limits; /* which limits of arguments its calls meet (trial_limits.c) */
	unsigned types_seen;        /* anywhere in the dump, in any argument */
	bool tells_types;           /* some call does */
	bool makes_complex;         /* some operator has a complex result by definition, which may feed any other */
	bool captured;              /* the program captured a graph */
};

/* Facts of one use of an operator. */
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

/* Returns whether the types of its data are unknown: neither the dump, for any operator, nor the user names them. */
bool types_are_open(const struct judge *judge, size_t op);

/* Returns, by operator, whether the links show that all of its calls ran in a DataLoader, which prepares batches on the
   host, and none on a device. An operator of which the user assumes something is none. In arena. */
bool *host_work_find(struct arena *arena, const struct profile *profile, const struct operators *operators,
	const struct assumption_list *assumptions);

/* Judges such an operator: PyTorch's own kernel for the CPU runs it. The status stays where the target runs it. */
void host_work_judge(struct judgement *judgement);
