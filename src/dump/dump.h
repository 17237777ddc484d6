#pragma once
/* Profiler dumps of every format: the one way in. */
#include "dump/common/format.h"
#include "io/source.h"

/* Detects the format by content and reads the whole source into the sink. ERR_EMPTY, ERR_FORMAT, ERR_UNREAD
   (recognised, not read by this version), ERR_NO_TABLE, or what the source reports. Facts are filled as far as the
   reading came, also on failure. */
int dump_read(struct source *source, const struct dump_context *context, struct err *err);
