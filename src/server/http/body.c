#include "server/http/body.h"

#include <errno.h>
#include <microhttpd.h>
#include <stdlib.h>

#include "base/memory/mem.h"
#include "base/setup/limits.h"
#include "base/value/decimal.h"
#include "base/value/utf8.h"
#include "base/view/ascii.h"
#include "server/http/route.h"
#include "store/upload.h"

enum {
	FORM_BUFFER_BYTES = 32 * 1024,
	FIELD_BYTES = 64 * 1024, /* all fields but files and texts together */
};

struct body_file {
	struct str name;
	uint64_t from; /* its first byte in the upload */
	bool is_source;
};

static const struct str file_fields[] = { { "file", 4 }, { "source", 6 } };

struct body {
	struct store *store;
	const struct limits *limits;
	struct request *request;
	struct MHD_PostProcessor *form; /* NULL: the body is the dump */
	struct buf fields[2];           /* name and value of the field on its way */
	bool in_field;
	size_t field_begin;               /* of the value, after the name of its file */
	uint64_t field_bytes[2];          /* of all fields, of those that are texts */
	MEM_LIST(struct body_file) files; /* of the form */
	struct err *err;                  /* of the call that is running */
	int status;                       /* what a piece of the form came to */
};

uint64_t body_announced(const struct request *request)
{
	uint64_t bytes = 0;

	decimal_unsigned(request->headers[HEADER_CONTENT_LENGTH], &bytes);
	return bytes;
}

/* --- beginning */

static int check_encoding(const struct request *request, struct err *err)
{
	static const char *const known[] = { "identity", "gzip", "x-gzip", "zstd" };
	struct str encoding = str_trim(request->headers[HEADER_CONTENT_ENCODING]);

	if (!encoding.len)
		return 0;
	for (size_t i = 0; i < (request->route->text ? 1 : ARRAY_SIZE(known)); i++) {
		if (str_eq_fold(encoding, str_from(known[i])))
			return 0;
	}
	err_set(err, ERR_UNREAD, "unsupported Content-Encoding '%s'", shown(encoding).text);
	return err_hint(err, request->route->text ? "send it without one" : "use gzip or zstd, or none");
}

static int text_too_long(const struct limits *limits, struct err *err)
{
	return err_set(err, ERR_LIMIT, "the file has more than %llu bytes", (unsigned long long)limits->waiver_bytes);
}

static int check_length(const struct limits *limits, const struct request *request, bool form, struct err *err)
{
	const struct route *route = request->route;
	uint64_t file = route->form || route->text ? 0 : limits->upload_bytes,
		 texts = route->texts ? limits->waiver_bytes + FIELD_BYTES : 0,
		 most = file + (form || route->text ? FIELD_BYTES + texts : 0);

	if (body_announced(request) <= most)
		return 0;
	if (route->text)
		return text_too_long(limits, err);
	err_set(err, ERR_LIMIT, "the upload has more than %llu bytes", (unsigned long long)limits->upload_bytes);
	return err_hint(err, "compress the dump with gzip or zstd, or profile fewer steps");
}

static bool is_form(const struct request *request)
{
	struct str type = request->headers[HEADER_CONTENT_TYPE], media;

	return str_cut(&type, ';', &media) && str_eq_fold(str_trim(media), STR("multipart/form-data"));
}

static int begin_upload(struct body *body, struct err *err)
{
	if (store_has_room(body->store, body->limits->free_bytes, err))
		return -err->code;
	return upload_begin(body->store, body->limits->upload_bytes, &body->request->upload, err);
}

/* --- a form */

/* Returns whether a field holds the text of a small file: its value begins with the file's name and a line feed. */
static bool is_text_field(const struct request *request, struct str name)
{
	return request->route->texts && str_has_word(str_from(request->route->texts), name);
}

static int end_field(struct body *body, struct err *err)
{
	struct request *request = body->request;
	struct str name = arena_keep(&request->arena, buf_str(&body->fields[0]));
	struct str value = arena_keep(&request->arena, buf_str(&body->fields[1]));

	if (!body->in_field)
		return 0;
	body->in_field = false;
	if (value.len && memchr(value.ptr, '\0', value.len))
		return err_set(err, ERR_VALUE, "the field '%s' holds a NUL", shown(name).text);
	if (str_eq(name, STR("csrf")))
		request->form_csrf = value;
	else if (str_eq(name, STR("token")) && request->route->form)
		request->form_token = value;
	else
		request_add(request, name, value);
	if (str_eq(name, STR("csrf")) || request->form_token.ptr == value.ptr || is_text_field(request, name))
		return 0;
	return request_check_name(route_parameters(request), name, err);
}

