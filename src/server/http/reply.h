#pragma once
/* The answer to a request before it becomes HTTP. */
#include "base/memory/buf.h"
#include "server/http/request.h"

struct cached;
struct service;
struct stream;

enum { REPLY_HEADERS = 18 };

/* A function of the route table: fills the reply and returns 0; ANSWER_LATER when request->job must be done first and
   request->resume called then; ANSWER_BESIDE when it is to be called again in a thread of workers, with
   request->beside; or an error, which becomes a problem. */
#define HANDLER(name)                                                                                                  \
	int name(const struct service *service, struct request *request, struct reply *reply, struct err *err)
enum { ANSWER_LATER = 1, ANSWER_BESIDE = 2 };

struct reply {
	unsigned status;
	const char *media_type; /* static; NULL: no body */
	struct buf body;
	bool send_packed;      /* the client takes gzip, and what is packed is sent so */
	struct cached *cached; /* the body in place of the one above; NULL: none */
	struct stream *stream; /* the same, for what comes about while it is sent */
	struct {
		const char *name; /* static */
		struct str value; /* as long as the request */
	} headers[REPLY_HEADERS];
	size_t header_count;
};

/* An answer with this status and type, and what every answer of that type carries. */
void reply_start(struct reply *reply, unsigned status, const char *media_type);

void reply_clear(struct reply *reply);

/* Adds a header, whose value lives as long as the request. No value may come from a client. */
void reply_header(struct reply *reply, const char *name, struct str value);

/* The body is this one, which the reply holds from here on; a packed one is unpacked while it is sent unless
   reply->send_packed says otherwise. */
void reply_cached(struct reply *reply, struct cached *cached);

/* Returns whether the body is unpacked while it is sent; its bytes as they are sent; those that the answer alone holds
   in memory until then. */
bool reply_unpacks(const struct reply *reply);
uint64_t reply_sent_bytes(const struct reply *reply);
uint64_t reply_held_bytes(const struct reply *reply);

/* The text was chosen by language. */
void reply_language(struct reply *reply, const struct request *request);

/* Sets a strong ETag and how long it holds. True when the client has this very thing: the reply is 304 then and
   needs no body. */
bool reply_is_unchanged(struct reply *reply, struct request *request, const struct buf *tag, const char *cache_control);

/* Returns whether a list of entity tags, as If-Match has it, has this one, or is a star. */
bool reply_names_tag(struct str list, struct str tag);

/* Things that never change under their address. */
#define CACHE_FOREVER "private, max-age=31536000, immutable"
/* Things that are asked for again each time. */
#define CACHE_CHECK "no-cache"

#define MEDIA_JSON "application/json"
#define MEDIA_PROBLEM "application/problem+json"
#define MEDIA_HTML "text/html; charset=utf-8"
