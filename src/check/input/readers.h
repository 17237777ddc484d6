#pragma once
/*
 * Dumps read side by side: as many files at once as there are processors, each into a part of its own (op/profile.h).
 *
 * Results come in the order of the files, whichever is done first, and no file is begun while many results wait: memory
 * holds some parts, not all.
 */
#include "check/input/reading.h"

/* Takes what one file became; an error ends the reading. */
typedef int take_reading(void *ctx, struct file_reading *reading, struct err *err);

/* Reads all files. The errors of take. */
int read_files(const struct dump_files *files, const struct reading_options *options, take_reading *take, void *ctx,
	struct err *err);
