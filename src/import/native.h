#pragma once
/* PyTorch's native_functions.yaml: the operators of one version, and what the other lists ask about them. */
#include "base/buf.h"
#include "base/map.h"
#include "import/tree.h"

struct native_op {
	struct schema schema;
	const struct node *entry;
};

struct native {
	struct native_op *items;
	size_t count, capacity;
	struct map map;
};

void native_clear(struct native *native);

/* Reads the list. Views point into the tree, which lives in arena. ERR_IMPORT with the line: no list, an unknown key, a
   schema that is not understood, an operator that stands there twice. */
int native_read(const struct input *input, struct arena *arena, struct native *ret, struct err *err);

/* Adds an operator as it is. */
void native_add(struct native *native, const struct native_op *op);

/* The operator, or NULL. */
const struct native_op *native_find(const struct native *native, struct str op);

/* The C++ function that the `dispatch` of an entry names for a key; {NULL} when it names none. */
struct str native_kernel(const struct node *entry, const char *key);

/* Whether an operator runs by other operators without a kernel of its own: composites, and members of a structured
   group. */
bool native_is_composite(const struct native_op *op);

/* Operators that PyTorch's generator adds for `autogen`, which stand in no entry of their own. */
struct generated {
	struct str op;
	const struct native_op *base; /* that it calls */
};

struct generated_list {
	struct generated *items;
	size_t count, capacity;
	struct map map;
};

void generated_clear(struct generated_list *list);

/* Those of a version of PyTorch: up to 2.5 the generator leaves out what a CompositeImplicit operator asks for, from
   2.6 on it makes that too where the operator is tagged core. The first of several bases is kept. */
void generated_read(const struct native *native, struct str torch, struct generated_list *ret);
const struct generated *generated_find(const struct generated_list *list, struct str op);

/* Whether its body is CompositeImplicitAutograd, by the dispatch or because there is none. */
bool native_is_implicit(const struct native_op *op);

/* Whether `tags` has the tag. */
bool native_has_tag(const struct native_op *op, const char *tag);

/* Appends the signature of op, which is generated from base, worked out from that of base. False when base has more
   arguments or results than any operator. */
bool generated_signature(const struct schema *base, struct str op, struct buf *ret);
