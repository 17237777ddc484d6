#pragma once
/* Text tables of the PyTorch profilers, all dialects: see table.c and FORMATS 1, 2 and 9. */
#include "dump/common/format.h"

extern const struct dump_format dump_table;
