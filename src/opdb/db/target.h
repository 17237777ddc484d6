#pragma once
/*
 * Names of a release, resolved to one release.
 *
 *	npu, musa                the newest stable release
 *	npu@2.7.1                the newest stable one for that version of PyTorch
 *	npu@2.7.1.post4          that pip package; npu@pip-2.7.1 where the version reads as one of PyTorch
 *	npu@cann-9.0.0           the release for that CANN, with the version of PyTorch unless it is the only one
 *	npu@v2.7.1-26.0.0        a branch or tag, musa@v2.0.0; without the v where unambiguous
 *	npu@2.7.1-dev            a development head, whose branch is v2.7.1
 *	npu@2.7.1:910B           any of these on a chip (opdb/model/chip.h)
 */
#include "base/memory/arena.h"
#include "base/setup/err.h"
#include "opdb/model/chip.h"

struct opdb;

enum { TARGET_ID_BYTES = 96 };

struct target {
	char id[TARGET_ID_BYTES]; /* release->id, with ":910B" for a chip */
	const struct release *release;
	const struct chip *chip; /* NULL: any */
};

/* The release that a spec means. torch narrows down what it leaves open ("": nothing given) and must not contradict it.
   ERR_TARGET with the nearest names, ERR_AMBIGUOUS with the candidates as hint. */
int target_resolve(const struct opdb *db, struct str text, struct str torch, struct target *ret, struct err *err);

/* The target that is a release itself, on no particular chip. */
struct target target_of(const struct release *release);

struct alias_list {
	struct str items[32];
	size_t count;
};

/* Every spec without a chip that means this release, its id left out, in a fixed order. Texts live in arena. ERR_LIMIT
   when its budget is used up. */
int target_aliases(const struct opdb *db, const struct release *release, struct arena *arena, struct alias_list *ret,
	struct err *err);
