#include "server/http/unpacking.h"

#include <stdlib.h>

#include "base/memory/mem.h"
#include "io/inflate.h"
#include "io/outfile.h"
#include "io/tempfile.h"

enum { PACKED_PIECE_BYTES = 4096, MEMORY_BYTES = 64 * 1024 };

struct unpacking {
	struct inflater *inflater;
	struct cached *packed;
	uint64_t position; /* in the packed body, behind the piece */
	struct str rest;   /* of the piece */
	char piece[PACKED_PIECE_BYTES];
};

struct unpacking *unpacking_begin(struct cached *packed)
{
	struct unpacking *unpacking = mem_zalloc(sizeof(*unpacking));

	unpacking->inflater = inflater_new(INFLATE_GZIP);
	unpacking->packed = cached_hold(packed);
	return unpacking;
}

static void read_piece(struct unpacking *unpacking)
{
	size_t len = cached_read(unpacking->packed, unpacking->position, unpacking->piece, sizeof(unpacking->piece));

	unpacking->position += len;
	unpacking->rest = (struct str){ unpacking->piece, len };
}

size_t unpacking_read(struct unpacking *unpacking, char *to, size_t bytes)
{
	size_t len = 0;

	while (!len) {
		if (!unpacking->rest.len && !inflater_may_go_on(unpacking->inflater))
			read_piece(unpacking);
		if (!unpacking->rest.len && !inflater_may_go_on(unpacking->inflater))
			return 0;
		if (!inflater_run(unpacking->inflater, &unpacking->rest, to, bytes, &len))
			return 0;
	}
	return len;
}

void unpacking_end(struct unpacking *unpacking)
{
	if (!unpacking)
		return;
	inflater_free(unpacking->inflater);
	cached_release(unpacking->packed);
	free(unpacking);
}

/* Give the text to a buffer or a file, whole. */
static bool unpack_to(struct cached *packed, struct buf *text, int file)
{
	struct unpacking *unpacking = unpacking_begin(packed);
	char piece[UNPACKING_PIECE_BYTES];
	uint64_t rest = packed->plain_bytes;
	struct err ignored;
	size_t len = 1;

	while (rest && len) {
		len = unpacking_read(unpacking, piece, sizeof(piece));
		if (len > rest || (!text && outfile_put(file, (struct str){ piece, len }, &ignored)))
			len = 0;
		if (text)
			buf_add(text, (struct str){ piece, len });
		rest -= len;
	}
	unpacking_end(unpacking);
	return !rest;
}

static struct cached *keep_file(struct cache *cache, struct str key, struct cached *packed)
{
	int file = tempfile_open();

	if (file >= 0 && unpack_to(packed, NULL, file))
		return cache_add_file(cache, key, atomic_load(&packed->version), file, packed->plain_bytes);
	tempfile_close(file);
	return NULL;
}

struct cached *unpacking_keep(struct cache *cache, struct str key, struct cached *packed)
{
	CLEANUP(buf_clear) struct buf text = BUF_UNLIMITED;

	if (packed->plain_bytes > MEMORY_BYTES)
		return keep_file(cache, key, packed);
	return unpack_to(packed, &text, -1) ? cache_add(cache, key, atomic_load(&packed->version), buf_str(&text))
					    : NULL;
}
