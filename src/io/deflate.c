#include "io/deflate.h"

#include <zstd.h>

#include "base/mem.h"

bool zstd_pack(struct str bytes, struct buf *ret)
{
	enum { LEVEL = 9 }; /* a fifth of a database in a second; more costs time without end */
	size_t room = ZSTD_compressBound(bytes.len), len;
	CLEANUP(mem_release) char *space = mem_zalloc(room);

	len = ZSTD_compress(space, room, bytes.ptr, bytes.len, LEVEL);
	if (ZSTD_isError(len))
		return false;
	buf_add(ret, (struct str){ space, len });
	return !ret->full;
}
