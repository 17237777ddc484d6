#include "io/gunzip.h"

#include <stdlib.h>
#include <zlib.h>

#ifdef HAVE_ISAL
#include <isa-l/igzip_lib.h>
#endif

#include "base/memory/mem.h"

#ifdef HAVE_ISAL

static void isal_start(struct inflate_state *state)
{
	isal_inflate_reset(state);
	state->crc_flag = ISAL_GZIP;
}

static void *isal_open(void)
{
	struct inflate_state *state = mem_zalloc(sizeof(*state));

	isal_inflate_init(state);
	isal_start(state);
	return state;
}

static enum gunzip_status isal_run(void *arg, struct str *input, char *space, size_t space_bytes, size_t *ret_len)
{
	struct inflate_state *state = arg;
	int status;

	state->next_in = (uint8_t *)(uintptr_t)input->ptr;
	state->avail_in = (uint32_t)input->len;
	state->next_out = (uint8_t *)space;
	state->avail_out = (uint32_t)space_bytes;
	status = isal_inflate(state);
	*input = str_skip(*input, input->len - state->avail_in);
	*ret_len = space_bytes - state->avail_out;
	if (status != ISAL_DECOMP_OK)
		return GUNZIP_DAMAGED;
	if (state->block_state != ISAL_BLOCK_FINISH)
		return GUNZIP_MORE;
	isal_start(state);
	return GUNZIP_END;
}

static const struct gunzip by_isal = { "isa-l", isal_open, isal_run, free };

#endif

static void *zlib_open(void)
{
	z_stream *stream = mem_zalloc(sizeof(*stream));

	for (unsigned tries = 0; inflateInit2(stream, MAX_WBITS + 16) != Z_OK;) /* only for want of memory */
		mem_again(tries++);
	return stream;
}

static enum gunzip_status zlib_run(void *arg, struct str *input, char *space, size_t space_bytes, size_t *ret_len)
{
	z_stream *stream = arg;
	int status;

	stream->next_in = (z_const Bytef *)(uintptr_t)input->ptr;
	stream->avail_in = (uInt)input->len;
	stream->next_out = (Bytef *)space;
	stream->avail_out = (uInt)space_bytes;
	status = inflate(stream, Z_NO_FLUSH);
	*input = str_skip(*input, input->len - stream->avail_in);
	*ret_len = space_bytes - stream->avail_out;
	if (status == Z_STREAM_END)
		return inflateReset(stream) == Z_OK ? GUNZIP_END : GUNZIP_DAMAGED;
	return status == Z_OK || status == Z_BUF_ERROR ? GUNZIP_MORE : GUNZIP_DAMAGED;
}

static void zlib_close(void *stream)
{
	inflateEnd(stream);
	free(stream);
}

static const struct gunzip by_zlib = { "zlib", zlib_open, zlib_run, zlib_close };

const struct gunzip *gunzip_by(size_t index)
{
	static const struct gunzip *const libraries[] = {
#ifdef HAVE_ISAL
		&by_isal,
#endif
		&by_zlib,
	};

	return index < ARRAY_SIZE(libraries) ? libraries[index] : NULL;
}

bool gzip_pack(struct str bytes, struct buf *ret)
{
	enum { STEP_BYTES = 65536, MEMORY = 8 };
	CLEANUP(mem_release) char *space = mem_zalloc(STEP_BYTES);
	z_stream stream = { .next_in = (z_const Bytef *)(uintptr_t)bytes.ptr, .avail_in = (uInt)bytes.len };
	int status;

	if (bytes.len > UINT32_MAX || deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, MAX_WBITS + 16, MEMORY,
					      Z_DEFAULT_STRATEGY) != Z_OK)
		return false;
	do {
		stream.next_out = (Bytef *)space;
		stream.avail_out = STEP_BYTES;
		status = deflate(&stream, Z_FINISH);
		buf_add(ret, (struct str){ space, STEP_BYTES - stream.avail_out });
	} while (status == Z_OK && !ret->full);
	deflateEnd(&stream);
	return status == Z_STREAM_END && !ret->full;
}