/* Browsers write three characters of a file name as escapes and leave '%' alone (WHATWG HTML, multipart/form-data). */
static struct str file_name(struct body *body, struct str text)
{
	static const struct {
		struct str escape;
		char byte;
	} escapes[] = { { { "%22", 3 }, '"' }, { { "%0D", 3 }, '\r' }, { { "%0A", 3 }, '\n' } };
	CLEANUP(buf_clear) struct buf name = BUF_UNLIMITED;

	while (text.len) {
		char byte = text.ptr[0];
		size_t taken = 1;

		for (size_t i = 0; i < ARRAY_SIZE(escapes); i++) {
			if (!str_starts(text, escapes[i].escape))
				continue;
			byte = escapes[i].byte;
			taken = escapes[i].escape.len;
		}
		buf_byte(&name, byte);
		text = str_skip(text, taken);
	}
	return arena_keep(&body->request->arena, buf_str(&name));
}

/* --- fields */

static void begin_field(struct body *body, struct str name, struct str file)
{
	body->in_field = true;
	buf_clear(&body->fields[0]);
	buf_clear(&body->fields[1]);
	buf_add(&body->fields[0], name);
	if (is_text_field(body->request, name)) {
		str_cut(&file, '\n', &name);
		buf_printf(&body->fields[1], "%.*s\n", STR_ARG(name));
	}
	body->field_begin = body->fields[1].len;
}

static int check_field_bytes(struct body *body, struct str name, size_t bytes)
{
	bool text = is_text_field(body->request, name);
	uint64_t most = text ? body->limits->waiver_bytes : FIELD_BYTES;

	body->field_bytes[text] += bytes;
	if (body->field_bytes[text] <= most)
		return 0;
	if (text)
		return text_too_long(body->limits, body->err);
	return err_set(body->err, ERR_LIMIT, "the fields of the form have more than %d bytes", FIELD_BYTES);
}

/* A piece of a field; offset 0 begins the next one, also for one that is still empty. */
static int take_field(struct body *body, struct str name, struct str piece, uint64_t offset, struct str file)
{
	int status = 0;

	if (offset == 0 && (body->fields[1].len > body->field_begin || !str_eq(buf_str(&body->fields[0]), name)))
		status = end_field(body, body->err);
	if (status)
		return status;
	if (!body->in_field)
		begin_field(body, name, file);
	buf_add(&body->fields[1], piece);
	return check_field_bytes(body, name, piece.len + (offset ? 0 : name.len));
}

/* --- files */

/* An empty piece may come before the first bytes of a file. */
static int begin_file(struct body *body, struct str name, bool is_source)
{
	const struct body_file *last = body->files.count ? &body->files.items[body->files.count - 1] : NULL;
	uint64_t from = upload_bytes(body->request->upload);
	struct str kept = file_name(body, name);

	if (last && last->from == from && last->is_source == is_source && str_eq(last->name, kept))
		return 0;
	if (body->files.count == body->limits->upload_files) {
		err_set(body->err, ERR_LIMIT, "the form has more than %llu files",
			(unsigned long long)body->limits->upload_files);
		return err_hint(body->err, "send an archive of them: tar or zip");
	}
	MEM_PUSH(&body->files, ((struct body_file){ kept, from, is_source }));
	return 0;
}

/* A form without a chosen file sends an empty one without a name. */
static int take_file(struct body *body, const struct body_file *file, struct str piece, uint64_t offset)
{
	struct request *request = body->request;
	int status = 0;

	if (!piece.len && !file->name.len)
		return 0;
	if (request->route->form)
		return err_set(body->err, ERR_ARGUMENT, "the form takes no file");
	if (!request->upload)
		status = begin_upload(body, body->err);
	if (!status && offset == 0)
		status = begin_file(body, file->name, file->is_source);
	return status ? status : upload_add(request->upload, piece, body->err);
}

/* The request names the bytes of each file in the upload. */
static void put_files(struct body *body)
{
	struct request *request = body->request;
	uint64_t end = upload_bytes(request->upload);

	for (size_t i = 0; i < body->files.count; i++) {
		const struct body_file *file = &body->files.items[i];
		uint64_t next = i + 1 < body->files.count ? file[1].from : end;

		request_add(request, file_fields[file->is_source],
			arena_printf(&request->arena, "%llu %.*s", (unsigned long long)(next - file->from),
				STR_ARG(file->name)));
	}
}

