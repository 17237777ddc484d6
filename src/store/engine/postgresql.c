#include "store/engine/postgresql.h"

#include <endian.h>
#include <errno.h>
#include <libpq-fe.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory/buf.h"
#include "base/memory/mem.h"
#include "base/setup/clock.h"
#include "store/engine/postgresql_answer.h"
#include "store/engine/postgresql_steps.h"
#include "store/engine/postgresql_text.h"
#include "store/engine/signal.h"

enum {
	PARAMETERS = VALUES_MOST,
	PASSWORD_BYTES = 1024,
	RETRY_MS = 1000,      /* between attempts to reach a database that is gone */
	GRACE_MS = 1000,      /* for the answer of a server that ends a query */
	WRITER_TIMES = 3,     /* times a reader's limit */
	CLOCK_MS = 60 * 1000, /* that the difference of the clocks counts */
	PIPELINED = 200,      /* runs of a statement under way at one time */
	MS = 1000
};

/* Types of parameters and columns, as in catalog/pg_type.dat. */
enum { TYPE_BYTES = 17, TYPE_INT8 = 20, TYPE_TEXT = 25, TYPE_ANY = 0 };

struct postgresql {
	struct engine engine;
	PGconn *connection;
	unsigned connections;     /* so far: a statement is prepared on one */
	unsigned heard_on;        /* connection that heard signals last; 0: none, it does not listen */
	unsigned doubts;          /* when it was made */
	uint64_t seconds;         /* that the server lets a query take; 0: any */
	struct patience patience; /* with its answers */
	int64_t clock_read_at;    /* by the monotonic clock in milliseconds */
	atomic_llong clock_ahead; /* of the database's clock */
};

struct parameters {
	int count;
	Oid types[PARAMETERS];
	const char *values[PARAMETERS];
	int lengths[PARAMETERS], formats[PARAMETERS];
	uint64_t numbers[PARAMETERS];
	struct buf arrays[PARAMETERS];
};

/* Of all connections of the process. While the database is gone, one of them at a time tries to reach it. */
static struct {
	atomic_uint doubts; /* silences: a connection from before one is renewed */
	atomic_bool gone, tries;
	atomic_llong tried_at;
} reach;

/* A statement of libpq: its parameters and its result. */
struct prepared {
	char *text;
	char name[24];       /* "": of no table */
	unsigned connection; /* that it is prepared on; 0: none */
	struct parameters given;
	PGresult *result;
	int row;
};

static struct postgresql *of(struct engine *engine)
{
	return (struct postgresql *)engine;
}

/* --- errors */

/* reason: of libpq, NULL: the error has its text. */
static int unreachable(struct engine *engine, const char *reason, struct err *err)
{
	if (reason)
		err_set(err, ERR_BUSY, "the database cannot be reached: %.*s", (int)strcspn(reason, "\n"), reason);
	err_hint(err, "try again later");
	return err_file(err, engine->place->url);
}

/* SQLSTATE and its class, by the errors that they become; the others are ERR_STORE. */
static const struct {
	const char *state;
	enum err_code code;
} states[] = {
	{ "53100", ERR_STORE_FULL },    /* disk full */
	{ "XX001", ERR_STORE_DAMAGED }, /* data corrupted */
	{ "XX002", ERR_STORE_DAMAGED }, /* index corrupted */
	{ "08", ERR_BUSY },             /* connection */
	{ "40", ERR_BUSY },             /* deadlock, serialization */
	{ "53", ERR_BUSY },             /* too many connections, out of memory */
	{ "55P03", ERR_BUSY },          /* lock not available */
	{ "57P", ERR_BUSY },            /* shutdown, cannot connect now */
	{ "25P03", ERR_BUSY },          /* idle in transaction for too long */
};

static int lost(struct engine *engine, struct err *err)
{
	struct postgresql *own = of(engine);

	if (!own->patience.ended)
		return unreachable(engine, PQerrorMessage(own->connection), err);
	err_set(err, ERR_BUSY, "the database does not answer");
	return unreachable(engine, NULL, err);
}

