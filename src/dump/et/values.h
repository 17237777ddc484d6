#pragma once
/*
 * The arguments of a node of an execution trace, in the words that traces of Kineto have for them (FORMATS 4).
 *
 * An execution trace says more: "Tensor(float)" is "float" in a trace, "Int" is "Scalar", "GenericList[Int,Int]" with
 * the shapes [[], []] is "ScalarList" with the shape []. A list of tensors of one type has the name of that type; a
 * trace has "TensorList".
 */
#include "json/value.h"

/* Appends a JSON list with the shape, or the strides, of each argument, "[[2,3],[],[[4],[5]]]"; nothing when there is
   no list. */
void et_put_shapes(struct buf *buf, const struct json_value *shapes, const struct json_value *types);

/* Appends a JSON list of texts with the value of each argument that is a number or a list of such, ["","4","[2,
   3]","True",""], with texts also of one that is a text; nothing when there is no list of values. */
void et_put_values(struct buf *buf, const struct json_value *values, const struct json_value *types, bool texts);

/* Appends a JSON list with the type of each argument, ["float","Scalar",""]; nothing when there is no list of types. */
void et_put_types(struct buf *buf, const struct json_value *types);
