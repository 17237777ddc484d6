#pragma once
/*
 * Tokens: who may use the service from elsewhere. One is "opc_ID_SECRET"; the store keeps the SHA-256 of the secret
 * alone, so that nobody who reads the store can use it. A session of a browser is a token that another one made; it
 * ends with it.
 *
 * They lie in the file of the store, reached through a connection of their own: another process may add and revoke them
 * while the service runs, and what it did counts for the next request. Errors are as in store.h.
 */
#include "base/memory/arena.h"
#include "base/setup/err.h"

struct tokens;

enum { TOKEN_ID_AT = 4, TOKEN_ID_BYTES = 13, TOKEN_TEXT_BYTES = 4 + 12 + 1 + 64 + 1 };

struct token {
	struct str id, name, scope, project; /* scope: read, submit or admin */
	struct str parent;                   /* of a session: the id of the token that made it; else "" */
	uint64_t created_at, expires_at, revoked_at, last_used_at; /* seconds since 1970; 0: never */
	uint64_t minute_requests, hour_bytes, jobs; /* what it may, in place of the limits; 0: as they say */
};

/* Opens the tokens of a state directory; set_up: it may be new or of an older program, else a store has been opened on
   it. May be used by several threads. */
int tokens_open(const char *directory, bool set_up, struct tokens **ret, struct err *err);

/* NULL is allowed. */
void tokens_close(struct tokens *tokens);

/* Adds a token; its id and the times of its use are set here. Only the caller knows its text from now on. */
int tokens_add(struct tokens *tokens, const struct token *wanted, char ret_text[TOKEN_TEXT_BYTES], struct err *err);

/* 1: text is a token that holds now, *ret; 0: it is none. At most once an hour it is noted that a token was used. */
int tokens_find(struct tokens *tokens, struct str text, struct arena *arena, struct token *ret, struct err *err);

/* Calls put for all tokens but sessions, the oldest first. */
int tokens_list(struct tokens *tokens, void (*put)(void *ctx, const struct token *token), void *ctx, struct err *err);

/* From now on the token and its sessions hold no more: 1, or 0 when there is no such token. */
int tokens_revoke(struct tokens *tokens, struct str id, struct err *err);

/* Notes in the audit log what a command did with a token; what requests do, the service notes. */
int tokens_note(struct tokens *tokens, const char *action, struct str id, struct err *err);

/* Ends the session with that text. */
int tokens_end(struct tokens *tokens, struct str session, struct err *err);

/* Whether some token holds now. */
bool tokens_exist(struct tokens *tokens);
