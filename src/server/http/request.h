#pragma once
/* One request, taken out of HTTP: what handlers see. Text lives in its arena or in the connection. */
#include "base/memory/arena.h"
#include "base/memory/mem.h"
#include "base/setup/err.h"
#include "base/setup/parameters.h"
#include "report/doc/catalog.h"
#include "server/http/caller.h"
#include "server/http/header.h"
#include "store/request_key.h"

struct job;
struct reply;
struct route;
struct route_table;
struct service;
struct upload;

enum { REQUEST_ID_BYTES = 17 };
struct request {
	struct arena arena;
	char id[REQUEST_ID_BYTES];        /* for the log and for people who ask about an error */
	struct str method, path;          /* path as sent, without the query */
	struct str headers[HEADER_COUNT]; /* ptr NULL: not there */
	bool forwarded;                   /* some proxy says that it only passes the request on */
	struct str form_token, form_csrf; /* fields that only a form may carry, never a query */
	struct caller caller;             /* all zero: a caller without a token */
	struct parameters parameters;     /* of the query, then fields of a form */
	const struct route_table *routes; /* given */
	const struct route *route;
	struct str capture, captured; /* what stood for the {name} of the route's pattern; as it was sent */
	enum lang lang;
	bool lang_given;        /* by ?lang=: links keep it */
	struct upload *upload;  /* of a submit, ended; NULL: no dump came */
	struct str file_name;   /* of a form's file */
	struct request_key key; /* owner "": the request has none that is to be answered */
	struct str subject;     /* id of what it is about, for the audit log */
	bool beside;            /* it is answered in a thread of workers */
	struct job *job;        /* that the answer waits for; NULL: none */
	int (*resume)(const struct service *service, struct request *request, struct reply *reply, struct err *err);
};

/* An empty request with a fresh id. */
void request_init(struct request *request);
void request_clear(struct request *request);

/* Add a parameter; one of the query, still percent-encoded: ERR_VALUE for a broken escape. */
void request_add(struct request *request, struct str name, struct str value);
int request_add_encoded(struct request *request, struct str name, struct str value, struct err *err);

/* ERR_OPTION for a parameter that is none of the words in known, with the nearest one as hint; all, or one name. */
int request_check_names(const struct request *request, const char *known, struct err *err);
int request_check_name(const char *known, struct str name, struct err *err);

/* Returns whether a parameter was given; its last value that is not empty, "" without one. */
bool request_has(const struct request *request, const char *name);
struct str request_value(const struct request *request, const char *name);

/* ?limit=, how many entries of a list are wanted: 1 to 1000, 100 when it is not given. ERR_VALUE. */
int request_limit(const struct request *request, size_t *ret, struct err *err);

/* Resolve the language: ?lang=, else the first known of Accept-Language, else English. ERR_VALUE for another ?lang=. */
int request_resolve_lang(struct request *request, struct err *err);

/* Waiting time that the client requests: ?wait=SECONDS, else Prefer: wait=SECONDS or respond-async (RFC 7240); -1:
   unlimited. ERR_VALUE for another ?wait=. */
int request_wait(const struct request *request, int64_t *ret_seconds, struct err *err);

/* Returns whether the client wants a page rather than data; page: the answer without such a header. */
bool request_wants_html(const struct request *request, bool page);

/* Returns whether the method is another than GET, HEAD or OPTIONS; ERR_ORIGIN for a request of another site's page. */
bool request_changes(const struct request *request);
int request_check_origin(const struct request *request, struct err *err);
