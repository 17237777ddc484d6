#include "server/http/cache.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/memory/hash.h"
#include "base/memory/mem.h"
#include "io/outfile.h"

enum { PLACES = 1024, TRIES = 8, SHARE = 8, FILE_BYTES = 32 * 1024, ANSWERS = 64 };

struct cache {
	uint64_t most_bytes;
	void (*drop_answer)(void *answer);
	pthread_mutex_t lock; /* of all that follows */
	uint64_t bytes, asked;
	struct cached *places[PLACES];
	struct {
		const struct cached *of; /* NULL: free */
		void *answer;
	} answers[ANSWERS];
	size_t next_answer; /* that makes room for another */
};

struct cache *cache_new(uint64_t most_bytes, void (*drop_answer)(void *answer))
{
	struct cache *cache = mem_zalloc(sizeof(*cache));

	cache->most_bytes = most_bytes;
	cache->drop_answer = drop_answer;
	pthread_mutex_init(&cache->lock, NULL);
	return cache;
}

struct cached *cached_hold(struct cached *cached)
{
	atomic_fetch_add(&cached->holders, 1);
	return cached;
}

void cached_release(struct cached *cached)
{
	if (!cached || atomic_fetch_sub(&cached->holders, 1) > 1)
		return;
	if (!cached->body)
		close(cached->file);
	free(cached);
}

void cache_free(struct cache *cache)
{
	if (!cache)
		return;
	cache_empty(cache);
	pthread_mutex_destroy(&cache->lock);
	free(cache);
}

/* One body does not push all others out. */
bool cache_takes(const struct cache *cache, uint64_t bytes)
{
	return cache && bytes <= cache->most_bytes / SHARE;
}

/* --- places; hold the lock */

static void empty_answer(struct cache *cache, size_t index)
{
	if (cache->answers[index].of)
		cache->drop_answer(cache->answers[index].answer);
	cache->answers[index].of = NULL;
}

static void empty_place(struct cache *cache, struct cached **place)
{
	if (!*place)
		return;
	for (size_t i = 0; i < ANSWERS; i++) {
		if (cache->answers[i].of == *place)
			empty_answer(cache, i);
	}
	(*place)->placed = false;
	cache->bytes -= (*place)->bytes;
	cached_release(*place);
	*place = NULL;
}

static bool is_under(const struct cached *cached, uint64_t hash, struct str key)
{
	return cached && cached->hash == hash && str_eq((struct str){ cached->text, cached->key_len }, key);
}

/* The place of the key, or the one that it may take: free, or of the body that was not asked for longest. */
static struct cached **place_of(struct cache *cache, uint64_t hash, struct str key)
{
	struct cached **best = &cache->places[hash % PLACES];

	for (size_t i = 0; i < TRIES; i++) {
		struct cached **place = &cache->places[(hash + i) % PLACES];

		if (is_under(*place, hash, key))
			return place;
		if (*best && (!*place || (*place)->asked_at < (*best)->asked_at))
			best = place;
	}
	return best;
}

static void make_room(struct cache *cache, size_t bytes)
{
	while (cache->bytes && cache->bytes + bytes > cache->most_bytes) {
		struct cached **oldest = NULL;

		for (size_t i = 0; i < PLACES; i++) {
			struct cached **place = &cache->places[i];

			if (*place && (!oldest || (*place)->asked_at < (*oldest)->asked_at))
				oldest = place;
		}
		empty_place(cache, oldest);
	}
}

void cache_empty(struct cache *cache)
{
	pthread_mutex_lock(&cache->lock);
	for (size_t i = 0; i < PLACES; i++)
		empty_place(cache, &cache->places[i]);
	pthread_mutex_unlock(&cache->lock);
}

/* --- bodies */

struct cached *cache_find(struct cache *cache, struct str key)
{
	uint64_t hash = hash_str(hash_seed(), key);
	struct cached *cached;

	if (!cache)
		return NULL;
	pthread_mutex_lock(&cache->lock);
	cached = *place_of(cache, hash, key);
	if (is_under(cached, hash, key)) {
		cached->asked_at = ++cache->asked;
		cached_hold(cached);
	} else {
		cached = NULL;
	}
	pthread_mutex_unlock(&cache->lock);
	return cached;
}

/* Of a file system, whose pages the kernel keeps in larger pieces than those of memory without one. */
static int open_file(void)
{
	const char *folder = getenv("TMPDIR");
	int file = open(folder ? folder : P_tmpdir, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);

	if (file < 0)
		file = memfd_create("opcheckd-cache", MFD_CLOEXEC);
	return file;
}

/* A file without a name of these bytes; -1 when there can be none. */
static int make_file(struct str body)
{
	struct err ignored;
	int file = body.len < FILE_BYTES ? -1 : open_file();

	if (file < 0 || outfile_put(file, body, &ignored) == 0)
		return file;
	close(file);
	return -1;
}

static struct cached *cached_new(struct str key, uint64_t version, struct str body)
{
	int file = make_file(body);
	struct cached *cached = mem_zalloc(sizeof(*cached) + key.len + (file < 0 ? body.len : 0));

	cached->bytes = body.len;
	cached->file = file;
	cached->hash = hash_str(hash_seed(), key);
	cached->key_len = key.len;
	memcpy(cached->text, key.ptr, key.len);
	if (file < 0)
		cached->body = memcpy(cached->text + key.len, body.ptr, body.len);
	atomic_init(&cached->version, version);
	atomic_init(&cached->holders, 2); /* the cache and the caller */
	return cached;
}

struct cached *cache_add(struct cache *cache, struct str key, uint64_t version, struct str body)
{
	struct cached *cached = cached_new(key, version, body);
	struct cached **place;

	pthread_mutex_lock(&cache->lock);
	place = place_of(cache, cached->hash, key);
	empty_place(cache, place);
	make_room(cache, body.len);
	cached->asked_at = ++cache->asked;
	cached->placed = true;
	cache->bytes += body.len;
	*place = cached;
	pthread_mutex_unlock(&cache->lock);
	return cached;
}

/* --- answers */

void *cache_take_answer(struct cache *cache, const struct cached *cached)
{
	void *answer = NULL;

	pthread_mutex_lock(&cache->lock);
	for (size_t i = 0; i < ANSWERS && !answer; i++) {
		if (cache->answers[i].of == cached) {
			answer = cache->answers[i].answer;
			cache->answers[i].of = NULL;
		}
	}
	pthread_mutex_unlock(&cache->lock);
	return answer;
}

/* The free place, or the one that was filled longest ago. */
static size_t room_for_answer(struct cache *cache)
{
	for (size_t i = 0; i < ANSWERS; i++) {
		if (!cache->answers[i].of)
			return i;
	}
	return cache->next_answer++ % ANSWERS;
}

void cache_keep_answer(struct cache *cache, const struct cached *cached, void *answer)
{
	size_t index;

	pthread_mutex_lock(&cache->lock);
	if (cached->placed) {
		index = room_for_answer(cache);
		empty_answer(cache, index);
		cache->answers[index].of = cached;
		cache->answers[index].answer = answer;
	} else {
		cache->drop_answer(answer);
	}
	pthread_mutex_unlock(&cache->lock);
}
