#pragma once
/* The readers of plain operator lists: one name a line, and JSON. Lists with a CSV header are dump/csv.h's. */
#include "dump/common/format.h"

extern const struct dump_format dump_oplist;
extern const struct dump_format dump_json_list;
