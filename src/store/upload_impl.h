#pragma once
/* The inside of an upload, shared by upload.c and record.c, which takes the file over. */
#include "store/upload.h"

struct upload {
	struct store *store;
	int fd;
	bool kept; /* the file is a dump of the store now */
	uint64_t bytes, max_bytes;
	struct sha256 *sha; /* NULL once the digest is known */
	char sha256[SHA256_HEX_BYTES];
	char *path;
};

/* Forces the bytes to disk. */
int upload_sync(struct upload *upload, struct err *err);

/* Renames the file to the dump that it is and forces the name to disk. */
int upload_keep(struct upload *upload, struct err *err);

/* Removes the dump again. */
void upload_drop(struct upload *upload);
