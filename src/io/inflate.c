#include "io/inflate.h"

#include <stdlib.h>
#include <zlib.h>
#include <zstd.h>

#include "base/mem.h"

struct inflater {
	enum inflate_kind kind;
	z_stream gzip;
	ZSTD_DStream *zstd;
	bool open; /* inside a member or a frame */
	bool done; /* what follows the last member is padding */
};

enum inflate_kind inflate_sniff(struct str head)
{
	if (str_starts(head, STR("\x1f\x8b")))
		return INFLATE_GZIP;
	if (str_starts(head, STR("\x28\xb5\x2f\xfd")))
		return INFLATE_ZSTD;
	return INFLATE_NONE;
}

const char *inflate_name(enum inflate_kind kind)
{
	return kind == INFLATE_GZIP ? "gzip" : kind == INFLATE_ZSTD ? "zstd" : "";
}

struct inflater *inflater_new(enum inflate_kind kind)
{
	struct inflater *inflater = mem_zalloc(sizeof(*inflater));

	inflater->kind = kind;
	if (kind == INFLATE_ZSTD)
		inflater->zstd = ZSTD_createDStream();
	else if (inflateInit2(&inflater->gzip, MAX_WBITS + 16) != Z_OK)
		abort(); /* only for want of memory or a library of another version */
	return inflater;
}

void inflater_free(struct inflater *inflater)
{
	if (!inflater)
		return;
	if (inflater->kind == INFLATE_ZSTD)
		ZSTD_freeDStream(inflater->zstd);
	else
		inflateEnd(&inflater->gzip);
	free(inflater);
}

/* Between members: another one, or padding of any kind, which gzip ignores too. */
static bool next_member(struct inflater *inflater, struct str *input)
{
	if ((unsigned char)input->ptr[0] != 0x1f) {
		inflater->done = true;
		*input = str_skip(*input, input->len);
		return false;
	}
	inflater->open = true;
	return true;
}

static bool run_gzip(struct inflater *inflater, struct str *input, char *space, size_t space_bytes, size_t *ret_len)
{
	z_stream *gzip = &inflater->gzip;
	int status = Z_OK;

	gzip->next_out = (Bytef *)space;
	gzip->avail_out = (uInt)space_bytes;
	while (input->len && gzip->avail_out && status == Z_OK) {
		if (!inflater->open && !next_member(inflater, input))
			break;
		gzip->next_in = (z_const Bytef *)(uintptr_t)input->ptr;
		gzip->avail_in = (uInt)input->len;
		status = inflate(gzip, Z_NO_FLUSH);
		*input = str_skip(*input, input->len - gzip->avail_in);
		if (status == Z_STREAM_END) {
			inflater->open = false;
			status = inflateReset(gzip);
		}
	}
	*ret_len = space_bytes - gzip->avail_out;
	return status == Z_OK || status == Z_BUF_ERROR;
}

static bool run_zstd(struct inflater *inflater, struct str *input, char *space, size_t space_bytes, size_t *ret_len)
{
	ZSTD_outBuffer out = { space, space_bytes, 0 };
	ZSTD_inBuffer in = { input->ptr, input->len, 0 };
	size_t left = 0;

	do {
		left = ZSTD_decompressStream(inflater->zstd, &out, &in);
		inflater->open = ZSTD_isError(left) || left > 0;
	} while (!ZSTD_isError(left) && in.pos < in.size && out.pos < out.size);
	*input = str_skip(*input, in.pos);
	*ret_len = out.pos;
	return !ZSTD_isError(left);
}

bool inflater_run(struct inflater *inflater, struct str *input, char *space, size_t space_bytes, size_t *ret_len)
{
	*ret_len = 0;
	if (inflater->done) {
		*input = str_skip(*input, input->len);
		return true;
	}
	return inflater->kind == INFLATE_ZSTD ? run_zstd(inflater, input, space, space_bytes, ret_len)
					      : run_gzip(inflater, input, space, space_bytes, ret_len);
}

bool inflater_at_end(const struct inflater *inflater)
{
	return !inflater->open;
}
