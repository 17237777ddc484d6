#pragma once
/* The headers of a request: those that somebody asks for, their reading, and choosing by them. */
#include "base/err.h"
#include "report/catalog.h"

enum header {
	HEADER_ACCEPT,
	HEADER_ACCEPT_ENCODING,
	HEADER_ACCEPT_LANGUAGE,
	HEADER_AUTHORIZATION,
	HEADER_CONTENT_ENCODING,
	HEADER_CONTENT_LENGTH,
	HEADER_CONTENT_TYPE,
	HEADER_COOKIE,
	HEADER_CSRF,
	HEADER_EXPECT,
	HEADER_FORWARDED,
	HEADER_FORWARDED_FOR,
	HEADER_FORWARDED_PROTO,
	HEADER_FORWARDED_USER,
	HEADER_HOST,
	HEADER_IDEMPOTENCY_KEY,
	HEADER_IF_MATCH,
	HEADER_IF_NONE_MATCH,
	HEADER_ORIGIN,
	HEADER_PREFER,
	HEADER_SEC_FETCH_SITE,
	HEADER_TRANSFER_ENCODING,
	HEADER_COUNT,
};

/* Names of headers as HTTP spells them. */
extern const struct str header_names[HEADER_COUNT];

/*
 * head.c: the head of a request, out of libmicrohttpd and into struct request. What two programs in a row could read
 * differently is refused (RFC 9112): a proxy in front would pass on one request and this service answer two.
 *
 * Fills method, path, headers, parameters and `forwarded`. The target may be a whole URI; its authority is the host
 * then. ERR_HTTP for a head with two meanings: the connection must be closed behind the answer. ERR_VALUE for a broken
 * escape in the query.
 */
struct MHD_Connection;
struct request;
int head_read(struct MHD_Connection *connection, struct request *request, const char *target, struct err *err);

/* --- negotiate.c: choosing by a header of preferences: Accept and Accept-Language (RFC 9110, 12.5) */

/* The best of the offered media types ("text/html; charset=utf-8"; parameters do not count) for an Accept header;
   the first of equals. count when none is acceptable, 0 without a header (ptr NULL). */
size_t negotiate_type(struct str accept, const char *const *offers, size_t count);

/* Whether an Accept-Encoding header takes gzip. */
bool negotiate_gzip(struct str accept_encoding);

/* The best known language of an Accept-Language header, else English. */
enum lang negotiate_lang(struct str accept_language);
