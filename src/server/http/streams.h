#pragma once
/*
 * Answers that come about while they are sent: the events of a job (server-sent events, WHATWG HTML), one for each
 * change and the last one when the job is over. A thread looks at the jobs; a stream that has nothing to say rests
 * meanwhile, and its thread of the server serves others. A comment now and then shows that the service is there.
 */
#include "base/memory/buf.h"
#include "base/setup/err.h"
#include "report/doc/catalog.h"

struct MHD_Connection;
struct MHD_Response;
struct service;
struct streams;
struct stream;

/* Starts the thread. ERR_INTERNAL. */
int streams_start(struct streams **ret, struct err *err);

/* Ends all streams there are, and each further one behind its first event. NULL is allowed. */
void streams_end(struct streams *streams);

/* When no connection is left. NULL is allowed. */
void streams_free(struct streams *streams);

/* The subject of a stream. */
struct stream_topic {
	const struct service *service; /* outlives the streams */
	struct str id, project;        /* the second of the client; "": any */
	enum lang lang;
	uint64_t most;    /* streams at one time */
	struct str owner; /* token or address of the client; "": not counted */
	uint64_t most_of_owner;
	/* Appends the current event. False: it is the last one. */
	bool (*put)(const struct stream_topic *topic, struct buf *out);
};

/* Begins one. ERR_BUSY for more than topic->most, ERR_RATE for more than topic->most_of_owner. */
int stream_begin(struct streams *streams, const struct stream_topic *topic, struct stream **ret, struct err *err);

/* Of one that becomes no response. NULL is allowed. */
void stream_drop(struct stream *stream);

/* The response that the stream is, and which it belongs to; NULL when there is no memory. */
struct MHD_Response *stream_response(struct stream *stream, struct MHD_Connection *connection);
