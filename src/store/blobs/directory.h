#pragma once
/* Blobs as files of the state directory, dumps/SHA256. The lock of the writer orders puts, marks and removals. */
#include "store/blobs/kind.h"

int blob_directory_new(const struct store_place *place, struct blob_keeper **ret, struct err *err);
