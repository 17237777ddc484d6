#pragma once
/* The start and the end of the service. */
#include "base/setup/err.h"

struct settings;

/* Blocks the signals that service_run waits for. Before the first thread, which inherits the mask. */
void service_block_signals(void);

/* Serves until a signal ends it. ERR_CONFIG, ERR_LISTEN, what the store and the database say, ERR_INTERNAL when jobs
   cannot be started. */
int service_run(const struct settings *settings, struct err *err);
