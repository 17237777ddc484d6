#pragma once
/* What several handlers need: JSON replies, an assessment as JSON, pages of lists, and what is not there. */
#include "check/asked/targets.h"
#include "json/jsonw.h"
#include "opdb/db/opdb.h"
#include "server/reply.h"
#include "server/service.h"
#include "store/run.h"
#include "store/team.h"

enum { STATUS_OK = 200, STATUS_CREATED = 201, STATUS_NO_CONTENT = 204, STATUS_SEE_OTHER = 303 };

/* A reply with a JSON body that is asked for again each time. */
void answer_json(struct reply *reply, unsigned status);

/* An assessment as the API shows it, as the next value, with the run that a submit made of it; NULL: none. */
void answer_put_record(struct jsonw *json, const struct stored_assessment *record, const struct run *run);

/* A run as the next value; of a trend, without what does not change with time. */
void answer_put_run(struct jsonw *json, const struct run *run);
void answer_put_point(struct jsonw *json, const struct run *run);

/* What a target came to, as members of an object. */
void answer_put_verdict(struct jsonw *json, const struct stored_verdict *verdict);

/* A page of a list: what comes before its items, and what after them, next_cursor ("": null) as key and value and as a
   Link header; or the cursor is the number of the last item, 0: there are no more; and how many there are in all, -1:
   that is not said. */
struct jsonw answer_begin_list(struct reply *reply);
void answer_end_list(
	struct jsonw *json, struct reply *reply, struct request *request, struct str cursor, int64_t total);
void answer_end_numbered_list(
	struct jsonw *json, struct reply *reply, struct request *request, uint64_t last, int64_t total);

/* Leaves of the items of a list what ?fields= names, and says so beside them. */
void answer_select_fields(const struct request *request, struct buf *body);

/* The project whose runs the caller asks about: his token's, else ?project=, else "" for any. ERR_SCOPE for
   another than the token's. */
int answer_take_project(const struct request *request, struct str *ret, struct err *err);

/* The assessment with an id, or with the only one that begins like this, among those that the caller may see.
   ERR_ADDRESS when there is none, ERR_PREFIX for several. */
int answer_resolve(const struct service *service, struct request *request, struct str begin,
	struct stored_assessment *ret, struct err *err);

/* The one that the address names, whose whole id request->capture is then. */
int answer_find(const struct service *service, struct request *request, struct stored_assessment *ret, struct err *err);

/* The run that the address names, found as an assessment is. */
int answer_find_run(const struct service *service, struct request *request, struct run *ret, struct err *err);

/* The model that the address names: its branches, and its project; without ?project=, "" if there is one of no project,
   else the project that ran a model of that name last. ERR_ADDRESS. */
int answer_find_model(const struct service *service, struct request *request, struct str *ret_project,
	struct standing_list *ret_branches, struct err *err);

/* What became of a change: 204 for 1, ERR_ADDRESS for 0, or the error. */
int answer_changed(int status, const char *what, struct reply *reply, struct err *err);

/* ERR_ADDRESS for an address whose pattern fits and whose {name} is not known. */
int answer_missing(struct err *err, const char *what);

/* Where a cursor of the assessments says to go on, 0 without one. ERR_VALUE. */
int answer_take_cursor(const struct request *request, uint64_t *ret, struct err *err);
int answer_no_cursor(struct err *err);

/* ?target= and ?torch=, resolved as targets_choose does. */
int answer_take_targets(const struct request *request, const struct opdb *db, struct target_list *ret, struct err *err);

/* The database as it is now, with its overlays; and its end, for NULL too. */
int answer_open_db(const struct service *service, struct opdb **ret, struct err *err);
void answer_close_db(const struct service *service, struct opdb *db);

/* Calls put with the support database. */
int answer_with_db(const struct service *service, struct request *request, struct reply *reply, struct err *err,
	int (*put)(const struct opdb *db, struct request *request, struct reply *reply, struct err *err));
