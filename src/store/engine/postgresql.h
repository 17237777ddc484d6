#pragma once
/* PostgreSQL through libpq: one connection, renewed when it breaks; statements are prepared when first used. */
#include "store/engine/calls.h"

extern const struct engine_calls postgresql_calls;
