#pragma once
/*
 * Progress of reading dumps on standard error: one line, rewritten from one second on, and removed at the end. Only
 * on a terminal, and neither with --quiet nor where CI is set.
 */
#include <pthread.h>

#include "base/setup/err.h"
#include "io/source.h"

struct progress {
	struct meter meter; /* for the readers */
	bool quiet;
	bool running, ending, on_screen;
	int64_t began_ms;
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t changed;
};

void progress_start(struct progress *progress, bool quiet);

/* The line is gone when this returns. */
void progress_stop(struct progress *progress);

/* For struct check_request: says which file is left out, unless quiet. ctx: the progress. */
void progress_left_out(void *ctx, const struct err *err);
