#include "server/http/peers.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/tcp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/memory/mem.h"
#include "base/setup/clock.h"

/* SHARE: a sixteenth of all connections is kept free for those that come; as many may linger. */
enum { MS = 1000, LOOK_MS = 250, NET_BYTES = 8, SHARE = 16 };

struct peers {
	const struct limits *limits;
	bool (*exempt)(const void *ctx, struct str address);
	const void *ctx;
	pthread_t thread;
	pthread_mutex_t lock; /* of the list and of ending */
	pthread_cond_t end;
	bool ending;
	struct peer *first, *lingering;
	uint64_t count, lingering_count;
	atomic_ullong looked_ms;
};

/* --- addresses */

/* An address of IPv4 that came through a socket of IPv6 is written as one of IPv4. */
static void put_address(const struct sockaddr_storage *address, char ret[PEER_ADDRESS_BYTES], bool *ret_local)
{
	struct sockaddr_in in;
	struct sockaddr_in6 in6;

	*ret_local = address->ss_family == AF_UNIX;
	memcpy(ret, "unix", sizeof("unix"));
	if (address->ss_family == AF_INET) {
		memcpy(&in, address, sizeof(in));
	} else if (address->ss_family == AF_INET6) {
		memcpy(&in6, address, sizeof(in6));
		if (!IN6_IS_ADDR_V4MAPPED(&in6.sin6_addr)) {
			inet_ntop(AF_INET6, &in6.sin6_addr, ret, PEER_ADDRESS_BYTES);
			*ret_local = IN6_IS_ADDR_LOOPBACK(&in6.sin6_addr);
			return;
		}
		memcpy(&in.sin_addr, &in6.sin6_addr.s6_addr[sizeof(in6.sin6_addr) - sizeof(in.sin_addr)],
			sizeof(in.sin_addr));
	} else {
		return;
	}
	inet_ntop(AF_INET, &in.sin_addr, ret, PEER_ADDRESS_BYTES);
	*ret_local = ntohl(in.sin_addr.s_addr) >> 24 == IN_LOOPBACKNET;
}

/* A site has a whole /64 of IPv6 to choose from, so that counts as one address. */
static void find_site(const char *address, unsigned char ret[PEER_SITE_BYTES])
{
	struct in6_addr in6;
	struct in_addr in = { 0 };

	memset(ret, 0, PEER_SITE_BYTES);
	if (inet_pton(AF_INET6, address, &in6) == 1) {
		memcpy(ret, &in6, NET_BYTES);
		ret[NET_BYTES] = 6;
	} else if (inet_pton(AF_INET, address, &in) == 1) {
		memcpy(ret, &in, sizeof(in));
		ret[NET_BYTES] = 4;
	}
}

struct str peer_site(struct str address, struct arena *arena)
{
	char text[PEER_ADDRESS_BYTES];
	struct in6_addr in6;

	snprintf(text, sizeof(text), "%.*s", STR_ARG(address));
	if (inet_pton(AF_INET6, text, &in6) != 1)
		return address;
	memset(&in6.s6_addr[NET_BYTES], 0, sizeof(in6) - NET_BYTES);
	inet_ntop(AF_INET6, &in6, text, sizeof(text));
	return arena_printf(arena, "%s/64", text);
}

/* --- the list */

/* The one with the least time left: it is the slowest, or idle for longest. Hold the lock. */
static void drop_slowest(struct peers *peers)
{
	struct peer *slowest = NULL;
	uint64_t least = UINT64_MAX;

	for (struct peer *peer = peers->first; peer; peer = peer->next) {
		uint64_t deadline = atomic_load(&peer->deadline_ms);

		if (peer->exempt || peer->refused || !deadline || deadline >= least)
			continue;
		slowest = peer;
		least = deadline;
	}
	if (!slowest)
		return;
	slowest->refused = true;
	shutdown(slowest->fd, SHUT_RDWR);
}