static int failed(struct engine *engine, const PGresult *result, struct err *err)
{
	const char *state = PQresultErrorField(result, PG_DIAG_SQLSTATE);
	const char *reason = PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY);
	enum err_code code = ERR_STORE;

	if (PQstatus(of(engine)->connection) != CONNECTION_OK || !state)
		return lost(engine, err);
	if (strcmp(state, "57014") == 0) {
		err_set(err, ERR_BUSY, "the query takes longer than the limit query-seconds");
		return err_hint(err, "ask for fewer items, or with another filter");
	}
	for (size_t i = ARRAY_SIZE(states); i-- > 0;) {
		if (strncmp(state, states[i].state, strlen(states[i].state)) == 0)
			code = states[i].code;
	}
	err_set(err, code, "store error: %s", reason ? reason : PQresStatus(PQresultStatus(result)));
	return err_file(err, engine->place->url);
}

static bool is_done(const PGresult *result)
{
	ExecStatusType status = PQresultStatus(result);

	return status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK;
}

/* --- answers */

/* A silence of the database counts for all connections. */
static PGresult *note_silence(struct postgresql *own, PGresult *result)
{
	if (own->patience.ended && own->doubts == atomic_load(&reach.doubts)) {
		atomic_fetch_add(&reach.doubts, 1);
		atomic_store(&reach.tried_at, clock_ms());
		atomic_store(&reach.gone, true);
	}
	return result;
}

static PGresult *execute_text(struct postgresql *own, const char *text)
{
	PQsendQuery(own->connection, text);
	return note_silence(own, answer_last(own->connection, &own->patience));
}

/* --- connecting */

static int refuse_password(const char *url, struct err *err)
{
	char *reason = NULL;
	PQconninfoOption *options = PQconninfoParse(url, &reason);
	int status = 0;

	if (!options)
		status = err_set(err, ERR_CONFIG, "the address of the database is invalid");
	for (const PQconninfoOption *option = options; option && option->keyword && !status; option++) {
		if ((strcmp(option->keyword, "password") && strcmp(option->keyword, "sslpassword")) || !option->val)
			continue;
		err_set(err, ERR_CONFIG, "the address of the database has a password");
		status = err_hint(err, "give it with store-password-file or PGPASSFILE, which other users cannot read");
	}
	PQconninfoFree(options);
	PQfreemem(reason);
	return status;
}

/* The first line of the file, or NULL in *ret without one. */
static int read_password(const char *path, char password[PASSWORD_BYTES], const char **ret, struct err *err)
{
	FILE *file = path ? fopen(path, "re") : NULL;
	int status = 0;

	if (path && !file)
		status = err_os(err, ERR_CONFIG, errno, "cannot read the password of the database");
	else if (file && !fgets(password, PASSWORD_BYTES, file))
		status = err_set(err, ERR_CONFIG, "the password of the database is missing");
	if (file)
		fclose(file);
	if (status)
		return err_file(err, path);
	if (path)
		password[strcspn(password, "\r\n")] = '\0';
	*ret = path ? password : NULL;
	return 0;
}

/* Settings of a session; the clock of the database in milliseconds is the only row. Without jit, a count over all
   months took 12 ms; with it, 5 s. */
static const char session[] =
	"SET search_path = opcheck, public; SET jit = off; SET lock_timeout = 5000; SET "
	"idle_in_transaction_session_timeout = %llu;"
	" SET statement_timeout = %llu; SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint";
static const char clock_text[] = "SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint";

/* Reads the clock by one of these texts. */
static int read_clock(struct engine *engine, const char *text, struct err *err)
{
	struct postgresql *own = of(engine);
	PGresult *result = execute_text(own, text);
	int status = is_done(result) ? 0 : failed(engine, result, err);

	own->clock_read_at = clock_ms();
	if (!status)
		atomic_store(&own->clock_ahead, strtoll(PQgetvalue(result, 0, 0), NULL, 10) - own->clock_read_at);
	PQclear(result);
	return status;
}

