#include "server/service/webhook.h"

#include <arpa/inet.h>
#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

#include "assess/model/result_parts.h"
#include "assess/model/words.h"
#include "base/memory/mem.h"
#include "base/setup/clock.h"
#include "base/value/sha256.h"
#include "base/value/utf8.h"
#include "io/curl.h"
#include "server/jobs/log.h"
#include "server/service/run_json.h"
#include "store/delivery.h"

enum { TURN_MS = 1000, KEY_BYTES = 4096, LONGEST_PAUSE = 3600, OK = 200, REDIRECT = 300 };

struct webhook {
	const struct service *service;
	char *url, *key;
	bool regressions_only, private_addresses;
	CURL *handle;
	bool refused; /* by the address, in the attempt under way */
	pthread_t thread;
	pthread_mutex_t lock; /* of ending */
	pthread_cond_t end;
	atomic_bool ending;
};

/* --- addresses that are not public */

static bool is_private_v4(uint32_t address)
{
	static const struct {
		uint32_t net;
		unsigned bits;
	} nets[] = {
		{ 0x00000000, 8 },  /* this network */
		{ 0x0a000000, 8 },  /* private */
		{ 0x64400000, 10 }, /* of providers */
		{ 0x7f000000, 8 },  /* this machine */
		{ 0xa9fe0000, 16 }, /* of the link, with what clouds tell a machine about itself */
		{ 0xac100000, 12 }, /* private */
		{ 0xc0000000, 24 }, /* of protocols */
		{ 0xc0a80000, 16 }, /* private */
		{ 0xc6120000, 15 }, /* of benchmarks */
		{ 0xe0000000, 3 },  /* of many, and reserved */
	};

	return ANY(i, ARRAY_SIZE(nets), (address ^ nets[i].net) >> (32 - nets[i].bits) == 0);
}

/* Only the Internet (2000::/3) and public addresses of IPv4 in another form are not private. */
static bool is_private_v6(const struct in6_addr *address)
{
	static const unsigned char nat64[12] = { 0x00, 0x64, 0xff, 0x9b };
	const unsigned char *bytes = address->s6_addr;
	uint32_t inner;

	memcpy(&inner, bytes + 12, sizeof(inner));
	if (IN6_IS_ADDR_V4MAPPED(address) || memcmp(bytes, nat64, sizeof(nat64)) == 0)
		return is_private_v4(ntohl(inner));
	if (bytes[0] == 0x20 && bytes[1] == 0x02) { /* 6to4 */
		memcpy(&inner, bytes + 2, sizeof(inner));
		return is_private_v4(ntohl(inner));
	}
	return bytes[0] >> 5 != 1;
}

static bool is_private(const struct sockaddr *address)
{
	struct sockaddr_in in;
	struct sockaddr_in6 in6;

	if (address->sa_family == AF_INET) {
		memcpy(&in, address, sizeof(in));
		return is_private_v4(ntohl(in.sin_addr.s_addr));
	}
	if (address->sa_family != AF_INET6)
		return true;
	memcpy(&in6, address, sizeof(in6));
	return is_private_v6(&in6.sin6_addr);
}

/* The address that a name was resolved to is looked at where it is used: a second answer of the name's server would
   come too late. */
static curl_socket_t open_socket(void *ctx, curlsocktype purpose UNUSED, struct curl_sockaddr *address)
{
	struct webhook *webhook = ctx;

	if (!webhook->private_addresses && is_private(&address->addr)) {
		webhook->refused = true;
		return CURL_SOCKET_BAD;
	}
	return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}

/* --- what is sent */

/* The graver, the higher; an unknown one is the gravest. */
static unsigned rank_of(struct str verdict)
{
	unsigned rank;

	return word_find(&verdict_words, verdict, &rank) ? rank : verdict_words.count;
}

static bool captures_differ(const struct delivery *delivery)
{
	return delivery->has_before && !stored_shares_compare(&delivery->before.record, &delivery->run.record);
}

/* A run beside the one before it. */
struct outlook {
	bool compared;  /* on a target of both */
	bool regressed; /* a graver verdict there, or less that certainly runs */
	const char *event;
};

