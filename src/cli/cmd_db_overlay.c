#include "check/database.h"
#include "cli/cmd_db.h"
#include "opdb/overlay.h"

int db_run_check_overlay(const struct db_options *options, const struct arguments *arguments, struct err *err)
{
	struct limits limits = limits_default();
	const struct overlay *overlay;
	struct opdb *db = NULL;
	size_t count;
	int status = database_open(options->db, &db, err);

	for (size_t i = 1; i < arguments->count && !status; i++)
		status = opdb_add_overlay(db, arguments->items[i], limits.overlay_bytes, err);
	overlay = status ? NULL : opdb_overlays(db, &count);
	for (size_t i = 0; overlay && i < count && !status; i++) {
		struct buf text = BUF_INIT(1 << 16);

		buf_printf(&text, "%.*s: %zu facts, SHA-256 %.*s\n", STR_ARG(overlay[i].name), overlay[i].facts,
			STR_ARG(overlay[i].sha256));
		status = common_print(buf_str(&text), err);
		buf_clear(&text);
	}
	opdb_close(db);
	return status;
}
