#include "server/api/handlers.h"

#include "server/http/answer.h"
#include "server/service/housekeeping.h"
#include "server/service/service.h"
#include "store/audit.h"

static void put_audit(struct jsonw *json, const struct audit *audit)
{
	char at[STORED_TIME_BYTES];

	stored_time(audit->at, at);
	jsonw_fill(json, "{'at': $, 'who': $, 'address': $, 'action': $, 'subject': $", str_from(at), audit->who,
		audit->address, audit->action, audit->subject);
	jsonw_key_number(json, "status", audit->status);
	jsonw_key_str(json, "request_id", audit->request);
	jsonw_object_end(json);
}

int answer_audit(const struct service *service, struct request *request, struct reply *reply, struct err *err)
{
	struct list_page page = { 0 };
	struct audit_list list;
	struct jsonw json;
	int status = request_limit(request, &page.max, err);

	if (request->caller.project.len)
		return err_set(err, ERR_SCOPE, "the audit log is of all projects, the token of one");

	housekeeper_write_notes(service->housekeeper);
	if (!status)
		status = answer_take_cursor(request, &page.before, err);
	if (!status)
		status = store_list_audits(service->store, &page, &request->arena, &list, err);
	if (status)
		return status;
	json = answer_begin_list(reply);
	for (size_t i = 0; i < list.count; i++)
		put_audit(&json, &list.items[i]);
	answer_end_numbered_list(&json, reply, request, list.more ? list.items[list.count - 1].number : 0, -1);
	return 0;
}
