#include "io/curl.h"

#include <dlfcn.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/memory/mem.h"

enum { HEADER_BYTES = 2048 };

struct curl_functions curl;

#ifdef OPCHECK_STATIC
#define LINK_CALL(name) curl.name = (curl_##name);

static int find_calls(struct err *err UNUSED)
{
	CURL_CALLS(LINK_CALL)
	return 0;
}
#else
#define FIND_CALL(name) good = good && (curl.name = (typeof(curl_##name) *)dlsym(library, "curl_" #name)) != NULL;

static int find_calls(struct err *err)
{
	void *library = dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
	bool good = library;

	CURL_CALLS(FIND_CALL)
	if (good)
		return 0;
	err_set(err, ERR_CONNECT, "cannot load libcurl: %s", dlerror());
	return err_hint(err, "install libcurl 7.85 or later, for example the package libcurl4");
}
#endif

int curl_load(struct err *err)
{
	static bool loaded;
	int status;

	if (loaded)
		return 0;
	status = find_calls(err);
	if (status)
		return status;
	loaded = true;
	if (curl.global_init(CURL_GLOBAL_DEFAULT))
		return err_set(err, ERR_CONNECT, "libcurl does not start");
	return 0;
}

bool curl_add_header(struct curl_slist **list, const char *format, ...)
{
	char text[HEADER_BYTES];
	struct curl_slist *longer;
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	longer = curl.slist_append(*list, text);
	if (longer)
		*list = longer;
	return longer;
}

size_t curl_ignore_answer(char *bytes UNUSED, size_t size, size_t count, void *ctx UNUSED)
{
	return size * count;
}
