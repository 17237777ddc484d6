#pragma once
/* A blob as a local file, which child processes read by a descriptor. */
#include <stdbool.h>
#include <stdint.h>

#include "base/setup/err.h"
#include "base/value/sha256.h"

struct blob_file {
	char sha256[SHA256_HEX_BYTES];
	uint64_t bytes;
	int fd;       /* -1: not open */
	char *path;   /* from the heap; NULL: none */
	bool is_copy; /* removed when it is closed */
};

/* Makes an empty file among the uploads of a state directory. */
int blob_file_new(const char *directory, struct blob_file *ret, struct err *err);

/* Appends bytes; does not count them. */
int blob_file_add(const struct blob_file *file, struct str bytes, struct err *err);

void blob_file_close(struct blob_file *file);

/* ERR_STORE or ERR_STORE_FULL with the system's reason, for a failure on a file. */
int blob_file_error(const char *path, int errno_value, const char *what, struct err *err);
