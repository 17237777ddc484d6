#pragma once
/* Dumps in an archive. */
#include "check/input/readers.h"

/*
 * The dumps in an archive, in one pass over its bytes.
 *
 * An archive is read like the folder that was packed (check/input/folder.h), as far as one pass allows: of an
 * Ascend folder every table that may be wanted is read, and which of them say most is decided at the end. A
 * database must be a file, and an archive in an archive is not looked into: both are left out with a word.
 *
 * Reads all members into the reading, in the natural order of their names. kind: of members_sniff. The source is
 * closed.
 */
void bundle_read(struct file_reading *reading, struct source *source, const char *kind, const struct dump_file *file,
	const struct reading_options *options);
