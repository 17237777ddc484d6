#pragma once
/* Answers of a server that may stay silent without closing the connection, as behind a network that swallows them. */
#include <libpq-fe.h>
#include <stdbool.h>
#include <stdint.h>

struct patience {
	uint64_t ms; /* without a byte in either direction, then the connection is cut; 0: any */
	bool ended;
};

/* The next result of what was sent, as PQgetResult; the connection does not block. */
PGresult *answer_next(PGconn *connection, struct patience *patience);

/* The last result, as PQexec. */
PGresult *answer_last(PGconn *connection, struct patience *patience);
