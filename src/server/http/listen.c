#include "server/http/listen.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/memory/buf.h"
#include "base/memory/mem.h"
#include "base/value/decimal.h"
#include "base/value/utf8.h"

enum { BACKLOG = 128, FIRST_INHERITED = 3 };

static int bad_address(struct str address, struct err *err)
{
	err_set(err, ERR_VALUE, "'%s' is not an address to listen on", shown(address).text);
	return err_hint(err, "for example --listen 127.0.0.1:8787 or --listen [::1]:0");
}

/* Takes "host:port" or "[host]:port" apart. */
static bool split_address(struct str address, struct str *ret_host, struct str *ret_port)
{
	size_t colon = address.len;
	uint64_t port;

	while (colon && address.ptr[colon - 1] != ':')
		colon--;
	if (colon < 2 || colon == address.len)
		return false;
	*ret_host = str_sub(address, 0, colon - 1);
	*ret_port = str_skip(address, colon);
	if (str_starts(*ret_host, STR("[")) && str_ends(*ret_host, STR("]")))
		*ret_host = str_chop(str_skip(*ret_host, 1), 1);
	else if (str_has(*ret_host, STR(":")))
		return false;
	return ret_host->len && decimal_unsigned(*ret_port, &port) && port <= UINT16_MAX;
}

static int resolve_address(struct str address, struct addrinfo **ret, struct err *err)
{
	struct addrinfo wanted = { .ai_flags = AI_PASSIVE | AI_NUMERICSERV, .ai_socktype = SOCK_STREAM };
	CLEANUP(buf_clear) struct buf host = BUF_INIT(NI_MAXHOST), port = BUF_INIT(NI_MAXSERV);
	struct str host_part, port_part;

	if (!split_address(address, &host_part, &port_part))
		return bad_address(address, err);
	if (!str_eq(host_part, STR("localhost")))
		wanted.ai_flags |= AI_NUMERICHOST;
	buf_add(&host, host_part);
	buf_add(&port, port_part);
	if (host.full || port.full || getaddrinfo(buf_text(&host), buf_text(&port), &wanted, ret))
		return bad_address(address, err);
	return 0;
}

static bool is_loopback(const struct sockaddr *address)
{
	if (address->sa_family == AF_INET) {
		struct sockaddr_in in;

		memcpy(&in, address, sizeof(in));
		return ntohl(in.sin_addr.s_addr) >> 24 == IN_LOOPBACKNET;
	}
	if (address->sa_family == AF_INET6) {
		struct sockaddr_in6 in;

		memcpy(&in, address, sizeof(in));
		return IN6_IS_ADDR_LOOPBACK(&in.sin6_addr);
	}
	return false;
}

/* The name of a socket, and whether only this machine reaches it. */
static bool put_name(int fd, char ret[LISTEN_NAME_BYTES])
{
	struct sockaddr_storage address = { 0 };
	socklen_t len = sizeof(address);
	char host[INET6_ADDRSTRLEN] = "?", port[8] = "?";

	if (getsockname(fd, (struct sockaddr *)&address, &len) == 0 && address.ss_family == AF_UNIX) {
		snprintf(ret, LISTEN_NAME_BYTES, "unix:%.*s", (int)(len - sizeof(sa_family_t)),
			(const char *)&address + sizeof(sa_family_t));
		return true;
	}
	if (address.ss_family != AF_UNIX)
		getnameinfo((struct sockaddr *)&address, len, host, sizeof(host), port, sizeof(port),
			NI_NUMERICHOST | NI_NUMERICSERV);
	snprintf(ret, LISTEN_NAME_BYTES, strchr(host, ':') ? "http://[%s]:%s" : "http://%s:%s", host, port);
	return is_loopback((struct sockaddr *)&address);
}

