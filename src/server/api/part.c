#include "server/api/part.h"

#include "io/inflate.h"
#include "server/jobs/job.h"
#include "server/service/rendering.h"

static struct rendering rendering_of(const struct request *request, const struct part *part, struct str name)
{
	return (struct rendering){ .id = part->id,
		.form = part->form,
		.lang = request->lang,
		.lang_given = request->lang_given,
		.of_dump = part->of_dump,
		.facts = part->facts,
		.project = request->caller.project,
		.name = name };
}

struct str part_name(struct request *request, struct str form, bool translated)
{
	const struct part part = { .form = form };
	const struct rendering rendering = rendering_of(request, &part, STR(""));

	return rendering_name(&rendering, translated, &request->arena);
}

int part_render(const struct service *service, struct request *request, const struct part *part, struct str name,
	struct err *err)
{
	struct rendering rendering = rendering_of(request, part, name);
	int status;

	request->job = job_new(part->facts.len ? JOB_ANSWER : JOB_RENDER);
	request->resume = part->answer;
	status = rendering_start(service, &rendering, request->job, err);
	return status ? status : ANSWER_LATER;
}

int part_take(const struct service *service, struct request *request, const struct part *part, struct buf *out,
	struct err *err)
{
	struct stored_document document = { .id = part->id, .form = part_name(request, part->form, true) };
	const struct job *job = request->job;
	int status = 1;

	if (job)
		document = (job->leader ? job->leader : job)->document;
	else
		status = store_document(service->store, &document, &request->arena, err);
	if (status == 0)
		return part_render(service, request, part, document.form, err);
	if (status > 0 && !gzip_unpack(document.packed, out))
		status = err_set(err, ERR_JOB, "the worker exited without a result");
	return status < 0 ? status : 0;
}
