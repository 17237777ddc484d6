#pragma once
/*
 * The operators of a profile, each gathered from all the names and shapes under which it was recorded, and what is left
 * over.
 */
#include "assess/model/result.h"
#include "op/profile.h"

/* Asks what operators exist. NULL functions: nothing is known. */
struct name_lookup {
	void *ctx;
	/* Returns whether PyTorch ever had an operator of that name in aten. */
	bool (*known)(void *ctx, struct str base);
	/* Up to max full names that begin with prefix, in their order; the number of all of them. */
	size_t (*completions)(void *ctx, struct str ns, struct str prefix, struct str *ret, size_t max);
};

enum { MAX_COMPLETIONS = 8 };

struct op {
	struct str name, ns, base; /* "aten::add", "aten", "add" */
	bool was_cut;              /* some row showed only the beginning of the name */
	/* a cut name with several possible ends: name is the beginning and "..." */
	struct str completions[MAX_COMPLETIONS];
	size_t completion_count;
	uint32_t *uses; /* positions in the profile */
	size_t use_count;
	uint64_t calls;
	int64_t self_cpu_ns, cpu_total_ns, self_device_ns;
	uint32_t dump; /* that first shows it, as of struct profile_name */
	uint64_t line, offset;
	/* for whoever wants it: weights in the basis */
	int64_t weight;
};

/* The uses of an operator lie apart in memory, as do items that each use has: fetches one that a walk in their order
   comes to some places later. */
#define op_fetch_ahead(op, items, i) op_fetch_item((op), (items), sizeof((items)[0]), (i))
static inline void op_fetch_item(const struct op *op, const void *items, size_t bytes, size_t i)
{
	enum { FAR = 8, LINE_BYTES = 64 };
	const char *item = (const char *)items + op->uses[i + FAR < op->use_count ? i + FAR : i] * bytes;

	for (size_t at = 0; at < bytes; at += LINE_BYTES)
		__builtin_prefetch(item + at);
}

#define NO_OPERATOR UINT32_MAX

struct operators {
	struct op *items; /* in order of first appearance */
	size_t count;
	uint32_t *of_uses;              /* of each use of the profile: whose it is, or NO_OPERATOR */
	uint32_t *of_names;             /* of each name, likewise */
	struct result_ignored *ignored; /* by class, then by name */
	size_t ignored_count;
	int64_t *lent_ns; /* per dump: device time of labels that their operators have */
	size_t lent_count;
};

/* Gathers; everything in the answer lives in arena or in the profile. */
void operators_gather(
	struct arena *arena, const struct profile *profile, const struct name_lookup *lookup, struct operators *ret);

enum { CALLERS_LISTED = 3 }; /* modules of an operator, and lines */
