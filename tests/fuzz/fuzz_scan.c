/*
 * A file around a program, the first byte says of which kind, ported to either target: every edit is in the file and apart
 * from the others, all other bytes stay, and a second port edits nothing.
 */
#include <sys/stat.h>
#include <unistd.h>

#include "scan/port/launcher.h"
#include "scan/port/patch.h"
#include "scan/port/port.h"
#include "scan/port/port_put.h"
#include "tests/fuzz/fuzz.h"
#include "tests/unit/temporary.h"

static char folder[256];

static void remove_folder(void)
{
	rmdir(folder);
}

static void write_file(const char *path, struct str text)
{
	FILE *out = fopen(path, "we");

	HOLD(out && fwrite(text.ptr, 1, text.len, out) == text.len && fclose(out) == 0);
}

/* Whether anything of the file was edited; what it is then goes into ret. */
static bool port_file(const char *path, enum target_kind target, struct str text, struct buf *ret)
{
	struct limits limits = limits_default();
	struct program_request request = { .paths = &path, .path_count = 1, .limits = &limits };
	CLEANUP(buf_clear) struct buf shown = BUF_UNLIMITED;
	struct err err = { 0 };
	struct port port;
	bool edited;
	int status;

	write_file(path, text);
	status = port_run(&request, target, &port, &err);
	HOLD(status == 0 || (status == -err.code && err.text[0]));
	edited = port.scripts.count > 0;
	HOLD(port.scripts.count <= 1 && edited == (port.edits > 0));
	if (edited) {
		const struct port_script *script = &port.scripts.items[0];
		size_t at = 0;

		HOLD(str_eq(script->bytes, text));
		for (size_t i = 0; i < script->edit_count; i++) {
			const struct port_edit *edit = &script->edits[i];

			HOLD(edit->at >= at && edit->end >= edit->at && edit->end <= text.len);
			buf_add(ret, str_sub(text, at, edit->at));
			buf_add(ret, edit->bytes);
			at = edit->end;
		}
		buf_add(ret, str_skip(text, at));
		HOLD(str_eq(buf_str(ret), script->ported));
	}
	port_put_patch(&port, &shown);
	HOLD((shown.len > 0) == edited);
	port_put_text(&port, LANG_EN, &shown);
	port_put_json(&port, &shown);
	port_put_csv(&port, &shown);
	launcher_put(&port, LANG_ZH_CN, &shown);
	port_clear(&port);
	unlink(path);
	return edited;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const names[] = { "a.py", "a.ipynb", "a.sh", "Dockerfile", "requirements.txt", "a.yaml",
		"a.toml" };
	struct str text = fuzz_text(data, size);
	unsigned kind = fuzz_byte(&text);
	enum target_kind target = kind / ARRAY_SIZE(names) % 2 ? TARGET_MUSA : TARGET_NPU;
	CLEANUP(buf_clear) struct buf once = BUF_UNLIMITED, twice = BUF_UNLIMITED;
	char path[300];

	if (!folder[0]) {
		HOLD(mkdtemp(temporary_path(folder, sizeof(folder))));
		atexit(remove_folder);
	}
	snprintf(path, sizeof(path), "%s/%s", folder, names[kind % ARRAY_SIZE(names)]);
	if (port_file(path, target, text, &once))
		HOLD(!port_file(path, target, buf_str(&once), &twice));
	return 0;
}
