#pragma once
/* The address that the service listens on. */
#include "base/err.h"
#include "base/str.h"

enum { LISTEN_NAME_BYTES = 80 };

struct listening {
	int fd;
	char name[LISTEN_NAME_BYTES]; /* "127.0.0.1:8787", "[::1]:8787", with the real port */
};

/* Listens on HOST:PORT, [HOST]:PORT for IPv6; HOST is a number or "localhost", port 0 any that is free. An address
   that others can reach is ERR_VALUE unless open is set. ERR_VALUE for anything else, ERR_LISTEN. */
int listen_on(struct str address, bool open, struct listening *ret, struct err *err);
