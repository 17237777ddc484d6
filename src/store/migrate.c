#include "store/migrate.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/memory/mem.h"
#include "base/value/sha256.h"
#include "record/kinds.h"
#include "store/db.h"
#include "store/operator_key.h"
#include "store/replicas.h"
#include "store/rows.h"

enum { COLUMNS = 32, BATCH = 500, BATCH_OF_BYTES = 16, DUMPS = 1000, PIECE_BYTES = 1 << 16 };

/* --- tables */

/* In the order of their references. */
static const struct moved_table {
	const char *name, *key; /* columns that order the rows */
	const char *order;      /* the same as expressions; NULL: the key */
	const char *columns;    /* NULL: those of the database */
	bool is_derived;        /* triggers fill it: it is compared alone */
} tables[] = {
	{ "assessment", "number" },
	{ "verdict", "assessment, place" },
	{ "report", "assessment" },
	{ "document", "assessment, form" },
	{ "blocker", "assessment, target, operator" },
	{ "used", "assessment, operator" },
	{ "run", "number" },
	{ "run_tag", "tag, run" },
	{ "run_text", "rowid", .columns = "rowid bigint, text text" },
	{ "delivery", "number" },
	{ "former_model", "project, name" },
	{ "project_waivers", "project" },
	{ "ticket", "id" },
	{ "request_key", "owner, key" },
	{ "token", "parent, id", "coalesce(parent, ''), id" }, /* a parent before its sessions */
	{ "audit", "number" },
	{ "standing", "project, model, branch, target", .is_derived = true },
	{ "demand_rollup", "scope, target, operator, status", .is_derived = true },
	{ "held", "target, operator, project, model", .is_derived = true },
	{ "held_rollup", "scope, target, operator", .is_derived = true },
	{ "operator_use", "project, operator", .is_derived = true },
};
enum { TABLES = ARRAY_SIZE(tables) };

enum step { FIRST, NEXT, LAST, SAME, INSERT, STEPS };

/* Texts are kept as text; a number and a text have a place each. */
struct cell {
	struct str text;
	int64_t number;
};

struct plan {
	const struct moved_table *table;
	size_t count, key_count, key[4]; /* columns, and those of the key */
	bool is_bytes[COLUMNS], is_number[COLUMNS];
	struct field fields[COLUMNS + 1];
	struct record record;
	unsigned batch;
};

struct side {
	struct store *store;
	struct engine *engine;
};

struct migrating {
	struct side from, to;
	struct plan plans[TABLES];
	struct statement_text texts[TABLES * STEPS + 3];
	struct engine_table table; /* both of them */
	struct arena arena;        /* of texts and names */
	struct migration *done;
	struct err *err;
};
enum { BEGIN = TABLES * STEPS, COMMIT, ROLLBACK, STATEMENTS };

static size_t statement_of(const struct migrating *migrating, const struct plan *plan, enum step step)
{
	return (size_t)(plan - migrating->plans) * STEPS + step;
}

/* --- columns */

struct column_row {
	struct str name, type;
};

/* clang-format off */
static const struct record column_record = { sizeof(struct column_row), (const struct field[]){
	{ "name", &kind_text, AT(column_row, name) },
	{ "type", &kind_text, AT(column_row, type) },
	{ 0 } } };

static const struct record name_record = { sizeof(struct column_row), (const struct field[]){
	{ "name", &kind_text, AT(column_row, name) },
	{ 0 } } };
/* clang-format on */

static int add_column(struct migrating *migrating, struct plan *plan, struct str name, struct str type)
{
	bool is_number = str_eq(type, STR("INTEGER")) || str_eq(type, STR("bigint"));
	size_t at = plan->count * sizeof(struct cell), i = plan->count;

	if (i == COLUMNS)
		return err_set(migrating->err, ERR_INTERNAL, "the table %s has too many columns", plan->table->name);
	plan->is_number[i] = is_number;
	plan->is_bytes[i] = str_eq(type, STR("BLOB")) || str_eq(type, STR("bytea"));
	plan->fields[i] = (struct field){ arena_printf(&migrating->arena, "%.*s", STR_ARG(name)).ptr,
		is_number ? &kind_number : &kind_text,
		is_number ? (struct record_part){ at + offsetof(struct cell, number), sizeof(int64_t) }
			  : (struct record_part){ at + offsetof(struct cell, text), sizeof(struct str) } };
	plan->count++;
	return 0;
}

