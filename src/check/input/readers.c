#include "check/input/readers.h"

#include <pthread.h>
#include <sched.h>
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
	const struct device *devices = bundle->devices.items;

	return ALL(i, bundle->devices.count, !ANY(j, i, str_eq(devices[i].rank, devices[j].rank)));
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

/*
 * The dumps in an archive, in one pass over its bytes.
 *
 * An archive is read like the folder that was packed (check/input/folder.h), as far as one pass allows: of an
 * Ascend folder every table that may be wanted is read, and which of them say most is decided at the end. A
 * database must be a file, and an archive in an archive is not looked into: both are left out with a word.
 *
 * Reads all members into the reading, in the natural order of their names. kind: of members_sniff. The source is
 * closed.
 */
static void bundle_read(struct file_reading *reading, struct source *source, const char *kind,
	const struct dump_file *file, const struct reading_options *options)
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

enum { MOST_READERS = 64, WAITING_PER_READER = 2 };

struct pool {
	const struct dump_files *files;
	const struct reading_options *options;
	struct file_reading *readings;
	bool *done;          /* files */
	size_t begun, taken; /* files */
	size_t readers, processors;
	bool stopped;
	pthread_mutex_t lock;
	pthread_cond_t changed;
};

static int not_a_dump(struct err *err)
{
	err_set(err, ERR_UNREAD, "this is a report of opcheck, not a dump");
	return err_hint(err, "`opcheck convert` renders it, `opcheck diff` compares it");
}

/* Reads a file in this thread alone as long as each processor has one to read, which takes less time in all. */
static void read_file(const struct pool *pool, size_t at)
{
	const struct dump_file *file = &pool->files->items[at];
	const struct reading_options *options = pool->options;
	struct file_reading *reading = &pool->readings[at];
	struct read_dump dump = { file->name, file->known_as, file->rank, file->info, .found = file->found };
	struct source *source;
	struct str head = STR("");
	const char *kind;

	reading->text = ARENA_INIT(ARENA_UNLIMITED); /* names of members, bounded by limits.archive_members */
	dump.status = source_open_span(file->path, file->span, options->limits, &source, &dump.err);
	if (dump.status) {
		MEM_PUSH(&reading->dumps, dump);
		return;
	}
	source_set_meter(source, options->meter);
	if (pool->files->count - at >= pool->processors)
		source_stay_in_thread(source);
	if (options->skip_digests)
		source_skip_digest(source);
	dump.status = source_peek(source, &head, &dump.err);
	if (dump.status >= 0 && reading_is_report(head))
		dump.status = not_a_dump(&dump.err);
	kind = dump.status == 1 ? members_sniff(head) : "";
	if (dump.status < 0) {
		source_close(source);
		MEM_PUSH(&reading->dumps, dump);
	} else if (kind[0]) {
		bundle_read(reading, source, kind, file, options);
	} else {
		read_source(reading, source, dump, options);
	}
}

/* The next file, once there is room for its result. False at the end. */
static bool next_file(struct pool *pool, size_t *ret)
{
	bool more;

	pthread_mutex_lock(&pool->lock);
	while (!pool->stopped && pool->begun < pool->files->count &&
		pool->begun >= pool->taken + pool->readers * WAITING_PER_READER)
		pthread_cond_wait(&pool->changed, &pool->lock);
	more = !pool->stopped && pool->begun < pool->files->count;
	*ret = pool->begun;
	pool->begun += more;
	pthread_mutex_unlock(&pool->lock);
	return more;
}

static void *read_some(void *arg)
{
	struct pool *pool = arg;
	size_t at;

	while (next_file(pool, &at)) {
		read_file(pool, at);
		pthread_mutex_lock(&pool->lock);
		pool->done[at] = true;
		pthread_cond_broadcast(&pool->changed);
		pthread_mutex_unlock(&pool->lock);
	}
	return NULL;
}

static void wait_for(struct pool *pool, size_t at)
{
	pthread_mutex_lock(&pool->lock);
	while (!pool->done[at])
		pthread_cond_wait(&pool->changed, &pool->lock);
	pthread_mutex_unlock(&pool->lock);
}

static void note_taken(struct pool *pool, bool stop)
{
	pthread_mutex_lock(&pool->lock);
	pool->taken++;
	pool->stopped = stop;
	pthread_cond_broadcast(&pool->changed);
	pthread_mutex_unlock(&pool->lock);
	if (stop)
		atomic_store(&pool->options->meter->stop, true);
}

static int take_all(struct pool *pool, take_reading *take, void *ctx, struct err *err)
{
	int status = 0;

	for (size_t i = 0; i < pool->files->count && !status; i++) {
		if (pool->readers)
			wait_for(pool, i);
		else
			read_file(pool, i);
		status = take(ctx, &pool->readings[i], err);
		reading_clear(&pool->readings[i]);
		note_taken(pool, status != 0);
	}
	return status;
}

static size_t processors(void)
{
	cpu_set_t set;

	return sched_getaffinity(0, sizeof(set), &set) ? 1 : (size_t)CPU_COUNT(&set);
}

/* A lone file is read here: its own threads are enough. */
static size_t start_readers(struct pool *pool, pthread_t *threads)
{
	size_t most = pool->processors < pool->files->count ? pool->processors : pool->files->count, started = 0;

	pool->readers = most < MOST_READERS ? most : MOST_READERS;
	while (pool->files->count > 1 && started < pool->readers &&
		pthread_create(&threads[started], NULL, read_some, pool) == 0)
		started++;
	pthread_mutex_lock(&pool->lock);
	pool->readers = started;
	pthread_mutex_unlock(&pool->lock);
	return started;
}

int read_files(const struct dump_files *files, const struct reading_options *options, take_reading *take, void *ctx,
	struct err *err)
{
	struct pool pool = { .files = files, .options = options, .processors = processors() };
	pthread_t threads[MOST_READERS];
	size_t started;
	int status;

	pool.readings = mem_zalloc((files->count + 1) * sizeof(pool.readings[0]));
	pool.done = mem_zalloc((files->count + 1) * sizeof(pool.done[0]));
	pthread_mutex_init(&pool.lock, NULL);
	pthread_cond_init(&pool.changed, NULL);
	for (size_t i = 0; i < files->count; i++)
		meter_expect(options->meter, files->items[i].path);
	started = start_readers(&pool, threads);
	status = take_all(&pool, take, ctx, err);
	for (size_t i = 0; i < started; i++)
		pthread_join(threads[i], NULL);
	for (size_t i = 0; i < files->count; i++)
		reading_clear(&pool.readings[i]);
	pthread_cond_destroy(&pool.changed);
	pthread_mutex_destroy(&pool.lock);
	free(pool.readings);
	free(pool.done);
	return status;
}