static int start_listening(struct engine *engine, struct err *err)
{
	PGresult *result = execute_text(of(engine), "LISTEN opcheck");
	int status = is_done(result) ? 0 : failed(engine, result, err);

	PQclear(result);
	return status;
}

/* The server ends a query that takes longer; a server that does not answer even then is not waited for. */
static void set_seconds(struct postgresql *own, uint64_t seconds)
{
	own->seconds = seconds;
	own->patience = (struct patience){ .ms = seconds ? seconds * MS + GRACE_MS : 0 };
}

static int start_session(struct engine *engine, struct err *err)
{
	enum { IDLE_MS = 60 * 1000 };
	struct postgresql *own = of(engine);
	unsigned long long usual = engine->place->query_seconds * WRITER_TIMES;
	char text[sizeof(session) + 2 * 20];

	own->connections++;
	own->doubts = atomic_load(&reach.doubts);
	set_seconds(own, own->seconds ? own->seconds : usual);
	PQsetnonblocking(own->connection, 1);
	snprintf(text, sizeof(text), session, usual ? usual * MS : IDLE_MS, (unsigned long long)own->seconds * MS);
	return read_clock(engine, text, err);
}

static int make_connection(struct engine *engine, struct err *err)
{
	/* libpq takes the later value, so that the address may set those before it */
	static const char *const names[] = { "connect_timeout", "tcp_user_timeout", "application_name", "dbname",
		"client_encoding", "password", NULL };
	struct postgresql *own = of(engine);
	char password[PASSWORD_BYTES];
	const char *values[ARRAY_SIZE(names)] = { "5", "30000", "opcheckd", engine->place->url, "UTF8" };
	int status = read_password(engine->place->password_file, password, &values[ARRAY_SIZE(names) - 2], err);

	if (status)
		return status;
	PQfinish(own->connection);
	own->connection = PQconnectdbParams(names, values, 1);
	explicit_bzero(password, sizeof(password));
	own->patience.ended = false;
	if (PQstatus(own->connection) != CONNECTION_OK)
		return lost(engine, err);
	status = start_session(engine, err);
	return status || !own->heard_on ? status : start_listening(engine, err);
}

/* Returns whether the server has closed the connection meanwhile, or did not answer on another one. */
static bool is_closed(const struct postgresql *own)
{
	PGconn *connection = own->connection;
	struct pollfd look = { .fd = PQsocket(connection), .events = POLLIN | POLLRDHUP };

	if (PQstatus(connection) != CONNECTION_OK || own->doubts != atomic_load(&reach.doubts))
		return true;
	if (poll(&look, 1, 0) > 0)
		PQconsumeInput(connection);
	/* libpq may read the server's last words alone, and see the end with the next query */
	return look.revents & POLLRDHUP || PQstatus(connection) != CONNECTION_OK;
}

static int reconnect(struct engine *engine, struct err *err)
{
	bool gone = atomic_load(&reach.gone);
	int status;

	if (gone && (clock_ms() - atomic_load(&reach.tried_at) < RETRY_MS || atomic_exchange(&reach.tries, true))) {
		err_set(err, ERR_BUSY, "the database could not be reached a moment ago");
		return unreachable(engine, NULL, err);
	}
	status = make_connection(engine, err);
	atomic_store(&reach.tried_at, clock_ms());
	atomic_store(&reach.gone, status != 0);
	if (gone)
		atomic_store(&reach.tries, false);
	return status;
}

/* Between transactions: connect anew if need be, and read the clock now and then. */
static int refresh(struct engine *engine, struct err *err)
{
	struct postgresql *own = of(engine);
	int status = 0;

	if (PQtransactionStatus(own->connection) == PQTRANS_INTRANS ||
		PQtransactionStatus(own->connection) == PQTRANS_INERROR)
		return 0;
	if (is_closed(own))
		status = reconnect(engine, err);
	else if (clock_ms() - own->clock_read_at > CLOCK_MS)
		status = read_clock(engine, clock_text, err);
	return status;
}

