#pragma once
/* A service without jobs on a socket of its own, for fuzz targets that send it bytes. */
#include <errno.h>
#include <ftw.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/memory/mem.h"
#include "server/http/access.h"
#include "server/http/cache.h"
#include "server/http/response.h"
#include "server/server.h"
#include "tests/fuzz/fuzz.h"

enum { WAIT_MS = 5000, THREADS = 1 };

static char directory[] = "/tmp/opcheck-fuzz-XXXXXX";
static struct limits limits;
static struct service service;
static struct sockaddr_un address = { .sun_family = AF_UNIX };

static int remove_entry(const char *path, const struct stat *info, int kind, struct FTW *walk)
{
	(void)info;
	(void)kind;
	(void)walk;
	return remove(path);
}

static void remove_state(void)
{
	nftw(directory, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
}

/* Without a support database, so that no upload becomes a job. */
static void start_service(void)
{
	static const struct access_settings settings = { 0 };
	struct access *access = NULL;
	struct listening listening;
	struct server *server;
	struct err err = { 0 };
	char name[sizeof(address.sun_path) + sizeof("unix:")];

	HOLD(mkdtemp(directory));
	atexit(remove_state);
	snprintf(address.sun_path, sizeof(address.sun_path), "%s/socket", directory);
	snprintf(name, sizeof(name), "unix:%s", address.sun_path);
	limits = limits_default();
	service = (struct service){ .db_path = "/nonexistent", .limits = &limits };
	HOLD(store_open(&(struct store_place){ directory }, &service.store, &err) == 0);
	HOLD(access_new(&settings, &access, &err) == 0);
	service.access = access;
	service.cache = cache_new(limits.cache_bytes, response_drop);
	HOLD(listen_on(str_from(name), false, &listening, &err) == 0);
	HOLD(server_start(&service, &listening, THREADS, &server, &err) == 0);
}

/* All that comes back before the service closes. */
static void read_answer(int connection, struct buf *ret)
{
	struct pollfd polled = { .fd = connection, .events = POLLIN };
	char piece[4096];
	ssize_t len = 1;

	while (len > 0) {
		int ready = poll(&polled, 1, WAIT_MS);

		if (ready < 0 && errno == EINTR) /* the clock of libFuzzer */
			continue;
		HOLD(ready == 1);
		len = recv(connection, piece, sizeof(piece), 0);
		if (len > 0)
			buf_add(ret, (struct str){ piece, (size_t)len });
	}
}

/* Sends a request and holds what is true of every answer. */
static inline void hold_answer(struct str request)
{
	CLEANUP(buf_clear) struct buf answer = BUF_UNLIMITED;
	int connection = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (!service.store)
		start_service();
	HOLD(connection >= 0 && connect(connection, (struct sockaddr *)&address, sizeof(address)) == 0);
	(void)!send(connection, request.ptr, request.len, MSG_NOSIGNAL);
	shutdown(connection, SHUT_WR);
	read_answer(connection, &answer);
	close(connection);
	HOLD(!answer.len || str_starts(buf_str(&answer), STR("HTTP/1.")));
	HOLD(!str_starts(buf_str(&answer), STR("HTTP/1.1 500")));
}
