#pragma once
/*
 * The bytes of one dump: a file, standard input or memory, decompressed, bounded, hashed and counted on the way.
 *
 * Reading, hashing and decompressing run ahead in a thread of their own when the input is larger than one chunk, so
 * that they overlap with parsing. A source is used by one thread.
 */
#include <stdatomic.h>

#include "base/setup/err.h"
#include "base/setup/limits.h"
#include "base/value/sha256.h"
#include "base/view/str.h"

/* Progress of reading for other threads, and a flag that ends it. */
struct meter {
	_Atomic uint64_t read_bytes;  /* of all inputs so far, as stored */
	_Atomic uint64_t total_bytes; /* of those whose size is known */
	_Atomic bool open_ended;      /* the size of some input is not known */
	_Atomic bool stop;            /* end the reading: source_next fails */
};

/* Adds the size of a file that will be read; anything but a regular file makes the whole open-ended. */
void meter_expect(struct meter *meter, const char *path);

struct source;
struct file_span {
	uint64_t from, bytes;
};

/* Opens a path, or standard input for "-"; or a span of it as if that were a file: several may be read at a time.
   ERR_OPEN, ERR_DIRECTORY. No error of a source names the file: that is the caller's part, with err_file. */
int source_open(const char *path, const struct limits *limits, struct source **ret, struct err *err);
int source_open_span(const char *path, const struct file_span *span, const struct limits *limits, struct source **ret,
	struct err *err);

/* Takes bytes from memory that outlives the source, as if they were a file of that name. */
struct source *source_of_memory(struct str bytes, struct str name, const struct limits *limits);

/* Gives some bytes to a source: 0 or the code of the error; *ret_len 0 is the end. */
typedef int source_read(void *ctx, char *space, size_t bytes, size_t *ret_len, struct err *err);

/* Takes bytes from a function, called in one thread at a time. large: a second thread pays. */
struct source *source_of_function(
	source_read *read, void *ctx, bool large, struct str name, const struct limits *limits);

/* Stops reading and frees. NULL is allowed. */
void source_close(struct source *source);

/* Before the first bytes, source_peek included: makes no digest (facts.sha256 will be ""), which costs more time than
   reading a table does; adds what is read to the meter, which outlives the source; starts no thread for a file. */
void source_skip_digest(struct source *source);
void source_set_meter(struct source *source, struct meter *meter);
void source_stay_in_thread(struct source *source);

/* Descriptor of the file and its range of bytes, for random access while the source is open; -1 if it is not a
   regular file or is compressed. */
int source_file(const struct source *source, struct file_span *ret);

/* Returns whether the input is probably large enough for a second thread to pay, and may have one. */
bool source_is_large(const struct source *source);

/* The next bytes, which live until the next call: 1. At the end 0, and again 0. ERR_OPEN when reading fails, ERR_LIMIT
   over limits.input_bytes or inflate_ratio, ERR_COMPRESSION when not even the first byte could be decompressed.
   source_peek gives them without taking them. source_has_nul: one of the bytes given last is 0. */
int source_next(struct source *source, struct str *ret_chunk, struct err *err);
int source_peek(struct source *source, struct str *ret_chunk, struct err *err);
bool source_has_nul(const struct source *source);

struct source_facts {
	struct str name;               /* base name of the file, "-" for standard input; lives with the source */
	uint64_t stored_bytes;         /* as stored */
	uint64_t text_bytes;           /* after decompression */
	char sha256[SHA256_HEX_BYTES]; /* of the bytes as stored */
	const char *compression;       /* "gzip", "zstd" or "" */
	bool damaged; /* the compressed data ended early or was damaged; the bytes before were delivered */
};

/* Complete once source_next has returned 0. */
const struct source_facts *source_facts(const struct source *source);
