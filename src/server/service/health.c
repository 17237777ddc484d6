#include "server/service/health.h"

#include "base/memory/buf.h"
#include "base/memory/mem.h"
#include "base/value/utf8.h"
#include "io/curl.h"

enum { HEALTH_SECONDS = 5, READY = 200 };

static CURLcode ask_ready(const char *url, long *ret_status)
{
	CURL *handle = curl.easy_init();
	/* a service that listens on every address has none of them as its name */
	struct curl_slist *headers = curl.slist_append(NULL, "Host: localhost");
	CURLcode code = CURLE_OUT_OF_MEMORY;

	if (handle && headers) {
		curl.easy_setopt(handle, CURLOPT_URL, url);
		curl.easy_setopt(handle, CURLOPT_PROXY, "");
		curl.easy_setopt(handle, CURLOPT_NOSIGNAL, 1L);
		curl.easy_setopt(handle, CURLOPT_TIMEOUT, (long)HEALTH_SECONDS);
		curl.easy_setopt(handle, CURLOPT_HTTPHEADER, headers);
		curl.easy_setopt(handle, CURLOPT_WRITEFUNCTION, curl_ignore_answer);
		code = curl.easy_perform(handle);
		curl.easy_getinfo(handle, CURLINFO_RESPONSE_CODE, ret_status);
	}
	curl.slist_free_all(headers);
	if (handle)
		curl.easy_cleanup(handle);
	return code;
}

int health_check(struct str address, struct err *err)
{
	CLEANUP(buf_clear) struct buf url = BUF_UNLIMITED;
	CURLcode code;
	long answered = 0;

	if (curl_load(err))
		return -err->code;
	buf_printf(&url, "http://%.*s/readyz", STR_ARG(address));
	code = ask_ready(buf_text(&url), &answered);
	if (code)
		return err_set(err, ERR_CONNECT, "no service answers at %s: %s", shown(address).text,
			curl.easy_strerror(code));
	if (answered != READY)
		return err_set(err, ERR_CONNECT, "the service at %s is not ready: it answered with %ld",
			shown(address).text, answered);
	return 0;
}
