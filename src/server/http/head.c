#include "server/http/head.h"

#include <microhttpd.h>
#include <stdint.h>

#include "base/memory/mem.h"
#include "base/view/ascii.h"

struct head_walk {
	struct request *request;
	const char *end; /* of the field before, where it was received; NULL: none */
	struct err *err;
	int status;
};

/* --- fields */

/* A name is a token (RFC 9110, 5.6.2): no blank at its end, none at its beginning, which would continue a line. */
static bool is_token(const char *name)
{
	for (const char *at = name; *at; at++) {
		if (!is_word(*at) && !strchr("!#$%&'*+-.^`|~", *at))
			return false;
	}
	return name[0] != '\0';
}

static bool has_control(const char *value)
{
	for (const char *at = value; *at; at++) {
		if (((unsigned char)*at < ' ' && *at != '\t') || *at == '\x7f')
			return true;
	}
	return false;
}

/* libmicrohttpd leaves a field where it was received, the value behind its name, unless it had to join the lines of a
   folded one. */
static bool is_folded(const char *name, const char *value)
{
	return (uintptr_t)value <= (uintptr_t)name + strlen(name);
}

/* A field ends with its line: one or two bytes are between it and the next. libmicrohttpd ends a value at a NUL. */
static bool follows_line(const char *end, const char *next)
{
	enum { LINE_END_BYTES = 2 };

	return !end || ((uintptr_t)next > (uintptr_t)end && (uintptr_t)next - (uintptr_t)end <= LINE_END_BYTES);
}

static int refuse_head(struct head_walk *walk, const char *what)
{
	err_set(walk->err, ERR_HTTP, "%s", what);
	return err_hint(walk->err, "send each field once, on one line, with one length for the body");
}

static const bool may_repeat[HEADER_COUNT] = {
	[HEADER_ACCEPT] = true,
	[HEADER_ACCEPT_LANGUAGE] = true,
	[HEADER_COOKIE] = true,
	[HEADER_FORWARDED] = true,
	[HEADER_IF_MATCH] = true,
	[HEADER_IF_NONE_MATCH] = true,
	[HEADER_FORWARDED_FOR] = true,
};

static int note_header(struct head_walk *walk, enum header header, struct str value)
{
	struct str *field = &walk->request->headers[header];

	if (!field->ptr)
		*field = value;
	else if (may_repeat[header]) /* fields that are lists go on with their next line (RFC 9110, 5.3) */
		*field = arena_printf(&walk->request->arena, "%.*s, %.*s", STR_ARG(*field), STR_ARG(value));
	else
		return refuse_head(walk, "the request has a field twice");
	return 0;
}

/* Headers that a proxy adds: the request is then another client's. */
static bool is_of_proxy(struct str name)
{
	static const char *const names[] = { "Forwarded", "Via", "X-Real-IP" };

	return ANY(i, ARRAY_SIZE(names), str_eq_fold(name, str_from(names[i]))) ||
	       (name.len > 12 && str_eq_fold(str_sub(name, 0, 12), STR("X-Forwarded-")));
}

static int take_header(struct head_walk *walk, const char *name, const char *value)
{
	struct str field = str_from(name);
	const char *end = NULL;

	if (!is_token(name))
		return refuse_head(walk, "the request has a field whose name is none");
	if (value)
		end = value + strlen(value);
	else
		value = "";
	if (end && (has_control(value) || is_folded(name, value) || !follows_line(walk->end, name)))
		return refuse_head(walk, "the request has a field that does not end with its line");
	walk->end = end;
	walk->request->forwarded |= is_of_proxy(field);
	for (unsigned i = 0; i < HEADER_COUNT; i++) {
		if (field.len == header_names[i].len && str_eq_fold(field, header_names[i]))
			return note_header(walk, (enum header)i, str_from(value));
	}
	return 0;
}

static enum MHD_Result on_header(void *cls, enum MHD_ValueKind kind UNUSED, const char *name, const char *value)
{
	struct head_walk *walk = cls;

	walk->status = take_header(walk, name, value);
	return walk->status ? MHD_NO : MHD_YES;
}

static enum MHD_Result on_parameter(void *cls, enum MHD_ValueKind kind UNUSED, const char *key, const char *value)
{
	struct head_walk *walk = cls;

	walk->status = request_add_encoded(walk->request, str_from(key), str_from(value ? value : ""), walk->err);
	return walk->status ? MHD_NO : MHD_YES;
}

/* --- what they say together */

/* Behind the last field its line ends, and an empty line, both in one way. */
static int check_end(struct head_walk *walk, struct MHD_Connection *connection)
{
	enum { LF_LF = 2, CRLF_CRLF = 4 };
	const union MHD_ConnectionInfo *info = MHD_get_connection_info(
		connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);
	uintptr_t rest = (uintptr_t)walk->request->method.ptr + info->header_size - (uintptr_t)walk->end;

	if (!walk->end || rest == LF_LF || rest == CRLF_CRLF)
		return 0;
	return refuse_head(walk, "the request has a field that does not end with its line");
}

static int check_framing(struct head_walk *walk)
{
	const struct str *headers = walk->request->headers;
	struct str coding = headers[HEADER_TRANSFER_ENCODING];

	if (!coding.ptr)
		return 0;
	if (headers[HEADER_CONTENT_LENGTH].ptr)
		return refuse_head(walk, "the request has both Content-Length and Transfer-Encoding");
	if (!str_eq_fold(str_trim(coding), STR("chunked")))
		return refuse_head(walk, "the only Transfer-Encoding is chunked");
	return 0;
}

/* "http://host:port/path" as "/path", and its authority as the host. */
static void split_target(struct request *request, struct str target)
{
	static const char *const schemes[] = { "http://", "https://" };

	request->path = target;
	for (size_t i = 0; i < ARRAY_SIZE(schemes); i++) {
		size_t len = strlen(schemes[i]), end;

		if (target.len < len || !str_eq_fold(str_sub(target, 0, len), str_from(schemes[i])))
			continue;
		target = str_skip(target, len);
		end = str_find(target, STR("/"));
		request->path = end == STR_NONE ? STR("/") : str_skip(target, end);
		request->headers[HEADER_HOST] = str_sub(target, 0, end == STR_NONE ? target.len : end);
	}
}

int head_read(struct MHD_Connection *connection, struct request *request, const char *target, struct err *err)
{
	struct head_walk walk = { .request = request, .err = err };

	MHD_get_connection_values(connection, MHD_HEADER_KIND, on_header, &walk);
	if (!walk.status)
		walk.status = check_end(&walk, connection);
	if (!walk.status)
		walk.status = check_framing(&walk);
	split_target(request, str_from(target));
	if (!walk.status)
		MHD_get_connection_values(connection, MHD_GET_ARGUMENT_KIND, on_parameter, &walk);
	return walk.status;
}
