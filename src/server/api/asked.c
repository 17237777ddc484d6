#include "server/api/asked.h"

#include "server/jobs/fields.h"

/* The record that it is about, and what of the request decides what comes out. */
static void put_asked(struct buf *out, const struct job *job, const struct request *request)
{
	field_put(out, job->record.id);
	field_put(out, job->record.input_sha256);
	field_put_number(out, job->record.input_bytes);
	field_put(out, job->form);
	field_put(out, request->method);
	field_put(out, request->path);
	field_put_number(out, request->lang);
	field_put_number(out, request->lang_given);
	field_put(out, request->file_name);
	for (size_t i = 0; i < request->parameters.count; i++) {
		const struct parameter *parameter = &request->parameters.items[i];

		if (str_eq(parameter->name, STR("csrf"))) /* a secret of its session, which nothing else is to know */
			continue;
		field_put(out, parameter->name);
		field_put(out, parameter->value);
	}
}

int job_ask(struct job *job, struct store *store, const struct request *request, struct err *err)
{
	put_asked(&job->asked, job, request);
	return job_equip(job, store, err);
}

bool asked_read(struct str rest, struct asked *ret)
{
	struct request *request = &ret->request;
	struct str name, value;
	uint64_t lang = 0, lang_given = 0;
	bool whole = field_take(&rest, &ret->id) && field_take(&rest, &ret->sha256) &&
		     field_take_number(&rest, &ret->bytes) && field_take(&rest, &ret->form) &&
		     field_take(&rest, &request->method) && field_take(&rest, &request->path) &&
		     field_take_number(&rest, &lang) && field_take_number(&rest, &lang_given) &&
		     field_take(&rest, &request->file_name);

	request->lang = (enum lang)lang;
	request->lang_given = lang_given;
	request->capture = ret->id;
	while (whole && rest.len) {
		whole = field_take(&rest, &name) && field_take(&rest, &value);
		if (whole)
			request_add(request, name, value);
	}
	return whole;
}