static int open_socket(const struct addrinfo *info, struct listening *ret, struct err *err)
{
	int on = 1, status = 0;

	ret->fd = socket(info->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (ret->fd < 0)
		return err_os(err, ERR_LISTEN, errno, "cannot make a socket");
	setsockopt(ret->fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
	if (bind(ret->fd, info->ai_addr, info->ai_addrlen) || listen(ret->fd, BACKLOG))
		status = err_os(err, ERR_LISTEN, errno, "cannot listen");
	if (status)
		close(ret->fd);
	else
		put_name(ret->fd, ret->name);
	return status;
}

static int refuse_public(struct str address, struct err *err)
{
	err_set(err, ERR_VALUE, "without tokens, every client that reaches %s may read and send everything",
		shown(address).text);
	return err_hint(
		err, "add one with `opcheckd token add`, listen on 127.0.0.1 behind a proxy, or give --insecure");
}

static bool names_this_process(const char *variable)
{
	uint64_t number;

	return variable && decimal_unsigned(str_from(variable), &number) && number == (uint64_t)getpid();
}

/* Takes the socket that the service manager opened; false when there is none. */
static bool is_inherited(int *ret_status, bool open, struct listening *ret, struct err *err)
{
	const char *count = getenv("LISTEN_FDS");

	*ret_status = 0;
	if (!count || !names_this_process(getenv("LISTEN_PID")))
		return false;
	ret->fd = FIRST_INHERITED;
	if (strcmp(count, "1") != 0)
		*ret_status = err_set(err, ERR_LISTEN, "the service manager gives %s sockets, not one", count);
	else if (fcntl(ret->fd, F_SETFD, FD_CLOEXEC) || fcntl(ret->fd, F_SETFL, O_NONBLOCK))
		*ret_status = err_os(err, ERR_LISTEN, errno, "cannot use the socket of the service manager");
	else if (!put_name(ret->fd, ret->name) && !open)
		*ret_status = refuse_public(str_from(ret->name), err);
	return true;
}

/* The socket of a service that has ended is in the way; that of one that runs is not taken from it. */
static int open_unix(struct str path, struct listening *ret, struct err *err)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int status = 0;

	if (!path.len || path.len >= sizeof(address.sun_path))
		return err_set(
			err, ERR_VALUE, "the path of a Unix socket has 1 to %zu bytes", sizeof(address.sun_path) - 1);
	memcpy(address.sun_path, path.ptr, path.len);
	ret->fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (ret->fd < 0)
		return err_os(err, ERR_LISTEN, errno, "cannot make a socket");
	if (connect(ret->fd, (struct sockaddr *)&address, sizeof(address)) && errno == ECONNREFUSED)
		unlink(address.sun_path);
	close(ret->fd);
	ret->fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (ret->fd < 0 || bind(ret->fd, (struct sockaddr *)&address, sizeof(address)) || listen(ret->fd, BACKLOG))
		status = err_os(err, ERR_LISTEN, errno, "cannot listen");
	if (status && ret->fd >= 0)
		close(ret->fd);
	snprintf(ret->name, sizeof(ret->name), "unix:%.*s", STR_ARG(path));
	return status;
}

int listen_on(struct str address, bool open, struct listening *ret, struct err *err)
{
	struct addrinfo *info = NULL;
	int status;

	if (is_inherited(&status, open, ret, err))
		return status;
	if (str_starts(address, STR("unix:")))
		return open_unix(str_skip(address, strlen("unix:")), ret, err);
	status = resolve_address(address, &info, err);
	if (status)
		return status;
	if (!open && !is_loopback(info->ai_addr)) {
		status = refuse_public(address, err);
	} else {
		status = open_socket(info, ret, err);
		if (status)
			err_where(err, "%s", shown(address).text);
	}
	freeaddrinfo(info);
	return status;
}

void notify(const char *state)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	const char *path = getenv("NOTIFY_SOCKET");
	size_t len = path ? strlen(path) : 0;
	int fd;

	if (len < 2 || len >= sizeof(address.sun_path) || (path[0] != '/' && path[0] != '@'))
		return;
	memcpy(address.sun_path, path, len);
	if (path[0] == '@') /* an abstract name */
		address.sun_path[0] = '\0';
	fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return;
	/* a manager that does not listen is no reason to fail */
	(void)!sendto(fd, state, strlen(state), MSG_NOSIGNAL, (struct sockaddr *)&address,
		(socklen_t)(offsetof(struct sockaddr_un, sun_path) + len));
	close(fd);
}
