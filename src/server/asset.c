/* Files that are compiled in. */
#include "base/mem.h"
#include "base/sha256.h"
#include "report/html.h"
#include "server/answer.h"
#include "server/handlers.h"

extern const char app_css[], app_js[], icon_svg[], openapi_json[], example_log[];

static const struct asset {
	const char *path, *media_type, *text;
} assets[] = {
	{ "/openapi.json", MEDIA_JSON, openapi_json },
	{ "/assets/app.css", "text/css; charset=utf-8", app_css },
	{ "/assets/app.js", "text/javascript; charset=utf-8", app_js },
	{ "/assets/report.css", "text/css; charset=utf-8", report_css },
	{ "/assets/report.js", "text/javascript; charset=utf-8", report_js },
	{ "/assets/icon.svg", "image/svg+xml", icon_svg },
	{ "/assets/example.log", "text/plain; charset=utf-8", example_log },
};

static void send_asset(const struct asset *asset, struct request *request, struct reply *reply)
{
	char digest[SHA256_HEX_BYTES];
	struct sha256 *sha = sha256_new();
	struct buf tag = BUF_INIT(SHA256_HEX_BYTES);

	sha256_add(sha, str_from(asset->text));
	sha256_end(sha, digest);
	buf_add(&tag, str_from(digest));
	reply_start(reply, STATUS_OK, asset->media_type);
	if (!reply_is_unchanged(reply, request, &tag, CACHE_CHECK))
		buf_add(&reply->body, str_from(asset->text));
	buf_clear(&tag);
}

int answer_asset(const struct service *service, struct request *request, struct reply *reply, struct err *err)
{
	(void)service;
	for (size_t i = 0; i < ARRAY_SIZE(assets); i++) {
		if (str_eq(request->path, str_from(assets[i].path))) {
			send_asset(&assets[i], request, reply);
			return 0;
		}
	}
	return answer_missing(err, "file");
}
