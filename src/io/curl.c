#include "io/curl.h"

#include <dlfcn.h>
#include <stdbool.h>

#include "base/memory/mem.h"

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

size_t curl_ignore_answer(char *bytes UNUSED, size_t size, size_t count, void *ctx UNUSED)
{
	return size * count;
}
