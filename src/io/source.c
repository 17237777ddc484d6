#include "io/source.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory/buf.h"
#include "base/memory/mem.h"
#include "base/memory/ring.h"
#include "io/inflate.h"

enum {
	CHUNK_BYTES = 256 * 1024,
	STORED_BYTES = 64 * 1024, /* read at a time when decompressing; the first of them go to a chunk */
	CHUNKS = 4,
	FREE_RATIO_BYTES = 1 << 20, /* the ratio is not looked at before this much came out */
};

struct chunk {
	char *bytes;
	size_t len;
	bool has_nul; /* one of them is 0 */
};

static_assert(STORED_BYTES <= CHUNK_BYTES, "the head of a file fits a chunk");

struct source {
	struct limits limits;
	struct source_facts facts;
	char *name;
	bool regular;          /* a file that can be read at any place */
	int fd;                /* -1: memory */
	struct file_span span; /* of the file, if only that is read */
	bool spanned;
	struct str memory; /* the rest of it */
	source_read *read; /* instead of either; NULL: none */
	void *read_ctx;
	struct meter *meter; /* or NULL */
	struct str peeked;   /* bytes that source_peek showed and source_next has not given; NULL: none */
	char *stored;        /* compressed bytes not yet used: stored_rest views it */
	struct str stored_rest;
	bool started, ended; /* the first bytes came; no more will */
	struct inflater *inflater;
	struct sha256 *sha; /* NULL when no digest is wanted, or made already */
	bool has_nul;       /* of the bytes that were given last */
	bool delivered;     /* everything was */

	struct chunk chunks[CHUNKS];
	int status; /* of reading ahead, once the ring is closed: 0 or the code of failure */
	struct err failure;

	bool large;      /* probably: worth a thread */
	bool thread_due; /* and it is not started yet */
	bool threaded;
	pthread_t thread;
	struct ring ring;
	int stop_fd; /* eventfd: readable when the thread shall end */
};

/* --- stored bytes */

/* Waits until fd can be read or the source is being closed; false for the latter. */
static bool wait_readable(struct source *source)
{
	struct pollfd fds[] = { { .fd = source->fd, .events = POLLIN }, { .fd = source->stop_fd, .events = POLLIN } };

	if (source->stop_fd < 0)
		return true;
	while (poll(fds, ARRAY_SIZE(fds), -1) < 0 && errno == EINTR)
		;
	return !fds[1].revents;
}

/* Move the file position by the bytes read, for processes that share the descriptor. */
static ssize_t read_span(struct source *source, char *space, size_t bytes)
{
	uint64_t done = source->facts.stored_bytes, left = source->span.bytes - done;
	ssize_t len = pread(source->fd, space, bytes < left ? bytes : left, (off_t)(source->span.from + done));

	if (len > 0)
		lseek(source->fd, len, SEEK_CUR);
	return len;
}

/* Reads some stored bytes into space; *ret_len is 0 at the end. */
static int read_stored(struct source *source, char *space, size_t bytes, size_t *ret_len)
{
	ssize_t len = 0;

	if (source->meter && atomic_load_explicit(&source->meter->stop, memory_order_relaxed))
		return err_set(&source->failure, ERR_OPEN, "reading was stopped");
	if (source->read) {
		size_t given = 0;
		int status = source->read(source->read_ctx, space, bytes, &given, &source->failure);

		if (status)
			return status;
		len = (ssize_t)given;
	} else if (source->fd < 0) {
		len = (ssize_t)(source->memory.len < bytes ? source->memory.len : bytes);
		if (len)
			memcpy(space, source->memory.ptr, (size_t)len);
		source->memory = str_skip(source->memory, (size_t)len);
	} else if (wait_readable(source)) {
		do
			len = source->spanned ? read_span(source, space, bytes) : read(source->fd, space, bytes);
		while (len < 0 && errno == EINTR);
	}
	if (len < 0) {
		err_os(&source->failure, ERR_OPEN, errno, "cannot read");
		return err_where(&source->failure, "byte %llu", (unsigned long long)source->facts.stored_bytes);
	}
	*ret_len = (size_t)len;
	source->facts.stored_bytes += (uint64_t)len;
	if (source->meter)
		atomic_fetch_add_explicit(&source->meter->read_bytes, (uint64_t)len, memory_order_relaxed);
	if (source->sha)
		sha256_add(source->sha, (struct str){ space, (size_t)len });
	return 0;
}

