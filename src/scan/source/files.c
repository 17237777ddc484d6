#include "scan/source/files.h"

#include <errno.h>
#include <fts.h>
#include <stdlib.h>

#include "base/value/utf8.h"
#include "base/view/ascii.h"
#include "io/members.h"

enum script_kind source_file_kind(struct str name)
{
	static const struct {
		struct str before, after;
		enum script_kind kind;
	} kinds[] = {
		{ STR(""), STR(".sh"), SCRIPT_SHELL },
		{ STR(""), STR(".bash"), SCRIPT_SHELL },
		{ STR(""), STR(".slurm"), SCRIPT_SHELL },
		{ STR(""), STR(".sbatch"), SCRIPT_SHELL },
		{ STR("Makefile"), STR(""), SCRIPT_SHELL },
		{ STR(""), STR(".mk"), SCRIPT_SHELL },
		{ STR(""), STR(".cu"), SCRIPT_CUDA },
		{ STR("Dockerfile"), STR(""), SCRIPT_DOCKERFILE },
		{ STR(""), STR(".dockerfile"), SCRIPT_DOCKERFILE },
		{ STR("requirements"), STR(".txt"), SCRIPT_REQUIREMENTS },
		{ STR(""), STR(".yaml"), SCRIPT_YAML },
		{ STR(""), STR(".yml"), SCRIPT_YAML },
		{ STR(""), STR(".toml"), SCRIPT_TOML },
		{ STR("setup.cfg"), STR("setup.cfg"), SCRIPT_INI },
		{ STR("ds_"), STR(".json"), SCRIPT_YAML },
		{ STR("deepspeed"), STR(".json"), SCRIPT_YAML },
		{ STR("zero"), STR(".json"), SCRIPT_YAML },
		{ STR("config"), STR(".json"), SCRIPT_YAML },
		{ STR(""), STR("config.json"), SCRIPT_YAML },
		{ STR(""), STR("configs.json"), SCRIPT_YAML },
	};
	size_t at = POSITION(i, ARRAY_SIZE(kinds), str_starts(name, kinds[i].before) && str_ends(name, kinds[i].after));

	return at < ARRAY_SIZE(kinds) ? kinds[at].kind : SCRIPT_PYTHON;
}

/* Folders that are not part of the program. */
static bool is_aside(const char *name)
{
	return str_has_word(STR("__pycache__ node_modules site-packages venv"), str_from(name)) ||
	       (name[0] == '.' && name[1] && strcmp(name, "..") != 0);
}

/* "utils/device.py" is the module utils.device, "utils/__init__.py" the package utils. */
static void name_module(struct source_files *files, struct str path, struct source_file *ret)
{
	char *name = arena_alloc(&files->text, path.len + 1);
	size_t len = path.len - (str_ends(path, STR(".py")) ? 3 : 0);

	for (size_t i = 0; i < len; i++)
		name[i] = path.ptr[i] == '/' ? '.' : path.ptr[i];
	ret->module = (struct str){ name, len };
	if (str_eq(ret->module, STR("__init__")) || str_ends(ret->module, STR(".__init__"))) {
		ret->is_package = true;
		ret->module.len = len > 9 ? len - 9 : 0;
	}
}

static void push_file(struct source_files *files, const char *path, size_t root_bytes, struct str root)
{
	struct source_file file = { .path = arena_keep(&files->text, str_from(path)).ptr,
		.root = arena_keep(&files->text, root) };
	struct str inside = str_skip(str_from(file.path), root_bytes);

	while (inside.len && inside.ptr[0] == '/')
		inside = str_skip(inside, 1);
	if (!root_bytes)
		inside = str_from(str_file_name(file.path));
	name_module(files, inside, &file);
	MEM_PUSH(&files->list, file);
}

bool source_is_script(struct str name)
{
	return !str_starts(name, STR(".")) &&
	       (str_ends(name, STR(".py")) || str_ends(name, STR(".ipynb")) || source_file_kind(name) != SCRIPT_PYTHON);
}

