#pragma once
/* A PostgreSQL that a test starts for itself: a fresh cluster in a temporary directory, reached by a socket alone. */
#include <stdbool.h>
#include <stddef.h>

enum { CLUSTER_URL_BYTES = 256 };

/* Starts one, as another user where the test runs as root. False, with a word of why on stdout, without PostgreSQL. */
bool cluster_start(void);

/* Stops it and removes its files. */
void cluster_stop(void);

/* Its address, for one of its databases. */
void cluster_put_url(const char *database, char ret[CLUSTER_URL_BYTES]);

/* Runs a statement in its first database; false when it fails. */
bool cluster_run(const char *sql);
