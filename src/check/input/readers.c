#include "check/input/readers.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>

#include "base/memory/mem.h"
#include "check/input/bundle.h"
#include "io/members.h"

enum { MOST_READERS = 64, WAITING_PER_READER = 2 };

struct pool {
	const struct dump_files *files;
	const struct reading_options *options;
	struct file_reading *readings;
	bool *done;          /* files */
	size_t begun, taken; /* files */
	size_t readers, processors;
	bool stopped;
	pthread_mutex_t lock;
	pthread_cond_t changed;
};

static int not_a_dump(struct err *err)
{
	err_set(err, ERR_UNREAD, "this is a report of opcheck, not a dump");
	return err_hint(err, "`opcheck convert` renders it, `opcheck diff` compares it");
}

/* Reads a file in this thread alone as long as each processor has one to read, which takes less time in all. */
static void read_file(const struct pool *pool, size_t at)
{
	const struct dump_file *file = &pool->files->items[at];
	const struct reading_options *options = pool->options;
	struct file_reading *reading = &pool->readings[at];
	struct read_dump dump = { file->name, file->known_as, file->rank, file->info, .found = file->found };
	struct source *source;
	struct str head = STR("");
	const char *kind;

	reading->text = ARENA_INIT(ARENA_UNLIMITED); /* names of members, bounded by limits.archive_members */
	dump.status = source_open_span(file->path, file->span, options->limits, &source, &dump.err);
	if (dump.status) {
		MEM_PUSH(&reading->dumps, dump);
		return;
	}
	source_set_meter(source, options->meter);
	if (pool->files->count - at >= pool->processors)
		source_stay_in_thread(source);
	if (options->skip_digests)
		source_skip_digest(source);
	dump.status = source_peek(source, &head, &dump.err);
	if (dump.status >= 0 && reading_is_report(head))
		dump.status = not_a_dump(&dump.err);
	kind = dump.status == 1 ? members_sniff(head) : "";
	if (dump.status < 0) {
		source_close(source);
		MEM_PUSH(&reading->dumps, dump);
	} else if (kind[0]) {
		bundle_read(reading, source, kind, file, options);
	} else {
		read_source(reading, source, dump, options);
	}
}

/* The next file, once there is room for its result. False at the end. */
static bool next_file(struct pool *pool, size_t *ret)
{
	bool more;

	pthread_mutex_lock(&pool->lock);
	while (!pool->stopped && pool->begun < pool->files->count &&
		pool->begun >= pool->taken + pool->readers * WAITING_PER_READER)
		pthread_cond_wait(&pool->changed, &pool->lock);
	more = !pool->stopped && pool->begun < pool->files->count;
	*ret = pool->begun;
	pool->begun += more;
	pthread_mutex_unlock(&pool->lock);
	return more;
}

static void *read_some(void *arg)
{
	struct pool *pool = arg;
	size_t at;

	while (next_file(pool, &at)) {
		read_file(pool, at);
		pthread_mutex_lock(&pool->lock);
		pool->done[at] = true;
		pthread_cond_broadcast(&pool->changed);
		pthread_mutex_unlock(&pool->lock);
	}
	return NULL;
}

static void wait_for(struct pool *pool, size_t at)
{
	pthread_mutex_lock(&pool->lock);
	while (!pool->done[at])
		pthread_cond_wait(&pool->changed, &pool->lock);
	pthread_mutex_unlock(&pool->lock);
}

static void note_taken(struct pool *pool, bool stop)
{
	pthread_mutex_lock(&pool->lock);
	pool->taken++;
	pool->stopped = stop;
	pthread_cond_broadcast(&pool->changed);
	pthread_mutex_unlock(&pool->lock);
	if (stop)
		atomic_store(&pool->options->meter->stop, true);
}

static int take_all(struct pool *pool, take_reading *take, void *ctx, struct err *err)
{
	int status = 0;

	for (size_t i = 0; i < pool->files->count && !status; i++) {
		if (pool->readers)
			wait_for(pool, i);
		else
			read_file(pool, i);
		status = take(ctx, &pool->readings[i], err);
		reading_clear(&pool->readings[i]);
		note_taken(pool, status != 0);
	}
	return status;
}

static size_t processors(void)
{
	cpu_set_t set;

	return sched_getaffinity(0, sizeof(set), &set) ? 1 : (size_t)CPU_COUNT(&set);
}

/* A lone file is read here: its own threads are enough. */
static size_t start_readers(struct pool *pool, pthread_t *threads)
{
	size_t most = pool->processors < pool->files->count ? pool->processors : pool->files->count, started = 0;

	pool->readers = most < MOST_READERS ? most : MOST_READERS;
	while (pool->files->count > 1 && started < pool->readers &&
		pthread_create(&threads[started], NULL, read_some, pool) == 0)
		started++;
	pthread_mutex_lock(&pool->lock);
	pool->readers = started;
	pthread_mutex_unlock(&pool->lock);
	return started;
}

int read_files(const struct dump_files *files, const struct reading_options *options, take_reading *take, void *ctx,
	struct err *err)
{
	struct pool pool = { .files = files, .options = options, .processors = processors() };
	pthread_t threads[MOST_READERS];
	size_t started;
	int status;

	pool.readings = mem_zalloc((files->count + 1) * sizeof(pool.readings[0]));
	pool.done = mem_zalloc((files->count + 1) * sizeof(pool.done[0]));
	pthread_mutex_init(&pool.lock, NULL);
	pthread_cond_init(&pool.changed, NULL);
	for (size_t i = 0; i < files->count; i++)
		meter_expect(options->meter, files->items[i].path);
	started = start_readers(&pool, threads);
	status = take_all(&pool, take, ctx, err);
	for (size_t i = 0; i < started; i++)
		pthread_join(threads[i], NULL);
	for (size_t i = 0; i < files->count; i++)
		reading_clear(&pool.readings[i]);
	pthread_cond_destroy(&pool.changed);
	pthread_mutex_destroy(&pool.lock);
	free(pool.readings);
	free(pool.done);
	return status;
}
