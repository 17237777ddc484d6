#pragma once
/* The caller of a request, as server/http/access.h identifies it. */
#include "base/view/str.h"

/* The right that a route needs; each includes those before it. */
enum scope {
	SCOPE_OPEN = -1, /* nothing: health, the login, what pages are made of */
	SCOPE_READ,
	SCOPE_SUBMIT,
	SCOPE_ADMIN,
};

/* Limits of a token, in place of those of the service; 0: the same. */
struct allowance {
	uint64_t minute_requests, hour_bytes, jobs;
};

/* Texts live as long as the request. */
struct caller {
	enum scope scope;   /* what it may do */
	struct str address; /* of the client: the one that a trusted proxy forwarded, else that of the connection */
	struct str name;    /* for logs: "local", "anonymous", "token ID", "user NAME" */
	struct str project; /* that its token is for; "": none */
	struct allowance allowance;
	struct str session; /* the cookie that a browser came in with; "": none, and forms need no token */
	bool local;         /* this machine itself, not a request that it forwards */
	bool https;         /* a trusted proxy says that the browser speaks TLS to it */
};