/* --- statements */

static int prepare_rows(struct rows *rows, struct err *err)
{
	struct buf text = BUF_UNLIMITED;
	struct prepared *own = mem_zalloc(sizeof(*own));
	size_t index = (size_t)(rows - rows->engine->statements);

	own->given.count = (int)postgresql_put_text(&text, rows->text, &rows->names);
	own->text = buf_take(&text);
	if (rows >= rows->engine->statements && index < rows->engine->table->count)
		snprintf(own->name, sizeof(own->name), "s%zu", index);
	rows->own = own;
	return own->given.count <= PARAMETERS ? 0 : err_set(err, ERR_INTERNAL, "a statement has too many parameters");
}

static void reset(struct rows *rows)
{
	struct prepared *own = rows->own;

	PQclear(own->result);
	own->result = NULL;
	for (int i = 0; i < PARAMETERS; i++)
		buf_clear(&own->given.arrays[i]);
}

static void drop(struct rows *rows)
{
	struct prepared *own = rows->own;

	if (!own)
		return;
	reset(rows);
	free(own->text);
	free(own);
	rows->own = NULL;
}

static void bind_value(struct parameters *given, int index, const struct db_value *value)
{
	static const Oid types[] = { [DB_NUMBER] = TYPE_INT8, [DB_TEXT] = TYPE_TEXT, [DB_BYTES] = TYPE_BYTES };
	struct str bytes = value->text;

	given->types[index] = value->kind == DB_NUMBERS ? TYPE_TEXT : types[value->kind];
	given->formats[index] = 1;
	if (value->kind == DB_NUMBER) {
		given->numbers[index] = htobe64(value->number);
		bytes = (struct str){ (const char *)&given->numbers[index], sizeof(given->numbers[index]) };
	} else if (value->kind == DB_NUMBERS) {
		given->arrays[index] = BUF_UNLIMITED;
		value_put_numbers(&given->arrays[index], value, "{}");
		bytes = buf_str(&given->arrays[index]);
	}
	given->values[index] = bytes.ptr ? bytes.ptr : "";
	given->lengths[index] = (int)bytes.len;
	if (value->is_null)
		given->values[index] = NULL;
}

/* A parameter that no value is given for is NULL; values beyond the parameters are left out. */
static void bind_parameters(struct rows *rows, const struct db_value *values)
{
	struct prepared *own = rows->own;
	struct parameters *given = &own->given;

	for (int i = 0; i < given->count; i++) {
		given->values[i] = NULL;
		given->types[i] = TYPE_ANY;
		if (values->kind)
			bind_value(given, i, values++);
	}
}

/* Returns whether the statement is prepared on this connection, or made it so. */
static bool make_prepared(struct rows *rows, PGresult **ret_failure)
{
	struct postgresql *engine = of(rows->engine);
	struct prepared *own = rows->own;

	if (own->connection == engine->connections)
		return true;
	PQsendPrepare(engine->connection, own->name, own->text, own->given.count, own->given.types);
	*ret_failure = note_silence(engine, answer_last(engine->connection, &engine->patience));
	if (!is_done(*ret_failure))
		return false;
	PQclear(*ret_failure);
	*ret_failure = NULL;
	own->connection = engine->connections;
	return true;
}

static PGresult *execute_rows(struct rows *rows)
{
	struct postgresql *engine = of(rows->engine);
	const struct prepared *own = rows->own;
	const struct parameters *given = &own->given;
	PGresult *result = NULL;

	if (!given->count && !rows->record)
		return execute_text(engine, own->text);
	if (own->name[0] && !make_prepared(rows, &result))
		return result;
	if (own->name[0])
		PQsendQueryPrepared(
			engine->connection, own->name, given->count, given->values, given->lengths, given->formats, 1);
	else
		PQsendQueryParams(engine->connection, own->text, given->count, given->types, given->values,
			given->lengths, given->formats, 1);
	return note_silence(engine, answer_last(engine->connection, &engine->patience));
}

