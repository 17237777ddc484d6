#pragma once
/* What a trace says of the distributed run that it is a part of: "distributedInfo", which Kineto writes before the events. */
#include "dump/common/format.h"

/* Looks for it in the beginning of a trace and fills the rank, the size of the world and the backend. */
void distributed_find(struct str head, struct dump_facts *facts);