static int list_columns(struct migrating *migrating, struct plan *plan)
{
	static const char sqlite[] = "SELECT name, type FROM pragma_table_info(?1) ORDER BY name";
	static const char postgresql[] =
		"SELECT column_name::text AS name, data_type::text AS type FROM information_schema.columns"
		" WHERE table_schema = 'opcheck' AND table_name = ?1 ORDER BY column_name::text COLLATE \"C\"";
	struct engine *engine = migrating->from.store->writer.engine;
	struct str given = str_from(plan->table->columns ? plan->table->columns : ""), name;
	CLEANUP(rows_free)
	struct rows *rows = engine_query(engine, engine_dialect(engine) == DIALECT_SQLITE ? sqlite : postgresql,
		&column_record, BIND(TEXT(str_from(plan->table->name))));
	struct column_row row;
	int status = 0;

	while (given.len && !status) {
		str_cut(&given, ',', &row.type);
		row.type = str_trim(row.type);
		str_cut(&row.type, ' ', &name);
		status = add_column(migrating, plan, name, row.type);
	}
	if (plan->count || status)
		return status;
	while ((status = rows_step(rows, migrating->err)) == 1) {
		rows_read(rows, &migrating->arena, &row);
		if (add_column(migrating, plan, row.name, row.type))
			return -migrating->err->code;
	}
	return status;
}

/* The numbers of the key's columns. */
static void find_key(struct plan *plan)
{
	struct str key = str_from(plan->table->key), name;

	while (key.len) {
		str_cut(&key, ',', &name);
		for (size_t i = 0; i < plan->count; i++) {
			if (str_eq(str_trim(name), str_from(plan->fields[i].key)))
				plan->key[plan->key_count++] = i;
		}
	}
}

/* --- statements */

static const char *order_of(const struct plan *plan)
{
	return plan->table->order ? plan->table->order : plan->table->key;
}

static void put_columns(struct buf *out, const struct plan *plan, bool is_read)
{
	for (size_t i = 0; i < plan->count; i++) {
		bool may_be_null = is_read && strcmp(plan->fields[i].key, "parent") == 0;

		buf_printf(
			out, may_be_null ? "%scoalesce(%s, '') AS parent" : "%s%s", i ? ", " : "", plan->fields[i].key);
	}
}

static void put_key_values(struct buf *out, const struct plan *plan)
{
	for (size_t i = 0; i < plan->key_count; i++)
		buf_printf(out, "%s?%zu", i ? ", " : "(", i + 2);
	buf_add(out, STR(")"));
}

static void put_backwards(struct buf *out, const struct plan *plan)
{
	for (size_t i = 0; i < plan->key_count; i++)
		buf_printf(out, "%s%s DESC", i ? ", " : "", plan->fields[plan->key[i]].key);
}

static void put_insert(struct buf *out, const struct plan *plan)
{
	buf_printf(out, "INSERT INTO %s (", plan->table->name);
	put_columns(out, plan, false);
	buf_add(out, STR(") VALUES ("));
	for (size_t i = 0; i < plan->count; i++)
		buf_printf(out, strcmp(plan->fields[i].key, "parent") == 0 ? "%snullif(?, '')" : "%s?", i ? ", " : "");
	buf_add(out, STR(")"));
}

static void put_select(struct buf *out, const struct plan *plan, enum step step)
{
	buf_add(out, STR("SELECT "));
	put_columns(out, plan, true);
	buf_printf(out, " FROM %s", plan->table->name);
	if (step == NEXT || step == SAME) {
		buf_printf(out, " WHERE (%s) %s ", order_of(plan), step == NEXT ? ">" : "=");
		put_key_values(out, plan);
	}
	buf_add(out, STR(" ORDER BY "));
	if (step == LAST)
		put_backwards(out, plan);
	else
		buf_printf(out, "%s", order_of(plan));
	buf_add(out, STR(" LIMIT ?1"));
}

static void write_statements(struct migrating *migrating, struct plan *plan)
{
	for (enum step step = FIRST; step < STEPS; step++) {
		CLEANUP(buf_clear) struct buf text = BUF_UNLIMITED;
		size_t at = statement_of(migrating, plan, step);

		if (step == INSERT)
			put_insert(&text, plan);
		else
			put_select(&text, plan, step);
		migrating->texts[at].text = arena_printf(&migrating->arena, "%s", buf_text(&text)).ptr;
		migrating->texts[at].row = step == INSERT ? NULL : &plan->record;
	}
}

