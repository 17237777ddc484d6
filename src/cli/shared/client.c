#include "cli/shared/client.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/value/url.h"
#include "base/value/utf8.h"
#include "base/view/ascii.h"
#include "cli/shared/reply.h"
#include "io/curl.h"
#include "report/doc/textw.h"

enum { CONNECT_SECONDS = 10, SILENT_SECONDS = 300, WAIT_SECONDS = 60, ID_BYTES = 64, LINE_BYTES = 1024 };
enum { OK = 200, CREATED = 201, ACCEPTED = 202, TOO_MANY = 429, UNAVAILABLE = 503, PATIENCE_SECONDS = 300 };

#define MAX_REPLY_BYTES (1 << 30)
#define MAX_PAGE_BYTES (1 << 26)

/* --- opening */

struct client {
	char *server;              /* without a slash at its end */
	char *authorization;       /* a header; NULL: none */
	struct str ca_file, proxy; /* "": none is given */
	CURL *handle;
	long http_status; /* of the last reply */
	char reason[CURL_ERROR_SIZE];
};

static int open_at(struct str server, struct client **ret, struct err *err)
{
	struct buf address = BUF_UNLIMITED;
	struct client *client;
	int status;

	if (!str_starts(server, STR("http://")) && !str_starts(server, STR("https://"))) {
		err_set(err, ERR_VALUE, "'%s' is not the address of a service", shown(server).text);
		return err_hint(err, "for example --server http://127.0.0.1:8787");
	}
	status = curl_load(err);
	if (status)
		return status;
	while (str_ends(server, STR("/")))
		server = str_chop(server, 1);
	buf_add(&address, server);
	client = mem_zalloc(sizeof(*client));
	client->server = buf_take(&address);
	client->handle = curl.easy_init();
	if (!client->handle) {
		client_close(client);
		return err_set(err, ERR_CONNECT, "libcurl does not start");
	}
	*ret = client;
	return 0;
}

static int set_token(struct client *client, struct str token, struct err *err)
{
	CLEANUP(buf_clear) struct buf header = BUF_UNLIMITED;

	if (ANY(i, token.len, !is_word(token.ptr[i])))
		return err_set(err, ERR_VALUE, "the token has an invalid byte");
	buf_printf(&header, "Authorization: Bearer %.*s", STR_ARG(token));
	free(client->authorization);
	client->authorization = token.len ? buf_take(&header) : NULL;
	return 0;
}

static int read_line(const char *what, const char *path, char ret[LINE_BYTES], struct err *err)
{
	FILE *file = fopen(path, "re");
	int status = 0;

	if (!file || (!fgets(ret, LINE_BYTES, file) && ferror(file))) {
		err_os(err, ERR_OPEN, errno, "cannot read the %s", what);
		status = err_file(err, shown(str_from(path)).text);
	}
	if (file)
		fclose(file);
	return status;
}

static int use_token(struct client *client, struct str path, struct err *err)
{
	const char *from_environment = getenv("OPCHECK_TOKEN");
	char line[LINE_BYTES] = "";
	int status;

	if (!path.len)
		return set_token(client, str_from(from_environment ? from_environment : ""), err);
	status = read_line("token", path.ptr, line, err);
	return status ? status : set_token(client, str_trim(str_from(line)), err);
}

int client_open_usual(const struct client_options *options, struct client **ret, struct err *err)
{
	const char *from_environment = getenv("OPCHECK_SERVER");
	struct str server = options->server.len ? options->server : str_from(from_environment ? from_environment : "");
	char line[LINE_BYTES];
	int status = 0;

	if (!server.len) {
		err_set(err, ERR_ARGUMENT, "the address of the server is missing");
		return err_hint(err, "give it with --server URL or in $OPCHECK_SERVER");
	}
	if (options->ca_file.len) /* libcurl does not say which file it cannot read */
		status = read_line("certificates", options->ca_file.ptr, line, err);
	if (!status)
		status = open_at(server, ret, err);
	if (status)
		return status;
	(*ret)->ca_file = options->ca_file;
	(*ret)->proxy = options->proxy;
	return use_token(*ret, options->token_file, err);
}

void client_close(struct client *client)
{
	if (!client)
		return;
	if (client->handle)
		curl.easy_cleanup(client->handle);
	free(client->server);
	free(client->authorization);
	free(client);
}

/* --- one exchange */

static size_t take_reply(char *bytes, size_t size, size_t count, void *ctx)
{
	struct buf *reply = ctx;

	buf_add(reply, (struct str){ bytes, size * count });
	return reply->full ? 0 : size * count;
}

