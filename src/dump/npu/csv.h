#pragma once
/* The reader of CSV tables: those of torch_npu's profiler, and operator lists with a header. */
#include "dump/common/format.h"

extern const struct dump_format dump_csv;
