#include "store/token.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/sha256.h"
#include "store/audit.h"
#include "store/db.h"

enum { ID_BYTES = 6, SECRET_BYTES = 32, HOUR = 3600 };

#define COLUMNS                                                                                                        \
	"token.id, token.name, token.scope, token.project, coalesce(token.parent, ''), token.created_at,"              \
	" token.expires_at, token.revoked_at, token.last_used_at, token.minute_requests, token.hour_bytes, token.jobs"

enum token_statement { FIND, ADD, USE, LIST, REVOKE, EXIST, FORGET, END, STATEMENTS };

/* A token holds unless it, or the one that made it, was revoked or is past its time. */
#define HOLDS(table, now) table ".revoked_at = 0 AND (" table ".expires_at = 0 OR " table ".expires_at > " now ")"

static const char *const texts[STATEMENTS] = {
	[FIND] = "SELECT " COLUMNS
		 ", token.secret_sha256 FROM token LEFT JOIN token AS parent ON parent.id = token.parent"
		 " WHERE token.id = ?1 AND " HOLDS("token", "?2") " AND (token.parent IS NULL OR (" HOLDS(
			 "parent", "?2") "))",
	[ADD] = "INSERT INTO token (id, secret_sha256, name, scope, project, parent, created_at, expires_at,"
		" minute_requests, hour_bytes, jobs)"
		" VALUES (?, ?, coalesce(?, ''), ?, coalesce(?, ''), nullif(?, ''), ?, ?, ?, ?, ?)",
	[USE] = "UPDATE token SET last_used_at = ?2 WHERE id = ?1",
	[LIST] = "SELECT " COLUMNS " FROM token WHERE parent IS NULL ORDER BY created_at, id",
	[REVOKE] = "UPDATE token SET revoked_at = ?2 WHERE id = ?1 AND parent IS NULL RETURNING id",
	[EXIST] = "SELECT 1 FROM token WHERE parent IS NULL AND " HOLDS("token", "?1") " LIMIT 1",
	[FORGET] = "DELETE FROM token WHERE parent IS NOT NULL AND expires_at <= ?1",
	[END] = "DELETE FROM token WHERE parent IS NOT NULL AND id = ?1 AND expires_at > ?2",
};

struct tokens {
	struct db db; /* with its lock; the statements of the store are not used */
	char *directory;
	sqlite3_stmt *statements[STATEMENTS];
};

static uint64_t now_seconds(void)
{
	return (uint64_t)time(NULL);
}

/* --- opening */

static int open_connection(struct tokens *tokens, const char *directory, bool set_up, struct err *err)
{
	int status;

	tokens->directory = mem_text(directory);
	status = db_open(&tokens->db, tokens->directory, set_up, err);
	for (size_t i = 0; i < STATEMENTS && !status; i++) {
		if (sqlite3_prepare_v3(
			    tokens->db.sqlite, texts[i], -1, SQLITE_PREPARE_PERSISTENT, &tokens->statements[i], NULL))
			status = db_error(&tokens->db, err);
	}
	return status;
}

int tokens_open(const char *directory, bool set_up, struct tokens **ret, struct err *err)
{
	struct tokens *tokens = mem_zalloc(sizeof(*tokens));
	int status;

	pthread_mutex_init(&tokens->db.lock, NULL);
	status = open_connection(tokens, directory, set_up, err);
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
	for (size_t i = 0; i < STATEMENTS; i++)
		sqlite3_finalize(tokens->statements[i]);
	db_close(&tokens->db);
	pthread_mutex_destroy(&tokens->db.lock);
	free(tokens->directory);
	free(tokens);
}

/* A statement whose first parameter is an id ("": none) and whose next is the time. */
static sqlite3_stmt *statement_at(struct tokens *tokens, enum token_statement which, struct str id)
{
	sqlite3_stmt *statement = tokens->statements[which];
	int parameter = 1;

	db_stop(statement);
	if (id.len)
		db_bind_text(statement, parameter++, id);
	db_bind_number(statement, parameter, now_seconds());
	return statement;
}

int tokens_note(struct tokens *tokens, const char *action, struct str id, struct err *err)
{
	char who[48];
	int status;

	snprintf(who, sizeof(who), "system user %lu", (unsigned long)getuid());
	pthread_mutex_lock(&tokens->db.lock);
	status = audit_add(&tokens->db,
		&(struct audit){ .at = now_seconds(),
			.who = str_from(who),
			.address = STR(""),
			.action = str_from(action),
			.subject = id,
			.request = STR("") },
		err);
	pthread_mutex_unlock(&tokens->db.lock);
	return status;
}

/* --- making */

static void hash_secret(struct str secret, char ret_hex[SHA256_HEX_BYTES])
{
	struct sha256 *sha = sha256_new();

	sha256_add(sha, secret);
	sha256_end(sha, ret_hex);
}

