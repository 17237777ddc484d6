#include "server/http/unpacking.h"

#include <stdlib.h>

#include "base/memory/mem.h"
#include "io/inflate.h"

enum { PACKED_PIECE_BYTES = 4096 };

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
