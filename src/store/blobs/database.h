#pragma once
/* Bytes of blobs in parts, in the table blob_part. */
#include "store/blobs/bytes.h"

extern const struct blob_bytes blob_bytes_database;
