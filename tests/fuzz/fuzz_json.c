/*
 * The JSON scanner: every way to skip gives the same, keys known from before are read like new ones, values lie inside of the
 * input, and a document comes to the same end in pieces of any size. The first byte decides how it is cut.
 */
#include "base/memory/mem.h"
#include "json/keys.h"
#include "json/stream.h"
#include "tests/fuzz/fuzz.h"

enum { MAX_ELEMENT = 512 };

static void hold_ways(struct str text, size_t piece)
{
	struct json_skip expected = { .depth = 1 };
	struct str first = text;
	enum json_status status = json_simd(0)->walk(&expected, &first);
	const char *end = text.ptr + text.len, *close = json_simd(0)->find_close(text.ptr, end);

	HOLD(!close || (status == JSON_OK && close == first.ptr));
	for (size_t i = 1; json_simd(i); i++) {
		struct json_skip skip = { .depth = 1 };
		struct str rest = text;
		enum json_status other = JSON_MORE;

		while (other == JSON_MORE && rest.len) {
			struct str part = str_sub(rest, 0, rest.len < piece ? rest.len : piece);
			const char *start = part.ptr;

			other = json_simd(i)->walk(&skip, &part);
			rest = str_skip(rest, (size_t)(part.ptr - start));
		}
		HOLD(other == status && rest.ptr == first.ptr);
		HOLD(status != JSON_MORE || memcmp(&skip, &expected, sizeof(skip)) == 0);
		HOLD(json_simd(i)->find_quote(text.ptr, end) == json_simd(0)->find_quote(text.ptr, end));
		HOLD(json_simd(i)->find_close(text.ptr, end) == close);
	}
}

/* --- keys that come again */

static int meaning_of(struct str key)
{
	return key.len ? (unsigned char)key.ptr[0] : 0;
}

/* Objects one after the other: what is known of keys changes nothing. */
static void hold_keys(struct str text)
{
	struct json_cursor cursor = { text.ptr, text.ptr + text.len }, same = cursor;
	enum json_status status = JSON_OK;
	struct json_value value;
	struct json_keys keys;
	struct str key;
	int meaning;
	bool closed;

	json_keys_init(&keys, meaning_of);
	json_keys_start(&keys);
	while (status == JSON_OK) {
		status = json_key(&cursor, &key, &closed);
		HOLD(json_keys_next(&keys, &same, &meaning) == status);
		if (status != JSON_OK)
			break;
		if (!closed) { /* the known way skips some of the blanks */
			json_skip_blanks(&cursor);
			json_skip_blanks(&same);
		}
		HOLD(same.at == cursor.at && meaning == (closed ? JSON_KEY_CLOSED : meaning_of(key)));
		if (closed)
			json_keys_start(&keys);
		else
			status = json_value(&cursor, &value);
		same.at = cursor.at;
	}
}

/* --- the stream, into a text */

static void on_member(void *ctx, struct str key, const struct json_value *value)
{
	buf_printf(ctx, "%zu=%zu\n", key.len, value->raw.len);
}

static enum json_status on_element(void *ctx, struct json_cursor *cursor, uint64_t offset)
{
	CLEANUP(buf_clear) struct buf text = BUF_INIT(1 << 20);
	const char *start = cursor->at;
	struct json_value value;
	enum json_status status = json_value(cursor, &value);
	int64_t number;

	if (status != JSON_OK || (size_t)(cursor->at - start) > MAX_ELEMENT)
		return status == JSON_MORE ? JSON_MORE : JSON_BROKEN;
	HOLD(value.raw.ptr >= start && value.raw.ptr + value.raw.len <= cursor->at && cursor->at <= cursor->end);
	if (value.kind == JSON_STRING)
		json_text(&text, &value);
	json_scaled(&value, 1000, &number);
	buf_printf(ctx, "%llu: %zu\n", (unsigned long long)offset, (size_t)(cursor->at - start));
	return JSON_OK;
}

static void on_broken(void *ctx, uint64_t offset, struct str beginning)
{
	(void)beginning;
	buf_printf(ctx, "broken %llu\n", (unsigned long long)offset);
}

static void read_in(struct str text, size_t piece, struct buf *ret)
{
	struct json_handler handler = { ret, STR("l"), on_member, on_element, on_broken };
	struct json_stream *stream = json_stream_new(&handler, 1 << 20);
	uint64_t end;

	while (text.len) {
		size_t len = text.len < piece ? text.len : piece;
		char *copy = mem_resize(NULL, len, 1);

		memcpy(copy, text.ptr, len);
		json_stream_feed(stream, (struct str){ copy, len });
		free(copy);
		text = str_skip(text, len);
	}
	buf_printf(ret, "%d", json_stream_finish(stream, &end));
	buf_printf(ret, " %llu\n", (unsigned long long)end);
	json_stream_free(stream);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	CLEANUP(buf_clear) struct buf whole = BUF_INIT(1 << 26), pieces = BUF_INIT(1 << 26);
	struct str text = fuzz_text(data, size);
	unsigned choice = fuzz_byte(&text);

	hold_ways(text, (choice & 127) + 1);
	hold_keys(text);
	read_in(text, 1 << 20, &whole);
	read_in(text, (choice & 127) + 1, &pieces);
	HOLD(str_eq(buf_str(&whole), buf_str(&pieces)));
	return 0;
}
