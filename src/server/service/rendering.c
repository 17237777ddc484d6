#include "server/service/rendering.h"

#include "base/value/sha256.h"
#include "check/check.h"
#include "server/jobs/queue.h"
#include "server/service/find.h"
#include "server/service/rejudge.h"
#include "store/upload.h"

enum { SHORT_DIGEST = 16 };

struct str rendering_name(const struct rendering *rendering, bool translated, struct arena *arena)
{
	struct str form = rendering->form, name, project;
	bool given = str_eq(form, STR("page")) && rendering->lang_given; /* links keep it */
	char digest[SHA256_HEX_BYTES];

	if (str_eq(form, STR("json"))) /* of each submit */
		return form;
	name = translated ? arena_printf(arena, "%.*s-%.*s%s%s", STR_ARG(form), STR_ARG(lang_name(rendering->lang)),
				    given ? "-given-" : "-", check_version())
			  : arena_printf(arena, "%.*s-%s", STR_ARG(form), check_version());
	if (!rendering->project.len)
		return name;
	sha256_of(rendering->project, digest);
	project = str_sub(str_from(digest), 0, SHORT_DIGEST);
	return arena_printf(arena, "%.*s-%.*s", STR_ARG(name), STR_ARG(project));
}

static int rendering_keep(const struct service *service, struct job *job, struct err *err)
{
	return store_keep_document(service->store, &job->document, err);
}

/* Give the job the dump of its assessment as it was sent. */
static int give_dump(const struct service *service, struct job *job, struct err *err)
{
	struct stored_assessment record;
	int status = store_find(service->store, job->record.id, &job->arena, &record, err);

	if (status == 0)
		return no_such(err, "assessment");
	if (status > 0)
		status = upload_of_dump(service->store, record.input_sha256, &job->upload, err);
	return status ? status : upload_open(job->upload, &job->files[JOB_INPUT], err);
}

static struct order order_of(const struct rendering *rendering, const struct job *job)
{
	return (struct order){ .assessment = job->record.id,
		.input_sha256 = job->upload ? upload_sha256(job->upload) : job->record.input_sha256,
		.input_bytes = job->record.input_bytes,
		.stored = job->upload != NULL,
		.form = rendering->form,
		.lang = rendering->lang,
		.lang_given = rendering->lang_given,
		.facts = rendering->facts };
}

int rendering_start(const struct service *service, const struct rendering *rendering, struct job *job, struct err *err)
{
	bool rereads = rendering->facts.len > 0;
	struct order order;
	int status = rereads ? store_find(service->store, rendering->id, &job->arena, &job->record, err) : 1;

	if (status < 1)
		return status ? status : no_such(err, "assessment");
	job->record.id = arena_keep(&job->arena, rendering->id);
	job->document = (struct stored_document){ .id = job->record.id,
		.form = arena_keep(&job->arena, rendering->name) };
	job->keep = rendering_keep;
	if (!rereads && queue_follow(service->queue, job))
		return 0;
	status = rereads ? 0
			 : order_give_report(
				   service->store, rendering->id, job, rendering->of_dump ? JOB_OTHER : JOB_INPUT, err);
	if (!status && (rereads || rendering->of_dump))
		status = give_dump(service, job, err);
	order = order_of(rendering, job);
	if (!status && rereads)
		status = rejudge_submission(service, &job->record, &job->arena, &order.submission, err);
	return status ? status : order_give(&order, job, service->store, err);
}
