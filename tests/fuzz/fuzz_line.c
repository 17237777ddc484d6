/* Lines: always valid UTF-8, within the limit, in order, and the same in every cut. */
#include "base/memory/mem.h"
#include "base/value/utf8.h"
#include "dump/common/line.h"
#include "tests/fuzz/fuzz.h"

static void hold_line(const struct line *line, const struct line *last, const struct limits *limits)
{
	size_t bad_at;

	HOLD(utf8_valid(line->text, &bad_at));
	HOLD(line->raw.len <= limits->line_bytes);
	HOLD(line->ascii == utf8_is_ascii(line->raw));
	HOLD(line->number >= last->number && (line->offset > last->offset || !last->number));
	HOLD(!memchr(line->raw.ptr, '\n', line->raw.len) && !memchr(line->raw.ptr, '\r', line->raw.len));
}

static void take(struct line_splitter *splitter, struct line *last, const struct limits *limits, struct buf *ret)
{
	struct line line;

	while (line_next(splitter, &line)) {
		hold_line(&line, last, limits);
		*last = line;
		buf_printf(ret, "%llu %llu %d %d ", (unsigned long long)line.number, (unsigned long long)line.offset,
			line.ascii, line.cut);
		buf_add(ret, line.text);
		buf_byte(ret, '\n');
	}
}

static struct line_facts split(struct str text, size_t chunk, const struct limits *limits, struct buf *ret)
{
	struct line_splitter *splitter = line_splitter_new(limits);
	struct line last = { .number = 0 };
	struct line_facts facts;

	while (text.len) {
		size_t len = text.len < chunk ? text.len : chunk;

		line_feed(splitter, str_sub(text, 0, len));
		take(splitter, &last, limits, ret);
		text = str_skip(text, len);
	}
	line_end(splitter);
	take(splitter, &last, limits, ret);
	facts = *line_facts(splitter);
	line_splitter_free(splitter);
	return facts;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str text = fuzz_text(data, size);
	unsigned choice = fuzz_byte(&text);
	struct limits limits = limits_default();
	CLEANUP(buf_clear) struct buf whole = BUF_INIT(1 << 26), pieces = BUF_INIT(1 << 26);
	struct line_facts facts, same;

	limits.line_bytes = choice & 1 ? 256 : 32;
	facts = split(text, SIZE_MAX, &limits, &whole);
	same = split(text, 1 + choice / 2, &limits, &pieces);
	HOLD(str_eq(buf_str(&whole), buf_str(&pieces)));
	HOLD(memcmp(&facts, &same, sizeof(facts)) == 0);
	return 0;
}
