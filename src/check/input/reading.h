#pragma once
/* Reading one file: a dump, or the dumps of an archive (check/input/readers.h). */
#include "assess/model/capture.h"
#include "base/memory/arena.h"
#include "base/memory/mem.h"
#include "io/source.h"

/* A file to read. */
struct dump_file {
	const char *path;
	struct str name;              /* its name in the report */
	struct str known_as;          /* its name in errors: the user's */
	struct str rank;              /* when its folder tells */
	const char *info;             /* the file beside it that names releases, or NULL */
	const struct file_span *span; /* the bytes that it is; NULL: all */
	bool found;                   /* in a folder, and the user did not name it: may be left out */
};

/* The files of a run, in the order in which they are read. */
struct dump_files {
	struct dump_file *items;
	size_t count, capacity;
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

/* The result of one file. */
struct file_reading {
	struct arena text; /* of the names */
	MEM_LIST(struct read_dump) dumps;
	int status; /* of the file as a whole: an archive that is damaged or cut */
	struct err err;
};

struct reading_options {
	const struct limits *limits;
	bool skip_digests;
	struct meter *meter;
};

/* Reads the dump that a source holds into a new part. The source is closed. */
void read_source(struct file_reading *reading, struct source *source, struct read_dump dump,
	const struct reading_options *options);

/* Frees what one file became. */
void reading_clear(struct file_reading *reading);

/* Returns whether a file that begins with these bytes is a report of opcheck. */
bool reading_is_report(struct str head);

/* Returns whether reading failed because the file is not a dump, as may be in a folder of dumps. */
bool reading_is_no_dump(int status);

/*
 * The rank that wrote a dump, which tells its streams from those of other dumps: "rank3" when its folder, the trace
 * itself (distributedInfo) or its name says so, in this order ("run7_rank_3.log"); the worker of a name that
 * tensorboard_trace_handler gives ("host_77" of "host_77.1700000000000.pt.trace.json.gz"); else "". In the arena, or
 * static.
 */
struct str rank_label(struct arena *arena, struct str folder_rank, const struct dump_facts *facts, struct str name);