static struct outlook outlook_of(const struct delivery *delivery)
{
	const struct stored_assessment *now = &delivery->run.record, *before = &delivery->before.record;
	bool compares = delivery->has_before && !captures_differ(delivery);
	struct outlook outlook = { 0 };

	for (size_t i = 0; compares && i < now->verdict_count * before->verdict_count; i++) {
		const struct stored_verdict *verdict = &now->verdicts[i / before->verdict_count],
					    *old = &before->verdicts[i % before->verdict_count];

		if (!str_eq(verdict->target, old->target))
			continue;
		outlook.compared = true;
		outlook.regressed |= rank_of(verdict->verdict) > rank_of(old->verdict) ||
				     verdict->readiness_lo_ppm < old->readiness_lo_ppm;
	}
	outlook.event = outlook.regressed ? "run.regressed" : "run.finished";
	return outlook;
}

static void put_body(struct buf *out, const struct delivery *delivery, const struct outlook *outlook)
{
	struct jsonw json = jsonw_start(out, 1);

	jsonw_fill(&json, "{'event': $, 'run':", str_from(outlook->event));
	record_put(&json, &run_record, &delivery->run);
	jsonw_key(&json, "before");
	if (delivery->has_before)
		record_put(&json, &run_record, &delivery->before);
	else
		jsonw_raw(&json, STR("null"));
	jsonw_key_bool(&json, "captures_differ", captures_differ(delivery));
	jsonw_key_bool(&json, "compared", outlook->compared);
	jsonw_object_end(&json);
}

/* The signature is of the time and the body, so that neither can be another one's. */
static bool add_headers(const struct webhook *webhook, const struct delivery *delivery, const char *event,
	struct str body, struct curl_slist **list)
{
	CLEANUP(buf_clear) struct buf signed_text = BUF_UNLIMITED;
	char signature[SHA256_HEX_BYTES];
	long long now = (long long)time(NULL);

	buf_printf(&signed_text, "%lld.", now);
	buf_add(&signed_text, body);
	sha256_hmac(str_from(webhook->key), buf_str(&signed_text), signature);
	return curl_add_header(list, "Content-Type: application/json") &&
	       curl_add_header(list, "Opcheck-Signature: t=%lld,v1=%s", now, signature) &&
	       curl_add_header(list, "Opcheck-Event: %s", event) &&
	       curl_add_header(list, "Opcheck-Delivery: %.*s", STR_ARG(delivery->run.id));
}

/* --- one attempt */

static int stop_when_ending(
	void *ctx, curl_off_t a UNUSED, curl_off_t b UNUSED, curl_off_t c UNUSED, curl_off_t d UNUSED)
{
	return atomic_load(&((struct webhook *)ctx)->ending);
}

/* No redirects, which lead elsewhere, and no proxy of the environment, which would look names up itself. */
static void set_up(struct webhook *webhook, struct str body, struct curl_slist *headers)
{
	CURL *handle = webhook->handle;

	curl.easy_reset(handle);
	curl.easy_setopt(handle, CURLOPT_URL, webhook->url);
	curl.easy_setopt(handle, CURLOPT_PROTOCOLS_STR, "http,https");
	curl.easy_setopt(handle, CURLOPT_PROXY, "");
	curl.easy_setopt(handle, CURLOPT_NOSIGNAL, 1L);
	curl.easy_setopt(handle, CURLOPT_FRESH_CONNECT, 1L);
	curl.easy_setopt(handle, CURLOPT_FORBID_REUSE, 1L);
	curl.easy_setopt(handle, CURLOPT_TIMEOUT, (long)webhook->service->limits->webhook_seconds);
	curl.easy_setopt(handle, CURLOPT_USERAGENT, "opcheckd");
	curl.easy_setopt(handle, CURLOPT_OPENSOCKETFUNCTION, open_socket);
	curl.easy_setopt(handle, CURLOPT_OPENSOCKETDATA, webhook);
	curl.easy_setopt(handle, CURLOPT_WRITEFUNCTION, curl_ignore_answer);
	curl.easy_setopt(handle, CURLOPT_NOPROGRESS, 0L);
	curl.easy_setopt(handle, CURLOPT_XFERINFOFUNCTION, stop_when_ending);
	curl.easy_setopt(handle, CURLOPT_XFERINFODATA, webhook);
	curl.easy_setopt(handle, CURLOPT_HTTPHEADER, headers);
	curl.easy_setopt(handle, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)body.len);
	curl.easy_setopt(handle, CURLOPT_POSTFIELDS, body.ptr);
}

