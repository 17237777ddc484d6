#include "json/stream.h"

#include <stdlib.h>

#include "base/memory/mem.h"

enum {
	SEAM_BYTES = 4096,        /* taken from a chunk to complete what the one before began */
	LOOK_BEHIND_BYTES = 1024, /* after a bracket, for the bytes that decide whether it closed the list */
	SAMPLE_BYTES = 120,
	FIRST_CREDIT = 16 << 20, /* bytes that may be looked at twice because of damage */
	MOST_CREDIT = 64 << 20,
	CREDIT_PER_BYTE = 4, /* earned with every byte that was read well */
};

enum state {
	START,    /* before the document, or behind it */
	MEMBERS,  /* in the object at the top */
	LIST,     /* in the list */
	SKIPPING, /* in a large value of another member */
	LOST,     /* between the elements of the list: looks for the next one */
	LOST_KEY, /* at the top: looks for the key of the list */
};

struct json_stream {
	struct json_handler handler;
	size_t max_element;
	enum state state;
	bool in_object; /* the document is an object */
	bool listed;    /* the list was there */
	bool retrying;  /* a tentative element: damage is already reported */
	struct json_skip skip;
	char before; /* the last byte but blanks before the bytes at hand, while LOST */
	int64_t credit;
	uint64_t elements;
	bool ending;      /* the document ends with these bytes */
	uint64_t offset;  /* of the bytes at hand */
	const char *base; /* where they begin */
	char *carry;      /* the beginning of something incomplete */
	size_t carry_len, carry_capacity;
	size_t wanted; /* bytes of it that may be read again */
};

struct json_stream *json_stream_new(const struct json_handler *handler, size_t max_element)
{
	return MEM_NEW(struct json_stream, .handler = *handler, .max_element = max_element, .credit = FIRST_CREDIT);
}

void json_stream_free(struct json_stream *stream)
{
	if (!stream)
		return;
	free(stream->carry);
	free(stream);
}

/* --- at the top */

static const char *skip_blanks_and_commas(const char *at, const char *end)
{
	while (at < end && (json_is_blank(*at) || *at == ','))
		at++;
	return at;
}

static enum json_status at_start(struct json_stream *stream, struct json_cursor *cursor)
{
	for (; cursor->at < cursor->end; cursor->at++) {
		char c = *cursor->at;

		if (c != '{' && c != '[')
			continue;
		if (c == '{' && stream->listed && !stream->in_object) {
			stream->state = LIST; /* the list was left too early: more of its elements follow */
			return JSON_OK;
		}
		cursor->at++;
		stream->in_object = c == '{';
		stream->listed |= c == '[';
		stream->state = c == '{' ? MEMBERS : LIST;
		return JSON_OK;
	}
	return JSON_MORE;
}

static void tell_broken(const struct json_stream *stream, uint64_t offset, struct str beginning)
{
	stream->handler.broken(stream->handler.ctx, offset,
		str_sub(beginning, 0, beginning.len < SAMPLE_BYTES ? beginning.len : SAMPLE_BYTES));
}

/* Damage where the cursor is. The bytes before it are shown, unless it is so long that it may have come in pieces. */
static enum json_status broken_member(struct json_stream *stream, const char *start, struct json_cursor *cursor)
{
	size_t before = (size_t)(cursor->at - start), shown = before < SAMPLE_BYTES ? before : SAMPLE_BYTES;

	if (before > stream->max_element)
		shown = 0;
	tell_broken(stream, stream->offset + (uint64_t)(cursor->at - stream->base),
		(struct str){ cursor->at - shown, shown });
	stream->state = LOST_KEY;
	return JSON_OK;
}

/* A value that is not wanted, behind its key. Large ones are skipped as they come. */
static enum json_status take_member(struct json_stream *stream, struct json_cursor *cursor, struct str key)
{
	struct json_cursor start = *cursor;
	struct json_value value;
	enum json_status status = json_value(cursor, &value);

	if (status == JSON_OK && (size_t)(cursor->at - start.at) <= stream->max_element)
		stream->handler.member(stream->handler.ctx, key, &value);
	if (status == JSON_BROKEN)
		return broken_member(stream, start.at, cursor);
	if (status == JSON_MORE && (size_t)(start.end - start.at) > stream->max_element) {
		*cursor = start;
		stream->skip = (struct json_skip){ 0 };
		stream->state = SKIPPING;
		return JSON_OK;
	}
	return status;
}

