#include "server/api/again.h"

#include <cjson/cJSON.h>

#include "base/memory/mem.h"
#include "io/inflate.h"
#include "server/jobs/fields.h"
#include "store/document.h"

static void add_kept(struct request *request, struct str name, struct str value)
{
	if (value.len)
		request_add(request, name, arena_keep(&request->arena, value));
}

static struct str text_of(const cJSON *item)
{
	const char *text = cJSON_GetStringValue(item);

	return str_from(text ? text : cJSON_IsTrue(item) ? "true" : "");
}

/* As server/http/body.h says which bytes of the dump a file is. */
static void add_file(struct request *request, const cJSON *file)
{
	CLEANUP(buf_clear) struct buf text = BUF_UNLIMITED;
	double bytes = cJSON_GetNumberValue(cJSON_GetObjectItemCaseSensitive(file, "bytes"));

	const char *field = cJSON_GetObjectItemCaseSensitive(file, "source") ? "source" : "file";

	buf_printf(&text, "%.0f %s", bytes, text_of(cJSON_GetObjectItemCaseSensitive(file, "name")).ptr);
	add_kept(request, str_from(field), buf_str(&text));
}

/* One option: the names of all but these are those of parameters. */
static void add_option(struct request *request, const cJSON *option)
{
	struct str name = str_from(option->string);
	const cJSON *item;

	if (str_eq(name, STR("asked")) ||
		str_eq(name, STR("waivers"))) /* what the user wrote for the targets; digests */
		return;
	if (str_eq(name, STR("targets")))
		name = STR("target");
	name = arena_keep(&request->arena, name);
	if (!cJSON_IsArray(option)) {
		add_kept(request, name, text_of(option));
		return;
	}
	cJSON_ArrayForEach(item, option)
	{
		if (cJSON_IsObject(item))
			add_file(request, item);
		else
			add_kept(request, name, text_of(item));
	}
}

static void add_words(struct request *request, const struct run *run)
{
	struct str tags = run->tags, tag;

	add_kept(request, STR("project"), run->project);
	add_kept(request, STR("model"), run->model);
	add_kept(request, STR("branch"), run->branch);
	add_kept(request, STR("commit"), run->revision);
	for (size_t count = 1; count < RUN_TAGS && tags.len && str_cut(&tags, ' ', &tag); count++)
		add_kept(request, STR("tag"), tag);
	add_kept(request, STR("tag"), STR(AGAIN_TAG));
}

/* Whether some waivers came with the dump. */
static bool has_own_waivers(const cJSON *options)
{
	const cJSON *file;
	bool own = false;

	cJSON_ArrayForEach(file, cJSON_GetObjectItemCaseSensitive(options, "waivers"))
		own |= !cJSON_GetObjectItemCaseSensitive(file, "project");
	return own;
}

static int add_waivers(const struct service *service, struct request *request, struct str assessment, struct err *err)
{
	struct stored_document document = { .id = assessment, .form = STR("waivers") };
	CLEANUP(buf_clear) struct buf fields = BUF_UNLIMITED;
	int status = store_document(service->store, &document, &request->arena, err);
	struct str rest, file;

	if (status < 0)
		return status;
	if (!status || !gzip_unpack(document.packed, &fields)) {
		err_set(err, ERR_VALUE, "the waivers of the run are not kept");
		return err_hint(err, "send the dump again, with its waivers");
	}
	rest = buf_str(&fields);
	while (rest.len && field_take(&rest, &file))
		add_kept(request, STR("waivers"), file);
	return 0;
}

int again_take_options(
	const struct service *service, struct request *request, const struct stored_assessment *record, struct err *err)
{
	cJSON *options = cJSON_ParseWithLength(record->options.ptr, record->options.len);
	const cJSON *option;
	int status = 0;

	if (!cJSON_IsObject(options))
		status = err_set(err, ERR_STORE_DAMAGED, "the options of a run cannot be read");
	else if (has_own_waivers(options))
		status = add_waivers(service, request, record->id, err);
	if (!status) {
		cJSON_ArrayForEach(option, options) add_option(request, option);
		add_kept(request, STR("name"), record->name);
	}
	cJSON_Delete(options);
	return status;
}

int again_take(const struct service *service, struct request *request, const struct run *run, struct err *err)
{
	int status = again_take_options(service, request, &run->record, err);

	if (!status)
		add_words(request, run);
	return status;
}
