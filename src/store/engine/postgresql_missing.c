#include "store/engine/postgresql.h"

static int refuse_address(struct engine *engine, bool sets_up, struct err *err)
{
	(void)engine;
	(void)sets_up;
	err_set(err, ERR_CONFIG, "this opcheckd was built without PostgreSQL");
	return err_hint(err, "build it with libpq (meson setup -Dpostgresql=enabled), or leave --store out");
}

static void drop(struct rows *rows)
{
	(void)rows;
}

static void close_nothing(struct engine *engine)
{
	(void)engine;
}

const struct engine_calls postgresql_calls = { .dialect = DIALECT_POSTGRESQL,
	.bytes = sizeof(struct engine),
	.open = refuse_address,
	.close = close_nothing,
	.drop = drop };
