#pragma once
/*
 * The client of the service, on libcurl. The library is loaded when the first client is opened and not with the
 * program: loading it takes a third of the time of a whole `opcheck check`.
 */
#include "base/memory/buf.h"
#include "base/memory/mem.h"
#include "base/setup/err.h"
#include "io/source.h"

struct client;

/* A parameter of a request; value "": it is not given. */
struct client_field {
	const char *name;
	struct str value;
};

typedef MEM_LIST(struct client_field) client_fields;

struct client_submit {
	const char *const *paths; /* of one dump; "-": standard input */
	size_t path_count;
	client_fields fields;
	client_fields waivers; /* the name of each file and its text */
	client_fields sources; /* the name of each script of the program and its path */
	struct meter *meter;   /* shows how far the service has come with a dump that takes it long */
};

/* From the options; "": not given. The texts outlive the client. */
struct client_options {
	struct str server;     /* else $OPCHECK_SERVER */
	struct str token_file; /* its first line is the token of every request, else $OPCHECK_TOKEN */
	struct str ca_file;    /* certificates in PEM that are trusted, in place of the system's */
	struct str proxy;      /* else as libcurl reads it from the environment */
};

/* ERR_VALUE for another address than http://HOST:PORT or https://..., ERR_CONNECT without libcurl, ERR_ARGUMENT without
   a server, ERR_OPEN for a file, ERR_VALUE for a token that is none. */
int client_open_usual(const struct client_options *options, struct client **ret, struct err *err);

/* Rows of option tables, for a member `client`. */
#define OPTIONS_SERVER(type)                                                                                           \
	{ 's', "server", "URL", "address of opcheckd ($OPCHECK_SERVER)", FIELD(type, client.server) },                 \
		{ 0, "token-file", "FILE", "file with the token; see `opcheck help server`",                           \
			FIELD(type, client.token_file) },                                                              \
		{ 0, "ca-file", "FILE", "CA certificates for the server", FIELD(type, client.ca_file),                 \
			.topic = "server" },                                                                           \
	{                                                                                                              \
		0, "proxy", "URL", "proxy for the server ($https_proxy)", FIELD(type, client.proxy), .topic = "server" \
	}

/* NULL is allowed. */
void client_close(struct client *client);

/* Returns whether a text is the id of an assessment: 64 hexadecimal digits. */
bool client_is_id(const char *text);

/* Appends the JSON report of the assessment with this id to *ret. The errors of client_submit. */
int client_report(struct client *client, const char *id, struct buf *ret, struct err *err);

/* A list of the service: its address, and the keys of its items. */
struct client_list {
	const char *path; /* "/api/v1/runs" */
	const struct client_field *filters;
	size_t filter_count, most; /* most: of its items; at least 1 */
};

struct cJSON;

/* Appends the items of a list to the array ret, page after page. *ret_more: there are more than the most. The errors of
   client_submit. */
int client_list(
	struct client *client, const struct client_list *list, struct cJSON *ret, bool *ret_more, struct err *err);

/* Sends the files of a dump, waits for its assessment, also where the service has too much to do, and appends the JSON
   report to *ret. ERR_OPEN, ERR_DIRECTORY for a file; ERR_CONNECT when no answer came; an error of the service with its
   own code if that is about the call, the input or the database, else ERR_REPLY. */
int client_submit(struct client *client, const struct client_submit *request, struct buf *ret, struct err *err);
