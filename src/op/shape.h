#pragma once
/*
 * Shapes of the arguments of a call, as profilers print them: "[[2, 3, 8, 8], [8], []]".
 *
 * One entry an argument; an argument is a list of sizes, or, where a trace opens Tensor[] arguments, a list of such
 * lists. "[]" means a non-tensor argument, a 0-dimensional tensor, an undefined tensor and, in tables, for a whole
 * Tensor[].
 */
#include "base/memory/arena.h"
#include "base/memory/buf.h"

/* True when the brackets do not balance: a column cut the text, so equal texts may hide different shapes. */
bool shape_text_is_cut(struct str text);

/* True for texts that are the same but for their sizes: their arguments have the same forms. False in doubt. */
bool shape_differs_in_sizes(struct str a, struct str b);

/* Appends the text as compact JSON, "[[2,3,8,8],[8],[]]". Of a cut text the whole arguments are kept. False, with
   *out unchanged, for text that is not a list of lists of integers. */
bool shape_put_json(struct buf *buf, struct str text);

/* Appends a whole list of lists as tables of PyTorch print it, "[[2, 3], []]". False, and nothing appended, for any
   other text. */
bool shape_put_spaced(struct buf *buf, struct str text);

/* One size and its place. Nested Tensor[] arguments number their tensors: tensor is 0 otherwise. */
struct shape_size {
	uint16_t argument, tensor, dim;
	int64_t size;
};

/* The sizes of all arguments in order. */
struct shape {
	struct shape_size *sizes;
	size_t count;
	uint32_t arguments;
};

/* Read a whole or cut text; of a cut one the certain sizes. False if it is not a list of lists or the arena is full. */
bool shape_parse(struct arena *arena, struct str text, struct shape *ret);

/* The text of one argument. */
enum shape_form {
	SHAPE_EMPTY,  /* "[]" */
	SHAPE_SIZED,  /* "[2, 3]": a tensor */
	SHAPE_NESTED, /* "[[2, 3], []]": a list, opened */
};

/* The form of each argument; of a cut text the whole ones, and *ret_more. False for text that is not a list of
   lists, and for more than max arguments. */
bool shape_forms(struct str text, enum shape_form *ret, size_t max, size_t *ret_count, bool *ret_more);