static int make_plans(struct migrating *migrating)
{
	for (size_t i = 0; i < TABLES; i++) {
		struct plan *plan = &migrating->plans[i];

		plan->table = &tables[i];
		plan->batch = BATCH;
		if (list_columns(migrating, plan))
			return -migrating->err->code;
		find_key(plan);
		for (size_t k = 0; k < plan->count; k++)
			plan->batch = plan->is_bytes[k] ? BATCH_OF_BYTES : plan->batch;
		plan->record = (struct record){ plan->count * sizeof(struct cell), plan->fields };
		write_statements(migrating, plan);
	}
	migrating->texts[BEGIN] = (struct statement_text){ "BEGIN IMMEDIATE", "BEGIN; SELECT fold_runs()" };
	migrating->texts[COMMIT] = (struct statement_text){ "COMMIT", NULL };
	migrating->texts[ROLLBACK] = (struct statement_text){ "ROLLBACK", NULL };
	return 0;
}

/* --- rows */

struct batch {
	struct arena arena;
	struct cell **items; /* the cells of a row each */
	size_t count, capacity;
};

static void batch_clear(struct batch *batch)
{
	arena_clear(&batch->arena);
	free(batch->items);
	*batch = (struct batch){ .arena = ARENA_INIT(ARENA_UNLIMITED) };
}

static struct db_value value_of(const struct plan *plan, size_t column, const struct cell *cell, struct arena *arena)
{
	if (plan->is_number[column])
		return INTEGER(cell->number);
	return plan->is_bytes[column] ? BYTES(cell->text) : TEXT(value_text(arena, cell->text));
}

struct reading {
	const struct side *side;
	const struct plan *plan;
	enum step step;
};

/* Rows of one statement; row: whose key NEXT and SAME begin at. */
static int read_rows(
	struct migrating *migrating, const struct reading *reading, const struct cell *row, struct batch *ret)
{
	const struct plan *plan = reading->plan;
	bool is_one = reading->step == LAST || reading->step == SAME;
	struct db_value values[ARRAY_SIZE(plan->key) + 2] = { INTEGER(is_one ? 1 : plan->batch) };
	struct rows *rows;
	int status;

	for (size_t i = 0; row && i < plan->key_count; i++)
		values[i + 1] = value_of(plan, plan->key[i], &row[plan->key[i]], &ret->arena);
	rows = engine_bind(reading->side->engine, statement_of(migrating, plan, reading->step), values);
	while ((status = rows_step(rows, migrating->err)) == 1) {
		struct cell *cells = arena_alloc(&ret->arena, plan->record.bytes);

		rows_read(rows, &ret->arena, cells);
		MEM_PUSH(ret, cells);
	}
	return status;
}

static int run_step(const struct migrating *migrating, size_t which)
{
	int status = engine_run(migrating->to.engine, which, BIND_NOTHING, migrating->err);

	return status < 0 ? status : 0;
}

static int write_rows(struct migrating *migrating, const struct plan *plan, struct batch *batch)
{
	size_t each = plan->count + 1;
	struct db_value *values = arena_alloc(&batch->arena, (batch->count * each + 1) * sizeof(*values));
	int status = run_step(migrating, BEGIN);
	struct err reason;

	for (size_t i = 0; i < batch->count; i++) {
		for (size_t k = 0; k < plan->count; k++)
			values[i * each + k] = value_of(plan, k, &batch->items[i][k], &batch->arena);
	}
	if (!status)
		status = engine_run_all(migrating->to.engine, statement_of(migrating, plan, INSERT),
			&(struct value_sets){ values, each, batch->count }, migrating->err);
	if (!status)
		return run_step(migrating, COMMIT);
	reason = *migrating->err;
	run_step(migrating, ROLLBACK);
	*migrating->err = reason;
	return status;
}

static void digest_row(const struct plan *plan, const struct cell *row, struct arena *arena, struct sha256 *sha)
{
	for (size_t i = 0; i < plan->count; i++) {
		struct db_value value = value_of(plan, i, &row[i], arena);

		sha256_add_field(
			sha, plan->is_number[i] ? arena_printf(arena, "%lld", (long long)value.number) : value.text);
	}
}