/* Counts a file that is not read. */
static void note_skipped(struct source_files *files, struct str name, bool is_link)
{
	enum { KINDS_MOST = 40, SUFFIX_MOST = 12 };
	struct str suffix = str_tail(name, '.'), kind = STR("other files");
	struct skipped_kind *known;

	if (is_link)
		kind = STR("links");
	else if (str_starts(name, STR(".")))
		kind = STR("hidden files");
	else if (suffix.len && suffix.len < name.len && suffix.len < SUFFIX_MOST && files->skipped.count < KINDS_MOST)
		kind = str_sub(name, name.len - suffix.len - 1, name.len);
	known = FIND(i, files->skipped.items, files->skipped.count, str_eq(files->skipped.items[i].name, kind));
	if (known)
		known->count++;
	else
		MEM_PUSH(&files->skipped, ((struct skipped_kind){ arena_keep(&files->text, kind), 1 }));
}

static int too_many_files(const struct limits *limits, struct err *err)
{
	return err_set(err, ERR_LIMIT, "more files than scan-files (%llu)", (unsigned long long)limits->scan_files);
}

/* Returns whether the rights forbid to see the files of a folder, or what a name in it is. */
static bool is_closed(const FTSENT *entry)
{
	return entry->fts_info == FTS_DNR || entry->fts_info == FTS_ERR ||
	       (entry->fts_info == FTS_NS && !is_aside(entry->fts_name));
}

static int walk_folder(struct source_files *files, FTS *tree, const struct limits *limits, struct err *err)
{
	const FTSENT *entry;
	uint64_t seen = 0;
	size_t root_bytes = 0;
	struct str root = STR("");

	while ((entry = fts_read(tree))) {
		if (++seen > limits->scan_files)
			return too_many_files(limits, err);
		if (entry->fts_level == FTS_ROOTLEVEL && entry->fts_info == FTS_D) {
			root_bytes = entry->fts_pathlen;
			root = str_from(entry->fts_name);
		} else if (entry->fts_info == FTS_D && is_aside(entry->fts_name)) {
			fts_set(tree, (FTSENT *)(uintptr_t)entry, FTS_SKIP);
		} else if (entry->fts_level == FTS_ROOTLEVEL && is_closed(entry)) {
			return err_os(err, ERR_OPEN, entry->fts_errno, "cannot open it");
		} else if (is_closed(entry) ||
			   (entry->fts_info == FTS_F &&
				   (!entry->fts_level || source_is_script(str_from(entry->fts_name))))) {
			push_file(files, entry->fts_path, root_bytes, root);
		} else if (entry->fts_info == FTS_F || entry->fts_info == FTS_SL) {
			note_skipped(files, str_from(entry->fts_name), entry->fts_info == FTS_SL);
		}
	}
	return errno ? err_os(err, ERR_OPEN, errno, "cannot read it") : 0;
}

int source_files_add(struct source_files *files, const char *path, const struct limits *limits, struct err *err)
{
	CLEANUP(mem_release) char *own = strdup(path);
	char *paths[] = { own, NULL };
	FTS *tree;
	int status;

	while (own && strlen(own) > 1 && own[strlen(own) - 1] == '/')
		own[strlen(own) - 1] = '\0';
	tree = own ? fts_open(paths, FTS_PHYSICAL | FTS_NOCHDIR | FTS_COMFOLLOW, NULL) : NULL;
	if (!tree) {
		err_os(err, ERR_OPEN, errno, "cannot open it");
		return err_where(err, "%s", shown(str_from(path)).text);
	}
	status = walk_folder(files, tree, limits, err);
	fts_close(tree);
	return status ? err_where(err, "%s", shown(str_from(path)).text) : 0;
}

/* --- parts */

