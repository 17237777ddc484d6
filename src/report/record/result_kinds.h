#pragma once
/* Kinds of values that the result has beside the plain ones. */
#include "record/kind.h"

extern const struct kind kind_message;        /* struct message: its rule, English text and parameters */
extern const struct kind kind_message_inline; /* the same; its keys belong to the object of the struct */
extern const struct kind kind_dims;           /* struct str: sizes of arguments as compact JSON; "" is null */
extern const struct kind kind_types;          /* struct str: types joined by ", "; "-" and "" are null */
