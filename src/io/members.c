#include "io/members.h"

#include <archive.h>
#include <archive_entry.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>

#include "base/memory/buf.h"
#include "base/memory/mem.h"

enum {
	TAR_MAGIC_AT = 257,
	FREE_RATIO_BYTES = 1 << 20, /* as in source.c */
	WORTH_A_THREAD_BYTES = 256 * 1024,
};

struct members {
	struct source *source;
	struct limits limits;
	struct archive *archive;
	struct archive_entry *entry; /* where the archive is */
	struct buf name;             /* its name, made clean */
	uint64_t entries;
	uint64_t in_bytes, out_bytes; /* of the archive; of its members */
	struct err failure;           /* of the source; code 0: none */
	bool damaged;
};

/* --- libarchive: loaded for the first archive, because ten more libraries come with it */

#define LIBARCHIVE "libarchive.so.13" /* of every release since 3.1 */

#define ARCHIVE_CALLS(CALL)                                                                                            \
	CALL(archive_read_new)                                                                                         \
	CALL(archive_read_support_format_zip_streamable)                                                               \
	CALL(archive_read_support_format_tar)                                                                          \
	CALL(archive_read_open)                                                                                        \
	CALL(archive_read_next_header)                                                                                 \
	CALL(archive_read_data)                                                                                        \
	CALL(archive_read_free)                                                                                        \
	CALL(archive_entry_pathname_utf8)                                                                              \
	CALL(archive_entry_pathname)                                                                                   \
	CALL(archive_entry_filetype)                                                                                   \
	CALL(archive_entry_hardlink)                                                                                   \
	CALL(archive_entry_size)

#define DECLARE_CALL(name) typeof(name) *(name);

static struct {
	bool loaded;
	ARCHIVE_CALLS(DECLARE_CALL)
} library;

#ifdef OPCHECK_STATIC
#define LINK_CALL(name) library.name = (name);

static void load_library(void)
{
	ARCHIVE_CALLS(LINK_CALL)
	library.loaded = true;
}
#else
#define FIND_CALL(name) good = good && (library.name = (typeof(name) *)dlsym(handle, #name)) != NULL;

static void load_library(void)
{
	void *handle = dlopen(LIBARCHIVE, RTLD_NOW | RTLD_LOCAL);
	bool good = handle;

	ARCHIVE_CALLS(FIND_CALL)
	library.loaded = good;
}
#endif

void members_prepare(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, load_library);
}

const char *members_sniff(struct str head)
{
	/* POSIX tar (ustar, pax) and GNU tar; older archives have no mark and are rare */
	if (head.len >= TAR_MAGIC_AT + 5 && str_starts(str_skip(head, TAR_MAGIC_AT), STR("ustar")))
		return "tar";
	if (str_starts(head, STR("PK\x03\x04")))
		return "zip";
	return "";
}

/* --- the archive's bytes */

static la_ssize_t read_source(struct archive *archive UNUSED, void *ctx, const void **ret_bytes)
{
	struct members *members = ctx;
	struct str chunk = { 0 };
	int status = members->failure.code ? -members->failure.code
					   : source_next(members->source, &chunk, &members->failure);

	*ret_bytes = chunk.ptr;
	members->in_bytes += chunk.len;
	return status < 0 ? ARCHIVE_FATAL : (la_ssize_t)chunk.len;
}

struct members *members_new(struct source *source, const char *kind, const struct limits *limits)
{
	struct members *members = mem_zalloc(sizeof(*members));

	members->source = source;
	members->limits = *limits;
	members->name = BUF_UNLIMITED; /* libarchive bounds the names of entries */
	members_prepare();
	if (!library.loaded) {
		members->damaged = true;
		err_set(&members->failure, ERR_OPEN, "cannot load %s", LIBARCHIVE);
		err_hint(&members->failure,
			"install libarchive, for example the package libarchive13, or unpack the archive");
		return members;
	}
	for (unsigned tries = 0; !(members->archive = library.archive_read_new());)
		mem_again(tries++);
	if (strcmp(kind, "zip") == 0)
		library.archive_read_support_format_zip_streamable(members->archive);
	else
		library.archive_read_support_format_tar(members->archive);
	members->damaged = library.archive_read_open(members->archive, members, NULL, read_source, NULL) < ARCHIVE_WARN;
	return members;
}

