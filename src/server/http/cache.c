#include "server/http/cache.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/memory/hash.h"
#include "base/memory/mem.h"
#include "io/outfile.h"
#include "io/tempfile.h"

enum { PLACES = 1024, TRIES = 8, SHARE = 2, FILE_BYTES = 32 * 1024, ANSWERS = 64 };

/* Outlives the cache while a body does. */
struct holdings {
	atomic_ullong bytes;
	atomic_uint users;
};

struct cache {
	uint64_t most_bytes;
	struct holdings *holdings;
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
	cache->holdings = mem_zalloc(sizeof(*cache->holdings));
	atomic_init(&cache->holdings->users, 1);
	pthread_mutex_init(&cache->lock, NULL);
	return cache;
}

static void leave_holdings(struct holdings *holdings)
{
	if (holdings && atomic_fetch_sub(&holdings->users, 1) == 1)
		free(holdings);
}

/* A body that no answer finds any more counts until it is sent. */
static void count_beside(struct cached *cached)
{
	if (cached->holdings)
		atomic_fetch_add(&cached->holdings->bytes, cached->bytes);
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
	if (cached->holdings)
		atomic_fetch_sub(&cached->holdings->bytes, cached->bytes);
	leave_holdings(cached->holdings);
	free(cached);
}

void cache_free(struct cache *cache)
{
	if (!cache)
		return;
	cache_empty(cache);
	leave_holdings(cache->holdings);
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
	count_beside(*place);
	cached_release(*place);
	*place = NULL;
}

static bool is_under(const struct cached *cached, uint64_t hash, struct str key)
{
	return cached && cached->hash == hash && str_eq((struct str){ cached->text, cached->key_len }, key);
}

/* The place of the key, or the one that it may take: free, or of the body that was not asked for longest. */
static struct cached **cache_slot(struct cache *cache, uint64_t hash, struct str key)
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
	cached = *cache_slot(cache, hash, key);
	if (is_under(cached, hash, key)) {
		cached->asked_at = ++cache->asked;
		cached_hold(cached);
	} else {
		cached = NULL;
	}
	pthread_mutex_unlock(&cache->lock);
	return cached;
}

/* A file without a name of these bytes, in a file system, whose pages the kernel keeps in larger pieces than those of
   memory; -1 when there can be none. */
static int make_file(struct str body)
{
	struct err ignored;
	int file = body.len < FILE_BYTES ? -1 : tempfile_open();

	if (file < 0 && body.len >= FILE_BYTES)
		file = memfd_create("opcheckd-cache", MFD_CLOEXEC);
	if (file < 0 || outfile_put(file, body, &ignored) == 0)
		return file;
	close(file);
	return -1;
}

/* Text of a body as it is made: from memory, or a file that the body takes. */
struct making {
	struct str key;
	uint64_t version, plain_bytes, bytes;
	const char *body; /* NULL: the file */
	int file;
};

static struct cached *cached_new(struct cache *cache, const struct making *making)
{
	struct cached *cached = mem_zalloc(sizeof(*cached) + making->key.len + (making->body ? making->bytes : 0));

	cached->bytes = making->bytes;
	cached->plain_bytes = making->plain_bytes;
	cached->file = making->file;
	cached->hash = hash_str(hash_seed(), making->key);
	cached->key_len = making->key.len;
	memcpy(cached->text, making->key.ptr, making->key.len);
	if (making->body)
		cached->body = memcpy(cached->text + making->key.len, making->body, making->bytes);
	if (cache) {
		cached->holdings = cache->holdings;
		atomic_fetch_add(&cached->holdings->users, 1);
		count_beside(cached);
	}
	atomic_init(&cached->version, making->version);
	atomic_init(&cached->holders, 1);
	return cached;
}

struct cached *cached_static(struct str body, uint64_t plain_bytes)
{
	struct cached *cached = mem_zalloc(sizeof(*cached));

	cached->bytes = body.len;
	cached->plain_bytes = plain_bytes;
	cached->body = body.ptr;
	atomic_init(&cached->holders, 1);
	return cached;
}

static struct cached *cache_place(struct cache *cache, struct cached *cached)
{
	struct str key = { cached->text, cached->key_len };
	struct cached **place, *ret = cached;

	if (!cache_takes(cache, cached->bytes))
		return cached;
	pthread_mutex_lock(&cache->lock);
	place = cache_slot(cache, cached->hash, key);
	if (is_under(*place, cached->hash, key) && atomic_load(&(*place)->version) == atomic_load(&cached->version)) {
		ret = cached_hold(*place);
	} else {
		empty_place(cache, place);
		make_room(cache, cached->bytes);
		cached->asked_at = ++cache->asked;
		cached->placed = true;
		cache->bytes += cached->bytes;
		atomic_fetch_sub(&cached->holdings->bytes, cached->bytes);
		*place = cached_hold(cached);
	}
	pthread_mutex_unlock(&cache->lock);
	if (ret != cached)
		cached_release(cached);
	return ret;
}

struct cached *cache_add_packed(
	struct cache *cache, struct str key, uint64_t version, struct str packed, uint64_t plain_bytes)
{
	struct making making = { key, version, plain_bytes, packed.len, NULL, make_file(packed) };

	making.body = making.file < 0 ? packed.ptr : NULL;
	return cache_place(cache, cached_new(cache, &making));
}

struct cached *cache_add(struct cache *cache, struct str key, uint64_t version, struct str body)
{
	return cache_add_packed(cache, key, version, body, 0);
}

struct cached *cache_add_file(struct cache *cache, struct str key, uint64_t version, int file, uint64_t bytes)
{
	struct making making = { key, version, 0, bytes, NULL, file };

	return cache_place(cache, cached_new(cache, &making));
}

size_t cached_read(const struct cached *cached, uint64_t position, char *to, size_t bytes)
{
	size_t rest = position < cached->bytes ? cached->bytes - (size_t)position : 0;
	ssize_t len;

	bytes = bytes < rest ? bytes : rest;
	if (!cached->body) {
		len = bytes ? pread(cached->file, to, bytes, (off_t)position) : 0;
		return len > 0 ? (size_t)len : 0;
	}
	memcpy(to, cached->body + position, bytes);
	return bytes;
}

/* --- charges */

bool cache_charge(struct cache *cache, uint64_t bytes, uint64_t most)
{
	if (!cache || atomic_fetch_add(&cache->holdings->bytes, bytes) + bytes <= most)
		return true;
	cache_discharge(cache, bytes);
	return false;
}

void cache_discharge(struct cache *cache, uint64_t bytes)
{
	if (cache)
		atomic_fetch_sub(&cache->holdings->bytes, bytes);
}

uint64_t cache_charged(const struct cache *cache)
{
	return cache ? atomic_load(&cache->holdings->bytes) : 0;
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