/* The upload goes by the name of its first dump, and how many there are besides. */
static void name_upload(struct body *body)
{
	CLEANUP(buf_clear) struct buf name = BUF_UNLIMITED;
	size_t dumps = 0;

	for (size_t i = 0; i < body->files.count; i++) {
		const struct body_file *file = &body->files.items[i];

		if (!file->is_source && !dumps++)
			buf_add(&name, file->name);
	}
	if (dumps > 1)
		buf_printf(&name, " +%zu", dumps - 1);
	body->request->file_name = arena_keep(&body->request->arena, buf_str(&name));
}

static enum MHD_Result on_piece(void *cls, enum MHD_ValueKind kind UNUSED, const char *key, const char *filename,
	const char *type UNUSED, const char *encoding UNUSED, const char *data, uint64_t offset, size_t size)
{
	struct body *body = cls;
	struct str name = str_from(key ? key : ""), piece = { size ? data : "", size };
	struct body_file file = { .name = str_from(filename ? filename : ""),
		.is_source = str_eq(name, file_fields[true]) };
	int status;

	if (file.is_source || str_eq(name, file_fields[false]))
		status = take_file(body, &file, piece, offset);
	else
		status = take_field(body, name, piece, offset, file_name(body, file.name));
	body->status = status;
	return status ? MHD_NO : MHD_YES;
}

/* The library's answer is the same where it had no memory: errno, 0 before the call, says so. */
static int broken_form(struct err *err)
{
	if (errno == ENOMEM) {
		err_set(err, ERR_BUSY, "out of memory for the form");
		return err_hint(err, "send it again in a moment");
	}
	err_set(err, ERR_VALUE, "the form is damaged or cut");
	return err_hint(err, "send multipart/form-data with a boundary, or the dump itself as the body");
}

/* --- all of it */

int body_begin(const struct body_of *of, struct body **ret, struct err *err)
{
	struct request *request = of->request;
	bool form = !request->route->text && is_form(request);
	struct body *body;
	int status = check_encoding(request, err);

	if (!status && request->route->form && !form)
		status = err_set(err, ERR_UNREAD, "this takes a form of type multipart/form-data");
	if (!status)
		status = check_length(of->limits, request, form, err);
	if (status)
		return status;
	body = mem_zalloc(sizeof(*body));
	body->store = of->store;
	body->limits = of->limits;
	body->request = request;
	for (size_t i = 0; i < ARRAY_SIZE(body->fields); i++)
		body->fields[i] = BUF_INIT((size_t)of->limits->waiver_bytes + FIELD_BYTES * 2);
	errno = 0;
	if (form)
		body->form = MHD_create_post_processor(of->connection, FORM_BUFFER_BYTES, on_piece, body);
	if (form && !body->form)
		status = broken_form(err);
	else if (!form && !request->route->text)
		status = begin_upload(body, err);
	if (status)
		body_free(body);
	else
		*ret = body;
	return status;
}

int body_add(struct body *body, struct str bytes, struct err *err)
{
	enum MHD_Result result;

	body->err = err;
	if (body->request->route->text)
		return take_field(body, str_from(body->request->route->texts), bytes, body->in_field, STR(""));
	if (!body->form)
		return upload_add(body->request->upload, bytes, err);
	body->status = 0;
	errno = 0;
	result = MHD_post_process(body->form, bytes.ptr, bytes.len);
	if (body->status)
		return body->status;
	/* without memory it loses names and goes on */
	return result == MHD_YES && errno != ENOMEM ? 0 : broken_form(err);
}

static int end_form(struct body *body)
{
	struct MHD_PostProcessor *form = body->form;

	body->form = NULL;
	errno = 0;
	if (MHD_destroy_post_processor(form) == MHD_YES)
		return 0;
	return body->status ? body->status : broken_form(body->err);
}

int body_end(struct body *body, struct err *err)
{
	int status;

	body->err = err;
	status = body->form ? end_form(body) : 0;
	if (!status)
		status = end_field(body, err);
	if (!status && body->files.count)
		name_upload(body);
	if (!status && (body->files.count > 1 || (body->files.count && body->files.items[0].is_source)))
		put_files(body);
	if (!status && body->request->upload)
		upload_end(body->request->upload);
	return status;
}

void body_free(struct body *body)
{
	if (!body)
		return;
	if (body->form)
		MHD_destroy_post_processor(body->form);
	for (size_t i = 0; i < ARRAY_SIZE(body->fields); i++)
		buf_clear(&body->fields[i]);
	free(body->files.items);
	free(body);
}
