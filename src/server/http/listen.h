#pragma once
/* The address that the service listens on, and what it tells the service manager (systemd) of its state. */
#include "base/setup/err.h"
#include "base/view/str.h"

enum { LISTEN_NAME_BYTES = 128 };

struct listening {
	int fd;
	char name[LISTEN_NAME_BYTES]; /* "http://127.0.0.1:8787", with the real port; "unix:/path" */
};

/* Listens on the socket that the service manager opened (sd_listen_fds(3)); where there is none on unix:PATH, for this
   user alone, or on HOST:PORT, [HOST]:PORT for IPv6; HOST is a number or "localhost", port 0 any that is free. An
   address that others can reach is ERR_VALUE unless open is set. ERR_VALUE for anything else, ERR_LISTEN. */
int listen_on(struct str address, bool open, struct listening *ret, struct err *err);

/* Telling the service manager how far the service is (sd_notify(3)), without its library. */

/* Sends "READY=1" and the like to $NOTIFY_SOCKET; nothing where there is none. */
void notify(const char *state);