/* A change outside of a transaction, or the end of one, can be read by others. */
static void note_commit(struct engine *engine, PGresult *result)
{
	const char *done = PQcmdStatus(result);
	bool changes = strncmp(done, "INSERT", 6) == 0 || strncmp(done, "UPDATE", 6) == 0 ||
		       strncmp(done, "DELETE", 6) == 0;

	if (PQtransactionStatus(of(engine)->connection) != PQTRANS_IDLE ||
		(strcmp(done, "COMMIT") != 0 && (!changes || strcmp(PQcmdTuples(result), "0") == 0)))
		return;
	engine->may_come_back = false;
	if (engine->on_commit)
		engine->on_commit(engine->ctx);
}

static int run_once(struct rows *rows, struct err *err)
{
	struct engine *engine = rows->engine;
	struct prepared *own = rows->own;
	bool commits = strcmp(own->text, "COMMIT") == 0;
	int status = refresh(engine, err);

	if (status)
		return status;
	own->result = execute_rows(rows);
	own->row = -1;
	if (commits && PQstatus(of(engine)->connection) != CONNECTION_OK)
		engine->may_come_back = true; /* it may be done, or not */
	if (!is_done(own->result)) {
		status = failed(engine, own->result, err);
		if (str_starts(str_from(own->text), STR("BEGIN"))) /* it began, and had to wait too long for its turn */
			PQclear(execute_text(of(engine), "ROLLBACK"));
		return status;
	}
	if (commits && strcmp(PQcmdStatus(own->result), "COMMIT") != 0)
		return err_set(err, ERR_STORE, "store error: the transaction was rolled back");
	note_commit(engine, own->result);
	return 0;
}

static int step(struct rows *rows, struct err *err)
{
	struct prepared *own = rows->own;
	int status = own->result ? 0 : run_once(rows, err);

	if (status)
		return status;
	return ++own->row < PQntuples(own->result);
}

/* --- many runs of a statement, of which none waits for the answer to the one before */

static int send_some(struct rows *rows, const struct value_sets *sets, size_t from, size_t *ret_count)
{
	PGconn *connection = of(rows->engine)->connection;
	struct prepared *own = rows->own;
	struct parameters *given = &own->given;
	size_t count = 0;
	bool sent = true;

	while (count < PIPELINED && from + count < sets->count && sent) {
		bind_parameters(rows, &sets->items[(from + count++) * sets->each]);
		sent = PQsendQueryPrepared(
			connection, own->name, given->count, given->values, given->lengths, given->formats, 1);
	}
	*ret_count = count;
	return sent && PQpipelineSync(connection) ? 0 : -1;
}

/* Reads the results up to the synchronization; the first failure counts. */
static int read_some(struct engine *engine, struct err *err)
{
	struct postgresql *own = of(engine);
	int status = 0, ends = 0;

	while (ends < 2 && PQstatus(own->connection) == CONNECTION_OK) {
		PGresult *result = note_silence(own, answer_next(own->connection, &own->patience));
		ExecStatusType done = PQresultStatus(result);

		ends = result ? 0 : ends + 1;
		if (result && !status && done != PGRES_PIPELINE_SYNC && !is_done(result))
			status = failed(engine, result, err);
		PQclear(result);
		if (result && done == PGRES_PIPELINE_SYNC)
			return status;
	}
	return status ? status : lost(engine, err);
}

static int run_all(struct rows *rows, const struct value_sets *sets, struct err *err)
{
	struct engine *engine = rows->engine;
	PGconn *connection = of(engine)->connection;
	PGresult *failure = NULL;
	size_t count = 0;
	int status = 0;

	bind_parameters(rows, sets->items);
	if (!make_prepared(rows, &failure))
		status = failed(engine, failure, err);
	PQclear(failure);
	if (status || !PQenterPipelineMode(connection))
		return status ? status : lost(engine, err);
	for (size_t from = 0; from < sets->count && !status; from += count) {
		status = send_some(rows, sets, from, &count) ? lost(engine, err) : 0;
		if (!status)
			status = read_some(engine, err);
	}
	PQexitPipelineMode(connection);
	reset(rows);
	return status;
}

