#include "check/site/site_index.h"

#include "check/site/site_page.h"
#include "json/jsonw.h"

/* A name's path is left out where the script makes the same: "aten::add", operators/aten.add.html. */
static void put_entry(struct site *site, struct jsonw *json, struct str ns, size_t at)
{
	struct str name = site->names[at], path = site_operator_path(&site->folder.arena, name);
	struct str plain = arena_printf(
		&site->folder.arena, "operators/%.*s.%.*s.html", STR_ARG(ns), STR_ARG(str_skip(name, ns.len + 2)));

	jsonw_list(json);
	jsonw_str(json, name);
	jsonw_str(json, str_eq(path, plain) ? STR("") : path);
	for (size_t i = 0; i < site->targets->count; i++)
		jsonw_number(json, site_statuses(site, at)[i]);
	jsonw_list_end(json);
}

int site_put_index(struct site *site, enum lang lang, struct err *err)
{
	CLEANUP(buf_clear) struct buf out = BUF_UNLIMITED;
	struct jsonw json = jsonw_start(&out, 2);

	buf_add(&out, STR("window.opcheckIndex = "));
	jsonw_object(&json);
	jsonw_key_str(&json, "found", catalog_text(lang, STR("page.found")));
	jsonw_key_list(&json, "targets");
	for (size_t i = 0; i < site->targets->count; i++)
		jsonw_str(&json, str_from(site->targets->items[i].id));
	jsonw_list_end(&json);
	jsonw_key_list(&json, "statuses");
	for (unsigned i = 0; i < OP_STATUS_COUNT; i++) {
		struct str status = op_status_name((enum op_status)i);

		jsonw_list(&json);
		jsonw_str(&json, status);
		jsonw_str(&json, catalog_word(lang, "status", status));
		jsonw_list_end(&json);
	}
	jsonw_list_end(&json);
	jsonw_key_list(&json, "operators");
	for (size_t i = 0; i < site->name_count; i++)
		put_entry(site, &json, str_sub(site->names[i], 0, str_find(site->names[i], STR("::"))), i);
	jsonw_list_end(&json);
	jsonw_object_end(&json);
	buf_add(&out, STR(";\n"));
	return site_folder_write(
		&site->folder, site_path_in(&site->folder.arena, lang, STR("index.js")), buf_str(&out), err);
}
