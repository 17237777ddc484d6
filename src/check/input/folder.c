#include "check/input/folder.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/memory/mem.h"
#include "base/setup/translate.h"
#include "base/value/utf8.h"
#include "base/value/words.h"
#include "base/view/ascii.h"
#include "check/input/ascend.h"

struct folder_walk {
	struct folder *folder;
	const struct limits *limits;
	uint64_t seen;
	MEM_LIST(struct str) devices; /* per Ascend folder: its rank or its name */
	const char *info;             /* of the Ascend folder under way */
	struct err *err;
};

/* The names in one folder, sorted; on the heap, their texts in the arena of the folder. */
struct names {
	struct str *items;
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

static int fail_walk(struct folder_walk *walk, enum err_code code, const char *what, const char *path, const char *hint)
{
	err_set(walk->err, code, "%s", translated(what));
	err_hint(walk->err, "%s", translated(hint));
	return err_file(walk->err, shown(str_from(path)).text);
}

static int by_name(const void *a, const void *b)
{
	return str_natural_cmp(*(const struct str *)a, *(const struct str *)b);
}

static int list_names(struct folder_walk *walk, const char *path, struct names *ret)
{
	DIR *dir = opendir(path);
	struct dirent *entry;

	if (!dir) {
		err_os(walk->err, ERR_OPEN, errno, "cannot open the folder");
		return err_file(walk->err, shown(str_from(path)).text);
	}
	while ((entry = readdir(dir)) && walk->seen <= walk->limits->folder_files) {
		if (entry->d_name[0] == '.')
			continue;
		walk->seen++;
		MEM_PUSH(ret, arena_keep(&walk->folder->text, str_from(entry->d_name)));
	}
	closedir(dir);
	if (walk->seen > walk->limits->folder_files)
		return fail_walk(walk, ERR_LIMIT, "there are too many files in the folder", path,
			"name the dumps in it, or raise the limit with --limit folder-files=N");
	MEM_SORT(ret, by_name);
	return 0;
}

static struct str join_path(struct folder_walk *walk, struct str folder, struct str name)
{
	return arena_printf(&walk->folder->text, "%.*s%s%.*s", STR_ARG(folder),
		folder.len && !str_ends(folder, STR("/")) ? "/" : "", STR_ARG(name));
}

/* A file or folder: its path, and its name below the user's folder. */
struct spot {
	struct str path, name;
};

static struct spot spot_inside(struct folder_walk *walk, struct spot folder, struct str name)
{
	return (struct spot){ join_path(walk, folder.path, name), join_path(walk, folder.name, name) };
}

static void add_file(struct folder_walk *walk, struct spot at, size_t device, bool aside)
{
	MEM_PUSH(walk->folder,
		((struct folder_file){ at.path.ptr, at.name, STR(""), device, device ? walk->info : NULL, aside }));
}

/* --- an Ascend folder */

/* "rank3" of profiler_info_3.json, else the name of the folder. */
static struct str device_label(struct folder_walk *walk, const struct names *names, struct str name)
{
	for (size_t i = 0; i < names->count; i++) {
		struct str rank = ascend_rank(&walk->folder->text, names->items[i]);

		if (rank.len)
			return rank;
	}
	return path_base(name);
}

/* profiler_info.json or profiler_info_RANK.json in the folder above ASCEND_PROFILER_OUTPUT. */
static const char *find_info(struct folder_walk *walk, struct str path, const struct names *names)
{
	for (size_t i = 0; i < names->count; i++) {
		if (ascend_is_info(names->items[i]))
			return join_path(walk, path, names->items[i]).ptr;
	}
	return NULL;
}

/* The lowest place of a group that some file has; NO_PLACE when none has. */
enum { NO_PLACE = 99 };

static unsigned best_place(const struct names *names, unsigned group)
{
	unsigned best = NO_PLACE, of, place;

	for (size_t i = 0; i < names->count; i++) {
		if (ascend_table(names->items[i], &of, &place) && of == group && place < best)
			best = place;
	}
	return best;
}

/* Takes of one group what says most: one file, or all slices of a summary. */
static void take_group(struct folder_walk *walk, struct spot folder, const struct names *names, unsigned group)
{
	unsigned best = best_place(names, group), of, place;

	for (size_t i = 0; i < names->count; i++) {
		struct str file = names->items[i];

		if (!ascend_table(file, &of, &place) || of != group || place != best)
			continue;
		add_file(walk, spot_inside(walk, folder, names->items[i]), walk->devices.count,
			group != ASCEND_OPERATORS);
		if (!ascend_is_summary(file))
			return;
	}
}

static int take_output(
	struct folder_walk *walk, struct spot folder, struct str label, const char *info, bool *ret_tasks)
{
	struct names names = { 0 };
	int status = list_names(walk, folder.path.ptr, &names);

