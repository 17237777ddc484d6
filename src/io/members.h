#pragma once
/*
 * The files of an archive in their order: tar in any form, and zip as far as it can be read in one pass. Nothing is
 * unpacked to disk; memory holds the current file's chunk alone.
 *
 * The bytes come from a source, which takes gzip and zstd off and bounds them; what members unpack to is bounded here
 * by limits.input_bytes and limits.inflate_ratio once more, because zip and sparse files pack inside the archive.
 */
#include "io/source.h"

/* "tar", "zip", or "" when these are not the first bytes of an archive. Static text. */
const char *members_sniff(struct str head);

struct members;

/* Loads the library that reads archives, for a program that soon opens no more files; else the first archive does. */
void members_prepare(void);

/* source outlives the members and is read by them alone. kind: of members_sniff. */
struct members *members_new(struct source *source, const char *kind, const struct limits *limits);
void members_free(struct members *members);

/* The name of a regular file: parts joined by '/', none of them empty, "." or "..", and none before the first. */
struct member {
	struct str name; /* lives until the next one */
	uint64_t bytes;  /* as recorded in the archive, else 0 */
};

/* Goes to the next regular file: 1, and *ret is set; 0 at the end; ERR_LIMIT, and the errors of source_next. An archive
   that cannot be read on ends: members_damaged. */
int members_next(struct members *members, struct member *ret, struct err *err);

/* The bytes of the file that members_next has come to, to be closed before the next one. */
struct source *members_open(struct members *members);

/* True when the archive ends before it should, or is damaged from some place on. */
bool members_damaged(const struct members *members);
