#pragma once
/* The table of routes: finds the one of a request, and answers it. */
#include "server/http/reply.h"

struct route {
	const char *method;     /* GET answers HEAD, too */
	const char *pattern;    /* a {name} in it stands for one segment */
	const char *parameters; /* that the query may have, joined by blanks */
	/* Fills the reply: 0, ANSWER_LATER when request->job must be done first, or an error that becomes a
	   problem. */
	HANDLER((*answer));
	bool page;        /* errors are pages, too, unless the client asks for data */
	enum scope scope; /* that the caller must have */
	bool form;        /* the body is a form without a file */
	bool slow;        /* a worker answers: it may take a tenth of a second */
	bool quick;       /* asks neither the store nor a job: the connection's thread answers, wherever the store is */
	const char *texts;  /* fields of a form that hold the text of a small file, with its name; NULL: none */
	const char *fields; /* members of its items, which ?fields= may name; NULL: it is no list */
	bool text;          /* the body is the first of these itself */
	bool formats;       /* the pattern may be followed by the suffix of a renderer (report/render.h) */
	bool terms;         /* the query may have those of check/asked/terms.h, too */
};

struct route_table {
	const struct route *items;
	size_t count;
};

/* Resolve language, route and parameters of a request with headers and routes. ERR_ADDRESS, ERR_METHOD, or the error
   of a parameter. OPTIONS has no route. */
int route_begin(struct request *request, struct err *err);

/* Answers a request that route_begin took: 0, ANSWER_LATER or the errors of the handler. */
int route_answer(const struct service *service, struct request *request, struct reply *reply, struct err *err);

/* Returns whether the request's address is one of pages. */
bool route_is_page(const struct request *request);

/* The methods of the request's address: "GET, HEAD, OPTIONS". */
struct str route_methods(struct request *request);

/* The parameters of the request's route, joined by blanks. */
const char *route_parameters(struct request *request);

/* Appends the table, a line a route: "GET /api/v1/targets lang". */
void route_put_table(const struct route_table *routes, struct buf *buf);
