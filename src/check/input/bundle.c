#include "check/input/bundle.h"

#include <stdlib.h>

#include "base/memory/mem.h"
#include "base/value/words.h"
#include "base/view/ascii.h"
#include "check/input/ascend.h"
#include "io/members.h"

/* Role of a member in its Ascend folder; indices are those of the dumps. */
struct place {
	struct str name; /* in the archive */
	size_t device;   /* the Ascend folder, from 1; 0: none */
	unsigned group, rank_in_group;
};

/* An Ascend folder, by the path of what it holds. */
struct device {
	struct str root;
	struct str rank; /* "rank3", or the name of the folder */
};

struct bundle {
	struct file_reading *reading;
	const struct dump_file *file;
	const struct reading_options *options;
	struct members *members;
	size_t entries;
	MEM_LIST(struct place) places;          /* one a dump */
	MEM_LIST(struct device) devices, ranks; /* ranks: from profiler_info_N.json */
};

/* --- which members are read */

static bool has_hidden_part(struct str path)
{
	return str_starts(path, STR(".")) || str_has(path, STR("/."));
}

/* Returns whether some folder of the path is one of torch_npu's profiler. */
static bool in_ascend_folder(struct str path)
{
	return str_has(path, STR("_ascend_pt/"));
}

static size_t device_at(struct bundle *bundle, struct str root)
{
	size_t at = STR_POSITION(bundle->devices.items, bundle->devices.count, root);

	if (at != STR_NONE)
		return at + 1;
	MEM_PUSH(&bundle->devices, ((struct device){ arena_keep(&bundle->reading->text, root), STR("") }));
	return bundle->devices.count;
}

/* The folder that holds PROF_x/mindstudio_profiler_output. */
static struct str root_of(struct str folder)
{
	return str_eq(path_base(folder), STR(ASCEND_MINDSTUDIO)) ? path_folder(path_folder(folder))
								 : path_folder(folder);
}

/* Says where a member belongs; false when it is passed over. */
static bool place_member(struct bundle *bundle, struct str name, struct place *ret)
{
	struct str folder = path_folder(name), base = path_base(name), rank = ascend_rank(&bundle->reading->text, base);
	bool output = str_eq(path_base(folder), STR(ASCEND_OUTPUT)),
	     tasks = str_eq(path_base(folder), STR(ASCEND_MINDSTUDIO));

	*ret = (struct place){ .name = arena_keep(&bundle->reading->text, name) };
	if (rank.len) {
		MEM_PUSH(&bundle->ranks, ((struct device){ arena_keep(&bundle->reading->text, folder), rank }));
		return false;
	}
	if (has_hidden_part(name) || str_eq(base, STR("profiler_info.json")) ||
		str_eq(base, STR("profiler_metadata.json")))
		return false;
	if (!output && !tasks)
		return !in_ascend_folder(name);
	if (!ascend_table(base, &ret->group, &ret->rank_in_group) || (tasks && !ascend_is_summary(base)))
		return false;
	ret->device = device_at(bundle, root_of(folder));
	return true;
}

static struct str joined_path(struct arena *arena, struct str folder, struct str name)
{
	return arena_printf(arena, "%.*s/%.*s", STR_ARG(folder), STR_ARG(name));
}

static int check_member_kind(struct source *source, struct err *err)
{
	struct str head;
	int status = source_peek(source, &head, err);

	if (status != 1)
		return status;
	if (members_sniff(head)[0]) {
		err_set(err, ERR_UNREAD, "an archive inside an archive is not read");
		return err_hint(err, "unpack the outer one");
	}
	if (str_starts(head, STR("SQLite format 3"))) {
		err_set(err, ERR_UNREAD, "a database can only be read as a file of its own");
		return err_hint(err, "unpack the archive");
	}
	return 0;
}

static void read_member(struct bundle *bundle, const struct place *place)
{
	struct arena *text = &bundle->reading->text;
	struct read_dump dump = { .name = joined_path(text, bundle->file->name, place->name),
		.known_as = joined_path(text, bundle->file->known_as, place->name),
		.rank = bundle->file->rank,
		.found = true };
	struct source *source = members_open(bundle->members);

	if (bundle->options->skip_digests)
		source_skip_digest(source);
	dump.status = check_member_kind(source, &dump.err);
	if (dump.status) {
		source_close(source);
		MEM_PUSH(&bundle->reading->dumps, dump);
	} else {
		read_source(bundle->reading, source, dump, bundle->options);
	}
	MEM_PUSH(&bundle->places, *place);
}

static int read_members(struct bundle *bundle)
{
	struct member member;
	struct place place;
	int status;

	while ((status = members_next(bundle->members, &member, &bundle->reading->err)) == 1) {
		bundle->entries++;
		if (place_member(bundle, member.name, &place))
			read_member(bundle, &place);
	}
	return status;
}

/* --- what of it counts */

