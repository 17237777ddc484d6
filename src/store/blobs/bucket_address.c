#include "store/blobs/bucket_address.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory/arena.h"
#include "base/memory/mem.h"
#include "base/value/url.h"
#include "base/value/utf8.h"

struct parts {
	struct str bucket, prefix, endpoint, region;
};

static int refuse_address(struct str text, struct err *err)
{
	err_set(err, ERR_VALUE, "'%s' is not the address of a bucket", shown(text).text);
	return err_hint(err, "for example s3://BUCKET/opcheck?region=eu-central-1");
}

/* Names that need no escape in a URL, so that what is signed is what is sent. */
static bool is_plain(struct str text, const char *others)
{
	for (size_t i = 0; i < text.len; i++) {
		char c = text.ptr[i];

		if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
			    (c && strchr(others, c))))
			return false;
	}
	return !str_has(text, STR(".."));
}

static struct str from_environment(const char *name)
{
	const char *value = getenv(name);

	return str_from(value ? value : "");
}

/* endpoint and region, each once at most. */
static bool take_query(struct str query, struct arena *arena, struct parts *parts)
{
	struct str pair, name;

	while (query.len && str_cut(&query, '&', &pair)) {
		struct str *value;

		if (!str_cut(&pair, '=', &name))
			return false;
		value = str_eq(name, STR("endpoint")) ? &parts->endpoint
			: str_eq(name, STR("region")) ? &parts->region
						      : NULL;
		if (!value || value->len || !url_decode(pair, arena, value) || !value->len)
			return false;
	}
	return true;
}

static int split_address(struct str text, struct arena *arena, struct parts *ret, struct err *err)
{
	struct str rest = text, path, given = text;

	*ret = (struct parts){ 0 };
	if (!str_starts(rest, STR("s3://")))
		return refuse_address(given, err);
	rest = str_skip(rest, strlen("s3://"));
	str_cut(&rest, '?', &path);
	if (!take_query(rest, arena, ret))
		return refuse_address(given, err);
	str_cut(&path, '/', &ret->bucket);
	ret->prefix = path;
	if (!ret->endpoint.len)
		ret->endpoint = from_environment("AWS_ENDPOINT_URL");
	if (!ret->region.len)
		ret->region = from_environment("AWS_REGION");
	if (!ret->region.len)
		ret->region = STR("us-east-1");
	if (!ret->endpoint.len)
		ret->endpoint = arena_printf(arena, "https://s3.%.*s.amazonaws.com", STR_ARG(ret->region));
	if (!ret->bucket.len || !is_plain(ret->bucket, ".-_") || !is_plain(ret->prefix, ".-_/") ||
		!is_plain(ret->region, "-") || !is_plain(ret->endpoint, ".-_:/[]") ||
		(!str_starts(ret->endpoint, STR("https://")) && !str_starts(ret->endpoint, STR("http://"))))
		return refuse_address(given, err);
	return 0;
}

static struct str without_slashes(struct str text)
{
	while (text.len && text.ptr[text.len - 1] == '/')
		text.len--;
	return text;
}

static int take_urls(const struct parts *parts, struct bucket_address *ret, struct err *err)
{
	struct str endpoint = without_slashes(parts->endpoint), prefix = without_slashes(parts->prefix);
	int bucket = snprintf(ret->bucket, sizeof(ret->bucket), "%.*s/%.*s", STR_ARG(endpoint), STR_ARG(parts->bucket));
	int objects = snprintf(ret->objects, sizeof(ret->objects), "%.*s/%.*s/%.*s%s", STR_ARG(endpoint),
		STR_ARG(parts->bucket), STR_ARG(prefix), prefix.len ? "/" : "");
	int region = snprintf(ret->region, sizeof(ret->region), "%.*s", STR_ARG(parts->region));

	if (bucket < BUCKET_TEXT_BYTES && objects < BUCKET_TEXT_BYTES && region < (int)sizeof(ret->region))
		return 0;
	return err_set(err, ERR_VALUE, "the address of the bucket is too long");
}

/* --- who asks */

static int read_line(FILE *file, char *ret, size_t bytes)
{
	if (!fgets(ret, (int)bytes, file))
		return -1;
	ret[strcspn(ret, "\r\n")] = '\0';
	return ret[0] ? 0 : -1;
}

static int read_key_file(const char *path, struct bucket_address *ret, struct err *err)
{
	FILE *file = fopen(path, "re");
	int failed;

	if (!file)
		return err_os(err, ERR_CONFIG, errno, "cannot read the key of the bucket");
	failed = read_line(file, ret->user, sizeof(ret->user) / 2);
	if (!failed) {
		size_t len = strlen(ret->user);

		ret->user[len] = ':';
		failed = read_line(file, ret->user + len + 1, sizeof(ret->user) - len - 1);
	}
	fclose(file);
	return failed ? err_set(err, ERR_CONFIG, "the file of the bucket's key has not an id and a secret, one a line")
		      : 0;
}

static int take_key(const char *key_file, struct bucket_address *ret, struct err *err)
{
	struct str id = from_environment("AWS_ACCESS_KEY_ID"), secret = from_environment("AWS_SECRET_ACCESS_KEY");

	ret->token[0] = '\0';
	if (key_file)
		return read_key_file(key_file, ret, err) ? err_file(err, key_file) : 0;
	if (!id.len || !secret.len) {
		err_set(err, ERR_CONFIG, "the key of the bucket is missing");
		return err_hint(err, "give a file with blobs-key-file, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY");
	}
	snprintf(ret->token, sizeof(ret->token), "%.*s", STR_ARG(from_environment("AWS_SESSION_TOKEN")));
	if (snprintf(ret->user, sizeof(ret->user), "%.*s:%.*s", STR_ARG(id), STR_ARG(secret)) < BUCKET_TEXT_BYTES)
		return 0;
	return err_set(err, ERR_CONFIG, "the key of the bucket is too long");
}

int bucket_address_check(const char *text, struct err *err)
{
	CLEANUP(arena_clear) struct arena arena = ARENA_INIT(ARENA_UNLIMITED);
	struct bucket_address ignored;
	struct parts parts;
	int status = split_address(str_from(text), &arena, &parts, err);

	return status ? status : take_urls(&parts, &ignored, err);
}

int bucket_address_read(const char *text, const char *key_file, struct bucket_address *ret, struct err *err)
{
	CLEANUP(arena_clear) struct arena arena = ARENA_INIT(ARENA_UNLIMITED);
	struct parts parts;
	int status = split_address(str_from(text), &arena, &parts, err);

	if (!status)
		status = take_urls(&parts, ret, err);
	return status ? status : take_key(key_file, ret, err);
}
