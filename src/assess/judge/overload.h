#pragma once
/*
 * The overloads of a name that the calls of a dump may be.
 *
 * A dump that names the overload settles it. Else the signatures tell: an overload that in no version of PyTorch
 * takes the arguments that were recorded is not the one. The called one is among those left, so facts on all of them
 * hold for it.
 */
#include "assess/judge/judgement.h"
#include "op/call.h"

enum { NAME_OVERLOADS = 64 };

/* The overloads of one name: a bit each. */
struct known_overloads {
	const struct str *names; /* "Tensor", "" */
	size_t count;
	struct known_signature {
		unsigned overload;
		bool out; /* writes into an argument that the caller gives as "out=" */
		const struct schema_param *params;
		size_t param_count;
	} const *signatures;
	size_t signature_count;
	bool numbers_as_tensors; /* Python's numbers reach it as tensors without dimensions */
};

/* ERR_DB_DAMAGED, ERR_LIMIT. A name with more overloads than have room, or with a signature that is not understood, has
   none. */
int overloads_know(struct arena *arena, struct resolver *resolver, const struct op *op, struct known_overloads *ret,
	struct err *err);

enum overload_by {
	OVERLOAD_UNTOLD, /* nothing is known of the arguments, or nothing fits them */
	OVERLOAD_RECORDED,
	OVERLOAD_BY_TYPES, /* and shapes */
	OVERLOAD_BY_SHAPES,
};

/* Possible overloads of some calls. */
struct overload_set {
	uint64_t fits;   /* of known_overloads.names; 0: untold */
	unsigned likely; /* the one to bet on */
	enum overload_by by;
	uint64_t calls;
};

struct overload_set overloads_fit(const struct known_overloads *known, const struct call *call);

/* The same for calls with the same arguments, whose overload the dump may name. */
struct overload_set overload_of_use(const struct known_overloads *known, const struct profile_use *use);

/* All that the calls of one operator may be: a set for each different answer. */
struct overload_choice {
	struct known_overloads known;
	struct overload_set *sets;
	size_t set_count;
};

/* One choice per operator, in the judge's arena. Same errors. */
int overloads_choose(const struct judge *judge, struct overload_choice **ret, struct err *err);
