#include "check/site/site.h"

#include "check/site/site_home.h"
#include "check/site/site_index.h"
#include "check/site/site_operators.h"
#include "check/site/site_recipes.h"
#include "check/site/site_releases.h"
#include "check/site/site_page.h"
#include "report/doc/frame.h"
#include "report/doc/html_page.h"

extern const char site_js[];

static int put_assets(struct site *site, struct err *err)
{
	const struct {
		struct str path;
		const char *text;
	} assets[] = {
		{ STR("assets/report.css"), report_css },
		{ STR("assets/app.css"), app_css },
		{ STR("assets/app.js"), app_js },
		{ STR("assets/site.js"), site_js },
		{ STR("assets/icon.svg"), icon_svg },
	};
	int status = 0;

	for (size_t i = 0; i < ARRAY_SIZE(assets) && !status; i++)
		status = site_folder_write(&site->folder, assets[i].path, str_from(assets[i].text), err);
	return status;
}

static int put_language(struct site *site, enum lang lang, struct err *err)
{
	static int (*const parts[])(struct site *, enum lang, struct err *) = { site_put_home, site_put_operator_list,
		site_put_releases, site_put_recipes, site_put_index };
	int status = 0;

	for (size_t i = 0; i < ARRAY_SIZE(parts) && !status; i++)
		status = parts[i](site, lang, err);
	return status;
}

static int sweep(struct site *site, enum lang lang, struct err *err)
{
	static const struct str folders[] = { STR("operators"), STR("releases"), STR("recipes") };
	int status = 0;

	for (size_t i = 0; i < ARRAY_SIZE(folders) && !status; i++)
		status = site_folder_sweep(&site->folder, site_path_in(&site->folder.arena, lang, folders[i]), err);
	return status;
}

int site_write(const struct site_request *request, struct site_result *ret, struct err *err)
{
	struct site site = { .db = request->db,
		.version = request->version,
		.targets = request->targets,
		.arena = ARENA_INIT(ARENA_UNLIMITED) };
	int status = site_folder_open(&site.folder, request->folder, err);

	if (!status)
		status = site_state_find(&site, request->releases, err);
	/* the first page is the mark of a site: it comes before all others */
	for (unsigned lang = 0; lang < LANG_COUNT && !status; lang++)
		status = put_language(&site, (enum lang)lang, err);
	if (!status)
		status = site_put_operators(&site, err);
	if (!status)
		status = put_assets(&site, err);
	for (unsigned lang = 0; lang < LANG_COUNT && !status; lang++)
		status = sweep(&site, (enum lang)lang, err);
	*ret = (struct site_result){ site.name_count, site.release_count, site.recipes.count, site.folder.files.count,
		site.folder.bytes };
	site_folder_close(&site.folder);
	site_state_clear(&site);
	return status;
}
