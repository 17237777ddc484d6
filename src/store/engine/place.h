#pragma once
#include <stdint.h>

/* The database of a store, and the dialect of its SQL. */
enum dialect { DIALECT_SQLITE, DIALECT_POSTGRESQL };

/* The strings live as long as what is opened on them. */
struct store_place {
	const char *directory;      /* of files; with SQLite of the rows, too: DIRECTORY/store.sqlite */
	const char *url;            /* of a PostgreSQL database, without a password; NULL: SQLite */
	const char *password_file;  /* whose first line is the password; NULL: PGPASSFILE, PGPASSWORD or none */
	const char *blobs;          /* place of dumps: directory, database, s3://BUCKET; NULL: with the rows */
	const char *blobs_key_file; /* whose lines are the id and the secret of a bucket's key; NULL: environment */
	uint64_t query_seconds;     /* of PostgreSQL: a writer has three times as long; 0: any */
};
