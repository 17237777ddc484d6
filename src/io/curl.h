#pragma once
/* libcurl, loaded when a program first talks to another machine: others need neither it nor its time to start.
 * The static program has it linked. */
#include <curl/curl.h>
#include <stdbool.h>

#include "base/setup/err.h"

/* Its functions that are called, without curl_. */
#define CURL_CALLS(CALL)                                                                                               \
	CALL(global_init)                                                                                              \
	CALL(easy_init)                                                                                                \
	CALL(easy_setopt)                                                                                              \
	CALL(easy_perform)                                                                                             \
	CALL(easy_getinfo)                                                                                             \
	CALL(easy_reset)                                                                                               \
	CALL(easy_cleanup)                                                                                             \
	CALL(easy_strerror)                                                                                            \
	CALL(slist_append)                                                                                             \
	CALL(slist_free_all)                                                                                           \
	CALL(mime_init)                                                                                                \
	CALL(mime_addpart)                                                                                             \
	CALL(mime_name)                                                                                                \
	CALL(mime_filename)                                                                                            \
	CALL(mime_data)                                                                                                \
	CALL(mime_filedata)                                                                                            \
	CALL(mime_data_cb)                                                                                             \
	CALL(mime_free)
#define CURL_DECLARE(name) typeof(curl_##name) *(name);

/* NULL before curl_load. */
extern struct curl_functions {
	CURL_CALLS(CURL_DECLARE)
} curl;

/* Adds a header to a list, as printf does, cut at 2 KiB. False without memory: the list is as it was. */
bool curl_add_header(struct curl_slist **list, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* A CURLOPT_WRITEFUNCTION, for answers of which the status is enough. */
size_t curl_ignore_answer(char *bytes, size_t size, size_t count, void *ctx);

/* Called before there are further threads that use it; again is free. ERR_CONNECT. */
int curl_load(struct err *err);
