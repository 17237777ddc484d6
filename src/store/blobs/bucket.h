#pragma once
/* Bytes of blobs as objects of an S3-compatible bucket, asked for by libcurl with AWS's signature. */
#include "store/blobs/bytes.h"

extern const struct blob_bytes blob_bytes_bucket;

/* Loads libcurl and finds the key. */
int bucket_new(const struct store_place *place, struct bucket **ret, struct err *err);

/* NULL is allowed. */
void bucket_free(struct bucket *bucket);
