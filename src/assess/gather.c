#include "assess/gather.h"

#include "assess/assess.h"
#include "assess/finding/warnings.h"
#include "opdb/db/names.h"

static bool name_known(void *ctx, struct str base)
{
	struct assessment *work = ctx;
	struct str versions;

	return resolve_known_in(work->resolver, STR("aten"), base, &versions, work->err) == 0 && versions.len;
}

static size_t name_completions(void *ctx, struct str ns, struct str prefix, struct str *ret, size_t max)
{
	struct assessment *work = ctx;
	struct str start = arena_printf(&work->scratch, "%.*s::%.*s", STR_ARG(ns), STR_ARG(prefix));
	struct name_list names = { .max = max };

	if (opdb_names_with_prefix(work->request->db, start, &work->scratch, &names, work->err))
		names.count = 0;
	for (size_t i = 0; i < names.count; i++)
		ret[i] = str_skip(names.items[i], ns.len + 2);
	return names.count;
}

int assessment_gather(struct assessment *work)
{
	struct name_lookup lookup = { work, name_known, name_completions };
	size_t count;
	const struct profile_stream *streams = profile_streams(work->request->profile, &count);
	/* tables of tasks or of runtime calls have no operators */
	bool lists_device = ANY(i, count, streams[i].has & (TABLE_DEVICE_TASKS | TABLE_HOST_CALLS));

	work->err->code = 0;
	operators_gather(&work->scratch, work->request->profile, &lookup, &work->operators);
	if (work->err->code)
		return -work->err->code;
	if (!work->operators.count && lists_device) {
		inputs_lack_operators(work->request->inputs, work->request->input_count, work->err);
		return err_hint(work->err, "give operator_details.csv, or the whole folder that ends in _ascend_pt");
	}
	if (!work->operators.count) {
		err_set(work->err, ERR_NO_OPERATOR, "the tables hold no operator, only %zu other names",
			work->operators.ignored_count);
		return err_hint(work->err, "profile at least one step of the model; `opcheck snippet` shows how");
	}
	return 0;
}
