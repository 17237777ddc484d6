#include "cli/worktree.h"

#include <string.h>
#include <sys/stat.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "io/process.h"

int worktree_clean(const char *path, struct err *err)
{
	CLEANUP(buf_clear) struct buf folder = BUF_UNLIMITED;
	const char *name = str_file_name(path);
	struct stat info;
	bool is_folder = stat(path, &info) == 0 && S_ISDIR(info.st_mode);
	struct str before = is_folder ? str_from(path) : (struct str){ path, (size_t)(name - path) };
	CLEANUP(buf_clear) struct buf printed = BUF_INIT(256);
	int status;

	buf_add(&folder, before.len ? before : STR("."));
	status = process_run((const char *const[]){ "git", "-c", "core.fsmonitor=false", "-c",
				     "core.hooksPath=/dev/null", "-C", buf_text(&folder), "status", "--porcelain",
				     "--untracked-files=all", "--", is_folder ? "." : name, NULL },
		0, &printed);
	if (status)
		err_set(err, ERR_EXISTS, "not in a work tree of git, so the change could not be taken back");
	else if (printed.len)
		err_set(err, ERR_EXISTS, "changes that are not committed: %s",
			shown((struct str){ buf_text(&printed), strcspn(buf_text(&printed), "\n") }).text);
	else
		return 0;
	err_hint(err, "commit first, or write a patch: opcheck port PATH -t npu --patch port.patch");
	return err_where(err, "%s", shown(str_from(path)).text);
}
