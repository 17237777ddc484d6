#include "server/http/streams.h"

#include <microhttpd.h>
#include <pthread.h>
#include <stdlib.h>

#include "base/memory/mem.h"
#include "base/setup/clock.h"

enum { PIECE_BYTES = 4096, LOOK_MS = 500, SIGN_MS = 15000 };

struct stream {
	struct streams *streams;
	struct MHD_Connection *connection; /* NULL: no response yet */
	struct arena text;
	struct stream_topic topic;
	struct buf event, last; /* what is on its way, and what was said of the job */
	size_t sent;            /* of the event */
	int64_t said_ms;
	bool over, rests;
	struct stream *next;
};

struct streams {
	pthread_mutex_t lock;
	pthread_cond_t changed;
	pthread_t thread;
	struct stream *first;
	size_t count;
	bool ending, stopping;
};

/* --- what is said; hold the lock */

static bool has_more(const struct stream *stream)
{
	return stream->sent < stream->event.len;
}

/* An event that a slow client did not take yet is not lost: the next one comes after it. */
static void look_at_topic(struct stream *stream)
{
	CLEANUP(buf_clear) struct buf text = BUF_UNLIMITED;
	int64_t now = clock_ms();

	if (has_more(stream) || stream->over)
		return;
	stream->over = !stream->topic.put(&stream->topic, &text);
	stream->sent = 0;
	buf_reset(&stream->event);
	if (!str_eq(buf_str(&text), buf_str(&stream->last))) {
		buf_add(&stream->event, buf_str(&text));
		buf_reset(&stream->last);
		buf_add(&stream->last, buf_str(&text));
	} else if (now - stream->said_ms >= SIGN_MS) {
		buf_add(&stream->event, STR(": waiting\n\n"));
	}
	if (stream->event.len)
		stream->said_ms = now;
}

static void wake_stream(struct stream *stream)
{
	if (!stream->rests)
		return;
	stream->rests = false;
	MHD_resume_connection(stream->connection);
}

/* --- the thread */

static void *watch_topics(void *ctx)
{
	struct streams *streams = ctx;

	pthread_mutex_lock(&streams->lock);
	while (!streams->stopping) {
		if (streams->first)
			clock_wait(&streams->changed, &streams->lock, clock_ms() + LOOK_MS);
		else
			pthread_cond_wait(&streams->changed, &streams->lock);
		for (struct stream *stream = streams->first; stream; stream = stream->next) {
			look_at_topic(stream);
			if (has_more(stream) || stream->over || streams->ending)
				wake_stream(stream);
		}
	}
	pthread_mutex_unlock(&streams->lock);
	return NULL;
}

int streams_start(struct streams **ret, struct err *err)
{
	struct streams *streams = mem_zalloc(sizeof(*streams));

	pthread_mutex_init(&streams->lock, NULL);
	clock_cond_init(&streams->changed);
	if (pthread_create(&streams->thread, NULL, watch_topics, streams)) {
		pthread_cond_destroy(&streams->changed);
		pthread_mutex_destroy(&streams->lock);
		free(streams);
		return err_set(err, ERR_INTERNAL, "cannot start a thread");
	}
	*ret = streams;
	return 0;
}

void streams_end(struct streams *streams)
{
	if (!streams)
		return;
	pthread_mutex_lock(&streams->lock);
	streams->ending = true;
	pthread_cond_signal(&streams->changed);
	pthread_mutex_unlock(&streams->lock);
}

void streams_free(struct streams *streams)
{
	if (!streams)
		return;
	pthread_mutex_lock(&streams->lock);
	streams->stopping = true;
	pthread_cond_signal(&streams->changed);
	pthread_mutex_unlock(&streams->lock);
	pthread_join(streams->thread, NULL);
	pthread_cond_destroy(&streams->changed);
	pthread_mutex_destroy(&streams->lock);
	free(streams);
}

/* --- one stream */

static int refuse_stream(const struct stream_topic *topic, bool owner, struct err *err)
{
	if (owner)
		err_set(err, ERR_RATE, "this client has %llu streams of events open",
			(unsigned long long)topic->most_of_owner);
	else
		err_set(err, ERR_BUSY, "too many streams of events");
	return err_hint(err, "poll the job without Accept: text/event-stream");
}

static int add_stream(struct streams *streams, struct stream *stream, struct err *err)
{
	uint64_t of_owner = 0;
	bool room, owner;

	pthread_mutex_lock(&streams->lock);
	for (const struct stream *other = streams->first; other; other = other->next)
		of_owner += str_eq(other->topic.owner, stream->topic.owner);
	owner = stream->topic.owner.len && of_owner >= stream->topic.most_of_owner;
	room = streams->count < stream->topic.most && !owner;
	if (room) {
		look_at_topic(stream);
		stream->next = streams->first;
		streams->first = stream;
		streams->count++;
		pthread_cond_signal(&streams->changed);
	}
	pthread_mutex_unlock(&streams->lock);
	return room ? 0 : refuse_stream(&stream->topic, owner, err);
}

static void stream_free(struct stream *stream)
{
	buf_clear(&stream->event);
	buf_clear(&stream->last);
	arena_clear(&stream->text);
	free(stream);
}

int stream_begin(struct streams *streams, const struct stream_topic *topic, struct stream **ret, struct err *err)
{
	struct stream *stream = mem_zalloc(sizeof(*stream));

	stream->streams = streams;
	stream->text = ARENA_INIT(ARENA_UNLIMITED);
	stream->event = stream->last = BUF_UNLIMITED;
	stream->topic = *topic;
	stream->topic.id = arena_keep(&stream->text, topic->id);
	stream->topic.project = arena_keep(&stream->text, topic->project);
	stream->topic.owner = arena_keep(&stream->text, topic->owner);
	if (add_stream(streams, stream, err)) {
		stream_free(stream);
		return -err->code;
	}
	*ret = stream;
	return 0;
}

void stream_drop(struct stream *stream)
{
	struct streams *streams = stream ? stream->streams : NULL;
	struct stream **at;

	if (!stream)
		return;
	pthread_mutex_lock(&streams->lock);
	for (at = &streams->first; *at != stream; at = &(*at)->next)
		;
	*at = stream->next;
	streams->count--;
	pthread_mutex_unlock(&streams->lock);
	stream_free(stream);
}

static void drop_stream(void *cls)
{
	stream_drop(cls);
}

static ssize_t give_piece(void *cls, uint64_t position UNUSED, char *to, size_t bytes)
{
	struct stream *stream = cls;
	struct str piece;
	ssize_t given = 0;

	pthread_mutex_lock(&stream->streams->lock);
	piece = str_skip(buf_str(&stream->event), stream->sent);
	if (piece.len) {
		piece = str_sub(piece, 0, piece.len < bytes ? piece.len : bytes);
		memcpy(to, piece.ptr, piece.len);
		stream->sent += piece.len;
		given = (ssize_t)piece.len;
	} else if (stream->over || stream->streams->ending) {
		given = MHD_CONTENT_READER_END_OF_STREAM;
	} else {
		stream->rests = true;
		MHD_suspend_connection(stream->connection);
	}
	pthread_mutex_unlock(&stream->streams->lock);
	return given;
}

struct MHD_Response *stream_response(struct stream *stream, struct MHD_Connection *connection)
{
	struct MHD_Response *response = MHD_create_response_from_callback(
		MHD_SIZE_UNKNOWN, PIECE_BYTES, give_piece, stream, drop_stream);

	stream->connection = connection;
	if (!response)
		stream_drop(stream);
	return response;
}
