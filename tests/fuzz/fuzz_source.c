/* Bytes as a source and as text: gzip, zstd, UTF-16, holes; what comes out is bounded and counted. */
#include "base/memory/mem.h"
#include "dump/dump.h"
#include "io/gunzip.h"
#include "io/inflate.h"
#include "io/text.h"
#include "tests/fuzz/fuzz.h"

enum { MOST_BYTES = 1 << 22 };

static struct limits small_limits(void)
{
	struct limits limits = limits_default();

	limits.input_bytes = MOST_BYTES;
	limits.line_bytes = 4096;
	return limits;
}

static uint64_t drain(struct str bytes, const struct limits *limits)
{
	struct source *source = source_of_memory(bytes, STR("fuzz"), limits);
	const struct source_facts *facts = source_facts(source);
	uint64_t all = 0;
	struct str chunk;
	struct err err = { 0 };
	int status;

	while ((status = source_next(source, &chunk, &err)) == 1) {
		HOLD(chunk.len);
		all += chunk.len;
	}
	HOLD(all <= MOST_BYTES && all <= facts->text_bytes);
	if (status == 0) {
		HOLD(all == facts->text_bytes && facts->stored_bytes <= bytes.len && strlen(facts->sha256) == 64);
		HOLD(facts->compression[0] || all == bytes.len);
		HOLD(source_next(source, &chunk, &err) == 0);
	} else {
		HOLD(status == -err.code && err.text[0]);
	}
	source_close(source);
	return all;
}

static void drain_text(struct str bytes, const struct limits *limits)
{
	struct source *source = source_of_memory(bytes, STR("fuzz"), limits);
	struct text *text = text_new(source);
	struct str chunk;
	struct err err = { 0 };

	while (text_next(text, &chunk, &err) == 1)
		HOLD(chunk.len && !memchr(chunk.ptr, '\0', chunk.len));
	text_free(text);
	source_close(source);
}

static unsigned on_stream(void *ctx, struct str label)
{
	(void)label;
	return ++*(unsigned *)ctx;
}

static void on_begin(void *ctx, unsigned stream, unsigned has)
{
	(void)ctx;
	(void)stream;
	(void)has;
}

static void on_row(void *ctx, unsigned stream, const struct op_row *row)
{
	(void)ctx;
	(void)stream;
	HOLD(row->name.len);
}

static void on_rows(void *ctx, unsigned stream, const struct op_row *rows, size_t count)
{
	for (size_t i = 0; i < count; i++)
		on_row(ctx, stream, &rows[i]);
}

static void on_end(void *ctx, unsigned stream, const struct table_end *end)
{
	(void)ctx;
	(void)stream;
	(void)end;
}

static void read_dump(struct str bytes, const struct limits *limits)
{
	unsigned streams = 0;
	struct event_sink sink = { &streams, on_stream, on_begin, on_rows, on_end };
	struct dump_facts facts;
	struct dump_context context = { &sink, limits, &facts };
	struct source *source = source_of_memory(bytes, STR("fuzz"), limits);
	struct err err = { 0 };
	int status = dump_read(source, &context, &err);

	HOLD(status == 0 || (status == -err.code && err.text[0]));
	HOLD(status || facts.tables);
	source_close(source);
}

/* Unpacks by a library for gzip; whether it was whole. */
static bool unpack(struct str bytes, const struct gunzip *gunzip, struct buf *ret)
{
	struct inflater *inflater = inflater_by(INFLATE_GZIP, gunzip);
	char space[4096];
	bool good = true;

	while (good && (bytes.len || inflater_may_go_on(inflater)) && !ret->full) {
		size_t len;

		good = inflater_run(inflater, &bytes, space, sizeof(space), &len);
		buf_add(ret, (struct str){ space, len });
	}
	good &= inflater_at_end(inflater);
	inflater_free(inflater);
	return good;
}

/* What zlib takes, the others take, and give the same. */
static void hold_libraries(struct str bytes)
{
	CLEANUP(buf_clear) struct buf first = BUF_INIT(MOST_BYTES), zlib = BUF_INIT(MOST_BYTES);
	size_t last = 0;
	bool whole;

	while (gunzip_by(last + 1))
		last++;
	whole = unpack(bytes, gunzip_by(last), &zlib);
	HOLD(unpack(bytes, gunzip_by(0), &first) == whole || !whole);
	HOLD(!whole || str_eq(buf_str(&first), buf_str(&zlib)));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str bytes = fuzz_text(data, size);
	struct limits limits = small_limits();

	if (inflate_sniff(bytes) == INFLATE_GZIP)
		hold_libraries(bytes);
	drain(bytes, &limits);
	drain_text(bytes, &limits);
	read_dump(bytes, &limits);
	return 0;
}
