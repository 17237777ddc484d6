#pragma once
/* libcurl, loaded when a program first talks to another machine: others need neither it nor its time to start. */
#include <curl/curl.h>

#include "base/setup/err.h"

/* Its functions by their names without curl_; NULL before curl_load. */
extern struct curl_functions {
	CURLcode (*global_init)(long flags);
	CURL *(*easy_init)(void);
	CURLcode (*easy_setopt)(CURL *handle, CURLoption option, ...);
	CURLcode (*easy_perform)(CURL *handle);
	CURLcode (*easy_getinfo)(CURL *handle, CURLINFO info, ...);
	void (*easy_reset)(CURL *handle);
	void (*easy_cleanup)(CURL *handle);
	const char *(*easy_strerror)(CURLcode code);
	struct curl_slist *(*slist_append)(struct curl_slist *list, const char *text);
	void (*slist_free_all)(struct curl_slist *list);
	curl_mime *(*mime_init)(CURL *handle);
	curl_mimepart *(*mime_addpart)(curl_mime *mime);
	CURLcode (*mime_name)(curl_mimepart *part, const char *name);
	CURLcode (*mime_filename)(curl_mimepart *part, const char *name);
	CURLcode (*mime_data)(curl_mimepart *part, const char *bytes, size_t count);
	CURLcode (*mime_filedata)(curl_mimepart *part, const char *path);
	CURLcode (*mime_data_cb)(curl_mimepart *part, curl_off_t bytes, curl_read_callback read,
		curl_seek_callback seek, curl_free_callback release, void *ctx);
	void (*mime_free)(curl_mime *mime);
} curl;

/* Called before there are further threads that use it; again is free. ERR_CONNECT. */
int curl_load(struct err *err);