/* Hold the lock. */
static void admit(struct peers *peers, struct peer *peer)
{
	uint64_t most = peers->limits->connections, of_site = 0;

	for (const struct peer *other = peers->first; other; other = other->next)
		of_site += memcmp(other->site, peer->site, sizeof(peer->site)) == 0;
	if (!peer->exempt && of_site >= peers->limits->peer_connections) {
		peer->refused = true;
		shutdown(peer->fd, SHUT_RDWR);
	} else if (peers->count >= most - most / SHARE) {
		drop_slowest(peers);
	}
	peer->next = peers->first;
	if (peer->next)
		peer->next->previous = peer;
	peers->first = peer;
	peers->count++;
}

/* Counted and added under one lock: threads accept at the same time. A connection that was reset before that has no
   address, and would pass for a Unix socket: what was sent on it is not read. */
struct peer *peers_add(struct peers *peers, int fd)
{
	struct peer *peer = mem_zalloc(sizeof(*peer));
	struct sockaddr_storage address = { 0 };
	socklen_t len = sizeof(address);
	bool ignored;

	peer->fd = fd;
	peer->refused = getpeername(fd, (struct sockaddr *)&address, &len) != 0;
	put_address(&address, peer->address, &peer->local);
	find_site(peer->address, peer->site);
	len = sizeof(address);
	getsockname(fd, (struct sockaddr *)&address, &len);
	put_address(&address, peer->own, &ignored);
	peer->exempt = strcmp(peer->address, "unix") == 0 ||
		       (peers->exempt && peers->exempt(peers->ctx, str_from(peer->address)));
	peer_awaits_head(peers, peer);
	pthread_mutex_lock(&peers->lock);
	admit(peers, peer);
	pthread_mutex_unlock(&peers->lock);
	return peer;
}

/* Returns whether the connection stays open under a descriptor of its own. Hold the lock. */
static bool linger(struct peers *peers, struct peer *peer)
{
	if (!peer->lingers || peers->lingering_count >= peers->limits->connections / SHARE)
		return false;
	peer->fd = fcntl(peer->fd, F_DUPFD_CLOEXEC, 0);
	if (peer->fd < 0)
		return false;
	shutdown(peer->fd, SHUT_WR);
	peer_awaits_head(peers, peer);
	peer->next = peers->lingering;
	peers->lingering = peer;
	peers->lingering_count++;
	return true;
}

/* Returns whether more may come of a connection, once what has come is discarded. */
static bool discard(const struct peer *peer)
{
	enum { STEP_BYTES = 64 * 1024, STEPS = 64 };
	char bytes[STEP_BYTES];
	ssize_t got = 1;

	for (size_t i = 0; i < STEPS && got > 0; i++)
		got = recv(peer->fd, bytes, sizeof(bytes), MSG_DONTWAIT);
	return got > 0 || (got < 0 && (errno == EAGAIN || errno == EINTR));
}

/* Hold the lock, or be the last. */
static void end_lingering(struct peers *peers, uint64_t now)
{
	for (struct peer *peer, **at = &peers->lingering; (peer = *at);) {
		if (atomic_load(&peer->deadline_ms) > now && discard(peer)) {
			at = &peer->next;
			continue;
		}
		*at = peer->next;
		peers->lingering_count--;
		close(peer->fd);
		free(peer);
	}
}

void peers_remove(struct peers *peers, struct peer *peer)
{
	bool lingers;

	pthread_mutex_lock(&peers->lock);
	if (peer->next)
		peer->next->previous = peer->previous;
	if (peer->previous)
		peer->previous->next = peer->next;
	else
		peers->first = peer->next;
	peers->count--;
	lingers = linger(peers, peer);
	pthread_mutex_unlock(&peers->lock);
	if (!lingers)
		free(peer);
}

/* --- deadlines */

static void set_deadline(struct peer *peer, uint64_t taken, uint64_t deadline_ms)
{
	atomic_store(&peer->taken, taken);
	atomic_store(&peer->deadline_ms, deadline_ms);
}

void peer_awaits_head(const struct peers *peers, struct peer *peer)
{
	set_deadline(peer, 0, clock_ms() + peers->limits->header_seconds * MS);
}

