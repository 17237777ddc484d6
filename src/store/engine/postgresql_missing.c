#include "store/engine/postgresql.h"

#include "base/memory/mem.h"

static int refuse_address(struct engine *engine UNUSED, bool sets_up UNUSED, struct err *err)
{
	err_set(err, ERR_CONFIG, "this opcheckd was built without PostgreSQL");
	return err_hint(err, "build it with libpq (meson setup -Dpostgresql=enabled), or leave --store out");
}

static void drop(struct rows *rows UNUSED)
{
}

static void close_nothing(struct engine *engine UNUSED)
{
}

const struct engine_calls postgresql_calls = { .dialect = DIALECT_POSTGRESQL,
	.bytes = sizeof(struct engine),
	.open = refuse_address,
	.close = close_nothing,
	.drop = drop };
