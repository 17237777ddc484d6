#pragma once
/* The state directory itself: made with those above it, and its entries given to its owner. */
#include "base/setup/err.h"

/* Makes a directory and those above it that are missing, each for the owner of the one above. ERR_STORE. */
int directory_make(const char *path, struct err *err);

/* Gives an entry to the owner of the directory: root sets up what the service's user goes on with. */
void directory_share(const char *directory, const char *name);
