#include "server/service/comparison.h"

#include "base/memory/mem.h"
#include "report/answers/changes.h"
#include "report/answers/changes_json.h"
#include "report/doc/doc_build.h"
#include "report/doc/doc_put.h"
#include "server/service/find.h"
#include "server/service/order.h"

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
		changes_put_json(&view, &options, out);
	} else {
		struct doc doc = doc_new(DOC_HTML, &options);

		changes_build(&doc, &view);
		doc_put(&doc, out);
	}
	changes_free(changes);
	return 0;
}

static int give_report(
	const struct service *service, const struct id_like *named, struct job *job, size_t place, struct err *err)
{
	struct stored_document document = { .form = STR("json") };
	struct stored_assessment record;
	int status = find_assessment(service, named, &job->arena, &record, err);

	if (status)
		return status;
	document.id = record.id;
	status = store_document(service->store, &document, &job->arena, err);
	if (status == 0)
		return no_such(err, "assessment");
	return status < 0 ? status : job_give(job, place, document.packed, err);
}

int comparison_start(const struct service *service, const struct comparison *asked, struct job *job, struct err *err)
{
	struct id_like before = { .begin = asked->before, .project = asked->project },
		       after = { .begin = asked->after, .project = asked->project };
	struct order order = { .form = asked->form, .lang = asked->lang, .fail_on = asked->fail_on };
	int status = give_report(service, &before, job, JOB_INPUT, err);

	if (!status)
		status = give_report(service, &after, job, JOB_OTHER, err);
	return status ? status : order_give(&order, job, service->store, err);
}