/* Its first folder is the root: a program is packed with its folder, or without. */
static int add_text(struct source_files *files, struct source *source, struct str name, const struct limits *limits,
	struct err *err)
{
	CLEANUP(buf_clear) struct buf text = BUF_INIT((size_t)limits->script_bytes);
	size_t root_bytes = str_find(name, STR("/"));
	struct str chunk;
	int status;

	source_skip_digest(source);
	while ((status = source_next(source, &chunk, err)) == 1)
		buf_add(&text, chunk);
	files->part_bytes += text.len;
	if (!status && text.full)
		status = err_set(
			err, ERR_LIMIT, "longer than script-bytes (%llu)", (unsigned long long)limits->script_bytes);
	else if (!status && files->part_bytes > limits->scan_bytes)
		status = err_set(err, ERR_LIMIT, "the scripts have more than scan-bytes (%llu)",
			(unsigned long long)limits->scan_bytes);
	if (status)
		return err_file(err, shown(name).text);
	if (root_bytes >= name.len)
		root_bytes = 0;
	push_file(files, arena_keep(&files->text, name).ptr, root_bytes, str_sub(name, 0, root_bytes));
	files->list.items[files->list.count - 1].text = arena_keep(&files->text, buf_str(&text));
	return 0;
}

/* Returns whether a file of an archive is a script that a folder would give. */
static bool is_member_script(struct str path)
{
	struct str part = STR("");

	while (path.ptr && str_cut(&path, '/', &part)) {
		if (path.ptr && is_aside(shown(part).text))
			return false;
	}
	return source_is_script(part);
}

static int add_members(struct source_files *files, struct source *archive, const char *kind,
	const struct limits *limits, struct err *err)
{
	struct members *members = members_new(archive, kind, limits);
	struct member member;
	uint64_t seen = 0;
	int status;

	while ((status = members_next(members, &member, err)) == 1) {
		struct source *source;

		status = ++seen > limits->scan_files ? too_many_files(limits, err) : 0;
		if (!status && is_member_script(member.name)) {
			source = members_open(members);
			status = add_text(files, source, member.name, limits, err);
			source_close(source);
		} else if (!status) {
			note_skipped(files, str_tail(member.name, '/'), false);
		}
		if (status)
			break;
	}
	if (!status && members_damaged(members))
		status = err_set(err, ERR_COMPRESSION, "the archive is damaged, or cut");
	members_free(members);
	return status;
}

int source_files_add_part(
	struct source_files *files, const struct source_part *part, const struct limits *limits, struct err *err)
{
	struct source *source = NULL;
	struct str head = STR("");
	int status = source_open_span(part->path, part->span, limits, &source, err);
	const char *kind;

	if (!status)
		status = source_peek(source, &head, err);
	kind = status == 1 ? members_sniff(head) : "";
	if (status >= 0)
		status = kind[0] ? add_members(files, source, kind, limits, err)
				 : add_text(files, source, part->name, limits, err);
	source_close(source);
	return status && !err->where[0] ? err_file(err, shown(part->name).text) : status;
}

/* --- all */

static int by_path(const void *a, const void *b)
{
	return str_natural_cmp(
		str_from(((const struct source_file *)a)->path), str_from(((const struct source_file *)b)->path));
}

static int by_kind(const void *a, const void *b)
{
	return str_cmp(((const struct skipped_kind *)a)->name, ((const struct skipped_kind *)b)->name);
}

void source_files_sort(struct source_files *files)
{
	size_t kept = 0;

	MEM_SORT(&files->list, by_path);
	for (size_t i = 0; i < files->list.count; i++) {
		if (!kept || files->list.items[i].text.ptr ||
			strcmp(files->list.items[kept - 1].path, files->list.items[i].path) != 0)
			files->list.items[kept++] = files->list.items[i];
	}
	files->list.count = kept;
	MEM_SORT(&files->skipped, by_kind);
}

void source_files_clear(struct source_files *files)
{
	free(files->list.items);
	free(files->skipped.items);
	arena_clear(&files->text);
}
