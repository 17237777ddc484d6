#include "tests/unit/packed.h"

#include <zlib.h>
#include <zstd.h>

#include "tests/unit/check.h"
#include "tests/unit/random.h"

void pack_gzip(struct buf *ret, struct str text)
{
	enum { GZIP = MAX_WBITS + 16, LEVEL = 6, MEMORY = 8 };
	z_stream stream = { .next_in = (z_const Bytef *)(uintptr_t)text.ptr, .avail_in = (uInt)text.len };
	size_t bound = compressBound(text.len) + 100;
	char *space = mem_zalloc(bound);

	assert_int_equal(deflateInit2(&stream, LEVEL, Z_DEFLATED, GZIP, MEMORY, Z_DEFAULT_STRATEGY), Z_OK);
	stream.next_out = (Bytef *)space;
	stream.avail_out = (uInt)bound;
	assert_int_equal(deflate(&stream, Z_FINISH), Z_STREAM_END);
	buf_add(ret, (struct str){ space, bound - stream.avail_out });
	deflateEnd(&stream);
	mem_release(&space);
}

void pack_zstd(struct buf *ret, struct str text)
{
	enum { LEVEL = 3 };
	size_t bound = ZSTD_compressBound(text.len), len;
	char *space = mem_zalloc(bound);

	len = ZSTD_compress(space, bound, text.ptr, text.len, LEVEL);
	assert_false(ZSTD_isError(len));
	buf_add(ret, (struct str){ space, len });
	mem_release(&space);
}

void pack_sample(struct buf *ret, size_t bytes)
{
	uint64_t seed = 5;

	while (ret->len < bytes)
		buf_printf(ret, "%llx %s\n", (unsigned long long)random_next(&seed), "aten::add  12.5% us");
	ret->len = bytes;
}
