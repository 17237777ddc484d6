#pragma once
/* A copy of a state directory, whether or not a service runs on it; a state directory itself. */
#include "store/store.h"

struct backup {
	uint64_t assessments, dumps, bytes; /* bytes of the dumps */
};

/* Copies everything of one moment to a directory that is new or empty, and looks whether the copy is whole. A copy that
   was cut off is no state directory: its store.sqlite comes last. ERR_EXISTS, ERR_STORE, ERR_STORE_FULL,
   ERR_STORE_DAMAGED. */
int store_backup(const char *directory, const char *to, struct backup *ret, struct err *err);
