#include "io/inflate.h"

#include <stdlib.h>
#include <zstd.h>

#include "base/memory/mem.h"
#include "io/gunzip.h"

struct inflater {
	enum inflate_kind kind;
	const struct gunzip *gunzip;
	void *gzip;
	ZSTD_DStream *zstd;
	bool open; /* inside a member or a frame */
	bool full; /* the last space was filled */
	bool done; /* bytes after the last member are padding */
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

struct inflater *inflater_by(enum inflate_kind kind, const struct gunzip *gunzip)
{
	struct inflater *inflater = mem_zalloc(sizeof(*inflater));

	inflater->kind = kind;
	inflater->gunzip = gunzip;
	if (kind == INFLATE_ZSTD)
		for (unsigned tries = 0; !(inflater->zstd = ZSTD_createDStream());)
			mem_again(tries++);
	else
		inflater->gzip = gunzip->open();
	return inflater;
}

struct inflater *inflater_new(enum inflate_kind kind)
{
	return inflater_by(kind, gunzip_by(0));
}

void inflater_free(struct inflater *inflater)
{
	if (!inflater)
		return;
	if (inflater->kind == INFLATE_ZSTD)
		ZSTD_freeDStream(inflater->zstd);
	else
		inflater->gunzip->close(inflater->gzip);
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
	enum gunzip_status status = GUNZIP_MORE;

	while ((input->len || inflater->full) && *ret_len < space_bytes && status != GUNZIP_DAMAGED) {
		size_t len;

		inflater->full = false;
		if (!inflater->open && (!input->len || !next_member(inflater, input)))
			break;
		status = inflater->gunzip->run(inflater->gzip, input, space + *ret_len, space_bytes - *ret_len, &len);
		*ret_len += len;
		inflater->open = status != GUNZIP_END;
	}
	return status != GUNZIP_DAMAGED;
}

static bool run_zstd(struct inflater *inflater, struct str *input, char *space, size_t space_bytes, size_t *ret_len)
{
	ZSTD_outBuffer out = { space, space_bytes, 0 };
	ZSTD_inBuffer in = { input->ptr, input->len, 0 };
	size_t left = 0;

	if (!input->len && !inflater->open)
		return true; /* else a frame would be begun */
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
	bool good;

	*ret_len = 0;
	if (inflater->done) {
		*input = str_skip(*input, input->len);
		return true;
	}
	good = inflater->kind == INFLATE_ZSTD ? run_zstd(inflater, input, space, space_bytes, ret_len)
					      : run_gzip(inflater, input, space, space_bytes, ret_len);
	inflater->full = good && *ret_len == space_bytes;
	return good;
}

bool inflater_may_go_on(const struct inflater *inflater)
{
	return inflater->full;
}

bool inflater_at_end(const struct inflater *inflater)
{
	return !inflater->open;
}

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

bool gzip_unpack(struct str packed, struct buf *ret)
{
	enum { STEP_BYTES = 65536 };
	CLEANUP(mem_release) char *space = mem_zalloc(STEP_BYTES);
	struct inflater *inflater = inflater_new(INFLATE_GZIP);
	bool good = true;
	size_t len;

	while (good && (packed.len || inflater_may_go_on(inflater)) && !ret->full) {
		good = inflater_run(inflater, &packed, space, STEP_BYTES, &len);
		buf_add(ret, (struct str){ space, len });
	}
	good = good && inflater_at_end(inflater) && !ret->full;
	inflater_free(inflater);
	return good;
}
