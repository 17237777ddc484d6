#pragma once
/*
 * Facts on one overload: in PyTorch, over its versions, and in the plugins, over their releases.
 *
 * Lists are in the order of the database, by position of version or release.
 */
#include "base/value/words.h"
#include "opdb/model/kernel.h"

/* PyTorch's facts on an overload: kernels, composite bodies, tags. */
enum has_bit {
	HAS_CPU = 1 << 0,
	HAS_CUDA = 1 << 1,
	HAS_IMPLICIT = 1 << 2,      /* CompositeImplicitAutograd */
	HAS_EXPLICIT = 1 << 3,      /* CompositeExplicitAutograd */
	HAS_NONFUNCTIONAL = 1 << 4, /* CompositeExplicitAutogradNonFunctional */
	HAS_STRUCTURED = 1 << 5,
	HAS_VIEW = 1 << 6,
};

/* Further conditions of an operator that is implied by others. */
enum implied_need { NEED_BACKWARD = 1 << 0, NEED_OPTIMIZER = 1 << 1, NEED_FP16 = 1 << 2 };

/* Both as lists of words in the fact text. */
extern const struct words has_words, need_words;

enum overload_kind { OVERLOAD_FUNCTIONAL, OVERLOAD_INPLACE, OVERLOAD_OUT, OVERLOAD_MUTABLE };

struct torch_fact {
	struct torch_fact *next;
	unsigned first, last; /* places of torch */
	enum overload_kind kind;
	unsigned has;
	struct str structured_delegate, autogen_of, tags, keys;
	unsigned layouts; /* enum layout: those that keys have kernels for */
};

struct signature {
	struct signature *next;
	unsigned first, last;
	struct str text;
	bool dimname; /* a named-tensor overload */
};

struct overload {
	struct overload *next;
	struct str op, overload; /* "add.out", "out" */
	struct torch_fact *torch;
	struct signature *signatures;
	struct kernel *kernels;
};

/* "add" of "add.out"; "out", or "" for "add". */
struct str base_of(struct str op);
struct str overload_of(struct str op);

/* The fact at a position; NULL without one. */
const struct torch_fact *torch_fact_at(const struct overload *op, unsigned torch_place);
const struct signature *signature_at(const struct overload *op, unsigned torch_place);

/* Returns whether a registration is one of the release. */
bool kernel_holds(const struct kernel *kernel, const struct release *release);

/* The plugin's registration that a call on dense tensors of the release ends at, or NULL. */
const struct kernel *kernel_on(const struct overload *op, const struct release *release, bool aten);

/* Returns whether a patch to PyTorch defines the operator without a kernel of its own. */
bool is_patched_in(const struct overload *op, const struct release *release);

/* Returns whether the release has the overload: in its PyTorch, or in its plugin. */
bool overload_exists(const struct overload *op, const struct release *release, bool aten);