/* Where an earlier call ended: 1 with the last row, 0 for an empty table. Rows of another store are refused. */
static int find_end(struct migrating *migrating, const struct plan *plan, struct batch *ret)
{
	struct batch same = { .arena = ARENA_INIT(ARENA_UNLIMITED) };
	char digests[2][SHA256_HEX_BYTES];
	struct batch *const both[] = { ret, &same };
	int status = read_rows(migrating, &(struct reading){ &migrating->to, plan, LAST }, NULL, ret);

	if (!status && ret->count)
		status = read_rows(migrating, &(struct reading){ &migrating->from, plan, SAME }, ret->items[0], &same);
	for (size_t i = 0; i < ARRAY_SIZE(both) && !status; i++) {
		struct sha256 *sha = sha256_new();

		if (both[i]->count)
			digest_row(plan, both[i]->items[0], &both[i]->arena, sha);
		sha256_end(sha, digests[i]);
	}
	batch_clear(&same);
	if (status || !ret->count)
		return status;
	if (strcmp(digests[0], digests[1]) == 0)
		return 1;
	err_set(migrating->err, ERR_EXISTS, "the second store has data of its own in the table %s", plan->table->name);
	return err_hint(migrating->err, "give an empty one");
}

static int copy_table(struct migrating *migrating, const struct plan *plan)
{
	struct batch before = { .arena = ARENA_INIT(ARENA_UNLIMITED) }, batch = before;
	int status = find_end(migrating, plan, &before);
	bool is_over = false;

	while (status >= 0 && !is_over) {
		enum step step = before.count ? NEXT : FIRST;

		status = read_rows(migrating, &(struct reading){ &migrating->from, plan, step },
			before.count ? before.items[before.count - 1] : NULL, &batch);
		if (!status && batch.count)
			status = write_rows(migrating, plan, &batch);
		is_over = batch.count < plan->batch;
		batch_clear(&before);
		before = batch;
		batch = (struct batch){ .arena = ARENA_INIT(ARENA_UNLIMITED) };
	}
	batch_clear(&before);
	return status < 0 ? status : 0;
}

static int digest_table(
	struct migrating *migrating, const struct side *side, const struct plan *plan, char ret[SHA256_HEX_BYTES])
{
	struct batch before = { .arena = ARENA_INIT(ARENA_UNLIMITED) }, batch = before;
	struct sha256 *sha = sha256_new();
	bool is_over = false;
	int status = 0;

	while (!status && !is_over) {
		status = read_rows(migrating, &(struct reading){ side, plan, before.count ? NEXT : FIRST },
			before.count ? before.items[before.count - 1] : NULL, &batch);
		for (size_t i = 0; i < batch.count; i++)
			digest_row(plan, batch.items[i], &batch.arena, sha);
		is_over = batch.count < plan->batch;
		batch_clear(&before);
		before = batch;
		batch = (struct batch){ .arena = ARENA_INIT(ARENA_UNLIMITED) };
	}
	batch_clear(&before);
	sha256_end(sha, ret);
	return status;
}

static int compare_table(struct migrating *migrating, const struct plan *plan)
{
	char from[SHA256_HEX_BYTES], to[SHA256_HEX_BYTES];
	int status = digest_table(migrating, &migrating->from, plan, from);

	if (!status)
		status = digest_table(migrating, &migrating->to, plan, to);
	if (status || strcmp(from, to) == 0)
		return status;
	err_set(migrating->err, ERR_STORE_DAMAGED, "the table %s is not the same in both stores", plan->table->name);
	return err_hint(migrating->err, "migrate again to an empty store");
}

/* New rows get numbers behind those that were copied. */
static int set_numbers(struct migrating *migrating)
{
	static const char *const numbered[] = { "assessment", "run", "delivery", "audit" };
	struct engine *engine = migrating->to.engine;
	int status = 0;

	for (size_t i = 0; i < ARRAY_SIZE(numbered) && status >= 0 && engine_dialect(engine) != DIALECT_SQLITE; i++) {
		CLEANUP(buf_clear) struct buf text = BUF_UNLIMITED;

		buf_printf(&text,
			"SELECT setval(pg_get_serial_sequence('opcheck.%s', 'number'), max(number)) FROM %s"
			" HAVING count(*) > 0",
			numbered[i], numbered[i]);
		status = engine_ask(engine, buf_text(&text), BIND_NOTHING, migrating->err);
	}
	return status < 0 ? status : 0;
}

/* --- dumps */

static int missing_dump(struct migrating *migrating, struct str sha256)
{
	return err_set(migrating->err, ERR_STORE_DAMAGED, "the dump %.*s is missing", STR_ARG(sha256));
}

