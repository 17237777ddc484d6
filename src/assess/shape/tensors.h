#pragma once
/* The tensors of a call by shapes and types: sizes as doubles, whose products end at infinity instead of wrapping. */
#include "base/memory/arena.h"
#include "op/shape.h"

struct tensor {
	const struct shape_size *sizes;
	size_t rank; /* at least 1 */
	double count;
	unsigned types; /* enum dtype; 0: not recorded, or unknown */
	unsigned width; /* bytes of an element; 0 for a type that is unknown */
};

struct tensors {
	struct tensor *items;
	size_t count;
	bool unknown_type; /* some type has no width */
	bool negative;     /* some size is */
};

/* Of all arguments, those of lists one by one; tensors without dimensions are left out. assumed: enum dtype of all
   where dtypes is "", or 0. None of ""; false for other shapes that are no list of lists. */
bool tensors_read(struct arena *arena, struct str shapes, struct str dtypes, unsigned assumed, struct tensors *ret);

static inline double tensor_size(const struct tensor *tensor, size_t dim)
{
	return (double)tensor->sizes[dim].size;
}
static inline double tensor_size_from_end(const struct tensor *tensor, size_t back) /* 1: the last */
{
	return tensor_size(tensor, tensor->rank - back);
}
double tensor_product(const struct tensor *tensor, size_t from, size_t to);

/* Elements of the shape that tensors broadcast to. */
double tensors_broadcast(const struct tensor *tensors, size_t count);

/* Bytes of them. */
double tensors_bytes(const struct tensor *tensors, size_t count);

/* The item of a JSON list of texts, "" for others; "[1, 1]" of ["", "[1, 1]"]. */
struct str tensors_list_item(struct str list, size_t index);

/* The integers in a text such as "[1, 1]": at most max of them; false for a text that has none and is no list. */
bool tensors_integers(struct str text, double *ret, size_t max, size_t *ret_count);
