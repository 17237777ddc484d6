#include "server/http/reply.h"

#include <assert.h>

#include "server/http/cache.h"
#include "server/http/streams.h"
#include "server/http/unpacking.h"

enum { NOT_MODIFIED = 304 };

/* A page may use what this service serves and nothing else. */
#define PAGE_POLICY                                                                                                    \
	"default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; connect-src 'self'; "          \
	"form-action 'self'; frame-ancestors 'none'; base-uri 'none'"

/* A drawing that is opened by itself may use its own style and nothing else. */
#define DRAWING_POLICY "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox"

void reply_start(struct reply *reply, unsigned status, const char *media_type)
{
	reply_clear(reply);
	*reply = (struct reply){ .status = status, .media_type = media_type, .body = BUF_UNLIMITED };
	reply_header(reply, "X-Content-Type-Options", STR("nosniff"));
	if (media_type && str_starts(str_from(media_type), STR("image/svg")))
		reply_header(reply, "Content-Security-Policy", STR(DRAWING_POLICY));
	if (media_type && str_starts(str_from(media_type), STR("text/html"))) {
		reply_header(reply, "Content-Security-Policy", STR(PAGE_POLICY));
		reply_header(reply, "Referrer-Policy", STR("no-referrer"));
	}
}

void reply_cached(struct reply *reply, struct cached *cached)
{
	reply->cached = cached;
	if (reply->send_packed)
		reply_header(reply, "Content-Encoding", STR("gzip"));
}

bool reply_unpacks(const struct reply *reply)
{
	return reply->media_type && reply->cached && reply->cached->plain_bytes && !reply->send_packed;
}

uint64_t reply_sent_bytes(const struct reply *reply)
{
	if (!reply->media_type)
		return 0;
	if (reply_unpacks(reply))
		return reply->cached->plain_bytes;
	return reply->cached ? reply->cached->bytes : reply->body.len;
}

uint64_t reply_held_bytes(const struct reply *reply)
{
	return reply_unpacks(reply) ? UNPACKING_BYTES : reply->cached ? 0 : reply->body.len;
}

void reply_clear(struct reply *reply)
{
	cached_release(reply->cached);
	stream_drop(reply->stream);
	buf_clear(&reply->body);
}

/* A second value for a name replaces the first. */
void reply_header(struct reply *reply, const char *name, struct str value)
{
	size_t at = 0;

	while (at < reply->header_count && strcmp(reply->headers[at].name, name) != 0)
		at++;
	assert(at < REPLY_HEADERS);
	reply->headers[at].name = name;
	reply->headers[at].value = value;
	reply->header_count += at == reply->header_count;
}

void reply_language(struct reply *reply, const struct request *request)
{
	reply_header(reply, "Content-Language", lang_name(request->lang));
	reply_header(reply, "Vary", STR("Accept, Accept-Language"));
}

/* A tag may have become a weak one on its way. */
bool reply_names_tag(struct str list, struct str tag)
{
	struct str item;

	while (str_cut(&list, ',', &item)) {
		item = str_trim(item);
		if (str_starts(item, STR("W/")))
			item = str_skip(item, 2);
		if (str_eq(item, tag) || str_eq(item, STR("*")))
			return true;
	}
	return false;
}

bool reply_is_unchanged(struct reply *reply, struct request *request, const struct buf *tag, const char *cache_control)
{
	char *text = arena_alloc(&request->arena, tag->len + 3); /* two quotes and the end */
	struct str quoted = { text, tag->len + 2 };
	bool unchanged;

	text[0] = text[tag->len + 1] = '"';
	memcpy(text + 1, buf_text(tag), tag->len);
	unchanged = reply_names_tag(request->headers[HEADER_IF_NONE_MATCH], quoted);
	reply_header(reply, "ETag", quoted);
	reply_header(reply, "Cache-Control", str_from(cache_control));
	if (unchanged) {
		reply->status = NOT_MODIFIED;
		reply->media_type = NULL;
	}
	return unchanged;
}