	walk->info = info;
	MEM_PUSH(&walk->devices, label);
	for (unsigned i = 0; i < ASCEND_GROUPS && !status; i++)
		take_group(walk, folder, &names, i);
	*ret_tasks = best_place(&names, ASCEND_TASKS) != NO_PLACE;
	free(names.items);
	return status;
}

/* The summaries of CANN's own profiler, where torch_npu's left no list of tasks. */
static int take_summaries(struct folder_walk *walk, struct spot folder, const struct names *names)
{
	int status = 0;

	for (size_t i = 0; i < names->count && !status; i++) {
		struct spot output = spot_inside(
			walk, spot_inside(walk, folder, names->items[i]), STR(ASCEND_MINDSTUDIO));
		struct names files = { 0 };

		if (!str_starts(names->items[i], STR("PROF_")) || !folder_is(output.path.ptr))
			continue;
		status = list_names(walk, output.path.ptr, &files);
		if (!status)
			take_group(walk, output, &files, ASCEND_TASKS);
		free(files.items);
	}
	return status;
}

static int take_device(struct folder_walk *walk, struct spot folder, const struct names *names)
{
	struct str label = device_label(walk, names, folder.name.len ? folder.name : folder.path);
	bool has_tasks;
	int status = take_output(walk, spot_inside(walk, folder, STR(ASCEND_OUTPUT)), label,
		find_info(walk, folder.path, names), &has_tasks);

	return status || has_tasks ? status : take_summaries(walk, folder, names);
}

/* --- any folder */

static int visit_spot(struct folder_walk *walk, struct spot at, uint64_t depth);

static int visit_entry(struct folder_walk *walk, struct spot at, uint64_t depth)
{
	struct stat info, target;

	if (lstat(at.path.ptr, &info))
		return 0; /* gone since */
	if (S_ISDIR(info.st_mode))
		return visit_spot(walk, at, depth + 1);
	if (stat(at.path.ptr, &target) == 0 && S_ISREG(target.st_mode))
		add_file(walk, at, 0, true);
	return 0;
}

static int visit_spot(struct folder_walk *walk, struct spot at, uint64_t depth)
{
	struct names names = { 0 };
	bool has_tasks;
	int status;

	if (depth > walk->limits->folder_depth)
		return fail_walk(walk, ERR_LIMIT, "the folders are nested too deep", at.path.ptr,
			"name the dumps in it, or raise the limit with --limit folder-depth=N");
	if (str_eq(path_base(at.path), STR(ASCEND_OUTPUT)) || str_eq(path_base(at.path), STR(ASCEND_MINDSTUDIO)))
		return take_output(walk, at, STR(""), NULL, &has_tasks);
	status = list_names(walk, at.path.ptr, &names);
	if (!status && STR_IS_AMONG(names.items, names.count, STR(ASCEND_OUTPUT))) {
		status = take_device(walk, at, &names);
		free(names.items);
		return status;
	}
	for (size_t i = 0; i < names.count && !status; i++)
		status = visit_entry(walk, spot_inside(walk, at, names.items[i]), depth);
	free(names.items);
	return status;
}

/* Several Ascend folders are ranks; two with one label would be one. */
static void label_ranks(struct folder_walk *walk)
{
	bool distinct = true;

	for (size_t i = 0; i < walk->devices.count; i++) {
		for (size_t j = 0; j < i; j++)
			distinct = distinct && !str_eq(walk->devices.items[i], walk->devices.items[j]);
	}
	for (size_t i = 0; i < walk->folder->count && walk->devices.count > 1; i++) {
		struct folder_file *file = &walk->folder->items[i];

		if (file->device)
			file->rank = distinct ? walk->devices.items[file->device - 1]
					      : arena_printf(&walk->folder->text, "folder%zu", file->device);
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
	struct folder_walk walk = { .folder = ret, .limits = limits, .err = err };
	int status;

	*ret = (struct folder){ .text = ARENA_INIT(ARENA_UNLIMITED) }; /* bounded by limits.folder_files */
	status = visit_spot(&walk, (struct spot){ arena_keep(&ret->text, trimmed(str_from(path))), STR("") }, 1);
	if (!status && !ret->count)
		status = fail_walk(&walk, ERR_DIRECTORY, "the folder has no file", path,
			"name the dumps, or the folder that holds them");
	label_ranks(&walk);
	free(walk.devices.items);
	return status;
}
