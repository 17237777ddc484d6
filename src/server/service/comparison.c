#include "server/service/comparison.h"

#include "report/answers/changes.h"
#include "report/answers/changes_json.h"
#include "report/doc/doc_put.h"
#include "server/jobs/queue.h"
#include "server/service/find.h"
#include "server/service/order.h"
#include "server/service/rendering.h"

#define COMPARISONS "changes-" /* prefix of their forms */

enum { LEAST_SHARE_PPM = 10000 };

int comparison_put_changes(
	const struct compared *compared, const struct comparison *asked, struct buf *out, struct err *err)
{
	struct render_options options = { .lang = asked->lang };
	struct changes_view view = { 0 };
	struct changes *changes;
	int status = asked->fail_on.len ? change_words_parse(&view.fail_on, asked->fail_on, err) : 0;

	if (status)
		return status;
	changes = changes_find(compared->before, compared->after, LEAST_SHARE_PPM);
	view.changes = changes;
	if (str_eq(asked->form, STR("json"))) {
		changes_put_json(&view, out);
	} else {
		struct doc doc = doc_new(DOC_HTML, &options);

		changes_build(&doc, &view);
		doc_put(&doc, out);
	}
	changes_free(changes);
	return 0;
}

/* Name the comparison as the store has it, beside the later assessment. */
static int name_it(const struct comparison *asked, struct str before, struct job *job, struct err *err)
{
	struct rendering rendering = { .lang = asked->lang, .project = asked->project };
	unsigned fail_on = 0;
	int status = asked->fail_on.len ? change_words_parse(&fail_on, asked->fail_on, err) : 0;

	rendering.form = arena_printf(
		&job->arena, COMPARISONS "%.*s-%x-%.*s", STR_ARG(asked->form), fail_on, STR_ARG(before));
	job->document.form = rendering_name(&rendering, true, &job->arena);
	return status;
}

/* For struct job. Each pair of assessments may be compared: an assessment has a bounded number of them. */
static int keep_comparison(const struct service *service, struct job *job, struct err *err)
{
	return store_keep_document_of(
		service->store, &job->document, STR(COMPARISONS), service->limits->comparisons, err);
}

int comparison_start(const struct service *service, const struct comparison *asked, struct job *job, struct err *err)
{
	struct order order = { .form = asked->form, .lang = asked->lang, .fail_on = asked->fail_on };
	struct id_like named_before = { .begin = asked->before, .project = asked->project },
		       named_after = { .begin = asked->after, .project = asked->project };
	struct stored_assessment before, after;
	int status = find_assessment(service, &named_before, &job->arena, &before, err);

	if (!status)
		status = find_assessment(service, &named_after, &job->arena, &after, err);
	if (!status)
		status = name_it(asked, before.id, job, err);
	if (status)
		return status;
	job->record.id = job->document.id = after.id;
	status = store_document(service->store, &job->document, &job->arena, err);
	if (status)
		return status;
	job->keep = keep_comparison;
	if (queue_follow(service->queue, job))
		return 0;
	status = order_give_report(service->store, before.id, job, JOB_INPUT, err);
	if (!status)
		status = order_give_report(service->store, after.id, job, JOB_OTHER, err);
	return status ? status : order_give(&order, job, service->store, err);
}
