#pragma once
/*
 * Decompression of a byte stream: gzip with any number of members, zstd with any number of frames.
 */
#include "base/memory/buf.h"

enum inflate_kind { INFLATE_NONE, INFLATE_GZIP, INFLATE_ZSTD };

/* Compression by the first bytes, never by a suffix: 1f 8b is gzip, 28 b5 2f fd zstd. */
enum inflate_kind inflate_sniff(struct str head);

/* "gzip", "zstd" or "". Static text. */
const char *inflate_name(enum inflate_kind kind);

struct inflater;

struct inflater *inflater_new(enum inflate_kind kind);

/* With a certain library for gzip (io/gunzip.h); for tests. */
struct gunzip;
struct inflater *inflater_by(enum inflate_kind kind, const struct gunzip *gunzip);

void inflater_free(struct inflater *inflater);

/* Decompresses from *input, which moves on, into space; *ret_len bytes were written. Returns false if the data is
   damaged; bytes written before are good. */
bool inflater_run(struct inflater *inflater, struct str *input, char *space, size_t space_bytes, size_t *ret_len);

/* Returns whether output may follow without input: the last space was filled. */
bool inflater_may_go_on(const struct inflater *inflater);

/* True when no member or frame is open, so that the input may end here. */
bool inflater_at_end(const struct inflater *inflater);

/* The way back: appends bytes as one zstd frame. False when the maximum of the buffer was reached, or memory was. */
bool zstd_pack(struct str bytes, struct buf *ret);

/* Appends what a whole gzip stream holds. False when it is damaged, or over the maximum of the buffer. */
bool gzip_unpack(struct str packed, struct buf *ret);