int tokens_add(struct tokens *tokens, const struct token *wanted, char ret_text[TOKEN_TEXT_BYTES], struct err *err)
{
	char id[2 * ID_BYTES + 1], secret[2 * SECRET_BYTES + 1], hash[SHA256_HEX_BYTES];
	struct str values[] = { STR(""), STR(""), wanted->name, wanted->scope, wanted->project, wanted->parent };
	const uint64_t numbers[] = { now_seconds(), wanted->expires_at, wanted->minute_requests, wanted->hour_bytes,
		wanted->jobs };
	sqlite3_stmt *add = tokens->statements[ADD];
	int status;

	secret_random(id, ID_BYTES);
	secret_random(secret, SECRET_BYTES);
	hash_secret(str_from(secret), hash);
	values[0] = str_from(id);
	values[1] = str_from(hash);
	pthread_mutex_lock(&tokens->db.lock);
	status = db_step(&tokens->db, statement_at(tokens, FORGET, STR("")), err);
	db_stop(add);
	for (size_t i = 0; i < ARRAY_SIZE(values); i++)
		db_bind_text(add, (int)i + 1, values[i]);
	for (size_t i = 0; i < ARRAY_SIZE(numbers); i++)
		db_bind_number(add, (int)(ARRAY_SIZE(values) + i) + 1, numbers[i]);
	if (!status)
		status = db_step(&tokens->db, add, err);
	pthread_mutex_unlock(&tokens->db.lock);
	if (!status)
		snprintf(ret_text, TOKEN_TEXT_BYTES, "opc_%s_%s", id, secret);
	return status;
}

/* --- using */

static void read_token(sqlite3_stmt *row, struct arena *arena, struct token *ret)
{
	*ret = (struct token){ .created_at = db_number(row, 5), .expires_at = db_number(row, 6) };
	ret->id = db_text(row, 0, arena);
	ret->name = db_text(row, 1, arena);
	ret->scope = db_text(row, 2, arena);
	ret->project = db_text(row, 3, arena);
	ret->parent = db_text(row, 4, arena);
	ret->revoked_at = db_number(row, 7);
	ret->last_used_at = db_number(row, 8);
	ret->minute_requests = db_number(row, 9);
	ret->hour_bytes = db_number(row, 10);
	ret->jobs = db_number(row, 11);
}

/* "opc_ID_SECRET". */
static bool split_token(struct str text, struct str *ret_id, struct str *ret_secret)
{
	struct str head;

	return str_cut(&text, '_', &head) && str_eq(head, STR("opc")) && str_cut(&text, '_', ret_id) &&
	       ret_id->len == 2 * ID_BYTES && (*ret_secret = text).len == 2 * SECRET_BYTES;
}

/* That it is used is nice to know: a request neither waits nor fails for it. */
static void note_use(struct tokens *tokens, const struct token *token)
{
	struct err ignored;

	if (token->last_used_at + HOUR > now_seconds())
		return;
	sqlite3_busy_timeout(tokens->db.sqlite, 0);
	db_step(&tokens->db, statement_at(tokens, USE, token->id), &ignored);
	sqlite3_busy_timeout(tokens->db.sqlite, DB_BUSY_MS);
}

int tokens_find(struct tokens *tokens, struct str text, struct arena *arena, struct token *ret, struct err *err)
{
	char hash[SHA256_HEX_BYTES];
	struct str id, secret;
	sqlite3_stmt *row;
	int status;

	if (!split_token(text, &id, &secret))
		return 0;
	hash_secret(secret, hash);
	pthread_mutex_lock(&tokens->db.lock);
	row = statement_at(tokens, FIND, id);
	status = db_step(&tokens->db, row, err);
	if (status == 1) {
		read_token(row, arena, ret);
		status = secret_equal(str_from(hash), db_text(row, 12, arena));
		db_stop(row);
	}
	if (status == 1)
		note_use(tokens, ret);
	pthread_mutex_unlock(&tokens->db.lock);
	return status;
}

int tokens_list(struct tokens *tokens, void (*put)(void *ctx, const struct token *token), void *ctx, struct err *err)
{
	struct arena arena = ARENA_INIT(ARENA_UNLIMITED);
	sqlite3_stmt *rows = tokens->statements[LIST];
	struct token token;
	int status;

	pthread_mutex_lock(&tokens->db.lock);
	db_stop(rows);
	while ((status = db_step(&tokens->db, rows, err)) == 1) {
		read_token(rows, &arena, &token);
		put(ctx, &token);
	}
	pthread_mutex_unlock(&tokens->db.lock);
	arena_clear(&arena);
	return status;
}

int tokens_revoke(struct tokens *tokens, struct str id, struct err *err)
{
	sqlite3_stmt *row;
	int status;

	pthread_mutex_lock(&tokens->db.lock);
	row = statement_at(tokens, REVOKE, id.len ? id : STR("?"));
	status = db_step(&tokens->db, row, err);
	if (status == 1)
		db_stop(row);
	pthread_mutex_unlock(&tokens->db.lock);
	return status;
}

int tokens_end(struct tokens *tokens, struct str session, struct err *err)
{
	struct str id, secret;
	int status;

	if (!split_token(session, &id, &secret))
		return 0;
	pthread_mutex_lock(&tokens->db.lock);
	status = db_step(&tokens->db, statement_at(tokens, END, id), err);
	pthread_mutex_unlock(&tokens->db.lock);
	return status;
}

bool tokens_exist(struct tokens *tokens)
{
	struct err ignored;
	sqlite3_stmt *row;
	bool found;

	pthread_mutex_lock(&tokens->db.lock);
	row = statement_at(tokens, EXIST, STR(""));
	found = db_step(&tokens->db, row, &ignored) == 1;
	if (found)
		db_stop(row);
	pthread_mutex_unlock(&tokens->db.lock);
	return found;
}
