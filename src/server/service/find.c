#include "server/service/find.h"

#include "base/memory/mem.h"
#include "store/run_list.h"

enum { SHOWN_IDS = 6, SHOWN_LETTERS = 20, BRANCHES_MOST = 100 };

int no_such(struct err *err, const char *what)
{
	err_set(err, ERR_ADDRESS, "unknown %s", what);
	return err_hint(err, "/help and /openapi.json list the addresses");
}

static bool is_beginning(struct str text)
{
	return ALL(i, text.len, strchr("0123456789abcdef", text.ptr[i])) && text.len >= ID_SHORTEST;
}

static int several_begin(struct str begin, const struct str *ids, size_t count, struct err *err)
{
	CLEANUP(buf_clear) struct buf list = BUF_UNLIMITED;

	for (size_t i = 0; i < count && i < SHOWN_IDS; i++)
		buf_printf(&list, "%s%.*s", i ? ", " : "",
			(int)(ids[i].len < SHOWN_LETTERS ? ids[i].len : SHOWN_LETTERS), ids[i].ptr);
	err_set(err, ERR_PREFIX, "several ids begin with %.*s", STR_ARG(begin));
	return err_hint(err, count > SHOWN_IDS ? "they are %s and more" : "they are %s", buf_text(&list));
}

int find_assessment(const struct service *service, const struct id_like *named, struct arena *arena,
	struct stored_assessment *ret, struct err *err)
{
	struct stored_assessment found[SHOWN_IDS + 1];
	struct str ids[SHOWN_IDS + 1];
	struct id_like like = { named->begin, named->project, ARRAY_SIZE(found) };
	int count = is_beginning(like.begin) ? store_find_like(service->store, &like, arena, found, err) : 0;

	if (count < 1)
		return count ? count : no_such(err, "assessment");
	*ret = found[0];
	for (int i = 0; i < count; i++)
		ids[i] = found[i].id;
	return count > 1 ? several_begin(like.begin, ids, (size_t)count, err) : 0;
}

int find_run(const struct service *service, const struct id_like *named, struct arena *arena, struct run *ret,
	struct err *err)
{
	struct run found[SHOWN_IDS + 1];
	struct str ids[SHOWN_IDS + 1];
	struct id_like like = { named->begin, named->project, ARRAY_SIZE(found) };
	int count = is_beginning(like.begin) ? store_find_runs(service->store, &like, arena, found, err) : 0;

	if (count < 1)
		return count ? count : no_such(err, "run");
	*ret = found[0];
	for (int i = 0; i < count; i++)
		ids[i] = found[i].id;
	return count > 1 ? several_begin(like.begin, ids, (size_t)count, err) : 0;
}

int find_model(const struct service *service, struct model_name *name, struct arena *arena,
	struct latest_list *ret_branches, struct err *err)
{
	struct trend_query query = { .project = name->project, .model = name->model, .max = BRANCHES_MOST };
	struct run_query newest = { .page.max = 1, .model = name->model };
	struct run_list runs;
	int status = store_list_branches(service->store, &query, arena, ret_branches, err);

	if (status || ret_branches->count)
		return status;
	if (query.project.len)
		return no_such(err, "model");
	status = store_list_runs(service->store, &newest, arena, &runs, err);
	if (status)
		return status;
	if (!runs.count)
		return no_such(err, "model");
	name->project = query.project = runs.items[0].project;
	status = store_list_branches(service->store, &query, arena, ret_branches, err);
	return status || ret_branches->count ? status : no_such(err, "model");
}
