#include "store/operator_key.h"

#include "base/value/sha256.h"
#include "base/value/utf8.h"
#include "store/rows.h"

enum { KEY_BYTES = 512, KEPT_BYTES = KEY_BYTES - SHA256_HEX_BYTES, TYPES_BYTES = 128 };

struct str operator_key(struct arena *arena, struct str name)
{
	char digest[SHA256_HEX_BYTES];

	if (name.len <= KEY_BYTES)
		return arena_keep(arena, name);
	sha256_of(name, digest);
	return arena_printf(arena, "%.*s~%s", STR_ARG(utf8_head(name, KEPT_BYTES)), digest);
}

/* Data types stay behind the key: "aten::mm (complex64)". */
static struct str key_with_types(struct arena *arena, struct str text)
{
	struct str end = text.len > TYPES_BYTES ? str_skip(text, text.len - TYPES_BYTES) : text;
	size_t at = str_ends(text, STR(")")) ? str_find(end, STR(" (")) : STR_NONE;
	struct str types = at == STR_NONE ? STR("") : str_skip(end, at);
	struct str key = operator_key(arena, str_chop(text, types.len));

	return arena_printf(arena, "%.*s%.*s", STR_ARG(key), STR_ARG(types));
}

static int list_keys(struct engine *engine, uint64_t *ret, struct err *err)
{
	static const char all[] =
		"SELECT operator AS text FROM blocker WHERE length(CAST(operator AS BLOB)) > ?1 UNION "
		"SELECT operator FROM used WHERE length(CAST(operator AS BLOB)) > ?1";
	CLEANUP(arena_clear) struct arena arena = ARENA_INIT(ARENA_UNLIMITED);
	CLEANUP(rows_free) struct rows *rows = engine_query(engine, all, &text_row, BIND(INTEGER(KEY_BYTES)));
	struct text_row row;
	int status, added = 0;

	while ((status = rows_step(rows, err)) == 1 && added >= 0) {
		struct str key;

		rows_read(rows, &arena, &row);
		key = key_with_types(&arena, row.text);
		if (str_eq(key, row.text))
			continue;
		added = engine_ask(
			engine, "INSERT INTO long_name VALUES (?1, ?2)", BIND(TEXT(row.text), TEXT(key)), err);
		++*ret;
	}
	return added < 0 ? added : status;
}

/* An operator may have its key in a table already, from a run of this version. */
int operator_keys_shorten(struct store *store, uint64_t *ret, struct err *err)
{
	static const char *const steps[] = {
		"UPDATE blocker SET operator = key FROM long_name WHERE operator = name",
		"UPDATE used SET operator = key FROM long_name WHERE operator = name",
		("INSERT INTO demand_rollup SELECT scope, target, key, status, runs, share FROM demand_rollup "
		 "JOIN long_name ON operator = name WHERE true "
		 "ON CONFLICT DO UPDATE SET runs = runs + excluded.runs, share = share + excluded.share"),
		("INSERT INTO held SELECT target, key, project, model, branches FROM held "
		 "JOIN long_name ON operator = name WHERE true "
		 "ON CONFLICT DO UPDATE SET branches = branches + excluded.branches"),
		("INSERT INTO operator_use SELECT project, key, runs FROM operator_use "
		 "JOIN long_name ON operator = name WHERE true ON CONFLICT DO UPDATE SET runs = runs + excluded.runs"),
		"DELETE FROM demand_rollup WHERE operator IN (SELECT name FROM long_name)",
		"DELETE FROM held WHERE operator IN (SELECT name FROM long_name)",
		"DELETE FROM operator_use WHERE operator IN (SELECT name FROM long_name)",
	};
	struct db *db = &store->writer;
	int status = engine_ask(
		db->engine, "CREATE TEMP TABLE long_name (name TEXT PRIMARY KEY, key TEXT)", BIND_NOTHING, err);

	*ret = 0;
	if (status >= 0)
		status = db_begin(db, err);
	if (status < 0)
		return status;
	status = list_keys(db->engine, ret, err);
	for (size_t i = 0; i < ARRAY_SIZE(steps) && status >= 0 && *ret; i++)
		status = engine_ask(db->engine, steps[i], BIND_NOTHING, err);
	return db_end(db, status, err);
}
