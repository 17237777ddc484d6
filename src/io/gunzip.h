#pragma once
/*
 * One member of a gzip stream, by the libraries that can read it. ISA-L is about three times as fast as zlib, and not
 * everywhere: a build without it is whole. Both give the same text, and the same of what is cut short; of damaged data,
 * one may give a few bytes more than the other before it notices.
 */
#include "base/memory/buf.h"

enum gunzip_status { GUNZIP_MORE, GUNZIP_END, GUNZIP_DAMAGED };

struct gunzip {
	const char *name; /* "isa-l", "zlib" */
	void *(*open)(void);
	/* Decompresses from *input, which moves on, into space: *ret_len bytes. GUNZIP_END after a member; another
	   may follow. With a space that was filled more may come without input. */
	enum gunzip_status (*run)(void *state, struct str *input, char *space, size_t space_bytes, size_t *ret_len);
	void (*close)(void *state);
};

/* The libraries of this build, the best one first; NULL behind the last. */
const struct gunzip *gunzip_by(size_t index);

/* The way back: appends bytes as one member. False when the maximum of the buffer was reached, or memory was. */
bool gzip_pack(struct str bytes, struct buf *ret);