/* Returns whether it was accepted, else the reason. */
static bool send_once(
	struct webhook *webhook, const struct delivery *delivery, const struct outlook *outlook, struct err *err)
{
	CLEANUP(buf_clear) struct buf body = BUF_UNLIMITED;
	struct curl_slist *headers = NULL;
	CURLcode code = CURLE_OUT_OF_MEMORY;
	long status = 0;

	put_body(&body, delivery, outlook);
	webhook->refused = false;
	if (add_headers(webhook, delivery, outlook->event, buf_str(&body), &headers)) {
		set_up(webhook, buf_str(&body), headers);
		code = curl.easy_perform(webhook->handle);
		curl.easy_getinfo(webhook->handle, CURLINFO_RESPONSE_CODE, &status);
	}
	curl.slist_free_all(headers);
	if (webhook->refused)
		err_set(err, ERR_CONNECT, "the webhook has a private address; see webhook-private");
	else if (code)
		err_set(err, ERR_CONNECT, "the webhook was not reached: %s", curl.easy_strerror(code));
	else if (status < OK || status >= REDIRECT)
		err_set(err, ERR_CONNECT, "the webhook answered with %ld", status);
	return !code && status >= OK && status < REDIRECT;
}

static uint64_t pause_after(const struct limits *limits, uint64_t attempts)
{
	uint64_t pause = limits->webhook_pause;

	while (attempts-- && pause < LONGEST_PAUSE)
		pause *= 2;
	return pause < LONGEST_PAUSE ? pause : LONGEST_PAUSE;
}

static int note_failure(
	struct webhook *webhook, const struct delivery *delivery, const struct err *reason, struct err *err)
{
	const struct limits *limits = webhook->service->limits;
	struct store *store = webhook->service->store;
	bool last = delivery->attempts + 1 >= limits->webhook_attempts;

	log_line(last ? LOG_LEVEL_ERROR : LOG_LEVEL_NOTICE, "run %.*s, attempt %" PRIu64 "%s: %s",
		STR_ARG(delivery->run.id), delivery->attempts + 1, last ? ", the last" : "", reason->text);
	if (last)
		return store_end_delivery(store, delivery->number, err);
	return store_postpone_delivery(
		store, delivery->number, store_now(store) + pause_after(limits, delivery->attempts), err);
}

static int deliver(struct webhook *webhook, const struct delivery *delivery, struct err *err)
{
	struct outlook outlook = outlook_of(delivery);
	bool unknown = delivery->has_before && !outlook.compared;
	struct err reason;

	if ((webhook->regressions_only && !outlook.regressed && !unknown) ||
		send_once(webhook, delivery, &outlook, &reason))
		return store_end_delivery(webhook->service->store, delivery->number, err);
	return atomic_load(&webhook->ending) ? 0 : note_failure(webhook, delivery, &reason, err);
}

/* --- the thread */

/* 1 when there may be more at once. */
static int deliver_next(struct webhook *webhook, struct err *err)
{
	enum { LEASE_TIMES = 3 };
	const struct service *service = webhook->service;
	CLEANUP(arena_clear) struct arena arena = ARENA_INIT(ARENA_UNLIMITED);
	struct delivery delivery;
	struct lease lease = { str_from(service->holder), store_now(service->store), 0 };
	int found, status;

	lease.until = lease.now + LEASE_TIMES * service->limits->webhook_seconds;
	found = store_next_delivery(service->store, &lease, &arena, &delivery, err);
	status = found == 1 ? deliver(webhook, &delivery, err) : found;

	return status < 0 ? status : found;
}

/* False when it ends. */
static bool wait_for_runs(struct webhook *webhook)
{
	pthread_mutex_lock(&webhook->lock);
	if (!atomic_load(&webhook->ending))
		clock_wait(&webhook->end, &webhook->lock, clock_ms() + TURN_MS);
	pthread_mutex_unlock(&webhook->lock);
	return !atomic_load(&webhook->ending);
}

