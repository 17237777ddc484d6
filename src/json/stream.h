#pragma once
/*
 * A JSON document that comes in pieces: the members at its top and, one by one, the elements of the one list that
 * matters.
 *
 * The document is a list, or an object with such a list under a given key. An element is handed over as soon as it is
 * there whole, at most max_element bytes of it. If an element is damaged, the stream reports its offset and resumes
 * at the next object after a comma or a closing brace. Memory is one element; work grows with the bytes alone.
 */
#include "json/token.h"

struct json_handler {
	void *ctx;
	struct str list_key; /* such as "traceEvents" */
	/* Another member of the object at the top, unless it is larger than an element may be. */
	void (*member)(void *ctx, struct str key, const struct json_value *value);
	/* Take one element and move the cursor past it. Keep parts of it only with JSON_OK. */
	enum json_status (*element)(void *ctx, struct json_cursor *cursor, uint64_t offset);
	/* Damage that begins at offset, or ends there at the top; text: the bytes looked at. */
	void (*broken)(void *ctx, uint64_t offset, struct str text);
};

struct json_stream;

struct json_stream *json_stream_new(const struct json_handler *handler, size_t max_element);
void json_stream_free(struct json_stream *stream);

void json_stream_feed(struct json_stream *stream, struct str chunk);

/* End the document. True if it is complete; otherwise *ret_offset is the start of its incomplete part. */
bool json_stream_finish(struct json_stream *stream, uint64_t *ret_offset);