/* Returns whether another readable table of the same folder and group is more complete. */
static bool is_repeated(const struct bundle *bundle, size_t at)
{
	const struct place *place = &bundle->places.items[at];

	for (size_t i = 0; i < bundle->places.count && place->device; i++) {
		const struct place *other = &bundle->places.items[i];

		if (other->device == place->device && other->group == place->group &&
			other->rank_in_group < place->rank_in_group && !bundle->reading->dumps.items[i].status)
			return true;
	}
	return false;
}

/* Returns whether a file other than a dump belongs to an Ascend folder: the profiler's own files. */
static bool is_raw(const struct bundle *bundle, size_t at)
{
	struct str name = bundle->places.items[at].name;

	if (!bundle->reading->dumps.items[at].status || bundle->places.items[at].device)
		return false;
	for (size_t i = 0; i < bundle->devices.count; i++) {
		struct str root = bundle->devices.items[i].root;

		if (!root.len || (name.len > root.len && str_starts(name, root) && name.ptr[root.len] == '/'))
			return true;
	}
	return false;
}

static void drop_repeated(struct bundle *bundle)
{
	struct read_dump *dumps = bundle->reading->dumps.items;
	bool *drop = mem_zalloc(bundle->places.count + 1);
	size_t kept = 0;

	for (size_t i = 0; i < bundle->places.count; i++)
		drop[i] = is_repeated(bundle, i) || is_raw(bundle, i);
	for (size_t i = 0; i < bundle->places.count; i++) {
		if (drop[i]) {
			profile_free(dumps[i].part);
			continue;
		}
		bundle->places.items[kept] = bundle->places.items[i];
		dumps[kept++] = dumps[i];
	}
	bundle->reading->dumps.count = bundle->places.count = kept;
	free(drop);
}

static struct str device_rank(const struct bundle *bundle, struct str root)
{
	size_t at = STR_POSITION(bundle->ranks.items, bundle->ranks.count, root);

	return at == STR_NONE ? path_base(root) : bundle->ranks.items[at].rank;
}

static bool ranks_differ(const struct bundle *bundle)
{
	for (size_t i = 0; i < bundle->devices.count; i++) {
		if (ANY(j, i, str_eq(bundle->devices.items[i].rank, bundle->devices.items[j].rank)))
			return false;
	}
	return true;
}

/* Several Ascend folders are ranks; two with one label would be one, so they go by their paths. */
static void label_ranks(struct bundle *bundle)
{
	bool differ;

	for (size_t i = 0; i < bundle->devices.count; i++)
		bundle->devices.items[i].rank = device_rank(bundle, bundle->devices.items[i].root);
	differ = ranks_differ(bundle);
	for (size_t i = 0; i < bundle->places.count && bundle->devices.count > 1; i++) {
		const struct device *device = &bundle->devices.items[bundle->places.items[i].device - 1];

		if (bundle->places.items[i].device)
			bundle->reading->dumps.items[i].rank = differ ? device->rank : device->root;
	}
}

/* The archive ends too early: so does what was read last of it. */
static int note_damage(struct bundle *bundle, const char *kind)
{
	struct source_facts *last = NULL;

	for (size_t i = 0; i < bundle->reading->dumps.count; i++) {
		if (!bundle->reading->dumps.items[i].status)
			last = &bundle->reading->dumps.items[i].input.source;
	}
	if (last) {
		last->damaged = true;
		last->compression = last->compression[0] ? last->compression : kind;
		return 0;
	}
	err_set(&bundle->reading->err, ERR_COMPRESSION, "the %s archive is damaged", kind);
	return err_hint(&bundle->reading->err, "copy the file again; test it with `tar -t` or `unzip -t`");
}

/* An archive without a dump: a statement of its own when not even something else was in it. */
static int check_found(struct bundle *bundle)
{
	for (size_t i = 0; i < bundle->reading->dumps.count; i++) {
		if (!bundle->reading->dumps.items[i].status ||
			!reading_is_no_dump(bundle->reading->dumps.items[i].status))
			return 0;
	}
	err_set(&bundle->reading->err, ERR_FORMAT, "none of the %zu files in the archive is a dump", bundle->entries);
	return err_hint(
		&bundle->reading->err, "pack what the profiler wrote; `opcheck snippet` shows how to capture it");
}

static int by_name(const void *a, const void *b)
{
	return str_natural_cmp(((const struct read_dump *)a)->name, ((const struct read_dump *)b)->name);
}

void bundle_read(struct file_reading *reading, struct source *source, const char *kind, const struct dump_file *file,
	const struct reading_options *options)
{
	struct bundle bundle = { .reading = reading, .file = file, .options = options };

	bundle.members = members_new(source, kind, options->limits);
	reading->status = read_members(&bundle);
	drop_repeated(&bundle);
	label_ranks(&bundle);
	if (!reading->status && members_damaged(bundle.members))
		reading->status = note_damage(&bundle, kind);
	if (!reading->status)
		reading->status = check_found(&bundle);
	MEM_SORT(&reading->dumps, by_name);
	members_free(bundle.members);
	source_close(source);
	free(bundle.places.items);
	free(bundle.devices.items);
	free(bundle.ranks.items);
}
