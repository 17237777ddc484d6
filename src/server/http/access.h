#pragma once
/*
 * Access of callers to addresses.
 *
 * A request is local when it comes over loopback or a Unix socket and no proxy says that it passes it on: this
 * machine may do everything. Any other one needs a token, a user that a trusted proxy vouches for, or `anonymous`.
 * Names in Host are checked for all of them: a page of another site whose name leads here would be local otherwise
 * (DNS rebinding).
 */
#include "base/setup/opt.h"
#include "base/value/sha256.h"
#include "server/http/peers.h"
#include "server/http/request.h"

/* As the configuration has them. */
struct access_settings {
	struct str_list hosts;   /* further names in Host; "*" is any */
	struct str_list proxies; /* ADDRESS, ADDRESS/BITS or "unix": who may say for whom it asks */
	struct str anonymous;    /* none, read or submit; "": local requests alone */
	struct str proxy_users;  /* read, submit or admin: what X-Forwarded-User of a trusted proxy may; "": nothing */
	bool insecure;           /* reading and submitting need no token */
};

struct access;
struct tokens;

enum { SESSION_SECONDS = 12 * 3600 };

/* ERR_CONFIG for what is no address, name or scope. The texts of the settings must outlive the result. */
int access_new(const struct access_settings *settings, struct access **ret, struct err *err);
void access_free(struct access *access);

/* From now on these tokens count. They must outlive the access. */
void access_use_tokens(struct access *access, struct tokens *tokens);

/* Them; NULL: none. */
struct tokens *access_tokens(const struct access *access);

/* The tokens of the access before this one. */
void access_follow(struct access *access, const struct access *before);

/* Returns whether a public address may be listened on: requests from elsewhere are identified, or open to all. */
bool access_serves_others(const struct access *access);

/* Returns whether the address is a trusted proxy's. */
bool access_trusts(const struct access *access, struct str address);

/* Identify the caller by the connection and the head. ERR_HOST, ERR_TOKEN for an invalid, revoked or expired token, or
   an error of the store. */
int access_identify(const struct access *access, const struct peer *peer, struct request *request, struct err *err);

/* The owner of limits and keys: the token or user, else the address. */
struct str access_who(const struct caller *caller);

/* Returns whether the caller has a scope. ERR_TOKEN when it has shown nothing, ERR_SCOPE when too little. */
int access_check(const struct request *request, enum scope scope, struct err *err);

/* --- browsers: a token becomes a session, whose secret is a cookie */

const char *access_cookie_name(bool https);

/* Turns the token of a form into a session, which lives as long as the request. ERR_TOKEN for an invalid one. */
int access_login(const struct access *access, struct request *request, struct str *ret, struct err *err);

/* Ends the caller's session, if there is one. */
int access_logout(const struct access *access, struct request *request, struct err *err);

/* The CSRF value of this session's forms, in hexadecimal, derived from its cookie. */
void access_csrf(const struct request *request, char ret_hex[SHA256_HEX_BYTES]);

/* When a request whose body is there changes something by the cookie of a session: ERR_ORIGIN unless it carries that,
   as a field or as X-CSRF-Token. */
int access_check_form(const struct request *request, struct err *err);
