/*
 * The readers of CSV tables and of operator lists behind a profile.
 *
 * The first byte chooses the reader and how the rest is cut into chunks; the events must be the same as without a cut.
 */
#include "base/memory/mem.h"
#include "dump/common/format.h"
#include "dump/npu/csv_cut.h"
#include "dump/npu/csv_rows.h"
#include "tests/fuzz/readers.h"

static struct limits small_limits(void)
{
	struct limits limits = limits_default();

	limits.line_bytes = 4096;
	limits.operators = 50;
	limits.names = 50;
	limits.shapes = 100;
	limits.csv_columns = 70;
	limits.list_bytes = 1 << 16;
	return limits;
}

struct collection {
	struct csv_rows *rows;
	struct buf *out;
};

static void collect(void *ctx, const struct csv_row *row)
{
	struct collection *to = ctx;

	buf_printf(to->out, "%llu %zu%s", (unsigned long long)csv_rows_line(to->rows), row->count,
		row->broken ? " broken" : "");
	for (size_t i = 0; i < row->count && i < CSV_KEPT_COLUMNS && !row->broken; i++) {
		buf_byte(to->out, '|');
		buf_add(to->out, row->cells[i]);
	}
	buf_byte(to->out, '\n');
}

static bool split(struct str text, size_t chunk, bool library, const struct limits *limits, struct buf *ret)
{
	struct collection to = { .out = ret };
	bool inside;

	to.rows = csv_rows_new(limits, collect, &to);
	if (library)
		csv_rows_by_library(to.rows);
	for (size_t at = 0; at < text.len; at += chunk)
		csv_rows_feed(to.rows, str_sub(text, at, at + chunk < text.len ? at + chunk : text.len));
	inside = csv_rows_end(to.rows);
	csv_rows_free(to.rows);
	return inside;
}

/* What is cut without libcsv is what libcsv makes of it. */
static void hold_rows(struct str text, size_t chunk, const struct limits *limits)
{
	CLEANUP(buf_clear) struct buf quick = BUF_INIT(1 << 26), library = BUF_INIT(1 << 26);
	bool inside = split(text, chunk, false, limits, &quick);

	HOLD(inside == split(text, text.len + 1, true, limits, &library));
	HOLD(str_eq(buf_str(&quick), buf_str(&library)));
}

/* Every way to cut a row gives the same, whatever the row before it left. */
static void hold_ways(struct str text, const struct limits *limits)
{
	struct str cells[2][CSV_KEPT_COLUMNS];

	while (text.len) {
		struct csv_cut first = { cells[0], CSV_KEPT_COLUMNS, 0, UINT64_MAX, (size_t)limits->csv_cell_bytes },
			       other = first;
		size_t len = csv_way(0)->cut(&first, text);

		other.cells = cells[1];
		for (size_t i = 1; csv_way(i); i++) {
			HOLD(csv_way(i)->cut(&other, text) == len);
			HOLD(!len || other.count == first.count);
			HOLD(!len || memcmp(cells[0], cells[1], first.count * sizeof(cells[0][0])) == 0);
		}
		text = str_skip(text, len ? len : 1);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct dump_format *const formats[] = { &dump_csv, &dump_oplist, &dump_json_list };
	struct str text = fuzz_text(data, size);
	unsigned choice = fuzz_byte(&text);
	const struct dump_format *format = formats[choice % 3];
	struct limits limits = small_limits();
	int score = format->sniff(text);

	HOLD(score >= 0 && score <= 100);
	hold_profile(format, text, &limits);
	hold_ways(text.len > 4096 ? str_sub(text, 0, 4096) : text, &limits);
	hold_rows(text, choice / 3 + 1, &limits);
	hold_rows(text, text.len + 1, &limits);
	hold_chunks(format, text, choice / 3 + 1, &limits);
	return 0;
}