/* One file of it. */
struct dump {
	const char *path;
	int fd, failure; /* errno of a read that failed */
	off_t bytes;     /* -1: not known before its end */
};

static size_t give_dump(char *space, size_t size, size_t count, void *ctx)
{
	struct dump *dump = ctx;
	ssize_t len;

	do
		len = read(dump->fd, space, size * count);
	while (len < 0 && errno == EINTR);
	dump->failure = len < 0 ? errno : 0;
	return len < 0 ? CURL_READFUNC_ABORT : (size_t)len;
}

static int not_reached(const struct client *client, CURLcode code, struct err *err)
{
	err_set(err, ERR_CONNECT, "%s",
		shown(str_from(client->reason[0] ? client->reason : curl.easy_strerror(code))).text);
	err_hint(err, "check the address and whether opcheckd runs there");
	return err_where(err, "%s", shown(str_from(client->server)).text);
}

/* Perform the request set on the handle. headers: further ones; they are freed. */
static int perform_request(
	struct client *client, const char *address, struct curl_slist *headers, struct buf *reply, struct err *err)
{
	CURL *handle = client->handle;
	CURLcode code;

	if (client->authorization)
		headers = curl.slist_append(headers, client->authorization);
	curl.easy_setopt(handle, CURLOPT_HTTPHEADER, headers);
	client->reason[0] = '\0';
	client->http_status = 0;
	curl.easy_setopt(handle, CURLOPT_URL, address);
	curl.easy_setopt(handle, CURLOPT_PROTOCOLS_STR, "http,https");
	if (client->ca_file.len)
		curl.easy_setopt(handle, CURLOPT_CAINFO, client->ca_file.ptr);
	if (client->proxy.len)
		curl.easy_setopt(handle, CURLOPT_PROXY, client->proxy.ptr);
	curl.easy_setopt(handle, CURLOPT_NOSIGNAL, 1L);
	curl.easy_setopt(handle, CURLOPT_CONNECTTIMEOUT, (long)CONNECT_SECONDS);
	curl.easy_setopt(handle, CURLOPT_LOW_SPEED_LIMIT, 1L);
	curl.easy_setopt(handle, CURLOPT_LOW_SPEED_TIME, (long)SILENT_SECONDS);
	curl.easy_setopt(handle, CURLOPT_ERRORBUFFER, client->reason);
	curl.easy_setopt(handle, CURLOPT_WRITEFUNCTION, take_reply);
	curl.easy_setopt(handle, CURLOPT_WRITEDATA, reply);
	curl.easy_setopt(handle, CURLOPT_USERAGENT, "opcheck");
	code = curl.easy_perform(handle);
	curl.slist_free_all(headers);
	curl.easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &client->http_status);
	return code ? not_reached(client, code, err) : 0;
}

/* --- what the service says */

static int take_problem(const struct problem *problem, long http_status, const char *name, struct err *err)
{
	CLEANUP(buf_clear) struct buf detail = textw_printable(problem->detail);
	CLEANUP(buf_clear) struct buf hint = textw_printable(problem->hint);
	CLEANUP(buf_clear) struct buf where = textw_printable(problem->where);
	int code = err_code_named(problem->code.ptr), class = err_exit_status(code);

	if (!code)
		err_set(err, ERR_REPLY, "the server answers with HTTP status %ld", http_status);
	else if (class == 2 || class == 3 || class == 4)
		err_set(err, (enum err_code)code, "%s", buf_text(&detail));
	else
		err_set(err, ERR_REPLY, "the server answers %s: %s", err_name(code), buf_text(&detail));
	if (hint.len)
		err_hint(err, "%s", buf_text(&hint));
	return err_where(err, "%s", where.len ? buf_text(&where) : name);
}

static int request_refused(const struct buf *reply, long http_status, const char *name, struct err *err)
{
	CLEANUP(arena_clear) struct arena arena = ARENA_INIT(ARENA_UNLIMITED);
	struct reply answer;

	reply_read(&answer, buf_str(reply), &arena);
	return take_problem(&answer.problem, http_status, name, err);
}

bool client_is_id(const char *text)
{
	return strlen(text) == ID_BYTES && strspn(text, "0123456789abcdef") == ID_BYTES;
}

static int not_opcheckd(struct err *err)
{
	return err_set(err, ERR_REPLY, "the server answers, but not as opcheckd does");
}

/* The id of the assessment in an answer: of a submit, or the last word of the address that a job gives. */
static int take_id(const char *text, char ret[ID_BYTES + 1], struct err *err)
{
	const char *id = strrchr(text, '/') ? strrchr(text, '/') + 1 : text;

	if (!client_is_id(id))
		return not_opcheckd(err);
	memcpy(ret, id, ID_BYTES + 1);
	return 0;
}

