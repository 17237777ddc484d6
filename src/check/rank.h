#pragma once
/* Which process of a distributed run wrote a dump. */
#include "base/arena.h"
#include "dump/common/format.h"

/*
 * What tells its streams from those of other dumps: "rank3" when its folder, the trace itself (distributedInfo) or its name says
 * so, in this order ("run7_rank_3.log"); the worker of a name that tensorboard_trace_handler gives ("host_77" of
 * "host_77.1700000000000.pt.trace.json.gz"); else "". Kept in the arena, or static.
 */
struct str rank_label(struct arena *arena, struct str folder_rank, const struct dump_facts *facts, struct str name);
