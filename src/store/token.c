#include "store/token.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/memory/mem.h"
#include "base/value/sha256.h"
#include "store/audit.h"
#include "store/db.h"
#include "store/engine/directory.h"
#include "store/rows.h"

enum { ID_BYTES = 6, SECRET_BYTES = 32, HOUR = 3600 };

struct tokens {
	struct db db; /* with its lock */
	struct store_place place;
};

/* --- opening */

int tokens_open(const struct store_place *place, bool set_up, struct tokens **ret, struct err *err)
{
	struct tokens *tokens = mem_zalloc(sizeof(*tokens));
	int status = set_up ? directory_make(place->directory, err) : 0;

	pthread_mutex_init(&tokens->db.lock, NULL);
	tokens->place = *place;
	if (!status)
		status = db_open(&tokens->db, &tokens->place, set_up, err);
	if (status)
		tokens_close(tokens);
	else
		*ret = tokens;
	return status;
}

void tokens_close(struct tokens *tokens)
{
	if (!tokens)
		return;
	db_close(&tokens->db);
	pthread_mutex_destroy(&tokens->db.lock);
	free(tokens);
}

int tokens_note(struct tokens *tokens, const char *action, struct str id, struct err *err)
{
	CLEANUP(db_unlock) struct db *db = db_lock(&tokens->db);
	char who[48];

	snprintf(who, sizeof(who), "system user %lu", (unsigned long)getuid());
	return audit_add(db,
		&(struct audit){
			.at = engine_now(db->engine), .who = str_from(who), .action = str_from(action), .subject = id },
		err);
}

/* --- making */

int tokens_add(struct tokens *tokens, const struct token *wanted, char ret_text[TOKEN_TEXT_BYTES], struct err *err)
{
	CLEANUP(db_unlock) struct db *db = db_lock(&tokens->db);
	char id[2 * ID_BYTES + 1], secret[2 * SECRET_BYTES + 1], hash[SHA256_HEX_BYTES];
	int status = db_run(db, STATEMENT_FORGET_SESSIONS, BIND(INTEGER(engine_now(db->engine))), err);

	secret_random(id, ID_BYTES);
	secret_random(secret, SECRET_BYTES);
	sha256_of(str_from(secret), hash);
	if (!status)
		status = db_run(db, STATEMENT_ADD_TOKEN,
			BIND(AS("id", TEXT(str_from(id))), AS("secret_sha256", TEXT(str_from(hash))),
				AS("name", TEXT(wanted->name)), AS("scope", TEXT(wanted->scope)),
				AS("project", TEXT(wanted->project)), AS("parent", TEXT(wanted->parent)),
				AS("created_at", INTEGER(engine_now(db->engine))),
				AS("expires_at", INTEGER(wanted->expires_at)),
				AS("minute_requests", INTEGER(wanted->minute_requests)),
				AS("hour_bytes", INTEGER(wanted->hour_bytes)), AS("jobs", INTEGER(wanted->jobs))),
			err);
	if (!status)
		snprintf(ret_text, TOKEN_TEXT_BYTES, "opc_%s_%s", id, secret);
	return status;
}

/* --- using */

/* "opc_ID_SECRET". */
static bool split_token(struct str text, struct str *ret_id, struct str *ret_secret)
{
	struct str head;

	return str_cut(&text, '_', &head) && str_eq(head, STR("opc")) && str_cut(&text, '_', ret_id) &&
	       ret_id->len == 2 * ID_BYTES && (*ret_secret = text).len == 2 * SECRET_BYTES;
}

/* That it is used is nice to know: a request neither waits nor fails for it. */
static void note_use(struct db *db, const struct token *token)
{
	struct err ignored;

	if (token->last_used_at + HOUR > engine_now(db->engine))
		return;
	engine_wait(db->engine, 0);
	db_run(db, STATEMENT_USE_TOKEN, BIND(TEXT(token->id), INTEGER(engine_now(db->engine))), &ignored);
	engine_wait(db->engine, ENGINE_WAIT_MS);
}

int tokens_find(struct tokens *tokens, struct str text, struct arena *arena, struct token *ret, struct err *err)
{
	CLEANUP(db_unlock) struct db *db = db_lock(&tokens->db);
	char hash[SHA256_HEX_BYTES];
	struct token_row found = { 0 };
	struct str id, secret;
	struct rows *row;
	int status;

	if (!split_token(text, &id, &secret))
		return 0;
	sha256_of(secret, hash);
	row = db_bind(db, STATEMENT_FIND_TOKEN, BIND(TEXT(id), INTEGER(engine_now(db->engine))));
	status = rows_one(row, arena, &found, err);
	if (status != 1)
		return status;
	*ret = found.token;
	status = secret_equal(str_from(hash), found.secret_sha256);
	if (status)
		note_use(db, ret);
	return status;
}

int tokens_list(struct tokens *tokens, void (*put)(void *ctx, const struct token *token), void *ctx, struct err *err)
{
	CLEANUP(arena_clear) struct arena arena = ARENA_INIT(ARENA_UNLIMITED);
	CLEANUP(db_unlock) struct db *db = db_lock(&tokens->db);
	struct rows *rows = db_bind(db, STATEMENT_TOKENS, BIND_NOTHING);
	struct token token = { 0 };
	int status;

	while ((status = rows_step(rows, err)) == 1) {
		rows_read(rows, &arena, &token);
		put(ctx, &token);
	}
	return status;
}

uint64_t tokens_now(const struct tokens *tokens)
{
	return engine_now(tokens->db.engine);
}

int tokens_revoke(struct tokens *tokens, struct str id, struct err *err)
{
	CLEANUP(db_unlock) struct db *db = db_lock(&tokens->db);

	return db_run(db, STATEMENT_REVOKE_TOKEN, BIND(TEXT(id), INTEGER(engine_now(db->engine))), err);
}

int tokens_end(struct tokens *tokens, struct str session, struct err *err)
{
	CLEANUP(db_unlock) struct db *db = db_lock(&tokens->db);
	struct str id, secret;

	return split_token(session, &id, &secret)
		       ? db_run(db, STATEMENT_END_SESSION, BIND(TEXT(id), INTEGER(engine_now(db->engine))), err)
		       : 0;
}

bool tokens_exist(struct tokens *tokens)
{
	CLEANUP(db_unlock) struct db *db = db_lock(&tokens->db);
	struct err ignored;

	return db_run(db, STATEMENT_TOKENS_EXIST, BIND(INTEGER(engine_now(db->engine))), &ignored) == 1;
}
