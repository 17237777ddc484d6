#pragma once
/* The file that torch_npu's profiler leaves beside its tables: profiler_info.json, or profiler_info_RANK.json. */
#include "base/limits.h"
#include "dump/common/device.h"

/* Reads into facts which releases it names. What cannot be read, or is no such file, says nothing. */
void info_read(const char *path, const struct limits *limits, struct device_facts *facts);