/* The value behind a key. */
static enum json_status take_value(struct json_stream *stream, struct json_cursor *cursor, struct str key)
{
	struct json_cursor inside = *cursor;
	enum json_status status = JSON_BROKEN;

	if (str_eq(key, stream->handler.list_key))
		status = json_open(&inside, '[');
	if (status == JSON_BROKEN) /* another key, or no list */
		return take_member(stream, cursor, key);
	if (status == JSON_OK) {
		*cursor = inside;
		stream->state = LIST;
		stream->listed = true;
	}
	return status;
}

static enum json_status at_members(struct json_stream *stream, struct json_cursor *cursor)
{
	struct json_cursor start = *cursor;
	bool closed;
	struct str key;
	enum json_status status = json_key(cursor, &key, &closed);

	if (status == JSON_BROKEN || (status == JSON_MORE && (size_t)(start.end - start.at) > stream->max_element)) {
		/* the list was left too early: more of its elements follow */
		stream->state = LIST;
		return stream->listed && cursor->at < cursor->end && *cursor->at == '{'
			       ? JSON_OK
			       : broken_member(stream, start.at, cursor);
	}
	if (status == JSON_OK && closed) {
		stream->state = START;
		return JSON_OK;
	}
	if (status == JSON_OK)
		status = take_value(stream, cursor, key);
	if (status == JSON_MORE)
		*cursor = start;
	return status;
}

/* A large value at the top: a list or an object to its end, a string to its quote. */
static enum json_status at_skipping(struct json_stream *stream, struct json_cursor *cursor)
{
	struct str rest;
	enum json_status status;

	while (!stream->skip.depth && !stream->skip.in_string && cursor->at < cursor->end) {
		stream->skip.depth = *cursor->at == '[' || *cursor->at == '{';
		stream->skip.in_string = *cursor->at == '"' ? UINT64_MAX : 0;
		cursor->at++;
	}
	rest = (struct str){ cursor->at, (size_t)(cursor->end - cursor->at) };
	if (!stream->skip.depth && stream->skip.in_string) {
		while (rest.len && (stream->skip.escaped || *rest.ptr != '"')) {
			stream->skip.escaped = !stream->skip.escaped && *rest.ptr == '\\';
			rest = str_skip(rest, 1);
		}
		status = rest.len ? JSON_OK : JSON_MORE;
		rest = str_skip(rest, rest.len ? 1 : 0);
	} else {
		status = json_skip(&stream->skip, &rest);
	}
	cursor->at = rest.ptr;
	if (status == JSON_BROKEN)
		return broken_member(stream, cursor->at, cursor);
	if (status == JSON_OK)
		stream->state = MEMBERS;
	return status;
}

static enum json_status at_lost_key(struct json_stream *stream, struct json_cursor *cursor)
{
	struct str rest = { cursor->at, (size_t)(cursor->end - cursor->at) }, key = stream->handler.list_key;

	for (size_t at; (at = str_find(rest, key)) != STR_NONE; rest = str_skip(rest, at + key.len)) {
		if (at && rest.ptr[at - 1] == '"' && at + key.len < rest.len && rest.ptr[at + key.len] == '"') {
			cursor->at = rest.ptr + at - 1;
			stream->state = MEMBERS;
			return JSON_OK;
		}
	}
	if (rest.len > key.len + 1)
		cursor->at = cursor->end - key.len - 1;
	return JSON_MORE;
}

/* --- in the list */

/* Looks for the next element behind the start of this one, which took the cursor where it is. */
static void look_on(struct json_stream *stream, struct json_cursor *cursor, const char *start)
{
	int64_t looked_at = cursor->at - start;

	/* the next element may begin inside of what was looked at; but not for ever */
	if (looked_at <= stream->credit) {
		stream->credit -= looked_at;
		cursor->at = start + 1;
	} else if (cursor->at <= start) {
		cursor->at = start + 1;
	}
	stream->before = cursor->at[-1];
	stream->retrying = true;
	stream->state = LOST;
}

