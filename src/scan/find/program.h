#pragma once
/*
 * The scripts of a program, read and held against the rules: what a scan reports and what a port edits.
 *
 * A script's text has a byte for each byte of its file, a byte order mark aside: what is no UTF-8 reads as '?'. Only
 * of a file in UTF-16, a compressed one, one with NULs and a notebook that is not so.
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
};

struct program {
	struct source_files files;
	struct project project;
	struct rule_book book;
	struct check check;              /* its places are what was found */
	MEM_LIST(struct message) unread; /* files that could not be read, or are no Python */
	uint64_t files_read, bytes, lines;
	uint64_t magics; /* lines of notebooks that are for IPython */
};

/* Reads all; the messages live in the arena. ERR_OPEN for a path that is not there; ERR_EMPTY when no script is under
   the paths; ERR_LIMIT; ERR_UNREAD in a program without a grammar. Clear it in any case. */
int program_read(const struct program_request *request, struct arena *arena, struct program *ret, struct err *err);
void program_clear(struct program *program);

/* The script that one would start: called train or main, else the first that can be started. NULL without Python. */
const struct script *program_entry(const struct program *program);

/* The first line of a text, cut where it is long, as reports show it. */
struct str place_text(struct arena *arena, struct str text);

/* Where in the text a place is: one over several lines is where its name of CUDA stands. */
uint32_t place_anchor(const struct source_place *place);

/* What takes the place of what was found: "npu:0" of "cuda:0". "" when nothing is known. */
struct str place_replacement(const struct source_place *place, unsigned target, struct arena *arena);
