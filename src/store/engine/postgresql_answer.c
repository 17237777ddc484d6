#include "store/engine/postgresql_answer.h"

#include <errno.h>
#include <poll.h>
#include <sys/socket.h>

/* Sends and receives what there is. 0: nothing moved in time; negative: the connection is broken. */
static int move_bytes(PGconn *connection, uint64_t ms)
{
	int unsent = PQflush(connection), found;
	struct pollfd look = { .fd = PQsocket(connection), .events = POLLIN };

	if (unsent < 0)
		return -1;
	if (unsent)
		look.events |= POLLOUT;
	do
		found = poll(&look, 1, ms ? (int)ms : -1);
	while (found < 0 && errno == EINTR);
	return found > 0 && !PQconsumeInput(connection) ? -1 : found;
}

PGresult *answer_next(PGconn *connection, struct patience *patience)
{
	int moved = 1;

	while (moved > 0 && PQstatus(connection) == CONNECTION_OK && PQisBusy(connection))
		moved = move_bytes(connection, patience->ms);
	if (moved == 0) {
		patience->ended = true;
		shutdown(PQsocket(connection), SHUT_RDWR); /* libpq finds it closed */
	}
	return PQgetResult(connection);
}

PGresult *answer_last(PGconn *connection, struct patience *patience)
{
	PGresult *last = NULL, *result;

	while ((result = answer_next(connection, patience))) {
		PQclear(last);
		last = result;
	}
	return last;
}