/* The magic number decides once whether the rest must be decompressed. */
static void detect_packing(struct source *source, struct str head)
{
	enum inflate_kind kind = inflate_sniff(head);

	source->started = true;
	source->facts.compression = inflate_name(kind);
	if (kind != INFLATE_NONE) {
		source->inflater = inflater_new(kind);
		source->stored = mem_resize(NULL, STORED_BYTES, 1);
	}
}

/* --- text bytes */

static int check_limits(struct source *source)
{
	const struct source_facts *facts = &source->facts;
	uint64_t most = facts->stored_bytes * source->limits.inflate_ratio;

	if (facts->text_bytes > source->limits.input_bytes) {
		err_set(&source->failure, ERR_LIMIT, "the dump has more than %llu bytes",
			(unsigned long long)source->limits.input_bytes);
		return err_hint(&source->failure, "raise the limit with --limit input-bytes=N");
	}
	if (source->inflater && facts->text_bytes > FREE_RATIO_BYTES && facts->text_bytes > most) {
		err_set(&source->failure, ERR_LIMIT, "the dump unpacks to more than %llu times its size",
			(unsigned long long)source->limits.inflate_ratio);
		err_hint(&source->failure, "raise the limit with --limit inflate-ratio=N if the file is trusted");
		return err_where(&source->failure, "byte %llu", (unsigned long long)facts->stored_bytes);
	}
	return 0;
}

/* Damaged compressed data: an error if no byte came out of it, else a fact about the dump. */
static int stop_damaged(struct source *source)
{
	source->ended = source->facts.damaged = true;
	if (source->facts.text_bytes)
		return 0;
	err_set(&source->failure, ERR_COMPRESSION, "the %s data is damaged", source->facts.compression);
	err_hint(&source->failure, "copy the file again; check it with `gzip -t` or `zstd -t`");
	return err_where(&source->failure, "byte %llu",
		(unsigned long long)(source->facts.stored_bytes - source->stored_rest.len));
}

static int refill_window(struct source *source)
{
	size_t len;
	int status = read_stored(source, source->stored, STORED_BYTES, &len);

	source->stored_rest = (struct str){ source->stored, status ? 0 : len };
	return status;
}

static int fill_inflated(struct source *source, struct chunk *chunk)
{
	while (chunk->len < CHUNK_BYTES && !source->ended) {
		size_t len = 0;
		bool good;

		if (!source->stored_rest.len && !inflater_may_go_on(source->inflater)) {
			int status = refill_window(source);

			if (status)
				return status;
			if (!source->stored_rest.len) {
				source->ended = true;
				return inflater_at_end(source->inflater) ? 0 : stop_damaged(source);
			}
		}
		good = inflater_run(source->inflater, &source->stored_rest, chunk->bytes + chunk->len,
			CHUNK_BYTES - chunk->len, &len);
		chunk->len += len;
		source->facts.text_bytes += len;
		if (!good)
			return stop_damaged(source);
		if (check_limits(source))
			return -source->failure.code;
	}
	return 0;
}

static int fill_plain(struct source *source, struct chunk *chunk)
{
	int status = read_stored(source, chunk->bytes, CHUNK_BYTES, &chunk->len);

	if (status)
		return status;
	source->ended = chunk->len == 0;
	source->facts.text_bytes += chunk->len;
	return check_limits(source);
}

/* Reads enough first bytes to detect the format, though a pipe may give them one by one. */
static int read_head(struct source *source, struct chunk *chunk)
{
	size_t len = 1;

	while (len && chunk->len < STORED_BYTES) {
		int status = read_stored(source, chunk->bytes + chunk->len, STORED_BYTES - chunk->len, &len);

		if (status)
			return status;
		chunk->len += len;
	}
	return 0;
}

