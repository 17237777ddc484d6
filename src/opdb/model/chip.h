#pragma once
/*
 * Chips that a target may be narrowed down to.
 *
 * Source: enum SocVersion in torch_npu/csrc/core/npu/NpuVariables.h of Ascend/pytorch and the names its .cpp maps;
 * JIT is on by default below Ascend910B1 (EnvVariables.cpp, CheckJitDisableInner); only aclnn kernels run from
 * Ascend950 on, which older branches call Ascend910_95 (IsAclnnOnly). Kernels of torch_musa do not differ by chip.
 * Servers are named as in CANN's lists of products.
 * Common are the series in torch_npu's tables of APIs that are on sale: Atlas A2 (910B) and A3 (910_93).
 */
#include "base/memory/arena.h"
#include "opdb/model/release.h"

struct chip {
	struct str family;  /* "910B" */
	struct str servers; /* product names, "Atlas 800T A2"; "" where the chip's name is the product's */
	enum target_kind target;
	bool jit_default; /* operators with an acl_op kernel compile it per shape, unless the program turns that off */
	bool aclnn_only;  /* operators without an aclnn kernel raise */
	bool common;      /* chips of a target that names none; the worst counts */
};

/* The chip of this name, such as "910B3", "Ascend310P3", "910_9391", "950" or "S4000", letters of either case; its
   usual spelling in *ret_name. NULL when the target has none of that name. Static. */
const struct chip *chip_find(enum target_kind target, struct str name, struct str *ret_name);

/* The families of a target by number, NULL past the end. */
const struct chip *chip_at(enum target_kind target, size_t index);

/* Its number among the families of its target, as a bit. */
unsigned chip_bit(const struct chip *chip);

/* The common ones as bits, 1 << number; the families of such bits, "910A, 910B" with ", " between, in
   the arena. */
unsigned chips_common(enum target_kind target);
struct str chips_text(struct arena *arena, enum target_kind target, unsigned bits, const char *between);

/* Returns whether facts differ between the chips of a target. */
bool chips_differ(enum target_kind target);
