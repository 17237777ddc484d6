#include "server/api/lists.h"

#include "server/api/named.h"
#include "server/api/part.h"
#include "server/http/answer.h"

/* The last part of the address names the list. */
int answer_list(const struct service *service, struct request *request, struct reply *reply, struct err *err)
{
	bool dynamic = str_ends(request->path, STR("/dynamic_ops.txt"));
	struct stored_assessment record;
	int status = answer_find(service, request, &record, err);

	reply_start(reply, STATUS_OK, "text/plain; charset=utf-8");
	reply_header(reply, "Cache-Control", STR(CACHE_CHECK));
	return status ? status
		      : part_take(service, request,
				&(struct part){ record.id, dynamic ? STR("dynamic_ops.txt") : STR("all_ops.txt"),
					answer_list, true },
				&reply->body, err);
}
