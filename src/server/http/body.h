#pragma once
/*
 * The body of a submit on its way in: the dump itself, or a multipart form with the dump as its field "file".
 *
 * The dump goes to the store piece by piece; the other fields of a form become parameters of the request. Several files
 * are one upload, one behind the other, and a parameter "file" for each says its bytes and its name: "4096 rank0.log";
 * the fields "source" are scripts of the program, in parameters of that name.
 */
#include "server/http/request.h"

struct MHD_Connection;
struct body;
struct limits;
struct store;

struct body_of {
	struct request *request;
	struct MHD_Connection *connection;
	struct store *store; /* of the dump */
	const struct limits *limits;
};

/* Begins with the headers that are there. ERR_LIMIT for a body that says it is too large, ERR_UNREAD for a
   Content-Encoding that is not understood, ERR_VALUE for a form without a boundary, or the errors of upload_begin. */
int body_begin(const struct body_of *of, struct body **ret, struct err *err);

/* The next bytes. ERR_OPTION for an unknown field, ERR_LIMIT, ERR_ARGUMENT for a file where none is, ERR_VALUE for a
   broken form, or the errors of upload_add. */
int body_add(struct body *body, struct str bytes, struct err *err);

/* All bytes are there, once: request->upload is the dump, if one came. ERR_VALUE for a form without its end. */
int body_end(struct body *body, struct err *err);

/* NULL is allowed. The upload stays with the request. */
void body_free(struct body *body);

/* The length that the headers say, 0 when they do not. */
uint64_t body_announced(const struct request *request);