/* --- submitting */

static void put_parameter(struct buf *address, const char *name, struct str value)
{
	if (!value.len)
		return;
	buf_printf(address, "&%s=", name);
	url_put(address, value);
}

/* A form gives each file a name of its own. */
static bool is_form(const struct client_submit *request)
{
	return request->path_count > 1 || request->waivers.count || request->sources.count;
}

static void put_address(struct buf *address, const struct client *client, const struct client_submit *request)
{
	buf_printf(address, "%s/api/v1/assessments?wait=%d", client->server, WAIT_SECONDS);
	if (!is_form(request))
		put_parameter(address, "name", str_from(str_file_name(request->paths[0])));
	for (size_t i = 0; i < request->fields.count; i++)
		put_parameter(address, request->fields.items[i].name, request->fields.items[i].value);
}

static int open_dump(const char *path, struct dump *ret, struct err *err)
{
	struct stat info;
	int status = 0;

	ret->path = path;
	ret->fd = strcmp(path, "-") == 0 ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3)
					 : open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	if (ret->fd < 0 || fstat(ret->fd, &info)) {
		status = err_os(err, ERR_OPEN, errno, "cannot open");
	} else if (S_ISDIR(info.st_mode)) {
		err_set(err, ERR_DIRECTORY, "this is a directory");
		status = err_hint(err, "name the dump files in it");
	}
	if (status && ret->fd >= 0)
		close(ret->fd);
	if (status)
		return err_file(err, shown(str_from(path)).text);
	ret->bytes = S_ISREG(info.st_mode) ? info.st_size : -1;
	return 0;
}

/* They may be more than a process can have open, so that each is opened when its turn comes. */
static int put_sources(curl_mime *form, const struct client_submit *request, struct err *err)
{
	for (size_t i = 0; i < request->sources.count; i++) {
		const struct client_field *source = &request->sources.items[i];
		curl_mimepart *part = curl.mime_addpart(form);

		curl.mime_name(part, "source");
		if (curl.mime_filedata(part, source->value.ptr)) {
			err_os(err, ERR_OPEN, errno, "cannot open");
			return err_file(err, shown(source->value).text);
		}
		curl.mime_filename(part, source->name);
	}
	return 0;
}

static curl_mime *form_of(const struct client *client, const struct client_submit *request, struct dump *dumps)
{
	curl_mime *form = curl.mime_init(client->handle);

	for (size_t i = 0; i < request->path_count; i++) {
		curl_mimepart *part = curl.mime_addpart(form);

		curl.mime_name(part, "file");
		curl.mime_data_cb(part, (curl_off_t)dumps[i].bytes, give_dump, NULL, NULL, &dumps[i]);
		curl.mime_filename(part, str_file_name(request->paths[i]));
	}
	for (size_t i = 0; i < request->waivers.count; i++) {
		const struct client_field *waivers = &request->waivers.items[i];
		curl_mimepart *part = curl.mime_addpart(form);

		curl.mime_name(part, "waivers");
		curl.mime_data(part, waivers->value.ptr, waivers->value.len);
		curl.mime_filename(part, waivers->name);
	}
	return form;
}

static void set_body(struct client *client, struct dump *dump, struct curl_slist **headers)
{
	*headers = curl.slist_append(*headers, "Content-Type: application/octet-stream");
	if (dump->bytes < 0)
		*headers = curl.slist_append(*headers, "Transfer-Encoding: chunked");
	curl.easy_setopt(client->handle, CURLOPT_POST, 1L);
	curl.easy_setopt(client->handle, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)dump->bytes);
	curl.easy_setopt(client->handle, CURLOPT_READFUNCTION, give_dump);
	curl.easy_setopt(client->handle, CURLOPT_READDATA, dump);
}

/* A request: the files of a dump, and its address. */
struct post {
	const struct client_submit *request;
	const char *address;
	struct dump *dumps;
};

static int post_dump(struct client *client, const struct post *post, struct buf *reply, struct err *err)
{
	struct curl_slist *headers = curl.slist_append(NULL, "Accept: application/json");
	curl_mime *form = NULL;
	int status = 0;

	curl.easy_reset(client->handle);
	if (is_form(post->request)) {
		form = form_of(client, post->request, post->dumps);
		status = put_sources(form, post->request, err);
		curl.easy_setopt(client->handle, CURLOPT_MIMEPOST, form);
	} else {
		set_body(client, post->dumps, &headers);
	}
	if (status)
		curl.slist_free_all(headers);
	else
		status = perform_request(client, post->address, headers, reply, err);
	if (form)
		curl.mime_free(form);
	for (size_t i = 0; i < post->request->path_count && status; i++) {
		if (!post->dumps[i].failure)
			continue;
		err_os(err, ERR_OPEN, post->dumps[i].failure, "cannot read");
		return err_file(err, shown(str_from(post->dumps[i].path)).text);
	}
	return status;
}

