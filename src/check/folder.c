#include "check/folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/utf8.h"

#define OUTPUT "ASCEND_PROFILER_OUTPUT"

/* Of each group the first that is there. The first group names operators. */
static const char *const groups[][3] = {
	{ "operator_details.csv", "ascend_pytorch_profiler*.db", "trace_view.json" },
	{ "kernel_details.csv", "op_statistic.csv", "data_preprocess.csv" },
	{ "api_statistic.csv" },
	{ "step_trace_time.csv" },
};

struct walk {
	struct folder *folder;
	const struct limits *limits;
	uint64_t seen;
	struct {
		struct str *items; /* per Ascend folder: its rank or its name */
		size_t count, capacity;
	} devices;
	const char *info; /* of the Ascend folder under way */
	struct err *err;
};

/* The names in one folder, sorted. */
struct names {
	char **items;
	size_t count, capacity;
};

bool folder_is(const char *path)
{
	struct stat info;

	return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

void folder_clear(struct folder *folder)
{
	free(folder->items);
	arena_clear(&folder->text);
	*folder = (struct folder){ 0 };
}

static int fail(struct walk *walk, enum err_code code, const char *what, const char *path, const char *hint)
{
	err_set(walk->err, code, "%s", what);
	err_hint(walk->err, "%s", hint);
	return err_file(walk->err, shown(str_from(path)).text);
}

/* --- names */

static void names_clear(struct names *names)
{
	for (size_t i = 0; i < names->count; i++)
		free(names->items[i]);
	free(names->items);
}

static int by_name(const void *a, const void *b)
{
	return str_natural_cmp(str_from(*(char *const *)a), str_from(*(char *const *)b));
}

static int list_names(struct walk *walk, const char *path, struct names *ret)
{
	DIR *dir = opendir(path);
	struct dirent *entry;

	if (!dir) {
		err_os(walk->err, ERR_OPEN, errno, "cannot open the folder");
		return err_file(walk->err, shown(str_from(path)).text);
	}
	while ((entry = readdir(dir)) && walk->seen <= walk->limits->folder_files) {
		char *copy;

		if (entry->d_name[0] == '.')
			continue;
		walk->seen++;
		copy = strdup(entry->d_name);
		if (!copy)
			abort();
		MEM_PUSH(ret, copy);
	}
	closedir(dir);
	if (walk->seen > walk->limits->folder_files)
		return fail(walk, ERR_LIMIT, "there are too many files in the folder", path,
			"name the dumps in it, or raise the limit with --limit folder-files=N");
	if (ret->count)
		qsort(ret->items, ret->count, sizeof(ret->items[0]), by_name);
	return 0;
}

static const char *find_name(const struct names *names, const char *pattern)
{
	for (size_t i = 0; i < names->count; i++) {
		if (fnmatch(pattern, names->items[i], 0) == 0)
			return names->items[i];
	}
	return NULL;
}

/* --- files */

static struct str join(struct walk *walk, struct str folder, const char *name)
{
	struct buf text = BUF_INIT(SIZE_MAX / 2);
	struct str joined;

	buf_printf(&text, "%.*s%s%s", STR_ARG(folder), folder.len && !str_ends(folder, STR("/")) ? "/" : "", name);
	joined = arena_keep(&walk->folder->text, buf_str(&text));
	buf_clear(&text);
	return joined;
}

static void add_file(struct walk *walk, struct str path, struct str name, size_t device, bool aside)
{
	struct folder_file file = { .path = path.ptr, .name = name, .rank = STR(""), .device = device, .aside = aside,
		.info = device ? walk->info : NULL };

	MEM_PUSH(walk->folder, file);
}

/* --- an Ascend folder */

static struct str base_name(struct str path)
{
	size_t at = path.len;

	while (at && path.ptr[at - 1] != '/')
		at--;
	return str_skip(path, at);
}

/* "rank3" of profiler_info_3.json, else the name of the folder. */
static struct str device_label(struct walk *walk, const struct names *names, struct str name)
{
	const char *info = find_name(names, "profiler_info_[0-9]*.json");
	struct str number, folder = base_name(name);
	struct buf text = BUF_INIT(SIZE_MAX / 2);

	if (!info)
		return folder;
	number = str_skip(str_from(info), sizeof("profiler_info_") - 1);
	buf_printf(&text, "rank%.*s", STR_ARG(str_chop(number, sizeof(".json") - 1)));
	folder = arena_keep(&walk->folder->text, buf_str(&text));
	buf_clear(&text);
	return folder;
}

/* profiler_info.json or profiler_info_RANK.json in the folder above ASCEND_PROFILER_OUTPUT. */
static const char *find_info(struct walk *walk, struct str path, const struct names *names)
{
	const char *name = find_name(names, "profiler_info*.json");

	return name ? join(walk, path, name).ptr : NULL;
}

static int take_output(struct walk *walk, struct str path, struct str name, struct str label, const char *info)
{
	struct names names = { 0 };
	int status = list_names(walk, path.ptr, &names);

	walk->info = info;
	MEM_PUSH(&walk->devices, label);
	for (size_t i = 0; i < ARRAY_SIZE(groups) && !status; i++) {
		const char *found = NULL;

		for (size_t j = 0; j < ARRAY_SIZE(groups[i]) && groups[i][j] && !found; j++)
			found = find_name(&names, groups[i][j]);
		if (found)
			add_file(walk, join(walk, path, found), join(walk, name, found), walk->devices.count, i > 0);
	}
	names_clear(&names);
	return status;
}

/* --- any folder */

static int visit(struct walk *walk, struct str path, struct str name, uint64_t depth);

static int visit_entry(struct walk *walk, struct str path, struct str name, uint64_t depth)
{
	struct stat info, target;

	if (lstat(path.ptr, &info))
		return 0; /* gone since */
	if (S_ISDIR(info.st_mode))
		return visit(walk, path, name, depth + 1);
	if (stat(path.ptr, &target) == 0 && S_ISREG(target.st_mode))
		add_file(walk, path, name, 0, true);
	return 0;
}

static int visit(struct walk *walk, struct str path, struct str name, uint64_t depth)
{
	struct names names = { 0 };
	int status;

	if (depth > walk->limits->folder_depth)
		return fail(walk, ERR_LIMIT, "the folders are nested too deep", path.ptr,
			"name the dumps in it, or raise the limit with --limit folder-depth=N");
	if (str_eq(base_name(path), STR(OUTPUT)))
		return take_output(walk, path, name, STR(""), NULL);
	status = list_names(walk, path.ptr, &names);
	if (!status && find_name(&names, OUTPUT)) {
		status = take_output(walk, join(walk, path, OUTPUT), join(walk, name, OUTPUT),
			device_label(walk, &names, name.len ? name : path), find_info(walk, path, &names));
		names_clear(&names);
		return status;
	}
	for (size_t i = 0; i < names.count && !status; i++)
		status = visit_entry(walk, join(walk, path, names.items[i]), join(walk, name, names.items[i]), depth);
	names_clear(&names);
	return status;
}

/* Several Ascend folders are ranks; two with one label would be one. */
static void label_ranks(struct walk *walk)
{
	bool distinct = true;

	for (size_t i = 0; i < walk->devices.count; i++) {
		for (size_t j = 0; j < i; j++)
			distinct = distinct && !str_eq(walk->devices.items[i], walk->devices.items[j]);
	}
	for (size_t i = 0; i < walk->folder->count && walk->devices.count > 1; i++) {
		struct folder_file *file = &walk->folder->items[i];
		struct buf text = BUF_INIT(64);

		if (!file->device)
			continue;
		buf_printf(&text, "folder%zu", file->device);
		file->rank = distinct ? walk->devices.items[file->device - 1] : arena_keep(&walk->folder->text, buf_str(&text));
		buf_clear(&text);
	}
}

/* Without the slashes at its end. */
static struct str trimmed(struct str path)
{
	while (path.len > 1 && str_ends(path, STR("/")))
		path = str_chop(path, 1);
	return path;
}

int folder_list(const char *path, const struct limits *limits, struct folder *ret, struct err *err)
{
	struct walk walk = { .folder = ret, .limits = limits, .err = err };
	int status;

	*ret = (struct folder){ .text = ARENA_INIT(ARENA_UNLIMITED) }; /* bounded by limits.folder_files */
	status = visit(&walk, arena_keep(&ret->text, trimmed(str_from(path))), STR(""), 1);
	if (!status && !ret->count)
		status = fail(&walk, ERR_DIRECTORY, "there is no file in the folder", path,
			"name the dumps, or the folder that holds them");
	label_ranks(&walk);
	free(walk.devices.items);
	return status;
}
