#pragma once
/*
 * The connections of the service: where each comes from, how many an address has, and until when each must have done
 * what it is about to do. A thread shuts down those that are too slow; libmicrohttpd sees them as closed then.
 */
#include <netinet/in.h>
#include <stdatomic.h>

#include "base/memory/arena.h"
#include "base/setup/err.h"
#include "base/setup/limits.h"
#include "base/view/str.h"

struct peers;

enum { PEER_ADDRESS_BYTES = INET6_ADDRSTRLEN, PEER_SITE_BYTES = 9 };

struct peer {
	char address[PEER_ADDRESS_BYTES];    /* "192.0.2.1", "2001:db8::1", "unix" */
	char own[PEER_ADDRESS_BYTES];        /* the end of this machine */
	unsigned char site[PEER_SITE_BYTES]; /* its address, or the /64 of one of IPv6 */
	bool local;                          /* loopback or a Unix socket */
	bool exempt;                         /* a trusted proxy or a Unix socket: any number of connections */
	int fd;
	atomic_bool refused;       /* what it asks is not read: it was answered and closed, or is one too many */
	bool lingers;              /* it was answered while it still sends */
	atomic_ullong deadline_ms; /* of the monotonic clock; 0: none */
	atomic_ullong taken;       /* bytes that it had taken when that was set, plus one; 0: no answer is sent */
	void *spare;               /* of the server: what the last request leaves for the next one */
	struct peer *next, *previous;
};

/* Starts the thread. exempt: whether an address may have any number of connections (a trusted proxy); limits and ctx
   must outlive the peers. ERR_INTERNAL. */
int peers_start(const struct limits *limits, bool (*exempt)(const void *ctx, struct str address), const void *ctx,
	struct peers **ret, struct err *err);

/* When no connection is left. NULL is allowed. */
void peers_stop(struct peers *peers);

/* Returns whether the thread has looked at the connections in the last seconds. */
bool peers_watched(const struct peers *peers);

/* A connection that was opened, with the time that its first head may take; one too many of its site is shut down at
   once. When nearly limits.connections are open, the one that has the least time left is shut down for it. And a
   connection before it is closed: one that lingers is read on for limits.header_seconds, as a reset could overtake its
   answer. */
struct peer *peers_add(struct peers *peers, int fd);
void peers_remove(struct peers *peers, struct peer *peer);

/* The peer has limits.header_seconds from now for the head of a request. */
void peer_awaits_head(const struct peers *peers, struct peer *peer);

/* It has sent a number of bytes since a time, in ms of the clock below: limits.transfer_rate a second, after
   limits.header_seconds of grace. */
void peer_transfers(const struct peers *peers, struct peer *peer, uint64_t since_ms, uint64_t bytes);

/* An answer is sent to it: each limits.header_seconds it must take as many bytes as limits.transfer_rate makes. */
void peer_takes(const struct peers *peers, struct peer *peer);

/* The service works: the peer has all time. */
void peer_waits(struct peer *peer);

/* The site of an address: itself, or the /64 of one of IPv6, "2001:db8:0:1::/64". */
struct str peer_site(struct str address, struct arena *arena);

/* Hold segments until they are full or this ends: a head and the file after it leave together. */
void peer_gathers(const struct peer *peer, bool gathers);
