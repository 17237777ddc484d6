#pragma once
/*
 * The service on a socket: libmicrohttpd with its own polling threads. A request is handled by one thread from its
 * first byte to its last; the thread takes the bodies of several uploads in turn, but waits while it checks one.
 */
#include "server/http/listen.h"
#include "server/service/service.h"

struct server;

/* Starts answering on that many threads; owns the socket from here on. service must outlive the server. ERR_LISTEN. */
int server_start(const struct service *service, const struct listening *listening, unsigned threads,
	struct server **ret, struct err *err);

/* Takes no further connections. */
void server_close(struct server *server);

/* Returns whether the thread that watches connections has looked at them lately. */
bool server_lives(const struct server *server);

/* Requests under way. */
unsigned server_active(const struct server *server);

/* Ends all connections and frees. */
void server_stop(struct server *server);