/* --- rows */

static int column_count(const struct rows *rows)
{
	const struct prepared *own = rows->own;

	return PQnfields(own->result);
}

static const char *column_name(const struct rows *rows, int column)
{
	const struct prepared *own = rows->own;

	return PQfname(own->result, column);
}

static struct str text(const struct rows *rows, int column)
{
	const struct prepared *own = rows->own;

	return (struct str){ PQgetvalue(own->result, own->row, column),
		(size_t)PQgetlength(own->result, own->row, column) };
}

/* Integers of two, four or eight bytes, the highest first. */
static int64_t number(const struct rows *rows, int column)
{
	struct str bytes = text(rows, column);
	uint64_t value = bytes.len && (bytes.ptr[0] & 0x80) ? UINT64_MAX : 0;

	for (size_t i = 0; i < bytes.len; i++)
		value = value << 8 | (unsigned char)bytes.ptr[i];
	return (int64_t)value;
}

/* --- time */

static uint64_t now(struct engine *engine)
{
	return (uint64_t)(clock_ms() + atomic_load(&of(engine)->clock_ahead)) / MS;
}

static void bound(struct engine *engine, uint64_t seconds, bool running)
{
	struct postgresql *own = of(engine);
	char text[64];

	if (!running || own->seconds == seconds)
		return;
	snprintf(text, sizeof(text), "SET statement_timeout = %llu", (unsigned long long)seconds * MS);
	PQclear(execute_text(own, text));
	set_seconds(own, seconds);
}

/* Locks wait as long as the session says. */
static void wait_at_most(struct engine *engine UNUSED, unsigned ms UNUSED)
{
}

/* --- signals */

static bool tell_signals(struct engine *engine, void (*hear)(void *ctx, struct str signal), void *ctx)
{
	PGnotify *signal;
	bool heard = false;

	while ((signal = PQnotifies(of(engine)->connection))) {
		hear(ctx, str_from(signal->extra));
		PQfreemem(signal);
		heard = true;
	}
	return heard;
}

static int listen_for(struct engine *engine, const struct engine_ear *ear, struct err *err)
{
	struct postgresql *own = of(engine);
	int status = refresh(engine, err);

	if (!status && !own->heard_on)
		status = start_listening(engine, err);
	if (status)
		return status;
	if (own->heard_on != own->connections) { /* a signal may be lost meanwhile */
		ear->hear(ear->ctx, STR("change"));
		ear->hear(ear->ctx, STR("services"));
	}
	own->heard_on = own->connections;
	if (!tell_signals(engine, ear->hear, ear->ctx)) {
		struct pollfd look[] = { { .fd = PQsocket(own->connection), .events = POLLIN },
			{ .fd = ear->fd, .events = POLLIN } };

		poll(look, ARRAY_SIZE(look), (int)ear->ms);
		PQconsumeInput(own->connection);
		tell_signals(engine, ear->hear, ear->ctx);
	}
	return 0;
}

/* --- opening */

static int open_database(struct engine *engine, bool sets_up, struct err *err)
{
	int status = refuse_password(engine->place->url, err);

	if (!status)
		status = make_connection(engine, err);
	if (status)
		return status;
	status = postgresql_steps_run(of(engine)->connection, sets_up, err);
	return status ? err_file(err, engine->place->url) : 0;
}

static void close_database(struct engine *engine)
{
	PQfinish(of(engine)->connection);
}

const struct engine_calls postgresql_calls = { DIALECT_POSTGRESQL, sizeof(struct postgresql), open_database,
	close_database, prepare_rows, drop, bind_parameters, step, reset, run_all, column_count, column_name, text,
	number, listen_for, now, bound, wait_at_most };
