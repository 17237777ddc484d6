#pragma once
/*
 * The support database, kept open from one request to the next: a handle is one thread's at a time, so there are as
 * many as requests at once need. A file that has changed, or an overlay, is opened anew.
 */
#include "server/service/service.h"

struct databases;

/* Path, overlays and limits must outlive the result. */
struct databases *databases_new(const char *path, const struct str_list *overlays, const struct limits *limits);

/* When no handle is in use. NULL is allowed. */
void databases_free(struct databases *databases);

/* A handle of the files as they are now. The errors of database_open_at. */
int databases_take(struct databases *databases, struct opdb **ret, struct err *err);

/* Gives it back; what it handed out lives no longer. */
void databases_give_back(struct databases *databases, struct opdb *db);

/* Another number when one of the files has changed. */
uint64_t databases_version(const struct databases *databases);

/* A handle for a request or a job, and its end, for NULL too. */
int service_open_db(const struct service *service, struct opdb **ret, struct err *err);
void service_close_db(const struct service *service, struct opdb *db);
