#pragma once
/* A copy of a state directory, whether or not a service runs on it; a state directory itself. */
#include "store/store.h"

struct backup {
	uint64_t assessments, dumps, bytes; /* bytes of the dumps */
};

/* Copy a snapshot to a new or empty directory, and check that the copy is whole. An interrupted copy is not a state
   directory: store.sqlite comes last. ERR_EXISTS, ERR_STORE, ERR_STORE_FULL, ERR_STORE_DAMAGED. */
int store_backup(const char *directory, const char *to, struct backup *ret, struct err *err);
