#pragma once
/* The address of a bucket of S3, and who asks for its objects: s3://BUCKET[/PREFIX][?endpoint=URL&region=NAME]. */
#include "base/setup/err.h"

enum { BUCKET_TEXT_BYTES = 1024 };

/* Filled from the environment where the address says less: AWS_ENDPOINT_URL, AWS_REGION; then AWS_ACCESS_KEY_ID,
   AWS_SECRET_ACCESS_KEY and AWS_SESSION_TOKEN, unless a file has the first two in its first two lines. */
struct bucket_address {
	char objects[BUCKET_TEXT_BYTES]; /* URL before the name of an object */
	char bucket[BUCKET_TEXT_BYTES];  /* URL */
	char region[64];
	char user[BUCKET_TEXT_BYTES];  /* KEY:SECRET */
	char token[BUCKET_TEXT_BYTES]; /* "": none */
};

/* ERR_VALUE or ERR_CONFIG. key_file: NULL: none. */
int bucket_address_read(const char *text, const char *key_file, struct bucket_address *ret, struct err *err);

/* The same of the address alone. */
int bucket_address_check(const char *text, struct err *err);