static enum json_status lose_value(struct json_stream *stream, struct json_cursor *cursor, const char *start)
{
	if (!stream->retrying)
		tell_broken(stream, stream->offset + (uint64_t)(start - stream->base),
			(struct str){ start, (size_t)(cursor->at - start) });
	look_on(stream, cursor, start);
	return JSON_OK;
}

/* Pass an element on, cut at its maximum, so that a longer one does not depend on the pieces. */
static enum json_status take_element(struct json_stream *stream, struct json_cursor *cursor)
{
	struct json_cursor element = *cursor;
	enum json_status status;

	if ((size_t)(element.end - element.at) > stream->max_element)
		element.end = element.at + stream->max_element;
	status = stream->handler.element(
		stream->handler.ctx, &element, stream->offset + (uint64_t)(cursor->at - stream->base));
	if (status == JSON_MORE)
		element.at = element.end; /* so far it was looked at */
	cursor->at = element.at;
	return status;
}

static enum json_status at_list(struct json_stream *stream, struct json_cursor *cursor)
{
	const char *start;
	enum json_status status;

	json_skip_separators(cursor);
	if (cursor->at == cursor->end)
		return JSON_MORE;
	start = cursor->at;
	if (*start == ']') {
		cursor->at++;
		stream->retrying = false;
		stream->state = stream->in_object ? MEMBERS : START;
		return JSON_OK;
	}
	status = take_element(stream, cursor);
	if (status == JSON_OK && cursor->at > start) {
		stream->credit += (cursor->at - start) * CREDIT_PER_BYTE;
		stream->credit = stream->credit < MOST_CREDIT ? stream->credit : MOST_CREDIT;
		stream->retrying = false;
		stream->elements++;
		return JSON_OK;
	}
	if (status == JSON_MORE && (size_t)(cursor->end - start) < stream->max_element) {
		cursor->at = start;
		return JSON_MORE;
	}
	return lose_value(stream, cursor, start);
}

/* The last byte before at other than a blank. */
static char byte_before(const struct json_stream *stream, const char *from, const char *at)
{
	while (at > from && json_is_blank(at[-1]))
		at--;
	return at > from ? at[-1] : stream->before;
}

/*
 * Returns whether the bytes after a closing bracket may follow the list: another key, or the end of the top object.
 * Otherwise the bracket closed a list inside an element. JSON_MORE: the next bytes decide.
 */
static enum json_status ends_list(const struct json_stream *stream, const char *close, const char *end)
{
	/* no further than this, however much is at hand: the answer must not depend on the pieces */
	const char *edge = end - close > LOOK_BEHIND_BYTES ? close + LOOK_BEHIND_BYTES : end;
	const char *behind = skip_blanks_and_commas(close + 1, edge);

	if (behind < edge && *behind != '}')
		return *behind == '"' ? JSON_OK : JSON_BROKEN;
	if (behind < edge) {
		behind = skip_blanks_and_commas(behind + 1, edge);
		if (behind < edge)
			return memchr("{}[]\"", *behind, 5) ? JSON_BROKEN : JSON_OK;
	}
	return stream->ending || end - close >= LOOK_BEHIND_BYTES ? JSON_OK : JSON_MORE;
}

/* Returns whether reading can resume at this bracket: an element after a comma or another element, or the end of the
   list. */
static enum json_status is_found(const struct json_stream *stream, char before, const char *at, const char *end)
{
	if (*at == '{')
		return before == ',' || before == '}' ? JSON_OK : JSON_BROKEN;
	return before == '}' ? ends_list(stream, at, end) : JSON_BROKEN;
}

static const char *next_bracket(const char *at, const char *end)
{
	while (at < end && *at != '{' && *at != ']')
		at++;
	return at < end ? at : NULL;
}

static enum json_status at_lost(struct json_stream *stream, struct json_cursor *cursor)
{
	const char *from = cursor->at, *at = next_bracket(from, cursor->end);

	for (; at; at = next_bracket(at + 1, cursor->end)) {
		char before = byte_before(stream, from, at);
		enum json_status status = is_found(stream, before, at, cursor->end);

		if (status == JSON_BROKEN)
			continue;
		stream->before = before;
		cursor->at = at;
		stream->state = status == JSON_OK ? LIST : LOST;
		return status;
	}
	stream->before = byte_before(stream, from, cursor->end);
	cursor->at = cursor->end;
	return JSON_MORE;
}