static int fill_any(struct source *source, struct chunk *chunk)
{
	chunk->len = 0;
	if (!chunk->bytes)
		chunk->bytes = mem_resize(NULL, CHUNK_BYTES, 1);
	if (source->ended)
		return 0;
	if (!source->started) {
		int status = read_head(source, chunk);

		if (status)
			return status;
		detect_packing(source, (struct str){ chunk->bytes, chunk->len });
		if (!source->inflater) {
			source->ended = chunk->len == 0;
			source->facts.text_bytes += chunk->len;
			return check_limits(source);
		}
		memcpy(source->stored, chunk->bytes, chunk->len);
		source->stored_rest = (struct str){ source->stored, chunk->len };
		chunk->len = 0;
	}
	return source->inflater ? fill_inflated(source, chunk) : fill_plain(source, chunk);
}

/* Fills a chunk with the next text bytes; an empty chunk is the end. */
static int fill_chunk(struct source *source, struct chunk *chunk)
{
	int status = fill_any(source, chunk);

	chunk->has_nul = memchr(chunk->bytes, '\0', chunk->len);
	return status;
}

/* --- running ahead */

static void *run_ahead(void *arg)
{
	struct source *source = arg;
	unsigned slot;

	while (ring_free_slot(&source->ring, &slot)) {
		struct chunk *chunk = &source->chunks[slot];

		source->status = fill_chunk(source, chunk);
		if (source->status || !chunk->len)
			break;
		ring_put(&source->ring);
	}
	ring_close(&source->ring);
	return NULL;
}

static void start_thread(struct source *source)
{
	source->stop_fd = eventfd(0, EFD_CLOEXEC);
	/* without a thread the work is done in line */
	source->threaded = source->stop_fd >= 0 && pthread_create(&source->thread, NULL, run_ahead, source) == 0;
	source->thread_due = false;
}

static void stop_thread(struct source *source)
{
	uint64_t one = 1;

	ring_stop(&source->ring);
	if (write(source->stop_fd, &one, sizeof(one)) != sizeof(one))
		abort(); /* an eventfd takes one write */
	pthread_join(source->thread, NULL);
	source->threaded = false;
}

/* Return the caller's chunk to the ring and take the next one; NULL at the end, with *ret_status. */
static struct chunk *next_ahead(struct source *source, int *ret_status)
{
	unsigned slot;

	if (ring_take(&source->ring, &slot))
		return &source->chunks[slot];
	*ret_status = source->status;
	return NULL;
}

static struct chunk *next_in_line(struct source *source, int *ret_status)
{
	struct chunk *chunk = &source->chunks[0];

	*ret_status = fill_chunk(source, chunk);
	return *ret_status == 0 && chunk->len ? chunk : NULL;
}

static void end_delivery(struct source *source)
{
	if (source->threaded)
		stop_thread(source);
	if (source->sha)
		sha256_end(source->sha, source->facts.sha256);
	source->sha = NULL;
	source->delivered = true;
}

int source_next(struct source *source, struct str *ret_chunk, struct err *err)
{
	struct chunk *chunk;
	int status = 0;

	if (source->peeked.ptr) {
		*ret_chunk = source->peeked;
		source->peeked = (struct str){ 0 };
		return 1;
	}
	if (source->delivered)
		return 0;
	if (source->thread_due)
		start_thread(source);
	chunk = source->threaded ? next_ahead(source, &status) : next_in_line(source, &status);
	if (chunk) {
		source->has_nul = chunk->has_nul;
		*ret_chunk = (struct str){ chunk->bytes, chunk->len };
		return 1;
	}
	if (status)
		*err = source->failure;
	else
		end_delivery(source);
	return status;
}

bool source_has_nul(const struct source *source)
{
	return source->has_nul;
}

int source_peek(struct source *source, struct str *ret_chunk, struct err *err)
{
	int status = source_next(source, ret_chunk, err);

	if (status == 1) /* perhaps once more */
		source->peeked = *ret_chunk;
	return status;
}

void source_set_meter(struct source *source, struct meter *meter)
{
	source->meter = meter;
}