/* Sleeps until a service that has too much to do wants the request again. False for any other answer, and where that is
   past the seconds left. */
static bool await_turn(const struct client *client, const struct buf *reply, curl_off_t *left)
{
	CLEANUP(arena_clear) struct arena arena = ARENA_INIT(ARENA_UNLIMITED);
	struct reply answer;
	curl_off_t seconds = 0;
	int code;

	if (client->http_status != TOO_MANY && client->http_status != UNAVAILABLE)
		return false;
	reply_read(&answer, buf_str(reply), &arena);
	code = err_code_named(answer.problem.code.ptr);
	if (code == ERR_RATE || code == ERR_BUSY)
		curl.easy_getinfo(client->handle, CURLINFO_RETRY_AFTER, &seconds);
	if (!seconds || seconds > *left)
		return false;
	sleep((unsigned)seconds);
	*left -= seconds;
	return true;
}

static bool rewind_dumps(const struct post *post)
{
	return ALL(i, post->request->path_count, post->dumps[i].bytes >= 0 && !lseek(post->dumps[i].fd, 0, SEEK_SET));
}

/* Sends it until the service takes it, at most for PATIENCE_SECONDS; what is no file can be sent once. */
static int post_patiently(struct client *client, const struct post *post, struct buf *reply, struct err *err)
{
	curl_off_t left = PATIENCE_SECONDS;
	int status;

	while (!(status = post_dump(client, post, reply, err)) && rewind_dumps(post) &&
		await_turn(client, reply, &left))
		buf_reset(reply);
	return status;
}

/* Opens the files, sends them and closes them. */
static int send_dump(struct client *client, const struct client_submit *request, struct buf *reply, struct err *err)
{
	CLEANUP(buf_clear) struct buf address = BUF_UNLIMITED;
	CLEANUP(mem_release) struct dump *dumps = mem_zalloc(request->path_count * sizeof(dumps[0]));
	size_t opened = 0;
	int status = 0;

	while (opened < request->path_count && !status) {
		status = open_dump(request->paths[opened], &dumps[opened], err);
		opened += !status;
	}
	put_address(&address, client, request);
	if (!status)
		status = post_patiently(client, &(struct post){ request, buf_text(&address), dumps }, reply, err);
	while (opened)
		close(dumps[--opened].fd);
	return status;
}

/* Asks until the service has time, at most for PATIENCE_SECONDS. */
static int get_reply(struct client *client, const struct buf *address, struct buf *ret, struct err *err)
{
	curl_off_t left = PATIENCE_SECONDS;
	size_t before = ret->len;
	int status;

	do {
		buf_cut(ret, before);
		curl.easy_reset(client->handle);
		status = perform_request(client, buf_text(address), NULL, ret, err);
	} while (!status && await_turn(client, ret, &left));
	if (!status && client->http_status != OK)
		status = request_refused(ret, client->http_status, shown(str_from(client->server)).text, err);
	return status;
}

int client_report(struct client *client, const char *id, struct buf *ret, struct err *err)
{
	CLEANUP(buf_clear) struct buf address = BUF_UNLIMITED;

	buf_printf(&address, "%s/api/v1/assessments/%s/report.json", client->server, id);
	return get_reply(client, &address, ret, err);
}

/* --- a job */

/* State of a job: 1 while it runs, 0 with the id of its assessment, or its error. */
static int take_job(
	struct client *client, const struct reply *job, const char *name, char ret_id[ID_BYTES + 1], struct err *err)
{
	if (str_eq(job->status, STR("queued")) || str_eq(job->status, STR("running")))
		return 1;
	if (str_eq(job->status, STR("succeeded")))
		return take_id(job->result.ptr, ret_id, err);
	if (str_eq(job->status, STR("cancelled")))
		return err_set(err, ERR_REPLY, "the job was cancelled");
	return take_problem(&job->job, client->http_status, name, err);
}

static const char *file_name_of(const struct client_submit *request)
{
	return request->path_count == 1 ? request->paths[0] : "";
}

