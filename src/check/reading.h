#pragma once
/*
 * Dumps read side by side: as many files at once as there are processors, each into a part of its own (op/profile.h).
 *
 * What was read is handed over in the order of the files, whichever is done first, and no file is begun while many wait to be
 * handed over: memory is that of some parts, not of all.
 */
#include "assess/model/capture.h"
#include "base/arena.h"
#include "io/meter.h"

/* A file to read. */
struct dump_file {
	const char *path;
	struct str name;     /* what the report calls it */
	struct str known_as; /* what an error calls it: as the user named it */
	struct str rank;     /* when its folder tells */
	const char *info;    /* the file beside it that names releases, or NULL */
	bool found;          /* in a folder, and the user did not name it: may be left out */
};

/* One dump of a file: the file itself, or a member of an archive. */
struct read_dump {
	struct str name, known_as, rank;
	const char *info;
	bool found;
	struct assess_input input; /* without the place */
	struct profile *part;
	int status; /* of reading it */
	struct err err;
};

/* What became of one file. */
struct file_reading {
	struct arena text; /* of the names */
	struct {
		struct read_dump *items;
		size_t count, capacity;
	} dumps;
	int status; /* of the file as a whole: an archive that is no archive to its end */
	struct err err;
	bool done;
};

struct reading_options {
	const struct limits *limits;
	bool skip_digests;
	struct meter *meter;
};

/* Reads the dump that a source holds into a new part. The source is closed. */
void read_source(struct file_reading *reading, struct source *source, struct read_dump dump,
	const struct reading_options *options);

/* Takes what one file became; an error ends the reading. */
typedef int take_reading(void *ctx, struct file_reading *reading, struct err *err);

/* Reads all files. The errors of take. */
int read_files(const struct dump_file *files, size_t count, const struct reading_options *options, take_reading *take,
	void *ctx, struct err *err);

/* What a file may be that stands in a folder of dumps and is none. */
bool reading_is_no_dump(int status);
