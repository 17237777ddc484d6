#include "store/blobs/bucket.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory/mem.h"
#include "io/curl.h"
#include "store/blobs/bucket_address.h"

/* A request ends long before the grace period does. */
enum { CONNECT_SECONDS = 5, SLOW_SECONDS = 30, REQUEST_SECONDS = 1800, OK = 200, MISSING = 404, NO_CONTENT = 204 };

struct bucket {
	struct bucket_address at;
};

/* One request, of one thread. */
struct asking {
	CURL *handle;
	struct curl_slist *headers;
	const struct blob_file *file; /* that is sent or filled; NULL: neither */
	uint64_t at, most;            /* bytes of it */
	struct err *err;
	long status;
};

/* --- bytes that come and go */

static size_t send_some(char *buffer, size_t size, size_t count, void *ctx)
{
	struct asking *asking = ctx;
	ssize_t got = pread(asking->file->fd, buffer, size * count, (off_t)asking->at);

	if (got < 0)
		return CURL_READFUNC_ABORT;
	asking->at += (uint64_t)got;
	return (size_t)got;
}

/* libcurl sends again on a new connection when an old one was closed meanwhile. */
static int seek_to(void *ctx, curl_off_t offset, int origin)
{
	if (origin != SEEK_SET)
		return CURL_SEEKFUNC_CANTSEEK;
	((struct asking *)ctx)->at = (uint64_t)offset;
	return CURL_SEEKFUNC_OK;
}

/* More than was put is another object. Answers of errors are left out. */
static size_t take_some(char *bytes, size_t size, size_t count, void *ctx)
{
	struct asking *asking = ctx;
	size_t len = size * count;

	curl.easy_getinfo(asking->handle, CURLINFO_RESPONSE_CODE, &asking->status);
	if (!asking->file || asking->status != OK)
		return len;
	if (len > asking->most - asking->at)
		err_set(asking->err, ERR_STORE_DAMAGED, "the dump %s is not what was stored", asking->file->sha256);
	if (len > asking->most - asking->at || blob_file_add(asking->file, (struct str){ bytes, len }, asking->err))
		return 0;
	asking->at += len;
	return len;
}

/* --- requests */

static int unreachable(const char *url, const char *reason, struct err *err)
{
	err_set(err, ERR_BUSY, "the bucket cannot be reached: %s", reason);
	err_hint(err, "try again later");
	return err_file(err, url);
}

/* The digest of the content is part of the signature. */
static CURLcode set_up(struct asking *asking, const struct bucket *bucket, const char *url, const char *sha256)
{
	char signing[128];
	CURL *handle = asking->handle;
	CURLcode code;

	snprintf(signing, sizeof(signing), "aws:amz:%s:s3", bucket->at.region);
	if (!curl_add_header(&asking->headers, "x-amz-content-sha256: %s", sha256) ||
		(bucket->at.token[0] &&
			!curl_add_header(&asking->headers, "x-amz-security-token: %s", bucket->at.token)))
		return CURLE_OUT_OF_MEMORY;
	code = curl.easy_setopt(handle, CURLOPT_AWS_SIGV4, signing);
	curl.easy_setopt(handle, CURLOPT_USERPWD, bucket->at.user);
	curl.easy_setopt(handle, CURLOPT_URL, url);
	curl.easy_setopt(handle, CURLOPT_PROTOCOLS_STR, "http,https");
	curl.easy_setopt(handle, CURLOPT_NOSIGNAL, 1L);
	curl.easy_setopt(handle, CURLOPT_CONNECTTIMEOUT, (long)CONNECT_SECONDS);
	curl.easy_setopt(handle, CURLOPT_LOW_SPEED_LIMIT, 1L);
	curl.easy_setopt(handle, CURLOPT_LOW_SPEED_TIME, (long)SLOW_SECONDS);
	curl.easy_setopt(handle, CURLOPT_TIMEOUT, (long)REQUEST_SECONDS);
	curl.easy_setopt(handle, CURLOPT_USERAGENT, "opcheckd");
	curl.easy_setopt(handle, CURLOPT_HTTPHEADER, asking->headers);
	curl.easy_setopt(handle, CURLOPT_WRITEFUNCTION, take_some);
	curl.easy_setopt(handle, CURLOPT_WRITEDATA, asking);
	return code;
}

static void set_method(struct asking *asking, const char *method)
{
	if (strcmp(method, "PUT") == 0) {
		curl.easy_setopt(asking->handle, CURLOPT_UPLOAD, 1L);
		curl.easy_setopt(asking->handle, CURLOPT_INFILESIZE_LARGE, (curl_off_t)asking->file->bytes);
		curl.easy_setopt(asking->handle, CURLOPT_READFUNCTION, send_some);
		curl.easy_setopt(asking->handle, CURLOPT_READDATA, asking);
		curl.easy_setopt(asking->handle, CURLOPT_SEEKFUNCTION, seek_to);
		curl.easy_setopt(asking->handle, CURLOPT_SEEKDATA, asking);
	} else if (strcmp(method, "HEAD") == 0) {
		curl.easy_setopt(asking->handle, CURLOPT_NOBODY, 1L);
	} else {
		curl.easy_setopt(asking->handle, CURLOPT_CUSTOMREQUEST, method);
	}
}

