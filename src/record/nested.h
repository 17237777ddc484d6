#pragma once
/* Kinds of values that have a record of their own. */
#include "record/kind.h"

extern const struct kind kind_object;
extern const struct kind kind_inline;          /* a struct whose keys belong to the same object */
extern const struct kind kind_pointer;         /* a pointer to a struct; NULL where the key is missing */
extern const struct kind kind_pointer_or_null; /* the same, and null where it is NULL */
extern const struct kind kind_list;            /* an array of structs */
extern const struct kind kind_pointers;        /* an array of pointers to structs; not read */
extern const struct kind kind_map;             /* an array of structs, by the first field of each */
extern const struct kind kind_map_values;      /* another value of each struct of a map that comes before */