void source_stay_in_thread(struct source *source)
{
	if (source->regular)
		source->large = source->thread_due = false;
}

void source_skip_digest(struct source *source)
{
	sha256_free(source->sha);
	source->sha = NULL;
}

int source_file(const struct source *source, struct file_span *ret)
{
	*ret = source->spanned ? source->span : (struct file_span){ 0, UINT64_MAX };
	return source->inflater || !source->regular ? -1 : source->fd;
}

bool source_is_large(const struct source *source)
{
	return source->large;
}

const struct source_facts *source_facts(const struct source *source)
{
	return &source->facts;
}

/* --- opening and closing */

static struct source *source_new(const char *path, const struct limits *limits)
{
	struct source *source = mem_zalloc(sizeof(*source));

	source->limits = *limits;
	source->fd = source->stop_fd = -1;
	source->name = mem_text(str_file_name(path));
	source->facts.name = str_from(source->name);
	source->facts.compression = "";
	source->sha = sha256_new();
	ring_init(&source->ring, CHUNKS, 1); /* a slow pipe may give the next one late */
	return source;
}

struct source *source_of_memory(struct str bytes, struct str name, const struct limits *limits)
{
	struct buf path = BUF_UNLIMITED;
	struct source *source;

	buf_add(&path, name);
	source = source_new(buf_text(&path), limits);
	buf_clear(&path);
	source->memory = bytes;
	return source;
}

struct source *source_of_function(
	source_read *read, void *ctx, bool large, struct str name, const struct limits *limits)
{
	struct source *source = source_of_memory(STR(""), name, limits);

	source->read = read;
	source->read_ctx = ctx;
	source->large = source->thread_due = large;
	return source;
}

/* Directories open like files and fail at the first read: refuse them here. */
static int check_kind(struct source *source, struct err *err)
{
	struct stat info;

	if (fstat(source->fd, &info))
		return err_os(err, ERR_OPEN, errno, "cannot examine the file");
	if (S_ISDIR(info.st_mode)) {
		err_set(err, ERR_DIRECTORY, "this is a directory");
		return err_hint(err, "name the dump files in it");
	}
	source->regular = S_ISREG(info.st_mode);
	if (source->spanned && !source->regular)
		return err_set(err, ERR_OPEN, "only a regular file has parts");
	source->large = source->thread_due = source->spanned ? source->span.bytes > CHUNK_BYTES
							     : !source->regular || info.st_size > CHUNK_BYTES;
	return 0;
}

int source_open(const char *path, const struct limits *limits, struct source **ret, struct err *err)
{
	return source_open_span(path, NULL, limits, ret, err);
}

int source_open_span(const char *path, const struct file_span *span, const struct limits *limits, struct source **ret,
	struct err *err)
{
	bool is_stdin = strcmp(path, "-") == 0;
	struct source *source = source_new(path, limits);
	int status;

	source->spanned = span;
	if (span)
		source->span = *span;
	source->fd = is_stdin ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3) : open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	status = source->fd < 0 ? err_os(err, ERR_OPEN, errno, "cannot open") : check_kind(source, err);
	if (status) {
		source_close(source);
		return status;
	}
	*ret = source;
	return 0;
}

void source_close(struct source *source)
{
	if (!source)
		return;
	if (source->threaded)
		stop_thread(source);
	for (size_t i = 0; i < CHUNKS; i++)
		free(source->chunks[i].bytes);
	if (source->fd >= 0)
		close(source->fd);
	if (source->stop_fd >= 0)
		close(source->stop_fd);
	inflater_free(source->inflater);
	sha256_free(source->sha);
	ring_destroy(&source->ring);
	free(source->stored);
	free(source->name);
	free(source);
}

void meter_expect(struct meter *meter, const char *path)
{
	struct stat info;

	if (strcmp(path, "-") != 0 && stat(path, &info) == 0 && S_ISREG(info.st_mode))
		atomic_fetch_add(&meter->total_bytes, (uint64_t)info.st_size);
	else
		atomic_store(&meter->open_ended, true);
}
