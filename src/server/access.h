#pragma once
/*
 * Who may ask for what.
 *
 * A request is local when it comes over loopback or a Unix socket and no proxy says that it passes it on: this
 * machine may do everything. Any other one needs a token, a user that a trusted proxy vouches for, or `anonymous`.
 * Names in Host are checked for all of them: a page of another site whose name leads here would be local otherwise (DNS
 * rebinding).
 */
#include "base/opt.h"
#include "server/peers.h"
#include "server/request.h"

/* As the configuration has them. */
struct access_settings {
	struct str_list hosts;   /* further names in Host; "*" is any */
	struct str_list proxies; /* ADDRESS, ADDRESS/BITS or "unix": who may say for whom it asks */
	struct str anonymous;    /* none, read or submit; "": local requests alone */
	struct str proxy_users;  /* read, submit or admin: what X-Forwarded-User of a trusted proxy may; "": nothing */
	bool insecure;           /* anybody may read and submit */
};

struct access;

/* ERR_CONFIG for what is no address, name or scope. The texts of the settings must outlive the result. */
int access_new(const struct access_settings *settings, struct access **ret, struct err *err);
void access_free(struct access *access);

/* Whether requests of others could be told apart or are wanted, so that a public address may be listened on. */
bool access_serves_others(const struct access *access);

/* Whether the address is a trusted proxy's. */
bool access_trusts(const struct access *access, struct str address);

/* Settles request->caller from the connection and the head. ERR_HOST, ERR_TOKEN. */
int access_settle(const struct access *access, const struct peer *peer, struct request *request, struct err *err);

/* Whether the caller may do what needs a scope. ERR_TOKEN when it has shown nothing, ERR_SCOPE when too little. */
int access_check(const struct request *request, enum scope scope, struct err *err);