/* --- pieces */

/* Reads what can be read of bytes. Returns how many were used. */
static size_t read_bytes(struct json_stream *stream, struct str bytes)
{
	static enum json_status (*const steps[])(struct json_stream *, struct json_cursor *) = {
		[START] = at_start,
		[MEMBERS] = at_members,
		[LIST] = at_list,
		[SKIPPING] = at_skipping,
		[LOST] = at_lost,
		[LOST_KEY] = at_lost_key,
	};
	struct json_cursor cursor = { bytes.ptr, bytes.len ? bytes.ptr + bytes.len : bytes.ptr };
	size_t used;

	stream->base = bytes.ptr;
	while (cursor.at < cursor.end && steps[stream->state](stream, &cursor) == JSON_OK)
		;
	used = (size_t)(cursor.at - bytes.ptr);
	stream->offset += used;
	return used;
}

static void keep_bytes(struct json_stream *stream, struct str bytes)
{
	size_t need = stream->carry_len + bytes.len;

	if (need > stream->carry_capacity) {
		stream->carry_capacity = need * 2;
		stream->carry = mem_resize(stream->carry, stream->carry_capacity, 1);
	}
	if (bytes.len)
		memcpy(stream->carry + stream->carry_len, bytes.ptr, bytes.len);
	stream->carry_len = need;
}

static void set_wanted(struct json_stream *stream)
{
	stream->wanted = stream->carry_len + stream->carry_len / 2 + 64;
}

/* Completes what the chunk before began with bytes of this one; the rest of the chunk is left in *chunk. */
static void sew(struct json_stream *stream, struct str *chunk)
{
	while (stream->carry_len && chunk->len) {
		size_t own = stream->carry_len, more = own < SEAM_BYTES ? SEAM_BYTES : own, used;

		if (more > chunk->len)
			more = chunk->len;
		keep_bytes(stream, str_sub(*chunk, 0, more));
		if (stream->carry_len < stream->wanted) {
			*chunk = str_skip(*chunk, more);
			continue;
		}
		used = read_bytes(stream, (struct str){ stream->carry, stream->carry_len });
		if (used >= own) {
			*chunk = str_skip(*chunk, used - own);
			stream->carry_len = 0;
			break;
		}
		*chunk = str_skip(*chunk, more);
		stream->carry_len -= used;
		memmove(stream->carry, stream->carry + used, stream->carry_len);
		set_wanted(stream);
	}
}

void json_stream_feed(struct json_stream *stream, struct str chunk)
{
	sew(stream, &chunk);
	if (!chunk.len)
		return;
	chunk = str_skip(chunk, read_bytes(stream, chunk));
	keep_bytes(stream, chunk);
	set_wanted(stream);
}

/* An element that does not end may hide others: a stray quote turns what follows into one long string. */
static void look_into_rest(struct json_stream *stream)
{
	while (stream->state == LIST && stream->carry_len) {
		struct str rest = { stream->carry, stream->carry_len };
		struct json_cursor cursor = { rest.ptr + rest.len, rest.ptr + rest.len };
		uint64_t offset = stream->offset, elements = stream->elements;
		bool reported = stream->retrying;
		size_t used;

		look_on(stream, &cursor, rest.ptr);
		used = (size_t)(cursor.at - rest.ptr);
		stream->offset += used;
		used += read_bytes(stream, str_skip(rest, used));
		if (!reported && (stream->elements > elements || stream->state != LOST))
			tell_broken(stream, offset, rest);
		stream->carry_len -= used;
		memmove(stream->carry, stream->carry + used, stream->carry_len);
	}
}

bool json_stream_finish(struct json_stream *stream, uint64_t *ret_offset)
{
	size_t used;

	stream->ending = true;
	used = read_bytes(stream, (struct str){ stream->carry, stream->carry_len });
	stream->carry_len -= used;
	if (stream->carry_len)
		memmove(stream->carry, stream->carry + used, stream->carry_len);
	*ret_offset = stream->offset + (stream->state == LOST_KEY ? stream->carry_len : 0);
	look_into_rest(stream);
	return stream->state == START && stream->listed;
}