/* Looks at a job until it is over. */
static int follow_job(struct client *client, const struct client_submit *request, struct str path,
	char ret_id[ID_BYTES + 1], struct err *err)
{
	CLEANUP(buf_clear) struct buf address = BUF_UNLIMITED, reply = BUF_INIT(MAX_PAGE_BYTES);
	int status = 1;

	if (!str_starts(path, STR("/api/v1/jobs/")))
		return not_opcheckd(err);
	buf_printf(&address, "%s%.*s", client->server, STR_ARG(path));
	while (status == 1) {
		CLEANUP(arena_clear) struct arena arena = ARENA_INIT(ARENA_UNLIMITED);
		struct reply job;

		sleep(1);
		buf_reset(&reply);
		status = get_reply(client, &address, &reply, err);
		if (status)
			break;
		reply_read(&job, buf_str(&reply), &arena);
		if (job.has_progress) {
			atomic_store(&request->meter->read_bytes, job.read_bytes);
			atomic_store(&request->meter->total_bytes, job.input_bytes);
		}
		status = take_job(client, &job, shown(str_from(file_name_of(request))).text, ret_id, err);
	}
	return status;
}

int client_submit(struct client *client, const struct client_submit *request, struct buf *ret, struct err *err)
{
	CLEANUP(buf_clear) struct buf reply = BUF_INIT(MAX_REPLY_BYTES);
	CLEANUP(arena_clear) struct arena arena = ARENA_INIT(ARENA_UNLIMITED);
	char id[ID_BYTES + 1];
	int status = send_dump(client, request, &reply, err);
	struct reply answer;

	if (status)
		return status;
	if (client->http_status != OK && client->http_status != CREATED && client->http_status != ACCEPTED)
		return request_refused(&reply, client->http_status, shown(str_from(file_name_of(request))).text, err);
	reply_read(&answer, buf_str(&reply), &arena);
	if (client->http_status == ACCEPTED)
		status = follow_job(client, request, answer.self, id, err);
	else
		status = take_id(answer.id.ptr, id, err);
	return status ? status : client_report(client, id, ret, err);
}

/* --- lists */

static const char *json_text(const cJSON *object, const char *key)
{
	const char *text = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, key));

	return text ? text : "";
}

static int get_page(struct client *client, const struct buf *address, cJSON **ret, struct err *err)
{
	CLEANUP(buf_clear) struct buf reply = BUF_INIT(MAX_PAGE_BYTES);
	int status = get_reply(client, address, &reply, err);
	size_t bad_at;

	if (status)
		return status;
	*ret = utf8_valid(buf_str(&reply), &bad_at) ? cJSON_ParseWithLength(buf_text(&reply), reply.len) : NULL;
	if (cJSON_IsArray(cJSON_GetObjectItemCaseSensitive(*ret, "items")))
		return 0;
	cJSON_Delete(*ret);
	return not_opcheckd(err);
}

/* Returns the number of items; those after the first `most` are not stored. */
static size_t move_items(cJSON *page, cJSON *ret, size_t most)
{
	cJSON *items = cJSON_GetObjectItemCaseSensitive(page, "items"), *item;
	size_t count = 0;

	for (; (item = cJSON_DetachItemFromArray(items, 0)); count++) {
		if (count < most)
			cJSON_AddItemToArray(ret, item);
		else
			cJSON_Delete(item);
	}
	return count;
}

static void put_list_address(
	struct buf *address, const struct client *client, const struct client_list *list, size_t wanted)
{
	enum { PAGE_ITEMS = 1000 };

	buf_printf(address, "%s%s?limit=%zu", client->server, list->path, wanted < PAGE_ITEMS ? wanted : PAGE_ITEMS);
	for (size_t i = 0; i < list->filter_count; i++)
		put_parameter(address, list->filters[i].name, list->filters[i].value);
}

int client_list(struct client *client, const struct client_list *list, cJSON *ret, bool *ret_more, struct err *err)
{
	CLEANUP(buf_clear) struct buf address = BUF_UNLIMITED;
	size_t left = list->most, count;
	cJSON *page = NULL;

	do {
		int status;

		buf_reset(&address);
		put_list_address(&address, client, list, left + 1); /* one more shows that there are more */
		put_parameter(&address, "cursor", str_from(json_text(page, "next_cursor")));
		cJSON_Delete(page);
		page = NULL;
		status = get_page(client, &address, &page, err);
		if (status)
			return status;
		count = move_items(page, ret, left);
		*ret_more = count > left;
		left -= *ret_more ? 0 : count;
	} while (!*ret_more && count && json_text(page, "next_cursor")[0]);
	cJSON_Delete(page);
	return 0;
}
