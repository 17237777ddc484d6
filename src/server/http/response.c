#include "server/http/response.h"

#include <fcntl.h>
#include <microhttpd.h>
#include <stdlib.h>

#include "base/memory/mem.h"
#include "server/http/cache.h"
#include "server/http/streams.h"
#include "server/http/unpacking.h"

/* --- bodies */

static ssize_t unpack_piece(void *cls, uint64_t position UNUSED, char *to, size_t bytes)
{
	size_t len = unpacking_read(cls, to, bytes);

	return len ? (ssize_t)len : MHD_CONTENT_READER_END_WITH_ERROR;
}

static void end_unpacking(void *cls)
{
	unpacking_end(cls);
}

/* Its piece is allocated by libmicrohttpd. */
static struct MHD_Response *unpacked_body(struct cached *packed)
{
	struct unpacking *unpacking = unpacking_begin(packed);
	struct MHD_Response *response = MHD_create_response_from_callback(
		packed->plain_bytes, UNPACKING_PIECE_BYTES, unpack_piece, unpacking, end_unpacking);

	if (!response)
		unpacking_end(unpacking);
	return response;
}

static void release_cached(void *cls)
{
	cached_release(cls);
}

static struct MHD_Response *cached_body(struct cached *cached)
{
	int file;

	if (cached->body)
		return MHD_create_response_from_buffer_with_free_callback_cls(
			cached->bytes, (void *)(uintptr_t)cached->body, release_cached, cached_hold(cached));
	file = fcntl(cached->file, F_DUPFD_CLOEXEC, 0);
	return file < 0 ? NULL : MHD_create_response_from_fd64(cached->bytes, file);
}

static struct MHD_Response *body_as_it_is(struct reply *reply)
{
	size_t len = reply->media_type ? reply->body.len : 0;
	char *body = buf_take(&reply->body);
	struct MHD_Response *response = MHD_create_response_from_buffer(len, body, MHD_RESPMEM_MUST_FREE);

	if (!response)
		free(body);
	return response;
}

/* It takes as long as it takes; libmicrohttpd ends it when the client takes nothing. */
static struct MHD_Response *streamed_body(struct reply *reply, struct MHD_Connection *connection)
{
	struct stream *stream = reply->stream;

	reply->stream = NULL; /* the response holds it */
	return stream_response(stream, connection);
}

/* --- headers */

static bool put_headers(struct MHD_Response *response, const struct reply *reply, size_t from)
{
	CLEANUP(buf_clear) struct buf value = BUF_UNLIMITED;
	bool whole = true;

	for (size_t i = from; i < reply->header_count && whole; i++) {
		buf_reset(&value);
		buf_add(&value, reply->headers[i].value);
		whole = MHD_add_response_header(response, reply->headers[i].name, buf_text(&value)) == MHD_YES;
	}
	return whole;
}

static void drop_headers(struct MHD_Response *response, const struct reply *reply, size_t from)
{
	CLEANUP(buf_clear) struct buf value = BUF_UNLIMITED;

	for (size_t i = from; i < reply->header_count; i++) {
		buf_reset(&value);
		buf_add(&value, reply->headers[i].value);
		MHD_del_response_header(response, reply->headers[i].name, buf_text(&value));
	}
}

struct fitting {
	const struct reply *reply;
	size_t shared, met; /* headers */
	bool typed;
};

/* They come in the order in which they were put: the type first. */
static enum MHD_Result meet_header(void *cls, enum MHD_ValueKind kind UNUSED, const char *name, const char *value)
{
	struct fitting *fitting = cls;
	const struct reply *reply = fitting->reply;

	if (!fitting->typed) {
		fitting->typed = strcmp(name, "Content-Type") == 0 && strcmp(value, reply->media_type) == 0;
		return fitting->typed ? MHD_YES : MHD_NO;
	}
	if (fitting->met == fitting->shared || strcmp(name, reply->headers[fitting->met].name) != 0 ||
		!str_eq(str_from(value), reply->headers[fitting->met].value)) {
		fitting->met = SIZE_MAX;
		return MHD_NO;
	}
	fitting->met++;
	return MHD_YES;
}

/* Returns whether a kept response has exactly the shared headers of this reply. */
static bool response_fits(struct MHD_Response *response, const struct reply *reply, size_t shared)
{
	struct fitting fitting = { reply, shared, .typed = !reply->media_type };

	MHD_get_response_headers(response, meet_header, &fitting);
	return fitting.typed && fitting.met == shared;
}

/* --- responses */

static struct MHD_Response *make_new(struct reply *reply, struct MHD_Connection *connection)
{
	struct MHD_Response *response = reply_unpacks(reply) ? unpacked_body(reply->cached)
					: reply->cached      ? cached_body(reply->cached)
					: reply->stream      ? streamed_body(reply, connection)
							     : body_as_it_is(reply);

	if (!response || ((!reply->media_type ||
				  MHD_add_response_header(response, "Content-Type", reply->media_type) == MHD_YES) &&
				 put_headers(response, reply, 0)))
		return response;
	MHD_destroy_response(response);
	return NULL;
}

struct MHD_Response *response_make(
	struct cache *cache, struct reply *reply, size_t shared, struct MHD_Connection *connection)
{
	bool may_be_kept = reply->cached && !reply_unpacks(reply);
	struct MHD_Response *kept = may_be_kept ? cache_take_answer(cache, reply->cached) : NULL;

	if (kept && response_fits(kept, reply, shared) && put_headers(kept, reply, shared))
		return kept;
	response_drop(kept);
	return make_new(reply, connection);
}

void response_done(struct cache *cache, const struct reply *reply, size_t shared, struct MHD_Response *response)
{
	if (!response || !reply->cached || reply_unpacks(reply)) {
		response_drop(response);
		return;
	}
	drop_headers(response, reply, shared);
	cache_keep_answer(cache, reply->cached, response);
}

void response_drop(void *response)
{
	if (response)
		MHD_destroy_response(response);
}
