#pragma once
/* Lists of models and branches: where one begins, and where a list goes on. */
#include "server/http/reply.h"
#include "server/http/request.h"
#include "store/team.h"

/* Returns whether another branch begins at this entry. */
bool team_begins_branch(const struct latest_list *list, size_t at);

/* A cursor is "PROJECT\nMODEL\nBRANCH", as no word has a line feed. ERR_VALUE. */
int team_take_cursor(const struct request *request, struct latest_query *ret, struct err *err);
struct str team_cursor(struct request *request, const struct latest_list *list); /* "": the last page */