/* The status of the answer, or an error. */
static int ask_bucket(
	const struct bucket *bucket, const char *method, const char *sha256, struct asking *asking, struct err *err)
{
	static const char nothing[] = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
	char url[BUCKET_TEXT_BYTES + SHA256_HEX_BYTES];
	CURLcode code = CURLE_OUT_OF_MEMORY;
	bool sends = strcmp(method, "PUT") == 0;

	snprintf(url, sizeof(url), "%s%s", sha256 ? bucket->at.objects : bucket->at.bucket, sha256 ? sha256 : "");
	err->code = 0;
	asking->err = err;
	asking->handle = curl.easy_init();
	if (asking->handle)
		code = set_up(asking, bucket, url, sends ? sha256 : nothing);
	if (!code) {
		set_method(asking, method);
		code = curl.easy_perform(asking->handle);
		curl.easy_getinfo(asking->handle, CURLINFO_RESPONSE_CODE, &asking->status);
	}
	curl.slist_free_all(asking->headers);
	if (asking->handle)
		curl.easy_cleanup(asking->handle);
	if (err->code)
		return -err->code;
	return code ? unreachable(url, curl.easy_strerror(code), err) : (int)asking->status;
}

/* 0, or why an answer is none of those that were hoped for. */
static int refused(const struct bucket *bucket, int status, struct err *err)
{
	if (status < 0)
		return status;
	if (status >= 500)
		return unreachable(bucket->at.bucket, "it answers with an error of its own", err);
	err_set(err, ERR_STORE, "the bucket answered with %d", status);
	err_hint(err, "look at its name, its region and the rights of the key");
	return err_file(err, bucket->at.bucket);
}

/* --- calls */

static int put_object(struct blob_rows *rows, const struct blob_file *file, struct err *err)
{
	struct asking asking = { .file = file };
	struct engine *engine;
	int status = ask_bucket(rows->bucket, "PUT", file->sha256, &asking, err);

	if (status != OK)
		return refused(rows->bucket, status, err);
	engine = blob_link_lock(&rows->writing);
	status = engine_run(engine, BLOB_STORED,
		BIND(TEXT(str_from(file->sha256)), INTEGER(engine_now(engine)),
			TEXT(str_from(blob_bytes_bucket.place))),
		err);
	pthread_mutex_unlock(&rows->writing.lock);
	if (status == 0)
		return err_set(err, ERR_BUSY, "the dump was removed meanwhile");
	return status < 0 ? status : 0;
}

static int no_bucket(struct err *err)
{
	err_set(err, ERR_CONFIG, "the dump is in a bucket, whose address is missing");
	return err_hint(err, "give it with --blobs");
}

static int open_object(struct blob_rows *rows, struct blob_file *ret, struct err *err)
{
	struct asking asking = { .file = ret, .most = ret->bytes };
	int status;

	if (!rows->bucket)
		return no_bucket(err);
	status = ask_bucket(rows->bucket, "GET", ret->sha256, &asking, err);
	if (status == MISSING)
		return 0;
	return status == OK ? 1 : refused(rows->bucket, status, err);
}

static int remove_object(struct blob_rows *rows, struct str sha256, struct err *err)
{
	struct asking asking = { 0 };
	char name[SHA256_HEX_BYTES];
	int status;

	if (!rows->bucket)
		return no_bucket(err);
	snprintf(name, sizeof(name), "%.*s", STR_ARG(sha256));
	status = ask_bucket(rows->bucket, "DELETE", name, &asking, err);
	return status == NO_CONTENT || status == OK || status == MISSING ? 0 : refused(rows->bucket, status, err);
}

static int check_bucket(struct blob_rows *rows, struct err *err)
{
	struct asking asking = { 0 };
	int status = ask_bucket(rows->bucket, "HEAD", NULL, &asking, err);

	return status == OK ? 0 : refused(rows->bucket, status, err);
}

const struct blob_bytes blob_bytes_bucket = { "bucket", false, put_object, open_object, remove_object, check_bucket };

int bucket_new(const struct store_place *place, struct bucket **ret, struct err *err)
{
	struct bucket *bucket = mem_zalloc(sizeof(*bucket));
	int status = bucket_address_read(place->blobs, place->blobs_key_file, &bucket->at, err);

	if (!status)
		status = curl_load(err);
	if (status)
		bucket_free(bucket);
	else
		*ret = bucket;
	return status;
}

void bucket_free(struct bucket *bucket)
{
	if (!bucket)
		return;
	explicit_bzero(&bucket->at, sizeof(bucket->at));
	free(bucket);
}
