#pragma once
/* Inside the room: the places of the bytes of blobs that have a row. */
#include "store/blobs/kind.h"
#include "store/blobs/table.h"

struct blob_rows {
	struct blob_keeper keeper;
	const struct blob_bytes *bytes; /* that take what is put */
	struct blob_link writing, reading;
	struct bucket *bucket; /* NULL: none is named */
};

struct blob_bytes {
	const char *place;  /* the word that a row has */
	bool with_the_rows; /* put in the transaction that claims the row, under the lock of `writing` */
	/* The row is claimed; sets its stored_at. */
	int (*put)(struct blob_rows *rows, const struct blob_file *file, struct err *err);
	/* 1, or 0 if they are missing. */
	int (*open)(struct blob_rows *rows, struct blob_file *ret, struct err *err);
	/* Before the row is dropped, under the lock of `writing`; NULL: they go with it. */
	int (*remove)(struct blob_rows *rows, struct str sha256, struct err *err);
	int (*check)(struct blob_rows *rows, struct err *err); /* NULL: there with the rows */
};
