#pragma once
/*
 * Tokens give access to the service. One is "opc_ID_SECRET"; the store keeps only the SHA-256 of the secret, so that
 * a reader of the store cannot use it. A session of a browser is a token made by another one; it ends with it.
 *
 * Tokens have a connection of their own to the store's file: another process may add and revoke them while the
 * service runs, effective from the next request. Errors are as in store.h.
 */
#include "base/memory/arena.h"
#include "base/setup/err.h"
#include "store/engine/place.h"

struct tokens;

enum { TOKEN_ID_AT = 4, TOKEN_ID_BYTES = 13, TOKEN_TEXT_BYTES = 4 + 12 + 1 + 64 + 1 };

struct token {
	struct str id, name, scope, project; /* scope: read, submit or admin */
	struct str parent;                   /* of a session: the id of the token that made it; else "" */
	uint64_t created_at, expires_at, revoked_at, last_used_at; /* seconds since 1970; 0: never */
	uint64_t minute_requests, hour_bytes, jobs;                /* limits of the token; 0: the service's */
};

/* Opens the tokens of a store; the strings of the place live as long. set_up: it may be new or of an older program,
   else a store has been opened on it. May be used by several threads. */
int tokens_open(const struct store_place *place, bool set_up, struct tokens **ret, struct err *err);

/* NULL is allowed. */
void tokens_close(struct tokens *tokens);

/* Adds a token; its id and the times of its use are set here. Only the caller knows its text from now on. */
int tokens_add(struct tokens *tokens, const struct token *wanted, char ret_text[TOKEN_TEXT_BYTES], struct err *err);

/* 1: text is a valid token, *ret; 0: invalid. The use of a token is recorded at most once an hour. */
int tokens_find(struct tokens *tokens, struct str text, struct arena *arena, struct token *ret, struct err *err);

/* Calls put for all tokens but sessions, the oldest first. */
int tokens_list(struct tokens *tokens, void (*put)(void *ctx, const struct token *token), void *ctx, struct err *err);

/* Revoke a token and its sessions: 1, or 0 if it does not exist. */
int tokens_revoke(struct tokens *tokens, struct str id, struct err *err);

/* Record a command's action on a token in the audit log; the service records those of requests. */
int tokens_note(struct tokens *tokens, const char *action, struct str id, struct err *err);

/* Ends the session with that text. */
int tokens_end(struct tokens *tokens, struct str session, struct err *err);

/* Seconds since 1970 by the clock that their times are compared with. */
uint64_t tokens_now(const struct tokens *tokens);

/* Returns whether any token is valid. */
bool tokens_exist(struct tokens *tokens);
