#include "server/http/asset.h"

#include <pthread.h>

#include "base/memory/mem.h"
#include "base/value/sha256.h"
#include "io/gunzip.h"
#include "report/doc/frame.h"
#include "report/doc/html_page.h"
#include "server/http/answer.h"
#include "server/http/cache.h"
#include "server/http/header.h"
#include "server/http/negotiate.h"

extern const char openapi_json[], example_log[];

enum { TAG_LETTERS = 16 };

static struct asset {
	const char *path, *media_type, *text;
	char digest[SHA256_HEX_BYTES];
	struct cached *plain, *packed; /* for the life of the process */
} assets[] = {
	{ "/openapi.json", MEDIA_JSON, openapi_json },
	{ "/assets/app.css", "text/css; charset=utf-8", app_css },
	{ "/assets/app.js", "text/javascript; charset=utf-8", app_js },
	{ "/assets/report.css", "text/css; charset=utf-8", report_css },
	{ "/assets/report.js", "text/javascript; charset=utf-8", report_js },
	{ "/assets/icon.svg", "image/svg+xml", icon_svg },
	{ "/assets/example.log", "text/plain; charset=utf-8", example_log },
};

static void prepare_assets(void)
{
	for (size_t i = 0; i < ARRAY_SIZE(assets); i++) {
		struct buf packed = BUF_UNLIMITED;
		struct str text = str_from(assets[i].text);

		sha256_of(text, assets[i].digest);
		gzip_pack(text, &packed);
		assets[i].plain = cached_static(text, 0);
		assets[i].packed = cached_static(buf_str(&packed), text.len);
	}
}

/* NULL: there is none of that path. */
static const struct asset *find_asset(struct str path)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, prepare_assets);
	return FIND(i, assets, ARRAY_SIZE(assets), str_eq(path, str_from(assets[i].path)));
}

void asset_put_address(struct buf *out, struct str path)
{
	buf_printf(out, "%.*s?v=%.*s", STR_ARG(path), TAG_LETTERS, find_asset(path)->digest);
}

int answer_asset(
	const struct service *service UNUSED, struct request *request, struct reply *reply, struct err *err UNUSED)
{
	const struct asset *asset = find_asset(request->path);
	CLEANUP(buf_clear) struct buf tag = BUF_UNLIMITED;
	struct str digest;
	bool named;

	digest = str_from(asset->digest);
	named = str_eq(request_value(request, "v"), str_sub(digest, 0, TAG_LETTERS));
	buf_add(&tag, digest);
	reply_start(reply, STATUS_OK, asset->media_type);
	reply_header(reply, "Vary", STR("Accept-Encoding"));
	reply->send_packed = negotiate_gzip(request->headers[HEADER_ACCEPT_ENCODING]);
	if (reply->send_packed)
		buf_add(&tag, STR("-gzip"));
	if (!reply_is_unchanged(reply, request, &tag, named ? CACHE_FOREVER : CACHE_CHECK))
		reply_cached(reply, cached_hold(reply->send_packed ? asset->packed : asset->plain));
	return 0;
}