void members_free(struct members *members)
{
	if (!members)
		return;
	if (members->archive)
		library.archive_read_free(members->archive);
	buf_clear(&members->name);
	free(members);
}

bool members_damaged(const struct members *members)
{
	return members->damaged || source_facts(members->source)->damaged;
}

/* --- entries */

/* Parts that lead out of the archive, or nowhere, are left out. */
static void put_clean(struct buf *to, struct str path)
{
	struct str part;

	while (path.len && str_cut(&path, '/', &part)) {
		if (!part.len || str_eq(part, STR(".")) || str_eq(part, STR("..")))
			continue;
		if (to->len)
			buf_byte(to, '/');
		buf_add(to, part);
	}
}

static void take_name(struct members *members)
{
	const char *name = library.archive_entry_pathname_utf8(members->entry);

	if (!name)
		name = library.archive_entry_pathname(members->entry); /* bytes in no known encoding */
	members->name.len = 0;
	if (name)
		put_clean(&members->name, str_from(name));
	if (!members->name.len)
		buf_printf(&members->name, "member %llu", (unsigned long long)members->entries);
}

static bool is_file(struct archive_entry *entry)
{
	return library.archive_entry_filetype(entry) == AE_IFREG && !library.archive_entry_hardlink(entry);
}

/* Error of the archive's source, if any. */
static int source_status(const struct members *members, struct err *err)
{
	if (members->failure.code)
		*err = members->failure;
	return -members->failure.code;
}

/* The bytes after the archive: padding, and the checksum of the compressor. */
static int read_rest(struct members *members, struct err *err)
{
	struct str chunk;
	int status;

	do
		status = source_next(members->source, &chunk, err);
	while (status == 1);
	return status;
}

int members_next(struct members *members, struct member *ret, struct err *err)
{
	while (!members->damaged) {
		int status = library.archive_read_next_header(members->archive, &members->entry);

		if (status == ARCHIVE_EOF)
			return read_rest(members, err);
		members->damaged = status < ARCHIVE_WARN || status == ARCHIVE_RETRY;
		if (members->damaged)
			continue;
		if (++members->entries > members->limits.archive_members) {
			err_set(err, ERR_LIMIT, "the archive has more than %llu members",
				(unsigned long long)members->limits.archive_members);
			return err_hint(err, "pack only the dumps, or raise the limit with --limit archive-members=N");
		}
		if (!is_file(members->entry))
			continue;
		take_name(members);
		*ret = (struct member){ buf_str(&members->name), (uint64_t)library.archive_entry_size(members->entry) };
		return 1;
	}
	return source_status(members, err);
}

/* --- the bytes of one */

static int check_bytes(struct members *members, struct err *err)
{
	if (members->out_bytes > members->limits.input_bytes) {
		err_set(err, ERR_LIMIT, "the members of the archive have more than %llu bytes",
			(unsigned long long)members->limits.input_bytes);
		return err_hint(err, "raise the limit with --limit input-bytes=N");
	}
	if (members->out_bytes > FREE_RATIO_BYTES &&
		members->out_bytes / members->limits.inflate_ratio > members->in_bytes) {
		err_set(err, ERR_LIMIT, "the archive unpacks to more than %llu times its size",
			(unsigned long long)members->limits.inflate_ratio);
		return err_hint(err, "raise the limit with --limit inflate-ratio=N if the file is trusted");
	}
	return 0;
}

/* A member that cannot be read on ends here; that it does so early is the archive's damage. */
static int read_member(void *ctx, char *space, size_t bytes, size_t *ret_len, struct err *err)
{
	struct members *members = ctx;
	la_ssize_t len = library.archive_read_data(members->archive, space, bytes);

	if (len < 0) {
		members->damaged = true;
		*ret_len = 0;
		return source_status(members, err);
	}
	*ret_len = (size_t)len;
	members->out_bytes += (uint64_t)len;
	return check_bytes(members, err);
}

struct source *members_open(struct members *members)
{
	return source_of_function(read_member, members,
		library.archive_entry_size(members->entry) > WORTH_A_THREAD_BYTES, buf_str(&members->name),
		&members->limits);
}
