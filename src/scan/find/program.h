#pragma once
/*
 * The scripts of a program with the findings of the rules, which a scan reports and a port edits.
 *
 * A script's text has a byte for each byte of its file, a byte order mark aside: invalid UTF-8 reads as '?'. Files in
 * UTF-16, compressed ones, ones with NULs and notebooks are exceptions.
 */
#include "assess/model/message.h"
#include "scan/find/check.h"
#include "scan/source/files.h"

struct program_request {
	const char *const *paths; /* files and folders */
	size_t path_count;
	const struct limits *limits;
	const struct source_part *parts;
	size_t part_count;
	bool each_stop; /* a row for each wait for the device, not one a script */
};

struct program {
	struct source_files files;
	struct project project;
	struct rule_book book;
	struct check check;               /* its places are what was found */
	MEM_LIST(struct message) unread;  /* files that could not be read or are not Python */
	MEM_LIST(struct message) skipped; /* about files that are no scripts */
	uint64_t files_read, bytes, lines;
	uint64_t magics; /* lines of notebooks that are for IPython */
};

/* Reads all; the messages live in the arena. ERR_OPEN for a path that is not there; ERR_EMPTY when no script is under
   the paths; ERR_LIMIT; ERR_UNREAD in a program without a grammar. Clear it in any case. */
int program_read(const struct program_request *request, struct arena *arena, struct program *ret, struct err *err);
void program_clear(struct program *program);

/* The script that one would start: called train or main, else the first that can be started. NULL without Python. */
const struct script *program_entry(const struct program *program);
