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

/* Another number when one of the files has changed. */
uint64_t databases_version(const struct databases *databases);

/* A handle of the files as they are now, for a request or a job: the errors of database_open_at. And its end, for NULL
   too: what it handed out lives no longer. */
int service_open_db(const struct service *service, struct opdb **ret, struct err *err);
void service_close_db(const struct service *service, struct opdb *db);