/* Reads a dump of a store, compares its digest, and appends it to a file unless that is NULL. */
static int read_dump(struct migrating *migrating, const struct side *side, struct str sha256, struct blob_file *copy)
{
	char piece[PIECE_BYTES], digest[SHA256_HEX_BYTES];
	struct sha256 *sha = NULL;
	struct blob_file file;
	int status = blobs_open(side->store->blobs, sha256, &file, migrating->err), fd;
	ssize_t count = -1;

	if (status != 1)
		return status ? status : missing_dump(migrating, sha256);
	fd = open(file.path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	sha = sha256_new();
	status = 0;
	while (!status && fd >= 0 && (count = read(fd, piece, sizeof(piece))) > 0) {
		sha256_add(sha, (struct str){ piece, (size_t)count });
		if (copy)
			status = blob_file_add(copy, (struct str){ piece, (size_t)count }, migrating->err);
	}
	if (!status && count < 0)
		status = blob_file_error(file.path, errno, "cannot read the dump", migrating->err);
	sha256_end(sha, digest);
	if (copy)
		copy->bytes = file.bytes;
	if (fd >= 0)
		close(fd);
	blob_file_close(&file);
	if (status || str_eq(str_from(digest), sha256))
		return status;
	return err_set(migrating->err, ERR_STORE_DAMAGED, "the dump %.*s is not what was stored", STR_ARG(sha256));
}

static int copy_dump(struct migrating *migrating, struct str sha256)
{
	struct store *to = migrating->to.store;
	struct blob_file copy;
	int status;

	if (blobs_look(to->blobs, sha256).bytes < 0) {
		status = blob_file_new(to->place.directory, &copy, migrating->err);
		if (status)
			return status;
		snprintf(copy.sha256, sizeof(copy.sha256), "%.*s", STR_ARG(sha256));
		status = read_dump(migrating, &migrating->from, sha256, &copy);
		if (!status && fsync(copy.fd))
			status = blob_file_error(copy.path, errno, "cannot write the dump", migrating->err);
		if (!status)
			status = blobs_put(to->blobs, &copy, migrating->err);
		blob_file_close(&copy);
		if (status)
			return status;
	}
	return blobs_mark(to->blobs, to->writer.engine, sha256, migrating->err);
}

static int compare_dump(struct migrating *migrating, struct str sha256)
{
	int64_t bytes = blobs_look(migrating->to.store->blobs, sha256).bytes;

	migrating->done->dumps++;
	migrating->done->bytes += bytes > 0 ? (uint64_t)bytes : 0;
	return read_dump(migrating, &migrating->to, sha256, NULL);
}

/* Each dump that a row needs, by its digest. */
static int each_dump(struct migrating *migrating, int (*call)(struct migrating *migrating, struct str sha256))
{
	static const char page[] =
		"SELECT name FROM (SELECT input_sha256 AS name FROM assessment UNION SELECT input_sha256 FROM ticket"
		" WHERE status = 'queued' UNION SELECT sha256 FROM document WHERE length(content) = 0) AS dumps WHERE "
		"name > ?1 ORDER BY name LIMIT ?2";
	char after[SHA256_HEX_BYTES] = "";
	int status = 0;
	bool is_over = false;

	while (!status && !is_over) {
		CLEANUP(arena_clear) struct arena arena = ARENA_INIT(ARENA_UNLIMITED);
		CLEANUP(rows_free)
		struct rows *rows = engine_query(
			migrating->from.engine, page, &name_record, BIND(TEXT(str_from(after)), INTEGER(DUMPS)));
		struct column_row row;
		int found, count = 0;

		while ((found = rows_step(rows, migrating->err)) == 1 && !status) {
			rows_read(rows, &arena, &row);
			status = call(migrating, row.name);
			snprintf(after, sizeof(after), "%.*s", STR_ARG(row.name));
			count++;
		}
		status = status ? status : found;
		is_over = count < DUMPS;
	}
	return status;
}

/* --- the whole */

static int open_sides(struct migrating *migrating)
{
	const struct engine_table table = { migrating->texts, STATEMENTS };
	struct side *const sides[] = { &migrating->from, &migrating->to };
	int status = make_plans(migrating);

	migrating->table = table;
	for (size_t i = 0; i < ARRAY_SIZE(sides) && !status; i++)
		status = engine_open(
			&sides[i]->store->place, &migrating->table, false, &sides[i]->engine, migrating->err);
	return status;
}

static int count_rows(struct migrating *migrating, const char *table, uint64_t *ret)
{
	CLEANUP(buf_clear) struct buf text = BUF_UNLIMITED;
	CLEANUP(rows_free) struct rows *rows = NULL;
	struct number_row count = { 0 };
	int status;

	buf_printf(&text, "SELECT count(*) AS number FROM %s", table);
	rows = engine_query(migrating->to.engine, buf_text(&text), &number_row, BIND_NOTHING);
	status = rows_one(rows, NULL, &count, migrating->err);
	*ret = count.number;
	return status < 0 ? status : 0;
}

/* Services that share a database are named in it. */
static int refuse_used(const struct migrating *migrating, const struct store *store)
{
	static const char alive[] = "SELECT 1 FROM replica WHERE alive_until > ?";
	struct engine *engine = store->writer.engine;
	int status = engine_ask(engine, alive, BIND(INTEGER(engine_now(engine))), migrating->err);

	if (status <= 0)
		return status;
	err_set(migrating->err, ERR_STORE, "another opcheckd uses the store");
	err_hint(migrating->err, "stop it; one that was killed is forgotten when its lease ends");
	return err_file(migrating->err, engine_name(engine));
}

static int move_all(struct migrating *migrating)
{
	int status = open_sides(migrating);

	if (!status && engine_dialect(migrating->from.engine) == DIALECT_SQLITE &&
		engine_dialect(migrating->to.engine) != DIALECT_SQLITE)
		status = operator_keys_shorten(migrating->from.store, &migrating->done->shortened, migrating->err);
	for (size_t i = 0; i < TABLES && !status; i++)
		status = tables[i].is_derived ? 0 : copy_table(migrating, &migrating->plans[i]);
	if (!status)
		status = set_numbers(migrating);
	if (!status)
		status = each_dump(migrating, copy_dump);
	if (!status)
		status = store_fold(migrating->from.store, migrating->err);
	if (!status)
		status = store_fold(migrating->to.store, migrating->err);
	for (size_t i = 0; i < TABLES && !status; i++)
		status = compare_table(migrating, &migrating->plans[i]);
	if (!status)
		status = each_dump(migrating, compare_dump);
	if (!status)
		status = count_rows(migrating, "assessment", &migrating->done->assessments);
	return status ? status : count_rows(migrating, "run", &migrating->done->runs);
}

/* Opening one makes it: a misspelt directory would move an empty store. */
static int check_source(const struct store_place *from, struct err *err)
{
	CLEANUP(buf_clear) struct buf path = BUF_UNLIMITED;

	if (from->url)
		return 0;
	buf_printf(&path, "%s/store.sqlite", from->directory);
	if (!access(buf_text(&path), F_OK))
		return 0;
	err_set(err, ERR_STORE, "the directory has no store");
	err_hint(err, "give the state directory of the service");
	return err_file(err, from->directory);
}

int store_migrate(const struct store_place *from, const struct store_place *to, struct migration *ret, struct err *err)
{
	struct migrating *migrating = mem_zalloc(sizeof(*migrating));
	int status;

	*ret = (struct migration){ 0 };
	migrating->arena = ARENA_INIT(ARENA_UNLIMITED);
	migrating->done = ret;
	migrating->err = err;
	status = check_source(from, err);
	if (!status)
		status = store_open(from, &migrating->from.store, err);
	if (!status)
		status = store_open(to, &migrating->to.store, err);
	if (!status)
		status = refuse_used(migrating, migrating->from.store);
	if (!status)
		status = refuse_used(migrating, migrating->to.store);
	if (!status)
		status = move_all(migrating);
	engine_close(migrating->from.engine);
	engine_close(migrating->to.engine);
	store_close(migrating->from.store);
	store_close(migrating->to.store);
	arena_clear(&migrating->arena);
	free(migrating);
	return status;
}

const char *migrate_unknown_table(struct store *store, struct arena *arena)
{
	/* which say where dumps are, and which services live */
	static const char *const left[] = { "blob", "blob_part", "replica", "duty" };
	static const char all[] = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'"
				  " AND name NOT LIKE 'run_text_%'";
	CLEANUP(db_unlock) struct db *db = db_lock(&store->writer);
	CLEANUP(rows_free) struct rows *rows = engine_query(db->engine, all, &name_record, BIND_NOTHING);
	struct column_row row;
	struct err ignored;

	while (rows_step(rows, &ignored) == 1) {
		bool known = false;

		rows_read(rows, arena, &row);
		for (size_t i = 0; i < TABLES; i++)
			known |= str_eq(row.name, str_from(tables[i].name));
		for (size_t i = 0; i < ARRAY_SIZE(left); i++)
			known |= str_eq(row.name, str_from(left[i]));
		if (!known)
			return arena_printf(arena, "%.*s", STR_ARG(row.name)).ptr;
	}
	return NULL;
}
