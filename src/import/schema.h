#pragma once
/* Schemas in the files that are imported. */
#include "import/input.h"
#include "op/schema.h"

/* schema_parse with an error at that line of a file. */
int schema_read(const struct input *input, size_t line, struct str text, struct schema *ret, struct err *err);
