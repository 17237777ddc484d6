#pragma once
/* JSON replies, pages of lists, and the parameters that several routes have. */
#include "json/jsonw.h"
#include "server/http/reply.h"

enum { STATUS_OK = 200, STATUS_CREATED = 201, STATUS_NO_CONTENT = 204, STATUS_SEE_OTHER = 303 };

/* A reply with a JSON body that is asked for again each time. */
void answer_json(struct reply *reply, unsigned status);

/* A page of a list: what comes before its items, and what after them, the cursor as next_cursor and as a Link header
   unless that is too long for proxies; or the cursor is the number of the last item, 0: there are no more. */
struct list_end {
	struct str cursor;    /* "": there are no more */
	int64_t total;        /* how many there are in all; -1: unknown */
	bool more_than_total; /* not all were counted */
};
struct jsonw answer_begin_list(struct reply *reply);
void answer_end_list(struct jsonw *json, struct reply *reply, struct request *request, const struct list_end *end);
void answer_end_numbered_list(
	struct jsonw *json, struct reply *reply, struct request *request, uint64_t last, int64_t total);

/* Leaves of the items of a list what ?fields= names, and says so beside them. */
void answer_select_fields(const struct request *request, struct buf *body);

/* The project whose runs the caller asks about: his token's, else ?project=, else "" for any. ERR_SCOPE for
   another than the token's. */
int answer_take_project(const struct request *request, struct str *ret, struct err *err);

/* Where a cursor of the assessments says to go on, 0 without one. ERR_VALUE. */
int answer_take_cursor(const struct request *request, uint64_t *ret, struct err *err);
int answer_no_cursor(struct err *err);
