#include "io/curl.h"

#include <dlfcn.h>
#include <string.h>

#include "base/memory/mem.h"

struct curl_functions curl;

static const struct {
	const char *name;
	void *function; /* a pointer to the member */
} symbols[] = {
	{ "curl_global_init", &curl.global_init },
	{ "curl_easy_init", &curl.easy_init },
	{ "curl_easy_setopt", &curl.easy_setopt },
	{ "curl_easy_perform", &curl.easy_perform },
	{ "curl_easy_getinfo", &curl.easy_getinfo },
	{ "curl_easy_reset", &curl.easy_reset },
	{ "curl_easy_cleanup", &curl.easy_cleanup },
	{ "curl_easy_strerror", &curl.easy_strerror },
	{ "curl_slist_append", &curl.slist_append },
	{ "curl_slist_free_all", &curl.slist_free_all },
	{ "curl_mime_init", &curl.mime_init },
	{ "curl_mime_addpart", &curl.mime_addpart },
	{ "curl_mime_name", &curl.mime_name },
	{ "curl_mime_filename", &curl.mime_filename },
	{ "curl_mime_data", &curl.mime_data },
	{ "curl_mime_filedata", &curl.mime_filedata },
	{ "curl_mime_data_cb", &curl.mime_data_cb },
	{ "curl_mime_free", &curl.mime_free },
};

static int no_library(struct err *err)
{
	err_set(err, ERR_CONNECT, "cannot load libcurl: %s", dlerror());
	return err_hint(err, "install libcurl 7.85 or later, for example the package libcurl4");
}

int curl_load(struct err *err)
{
	static void *library;

	if (library)
		return 0;
	library = dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);

	if (!library)
		return no_library(err);
	for (size_t i = 0; i < ARRAY_SIZE(symbols); i++) {
		void *symbol = dlsym(library, symbols[i].name);

		if (!symbol)
			return no_library(err);
		/* POSIX lets the two kinds of pointer have one form */
		memcpy(symbols[i].function, &symbol, sizeof(symbol));
	}
	if (curl.global_init(CURL_GLOBAL_DEFAULT))
		return err_set(err, ERR_CONNECT, "libcurl does not start");
	return 0;
}
