#include "server/api/handlers.h"

#include "check/lookup/lookup.h"
#include "check/lookup/lookup_facts.h"
#include "check/lookup/lookup_related.h"
#include "check/lookup/search.h"
#include "server/api/named.h"
#include "server/http/answer.h"

static int put_targets(const struct opdb *db, struct request *request UNUSED, struct reply *reply, struct err *err)
{
	answer_json(reply, STATUS_OK);
	return targets_put_json(db, &reply->body, err);
}

int answer_targets(const struct service *service, struct request *request, struct reply *reply, struct err *err)
{
	return answer_with_db(service, request, reply, err, put_targets);
}

/* --- one */

static int put_operator(const struct opdb *db, struct request *request, struct reply *reply, struct err *err)
{
	struct target_list targets;
	struct lookup lookup;
	int status = answer_take_targets(request, db, &targets, err);

	if (status)
		return status;
	status = lookup_run(db, request->capture, &targets, &lookup, err);
	if (!status) {
		answer_json(reply, STATUS_OK);
		lookup_put_json(&lookup, &reply->body);
	}
	lookup_clear(&lookup);
	target_list_clear(&targets);
	return status;
}

int answer_operator(const struct service *service, struct request *request, struct reply *reply, struct err *err)
{
	return answer_with_db(service, request, reply, err, put_operator);
}

/* --- all */

static int put_statuses(struct jsonw *json, struct resolver *resolver, struct str name,
	const struct target_list *targets, struct err *err)
{
	int status = 0;

	jsonw_fill(json, "{'name': $, 'statuses': {", name);
	for (size_t i = 0; i < targets->count && !status; i++) {
		enum op_status found;

		status = lookup_status(resolver, &targets->items[i], name, &found, err);
		jsonw_key(json, targets->items[i].id);
		jsonw_str(json, op_status_name(found));
	}
	jsonw_fill(json, "}}");
	return status;
}

/* A page of a search. */
struct found_operators {
	const struct opdb *db;
	struct search_result names;
	struct target_list targets; /* to be cleared */
};

static int put_found(const struct found_operators *page, struct request *request, struct reply *reply, struct err *err)
{
	const struct search_result *found = &page->names;
	struct resolver *resolver = resolver_new(page->db);
	struct jsonw json = answer_begin_list(reply);
	int status = 0;

	for (size_t i = 0; i < found->count && !status; i++)
		status = put_statuses(&json, resolver, found->names[i], &page->targets, err);
	answer_end_list(&json, reply, request,
		&(struct list_end){
			found->more ? found->names[found->count - 1] : STR(""), (int64_t)found->total, false });
	resolver_free(resolver);
	return status;
}

static int put_demand(const struct opdb *db, struct request *request, struct reply *reply, struct err *err)
{
	struct found_operators page = { .db = db };
	size_t limit;
	int status = request_limit(request, &limit, err);

	if (!status)
		status = answer_take_targets(request, db, &page.targets, err);
	if (!status)
		status = search_operators(db,
			&(struct search){ request_value(request, "q"), request_value(request, "cursor"), limit },
			&request->arena, &page.names, err);
	if (!status)
		status = put_found(&page, request, reply, err);
	target_list_clear(&page.targets);
	return status;
}

int answer_operators(const struct service *service, struct request *request, struct reply *reply, struct err *err)
{
	return answer_with_db(service, request, reply, err, put_demand);
}
