#pragma once
/* What several handlers need: JSON replies, an assessment as JSON, pages of lists, and what is not there. */
#include "check/targets.h"
#include "opdb/db/opdb.h"
#include "json/jsonw.h"
#include "server/reply.h"
#include "server/service.h"
#include "store/record.h"

enum { STATUS_OK = 200, STATUS_CREATED = 201, STATUS_NO_CONTENT = 204, STATUS_SEE_OTHER = 303 };

/* A reply with a JSON body that is asked for again each time. */
void answer_json(struct reply *reply, unsigned status);

/* An assessment as the API shows it, as the next value. */
void answer_put_record(struct jsonw *json, const struct record *record);

/* The end of a list: next_cursor ("": null) as key and value, and as a Link header. */
void answer_put_next(struct jsonw *json, struct reply *reply, struct request *request, struct str cursor);

/* The assessment that the address names. ERR_ADDRESS when there is none. */
int answer_find(const struct service *service, struct request *request, struct record *ret, struct err *err);

/* ERR_ADDRESS for an address whose pattern fits and whose {name} is not known. */
int answer_missing(struct err *err, const char *what);

/* Where a cursor of the assessments says to go on, 0 without one. ERR_VALUE. */
int answer_take_cursor(const struct request *request, uint64_t *ret, struct err *err);

/* ?target= and ?torch=, resolved as targets_choose does. */
int answer_take_targets(const struct request *request, const struct opdb *db, struct target_list *ret, struct err *err);

/* The database as it is now, with its overlays; and its end, for NULL too. */
int answer_open_db(const struct service *service, struct opdb **ret, struct err *err);
void answer_close_db(const struct service *service, struct opdb *db);

/* Calls put with the support database. */
int answer_with_db(const struct service *service, struct request *request, struct reply *reply, struct err *err,
	int (*put)(const struct opdb *db, struct request *request, struct reply *reply, struct err *err));