void peer_transfers(const struct peers *peers, struct peer *peer, uint64_t since_ms, uint64_t bytes)
{
	const struct limits *limits = peers->limits;
	uint64_t seconds = limits->header_seconds + bytes / limits->transfer_rate;

	set_deadline(peer, 0, since_ms + seconds * MS);
}

void peer_waits(struct peer *peer)
{
	set_deadline(peer, 0, 0);
}

/* Bytes that the other end has acknowledged; false: its kind of socket does not tell. */
static bool find_taken(const struct peer *peer, uint64_t *ret)
{
	struct tcp_info info = { 0 };
	socklen_t len = sizeof(info);

	if (getsockopt(peer->fd, IPPROTO_TCP, TCP_INFO, &info, &len))
		return false;
	*ret = info.tcpi_bytes_acked;
	return true;
}

void peer_takes(const struct peers *peers, struct peer *peer)
{
	uint64_t taken;

	if (find_taken(peer, &taken))
		set_deadline(peer, taken + 1, clock_ms() + peers->limits->header_seconds * MS);
	else
		peer_waits(peer);
}

/* A Unix socket has no segments, and says so. */
void peer_gathers(const struct peer *peer, bool gathers)
{
	int on = gathers;

	setsockopt(peer->fd, IPPROTO_TCP, TCP_CORK, &on, sizeof(on));
}

/* Returns whether a late peer took as much of an answer as it must; then it has as long again. The answer may end
   meanwhile, which sets another deadline. */
static bool goes_on(const struct peers *peers, struct peer *peer, unsigned long long deadline)
{
	uint64_t seconds = peers->limits->header_seconds;
	unsigned long long before = atomic_load(&peer->taken);
	uint64_t taken;

	if (!before || !find_taken(peer, &taken) || taken + 1 - before < seconds * peers->limits->transfer_rate)
		return atomic_load(&peer->deadline_ms) != deadline;
	if (atomic_compare_exchange_strong(&peer->taken, &before, taken + 1))
		atomic_compare_exchange_strong(&peer->deadline_ms, &deadline, deadline + seconds * MS);
	return true;
}

static void end_late(struct peers *peers)
{
	uint64_t now = clock_ms();

	atomic_store(&peers->looked_ms, now);
	for (struct peer *peer = peers->first; peer; peer = peer->next) {
		uint64_t deadline = atomic_load(&peer->deadline_ms);

		if (deadline && deadline < now && !goes_on(peers, peer, deadline))
			shutdown(peer->fd, SHUT_RDWR);
	}
	end_lingering(peers, now);
}

bool peers_watched(const struct peers *peers)
{
	enum { LATELY_MS = 10 * MS };

	return clock_ms() - atomic_load(&peers->looked_ms) < LATELY_MS;
}

static void *watch_peers(void *ctx)
{
	struct peers *peers = ctx;

	pthread_mutex_lock(&peers->lock);
	while (!peers->ending) {
		clock_wait(&peers->end, &peers->lock, clock_ms() + LOOK_MS);
		end_late(peers);
	}
	pthread_mutex_unlock(&peers->lock);
	return NULL;
}

int peers_start(const struct limits *limits, bool (*exempt)(const void *ctx, struct str address), const void *ctx,
	struct peers **ret, struct err *err)
{
	struct peers *peers = mem_zalloc(sizeof(*peers));

	peers->limits = limits;
	peers->exempt = exempt;
	peers->ctx = ctx;
	pthread_mutex_init(&peers->lock, NULL);
	clock_cond_init(&peers->end);
	if (pthread_create(&peers->thread, NULL, watch_peers, peers)) {
		free(peers);
		return err_set(err, ERR_INTERNAL, "cannot start the thread that watches connections");
	}
	*ret = peers;
	return 0;
}

void peers_stop(struct peers *peers)
{
	if (!peers)
		return;
	pthread_mutex_lock(&peers->lock);
	peers->ending = true;
	pthread_cond_signal(&peers->end);
	pthread_mutex_unlock(&peers->lock);
	pthread_join(peers->thread, NULL);
	end_lingering(peers, UINT64_MAX);
	pthread_cond_destroy(&peers->end);
	pthread_mutex_destroy(&peers->lock);
	free(peers);
}
