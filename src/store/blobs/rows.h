#pragma once
/* Blobs with a row, whose lock orders puts, marks and removals of several services. */
#include "store/blobs/kind.h"

int blob_rows_new(const struct store_place *place, struct blob_keeper **ret, struct err *err);
