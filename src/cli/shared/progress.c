#include "cli/shared/progress.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory/buf.h"
#include "base/memory/mem.h"
#include "base/setup/clock.h"
#include "base/setup/translate.h"

enum { FIRST_MS = 1000, INTERVAL_MS = 200 };

#define ERASE "\r\033[K"

static bool is_wanted(bool quiet)
{
	const char *ci = getenv("CI"), *term = getenv("TERM");

	return !quiet && isatty(STDERR_FILENO) && !(ci && ci[0]) && term && strcmp(term, "dumb") != 0;
}

/* --- the line */

/* "512.0 MiB" */
static void put_bytes(struct buf *to, uint64_t bytes)
{
	static const char *const units[] = { "B", "KiB", "MiB", "GiB", "TiB" };
	uint64_t tenths = bytes <= UINT64_MAX / 10 ? bytes * 10 : UINT64_MAX;
	size_t unit = 0;

	while (tenths >= 10240 && unit + 1 < ARRAY_SIZE(units)) {
		tenths /= 1024;
		unit++;
	}
	buf_printf(
		to, "%llu.%llu %s", (unsigned long long)(tenths / 10), (unsigned long long)(tenths % 10), units[unit]);
}

/* "7 s left", "3 min left" */
static void put_left(struct buf *to, uint64_t bytes, uint64_t per_second)
{
	uint64_t seconds = per_second ? (bytes + per_second - 1) / per_second : UINT64_MAX;

	if (seconds < 120)
		buf_printf(to, ", %llu s left", (unsigned long long)seconds);
	else if (seconds < UINT64_C(48) * 3600)
		buf_printf(to, ", %llu min left", (unsigned long long)((seconds + 59) / 60));
}

/* "512.0 MiB of 2.0 GiB, 410.3 MiB/s, 4 s left"; without a known size "512.0 MiB, 410.3 MiB/s". */
static void put_progress_line(struct buf *to, const struct meter *meter, int64_t elapsed_ms)
{
	uint64_t done = atomic_load(&meter->read_bytes), all = atomic_load(&meter->total_bytes);
	uint64_t per_second = (uint64_t)((double)done * 1000 / (double)elapsed_ms);
	bool known = !atomic_load(&meter->open_ended) && all >= done;

	buf_printf(to, ERASE "read ");
	put_bytes(to, done);
	if (known) {
		buf_printf(to, " of ");
		put_bytes(to, all);
	}
	buf_printf(to, ", ");
	put_bytes(to, per_second);
	buf_printf(to, "/s");
	if (known)
		put_left(to, all - done, per_second);
}

/* With the lock held. */
static void show_line(struct progress *progress)
{
	CLEANUP(buf_clear) struct buf line = BUF_INIT(256);

	put_progress_line(&line, &progress->meter, clock_ms() - progress->began_ms);
	fputs(buf_text(&line), stderr);
	fflush(stderr);
	progress->on_screen = true;
}

static void erase_line(struct progress *progress)
{
	if (progress->on_screen)
		fputs(ERASE, stderr);
	progress->on_screen = false;
}

/* --- the thread */

static void *rewrite_line(void *arg)
{
	struct progress *progress = arg;
	int64_t next = progress->began_ms + FIRST_MS;

	pthread_mutex_lock(&progress->lock);
	while (!progress->ending) {
		clock_wait(&progress->changed, &progress->lock, next);
		if (progress->ending || clock_ms() < next)
			continue;
		show_line(progress);
		next = clock_ms() + INTERVAL_MS;
	}
	erase_line(progress);
	pthread_mutex_unlock(&progress->lock);
	return NULL;
}

void progress_start(struct progress *progress, bool quiet)
{
	*progress = (struct progress){ .quiet = quiet, .began_ms = clock_ms() };
	pthread_mutex_init(&progress->lock, NULL);
	clock_cond_init(&progress->changed);
	/* without a thread only the progress is missing */
	progress->running = is_wanted(quiet) && pthread_create(&progress->thread, NULL, rewrite_line, progress) == 0;
}

void progress_stop(struct progress *progress)
{
	pthread_mutex_lock(&progress->lock);
	progress->ending = true;
	pthread_cond_signal(&progress->changed);
	pthread_mutex_unlock(&progress->lock);
	if (progress->running)
		pthread_join(progress->thread, NULL);
	pthread_cond_destroy(&progress->changed);
	pthread_mutex_destroy(&progress->lock);
}

void progress_left_out(void *ctx, const struct err *err)
{
	struct progress *progress = ctx;

	if (progress->quiet)
		return;
	pthread_mutex_lock(&progress->lock);
	erase_line(progress);
	fprintf(stderr, translated("opcheck: %s: left out: %s"), err->where, err->text);
	fputc('\n', stderr);
	pthread_mutex_unlock(&progress->lock);
}