static void *run_webhook(void *arg)
{
	struct webhook *webhook = arg;
	struct err err;
	int status;

	do {
		while ((status = deliver_next(webhook, &err)) == 1 && !atomic_load(&webhook->ending))
			;
		if (status < 0)
			log_error("", &err);
	} while (wait_for_runs(webhook));
	return NULL;
}

/* --- the whole */

static int read_key(struct str path, char ret[KEY_BYTES], struct err *err)
{
	CLEANUP(mem_release) char *name = NULL;
	FILE *file;
	bool found;

	if (!path.len) {
		err_set(err, ERR_VALUE, "a webhook needs a key for its signatures");
		return err_hint(err, "give a file whose first line is one with --webhook-secret");
	}
	name = mem_zalloc(path.len + 1);
	memcpy(name, path.ptr, path.len);
	file = fopen(name, "re");
	if (!file)
		return err_os(err, ERR_CONFIG, errno, "cannot read %s", shown(path).text);
	found = fgets(ret, KEY_BYTES, file) != NULL;
	fclose(file);
	if (found)
		ret[strcspn(ret, "\r\n")] = '\0';
	if (!found || !ret[0])
		return err_set(err, ERR_VALUE, "%s has no key in its first line", shown(path).text);
	return 0;
}

static int check_settings(const struct webhook_settings *settings, char ret_key[KEY_BYTES], struct err *err)
{
	struct str url = settings->url, events = settings->events;

	if (!str_starts(url, STR("http://")) && !str_starts(url, STR("https://"))) {
		err_set(err, ERR_VALUE, "'%s' is not the address of a webhook", shown(url).text);
		return err_hint(err, "for example --webhook https://hooks.example/opcheck");
	}
	if (events.len && !str_eq(events, STR("finished")) && !str_eq(events, STR("regressed"))) {
		err_set(err, ERR_VALUE, "'%s' is not an event of a webhook", shown(events).text);
		return err_hint(err, "give finished (every run) or regressed");
	}
	return read_key(settings->secret_file, ret_key, err);
}

int webhook_check(const struct webhook_settings *settings, struct err *err)
{
	char key[KEY_BYTES];

	return settings->url.len ? check_settings(settings, key, err) : 0;
}

static void webhook_free(struct webhook *webhook)
{
	free(webhook->url);
	free(webhook->key);
	if (webhook->handle)
		curl.easy_cleanup(webhook->handle);
	pthread_cond_destroy(&webhook->end);
	pthread_mutex_destroy(&webhook->lock);
	free(webhook);
}

static struct webhook *webhook_new(
	const struct service *service, const struct webhook_settings *settings, const char *key)
{
	struct webhook *webhook = mem_zalloc(sizeof(*webhook));

	webhook->service = service;
	webhook->url = mem_zalloc(settings->url.len + 1);
	memcpy(webhook->url, settings->url.ptr, settings->url.len);
	webhook->key = mem_text(key);
	webhook->regressions_only = str_eq(settings->events, STR("regressed"));
	webhook->private_addresses = settings->private_addresses;
	webhook->handle = curl.easy_init();
	pthread_mutex_init(&webhook->lock, NULL);
	clock_cond_init(&webhook->end);
	return webhook;
}

int webhook_start(
	const struct service *service, const struct webhook_settings *settings, struct webhook **ret, struct err *err)
{
	char key[KEY_BYTES];
	struct webhook *webhook;
	int status;

	*ret = NULL;
	if (!settings->url.len)
		return 0;
	status = check_settings(settings, key, err);
	if (!status)
		status = curl_load(err);
	if (status)
		return status;
	webhook = webhook_new(service, settings, key);
	status = webhook->handle ? pthread_create(&webhook->thread, NULL, run_webhook, webhook) : ENOMEM;
	if (status) {
		webhook_free(webhook);
		return err_os(err, ERR_INTERNAL, status, "cannot start the webhook");
	}
	store_want_deliveries(service->store);
	*ret = webhook;
	return 0;
}

void webhook_stop(struct webhook *webhook)
{
	if (!webhook)
		return;
	pthread_mutex_lock(&webhook->lock);
	atomic_store(&webhook->ending, true);
	pthread_cond_signal(&webhook->end);
	pthread_mutex_unlock(&webhook->lock);
	pthread_join(webhook->thread, NULL);
	webhook_free(webhook);
}
