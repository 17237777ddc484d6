#pragma once
/* Every statement of SQL that the store runs often, in one table, and how one is run: with its values, row by row. The
   names of its columns are the keys of its record in rows.c. */
#include "base/memory/arena.h"
#include "base/setup/err.h"

#define RECORD_COLUMNS                                                                                                 \
	"assessment.number AS assessment_number, assessment.id AS assessment_id, assessment.created_at AS "            \
	"assessed_at,"                                                                                                 \
	" assessment.name AS dump_name, input_sha256, input_bytes, options, db_sha256, tool_version"
#define RUN_COLUMNS                                                                                                    \
	"run.number, run.id, run.created_at, project, run.name, model, branch, revision, tags, verdict, "              \
	"kept, " RECORD_COLUMNS
/* clang-format off */
enum statement {
	STATEMENT_BEGIN, STATEMENT_SNAPSHOT, STATEMENT_COMMIT, STATEMENT_ROLLBACK, STATEMENT_FIND, STATEMENT_LIST,
	STATEMENT_LIST_PROJECT, STATEMENT_COUNT_ALL, STATEMENT_COUNT_PROJECT, STATEMENT_FIND_LIKE,
	STATEMENT_NEIGHBOURS, STATEMENT_VERDICTS, STATEMENT_REPORT, STATEMENT_DOCUMENT, STATEMENT_INPUT_USED,
	STATEMENT_ADD, STATEMENT_ADD_VERDICT, STATEMENT_ADD_DOCUMENT, STATEMENT_ADD_BLOCKER, STATEMENT_ADD_RUN,
	STATEMENT_ADD_TAG, STATEMENT_ADD_TEXT, STATEMENT_FIND_RUNS, STATEMENT_CHANGE_RUN, STATEMENT_DROP_TAGS,
	STATEMENT_DROP_TEXT, STATEMENT_KEEP, STATEMENT_RUNS_OF, STATEMENT_STANDINGS, STATEMENT_STANDINGS_PROJECT,
	STATEMENT_BRANCHES, STATEMENT_TREND, STATEMENT_RECENT_MODELS, STATEMENT_DEMAND, STATEMENT_RUN_GOES,
	STATEMENT_HAS_RUNS, STATEMENT_DROP_RUN, STATEMENT_DOOMED, STATEMENT_GOES, STATEMENT_DROP_DOCUMENTS,
	STATEMENT_DROP_REPORT, STATEMENT_DROP_VERDICTS, STATEMENT_DROP_BLOCKERS, STATEMENT_ADD_USED,
	STATEMENT_USES, STATEMENT_DROP, STATEMENT_TICKET, STATEMENT_ADD_TICKET, STATEMENT_END_TICKET,
	STATEMENT_TAKE_TICKET, STATEMENT_RETURN_TICKET, STATEMENT_RENEW_TICKETS, STATEMENT_FREE_TICKETS,
	STATEMENT_DROP_TICKETS, STATEMENT_KEY, STATEMENT_TAKE_KEY, STATEMENT_ANSWER_KEY, STATEMENT_DROP_KEY,
	STATEMENT_RENEW_KEYS, STATEMENT_FREE_KEYS, STATEMENT_DROP_KEYS, STATEMENT_ADD_AUDIT, STATEMENT_AUDITS,
	STATEMENT_DROP_AUDITS, STATEMENT_ADD_DELIVERY, STATEMENT_DELIVERY, STATEMENT_POSTPONE_DELIVERY,
	STATEMENT_DROP_DELIVERY, STATEMENT_PROJECT_WAIVERS, STATEMENT_SET_PROJECT_WAIVERS, STATEMENT_MODEL_RUN,
	STATEMENT_KEEP_MODEL, STATEMENT_RENAME_RUNS, STATEMENT_RENAME_LATEST, STATEMENT_RENAME_TEXTS,
	STATEMENT_TAKE_FORMER, STATEMENT_MOVE_FORMER, STATEMENT_ADD_FORMER, STATEMENT_FORMER, STATEMENT_FIND_TOKEN,
	STATEMENT_ADD_TOKEN, STATEMENT_USE_TOKEN, STATEMENT_TOKENS, STATEMENT_REVOKE_TOKEN, STATEMENT_TOKENS_EXIST,
	STATEMENT_FORGET_SESSIONS, STATEMENT_END_SESSION, STATEMENT_COUNT
};
/* clang-format on */

extern const char *const statement_texts[STATEMENT_COUNT];

struct db;
struct sqlite3_stmt;

/* A value of a parameter: TEXT is "" for a text that is not given, TEXT_OR_NULL is NULL then. */
struct db_value {
	enum { DB_NO_VALUE, DB_NUMBER, DB_TEXT, DB_BYTES, DB_NULL } kind;
	uint64_t number;
	struct str text;
};
#define INTEGER(value) ((struct db_value){ .kind = DB_NUMBER, .number = (uint64_t)(value) })
#define TEXT(value) ((struct db_value){ .kind = DB_TEXT, .text = (value) })
#define TEXT_OR_NULL(value) ((struct db_value){ .kind = (value).ptr ? DB_TEXT : DB_NULL, .text = (value) })
#define BYTES(value) ((struct db_value){ .kind = DB_BYTES, .text = (value) })
#define BIND(...) ((const struct db_value[]){ __VA_ARGS__, { 0 } })
#define BIND_NOTHING ((const struct db_value[]){ { 0 } })

/* Bind values to the parameters of a statement, from 1; surplus values are left out. The caller's bytes live until
   it is reset. Hold the lock, here and below. */
void db_bind_values(struct sqlite3_stmt *statement, const struct db_value *values);

/* A statement of the table, from its start, with these values. */
struct sqlite3_stmt *db_bind(struct db *db, enum statement which, const struct db_value *values);

/* 1 at a row, 0 at the end (also of what returns no rows), or an error. The statement is reset unless there is a
   row. */
int db_step(struct db *db, struct sqlite3_stmt *statement, struct err *err);

/* The first step alone, after which the statement is reset. */
int db_run(struct db *db, enum statement which, const struct db_value *values, struct err *err);

/* Resets a statement before its last row; db_finish: status if it is an error, else 0. */
void db_stop(struct sqlite3_stmt *statement);
int db_finish(struct sqlite3_stmt *statement, int status);
