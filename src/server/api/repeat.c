#include "server/api/repeat.h"

#include "base/value/sha256.h"
#include "server/http/access.h"
#include "server/jobs/job.h"
#include "server/jobs/log.h"
#include "server/service/service.h"
#include "store/upload.h"

enum { KEY_BYTES = 255 };

/* The client's waiting time and language do not matter. */
static bool is_beside(struct str name)
{
	return str_eq(name, STR("csrf")) || str_eq(name, STR("wait")) || str_eq(name, STR("lang"));
}

static struct str digest_asked(struct request *request)
{
	struct sha256 *sha = sha256_new();
	char digest[SHA256_HEX_BYTES];

	sha256_add_field(sha, request->method);
	sha256_add_field(sha, request->path);
	sha256_add_field(sha, upload_sha256(request->upload));
	sha256_add_field(sha, request->file_name);
	for (size_t i = 0; i < request->parameters.count; i++) {
		if (is_beside(request->parameters.items[i].name))
			continue;
		sha256_add_field(sha, request->parameters.items[i].name);
		sha256_add_field(sha, request->parameters.items[i].value);
	}
	sha256_end(sha, digest);
	return arena_keep(&request->arena, str_from(digest));
}

int repeat_begin(const struct service *service, struct request *request, struct err *err)
{
	struct str text = request->headers[HEADER_IDEMPOTENCY_KEY];
	struct lease lease = service_lease(service);
	int status;

	if (!text.ptr)
		return 0;
	if (!text.len || text.len > KEY_BYTES)
		return err_set(err, ERR_VALUE, "an Idempotency-Key has 1 to %d bytes", KEY_BYTES);
	request->key = (struct request_key){ access_who(&request->caller), text, digest_asked(request),
		.holder = lease.holder };
	status = store_take_key(service->store, &lease, &request->arena, &request->key, err);
	if (status == 1)
		return 0;
	request->key.owner = STR("");
	return status ? status : 1;
}

void repeat_end(const struct service *service, struct request *request, unsigned status)
{
	const struct job *job = request->job;
	struct err err;

	if (!request->key.owner.len)
		return;
	request->key.status = status;
	/* a run names its assessment, too */
	request->key.answer = job && !job->ticketed && job->run.id.len ? job->run.id : request->subject;
	if (store_answer_key(service->store, &request->key, &err))
		log_error(request->id, &err);
	request->key.owner = STR("");
}
