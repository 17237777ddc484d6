#include "dump/guide/guide.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory/arena.h"
#include "base/memory/hash.h"
#include "base/memory/map.h"
#include "base/memory/mem.h"
#include "base/value/utf8.h"
#include "base/view/scan.h"
#include "dump/guide/python.h"

enum { BLOCK_BYTES = 512 * 1024, MAX_WORKERS = 8 };

#define NEVER UINT64_MAX

/* An operator in the eyes of the script. */
struct op {
	struct str name;
	uint64_t first_at; /* byte of its first row */
	uint64_t later_at; /* byte of its first row after step 1; NEVER */
	bool dynamic;
};

/* Names and positions that one worker found. */
struct guide_text {
	struct arena text;
	MEM_LIST(struct op) ops;
	struct map by_name;
};

struct pair {
	struct str op, shapes;
};

/* The pairs of operator and shape text of step 1; only read once step 2 has begun. */
struct first_step {
	struct arena text;
	MEM_LIST(struct pair) pairs;
	struct map by_pair;
};

struct extraction {
	const struct limits *limits;
	int fd;
	bool seekable;
	unsigned step; /* 0, 1, or 2 for all later ones */
	struct first_step first;
	pthread_mutex_t lock;
	uint64_t next_block; /* byte at which the next block to be taken starts */
	uint64_t size;
	/* the first place that stops the script, or NEVER, and how */
	_Atomic uint64_t stop_at;
	struct err stop;
};

struct worker {
	struct extraction *extraction;
	struct guide_text found;
	struct buf block;
	pthread_t thread;
};

/* --- findings */

static struct op *op_of(struct guide_text *found, struct str name, uint64_t at)
{
	uint32_t known = MAP_FIND(&found->by_name, found->ops.items, name);

	if (known != MAP_NONE)
		return &found->ops.items[known];
	name = arena_keep(&found->text, name);
	map_add_name(&found->by_name, name, (uint32_t)found->ops.count);
	MEM_PUSH(&found->ops, ((struct op){ .name = name, .first_at = at, .later_at = NEVER }));
	return &found->ops.items[found->ops.count - 1];
}

static uint64_t pair_hash(struct str op, struct str shapes)
{
	return hash_str(hash_str(hash_seed(), op), shapes);
}

static bool first_has_pair(const struct first_step *first, uint64_t hash, struct str op, struct str shapes)
{
	struct map_cursor at = map_start(&first->by_pair, hash);

	while (map_next(&first->by_pair, &at)) {
		const struct pair *pair = &first->pairs.items[at.index];

		if (str_eq(pair->op, op) && str_eq(pair->shapes, shapes))
			return true;
	}
	return false;
}

static void first_add(struct first_step *first, struct str op, struct str shapes)
{
	uint64_t hash = pair_hash(op, shapes);

	if (first_has_pair(first, hash, op, shapes))
		return;
	map_add(&first->by_pair, hash, (uint32_t)first->pairs.count);
	MEM_PUSH(&first->pairs, ((struct pair){ arena_keep(&first->text, op), arena_keep(&first->text, shapes) }));
}

static void stop_at(struct extraction *extraction, uint64_t at, const struct err *err);

/* The lists are held in memory: a log with more distinct names or shapes than the limits allow is refused. */
static void check_size(struct worker *worker, uint64_t at)
{
	const struct limits *limits = worker->extraction->limits;
	bool names = worker->found.ops.count >
		     limits->names; /* what the script takes for operators are all kinds of names */
	struct err err;

	if (!names && worker->extraction->first.pairs.count <= limits->shapes)
		return;
	err_set(&err, ERR_LIMIT, "the log has more than %llu distinct %s",
		(unsigned long long)(names ? limits->names : limits->shapes),
		names ? "names" : "shapes in its first step");
	err_hint(&err, "raise the limit with --limit %s=N", names ? "names" : "shapes");
	stop_at(worker->extraction, at, &err);
}

static void row_found(struct worker *worker, struct str op_name, struct str shapes, uint64_t at)
{
	struct extraction *extraction = worker->extraction;
	struct op *op = op_of(&worker->found, op_name, at);

	if (extraction->step == 1)
		first_add(&extraction->first, op_name, shapes);
	check_size(worker, at);
	if (extraction->step == 1)
		return;
	if (op->later_at == NEVER)
		op->later_at = at;
	/* a new operator has no pair, so one test covers both ways of being dynamic */
	op->dynamic = op->dynamic || !first_has_pair(&extraction->first, pair_hash(op_name, shapes), op_name, shapes);
}

/* --- lines */

static bool opens_step(struct str text)
{
	return text.len >= 16 && str_starts(text, STR("Name")) && str_ends(text, STR("Input Shapes"));
}

static bool has_shapes(struct str line)
{
	const char *at = line.ptr, *end = line.ptr + line.len;

	while ((at = memchr(at, '[', (size_t)(end - at))) && ++at < end) {
		if (*at == '[' || *at == ']')
			return true;
	}
	return false;
}

/* Start of the first pair of blanks in text, or STR_NONE. */
static size_t first_pair(struct str text)
{
	const char *at = text.ptr, *end = text.ptr + text.len;

	while ((at = memchr(at, ' ', (size_t)(end - at))) && ++at < end) {
		if (*at == ' ')
			return (size_t)(at - 1 - text.ptr);
	}
	return STR_NONE;
}

/* Start of a pair of blanks in the last run that has one, or STR_NONE. Every second byte will do to find it. */
static size_t last_pair(struct str text)
{
	for (size_t at = text.len; at-- > 1; at--) {
		if (text.ptr[at] != ' ')
			continue;
		if (text.ptr[at - 1] == ' ')
			return at - 1;
		if (at + 1 < text.len && text.ptr[at + 1] == ' ')
			return at;
	}
	return STR_NONE;
}

static void take_line(struct worker *worker, struct str line, uint64_t at)
{
	struct extraction *extraction = worker->extraction;
	struct str text = python_strip(line), last = text;
	size_t pair;

	if (opens_step(text)) {
		if (extraction->step < 2) /* later on several threads read it, and none writes */
			extraction->step++;
		return;
	}
	if (!extraction->step)
		return;
	pair = last_pair(text);
	if (pair != STR_NONE)
		last = python_strip(str_skip(text, pair + 2));
	/* the shapes stand in the last cell, as a rule */
	if (!has_shapes(last) && !has_shapes(line))
		return;
	pair = first_pair(text);
	row_found(worker, pair == STR_NONE ? text : python_strip(str_sub(text, 0, pair)), last, at);
}

/* Ends of lines are LF, CR or both; the empty line between CR and LF changes nothing. */
static void take_lines(struct worker *worker, struct str bytes, uint64_t at)
{
	bool has_cr = memchr(bytes.ptr, '\r', bytes.len);

	while (bytes.len && worker->extraction->stop_at == NEVER) {
		const char *end = memchr(bytes.ptr, '\n', bytes.len), *cr;
		size_t len = end ? (size_t)(end - bytes.ptr) : bytes.len;

		if (has_cr && (cr = memchr(bytes.ptr, '\r', len)))
			len = (size_t)(cr - bytes.ptr);
		take_line(worker, str_sub(bytes, 0, len), at);
		len += len < bytes.len;
		bytes = str_skip(bytes, len);
		at += len;
	}
}

/* --- blocks of whole lines */

/* Notes the place at which the script would stop, if it is the first. */
static void stop_at(struct extraction *extraction, uint64_t at, const struct err *err)
{
	pthread_mutex_lock(&extraction->lock);
	if (at < extraction->stop_at) {
		extraction->stop_at = at;
		extraction->stop = *err;
	}
	pthread_mutex_unlock(&extraction->lock);
}

static void take_block(struct worker *worker, struct str bytes, uint64_t at)
{
	size_t bad_at;
	struct err err;

	if (!utf8_is_ascii(bytes) && !utf8_valid(bytes, &bad_at)) {
		err_set(&err, ERR_ENCODING, "byte 0x%02x at position %llu is not valid UTF-8",
			(unsigned char)bytes.ptr[bad_at], (unsigned long long)(at + bad_at));
		err_hint(&err,
			"the porting guide's script stops here; `opcheck extract` without --as-guide reads the file");
		stop_at(worker->extraction, at + bad_at, &err);
		return;
	}
	take_lines(worker, bytes, at);
}

/* Bytes up to and with the first end of a line; 0 when there is none. */
static size_t line_end(struct str bytes)
{
	const char *lf = memchr(bytes.ptr, '\n', bytes.len);
	const char *cr = memchr(bytes.ptr, '\r', lf ? (size_t)(lf - bytes.ptr) : bytes.len);

	return cr || lf ? (size_t)((cr ? cr : lf) - bytes.ptr) + 1 : 0;
}

/* Appends up to count bytes of the file at a place to the worker's block. False when reading failed. */
static bool read_more(struct worker *worker, uint64_t at, size_t count, size_t *ret_len)
{
	struct buf *block = &worker->block;
	ssize_t len;
	struct err err;

	if (block->capacity < block->len + count) {
		block->capacity = block->len + count;
		block->ptr = mem_resize(block->ptr, block->capacity, 1);
	}
	do
		len = worker->extraction->seekable
			      ? pread(worker->extraction->fd, block->ptr + block->len, count, (off_t)at)
			      : read(worker->extraction->fd, block->ptr + block->len, count);
	while (len < 0 && errno == EINTR);
	if (len < 0) {
		err_os(&err, ERR_OPEN, errno, "cannot read");
		stop_at(worker->extraction, at, &err);
		return false;
	}
	block->len += (size_t)len;
	*ret_len = (size_t)len;
	return true;
}

static void stop_long_line(struct worker *worker, uint64_t at)
{
	unsigned long long most = worker->extraction->limits->guide_line_bytes;
	struct err err;

	err_set(&err, ERR_LIMIT, "the line at byte %llu has more than %llu bytes", (unsigned long long)at, most);
	err_hint(&err, "raise the limit with --limit guide-line-bytes=N");
	stop_at(worker->extraction, at, &err);
}

/* Reads on until the line that the block ends in is whole. *ret_end is the end of that line in the block. */
static bool complete_line(struct worker *worker, uint64_t at, size_t from, size_t *ret_end)
{
	struct buf *block = &worker->block;
	size_t searched = from, len, end;

	for (;;) {
		end = line_end(str_skip(buf_str(block), searched));
		if (end) {
			*ret_end = searched + end;
			return true;
		}
		searched = block->len;
		if (searched - from > worker->extraction->limits->guide_line_bytes) {
			stop_long_line(worker, at + from);
			return false;
		}
		if (!read_more(worker, at + block->len, BLOCK_BYTES / 8, &len))
			return false;
		if (!len) {
			*ret_end = block->len;
			return true;
		}
	}
}

/* Reads and takes the lines that start in [start, start + BLOCK_BYTES). False when the worker must stop. */
static bool take_range(struct worker *worker, uint64_t start)
{
	uint64_t from = start ? start - 1 : 0; /* a line starts at start if the byte before ends one */
	size_t want = (size_t)(start - from) + BLOCK_BYTES, len, head = 0, end;
	struct buf *block = &worker->block;

	block->len = 0;
	while (block->len < want) {
		if (!read_more(worker, from + block->len, want - block->len, &len))
			return false;
		if (!len)
			break;
	}
	if (start && block->len) {
		head = line_end(buf_str(block));
		if (!head) /* one line covers the whole range: it belongs to a range before */
			return true;
	}
	end = block->len;
	if (block->len == want && head < want && !complete_line(worker, from, want - 1, &end))
		return false;
	if (head < end)
		take_block(worker, str_sub(buf_str(block), head, end), from + head);
	return true;
}

/* Takes a pipe from its beginning to its end. */
static void take_pipe(struct worker *worker)
{
	struct buf *block = &worker->block;
	uint64_t at = 0;
	size_t len = 1, end, open = 0; /* bytes of the block in which no line ends */

	while (len) {
		if (!read_more(worker, 0, BLOCK_BYTES, &len))
			return;
		end = block->len;
		while (len && end > open && !memchr("\r\n", block->ptr[end - 1], 2))
			end--;
		open = len && end == open ? block->len : block->len - end;
		if (open > worker->extraction->limits->guide_line_bytes) {
			stop_long_line(worker, at + block->len - open);
			return;
		}
		if (open == block->len)
			continue;
		take_block(worker, str_sub(buf_str(block), 0, end), at);
		memmove(block->ptr, block->ptr + end, open);
		block->len = open;
		at += end;
	}
}

/* --- workers */

/* The start of the next free range; false at the end, or if the script would have stopped before it. */
static bool next_range(struct extraction *extraction, uint64_t *ret)
{
	bool more;

	pthread_mutex_lock(&extraction->lock);
	*ret = extraction->next_block;
	more = *ret < extraction->size && *ret < extraction->stop_at;
	extraction->next_block += more ? BLOCK_BYTES : 0;
	pthread_mutex_unlock(&extraction->lock);
	return more;
}

static void *run_worker(void *arg)
{
	struct worker *worker = arg;
	uint64_t start;

	while (next_range(worker->extraction, &start) && take_range(worker, start))
		;
	return NULL;
}

/* Everything after the header of step 2 can be read in any order: what step 1 had is known by then. */
static void run_alone_to_step_2(struct worker *worker)
{
	uint64_t start;

	while (worker->extraction->step < 2 && next_range(worker->extraction, &start) && take_range(worker, start))
		;
}

static unsigned worker_count(const struct extraction *extraction)
{
	long cores = sysconf(_SC_NPROCESSORS_ONLN);
	uint64_t ranges = (extraction->size - extraction->next_block + BLOCK_BYTES - 1) / BLOCK_BYTES;
	uint64_t count = cores > 1 ? (uint64_t)cores : 1;

	count = count < MAX_WORKERS ? count : MAX_WORKERS;
	return (unsigned)(extraction->next_block >= extraction->size ? 1 : ranges < count ? ranges : count);
}

static unsigned run_workers(struct extraction *extraction, struct worker *workers)
{
	unsigned count, started = 1;

	if (!extraction->seekable) {
		extraction->size = 0;
		take_pipe(&workers[0]);
		return 1;
	}
	run_alone_to_step_2(&workers[0]);
	count = worker_count(extraction);
	while (started < count && pthread_create(&workers[started].thread, NULL, run_worker, &workers[started]) == 0)
		started++;
	run_worker(&workers[0]);
	for (unsigned i = 1; i < started; i++)
		pthread_join(workers[i].thread, NULL);
	return started;
}

/* --- the lists */

/* Adds what another worker found to the first one's findings. */
static void merge_findings(struct guide_text *into, const struct guide_text *from)
{
	for (size_t i = 0; i < from->ops.count; i++) {
		const struct op *other = &from->ops.items[i];
		struct op *op = op_of(into, other->name, other->first_at);

		op->first_at = other->first_at < op->first_at ? other->first_at : op->first_at;
		op->later_at = other->later_at < op->later_at ? other->later_at : op->later_at;
		op->dynamic |= other->dynamic;
	}
}

static int by_first(const void *a, const void *b)
{
	const struct op *left = a, *right = b;

	return ORDER(left->first_at, right->first_at);
}

static int by_later(const void *a, const void *b)
{
	const struct op *left = a, *right = b;

	return ORDER(left->later_at, right->later_at);
}

static void text_clear(struct guide_text *found)
{
	arena_clear(&found->text);
	map_clear(&found->by_name);
	free(found->ops.items);
}

static void make_lists(struct guide_text *found, struct guide_lists *ret)
{
	*ret = (struct guide_lists){ 0 };
	MEM_SORT(&found->ops, by_first);
	ret->all_ops = mem_resize(NULL, found->ops.count + 1, sizeof(struct str));
	ret->dynamic_ops = mem_resize(NULL, found->ops.count + 1, sizeof(struct str));
	for (size_t i = 0; i < found->ops.count; i++)
		ret->all_ops[ret->all_count++] = found->ops.items[i].name;
	MEM_SORT(&found->ops, by_later);
	for (size_t i = 0; i < found->ops.count; i++) {
		if (found->ops.items[i].dynamic)
			ret->dynamic_ops[ret->dynamic_count++] = found->ops.items[i].name;
	}
	ret->text = mem_copy(found, sizeof(*found));
	*found = (struct guide_text){ 0 };
}

void guide_lists_clear(struct guide_lists *lists)
{
	if (lists->text)
		text_clear(lists->text);
	free(lists->text);
	free(lists->all_ops);
	free(lists->dynamic_ops);
	*lists = (struct guide_lists){ 0 };
}

/* --- opening */

static int open_file(struct extraction *extraction, const char *path, struct err *err)
{
	struct stat info;

	extraction->fd = strcmp(path, "-") == 0 ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3)
						: open(path, O_RDONLY | O_CLOEXEC);
	if (extraction->fd < 0 || fstat(extraction->fd, &info)) {
		err_os(err, ERR_OPEN, errno, "cannot open");
		return err_where(err, "%s", shown(str_from(path)).text);
	}
	if (S_ISDIR(info.st_mode)) {
		err_set(err, ERR_DIRECTORY, "this is a directory");
		return err_where(err, "%s", shown(str_from(path)).text);
	}
	/* standard input may stand in the middle of a file */
	extraction->seekable = S_ISREG(info.st_mode) && lseek(extraction->fd, 0, SEEK_CUR) == 0;
	extraction->size = (uint64_t)info.st_size;
	return 0;
}

static int extract_lists(struct extraction *extraction, const char *path, struct guide_lists *ret, struct err *err)
{
	struct worker workers[MAX_WORKERS] = { 0 };
	unsigned count;

	for (size_t i = 0; i < MAX_WORKERS; i++) {
		workers[i].extraction = extraction;
		workers[i].found.text = ARENA_INIT(ARENA_UNLIMITED);
	}
	count = run_workers(extraction, workers);
	for (unsigned i = 1; i < count; i++)
		merge_findings(&workers[0].found, &workers[i].found);
	if (extraction->stop_at == NEVER)
		make_lists(&workers[0].found, ret);
	for (size_t i = 0; i < MAX_WORKERS; i++) {
		text_clear(&workers[i].found);
		free(workers[i].block.ptr);
	}
	if (extraction->stop_at == NEVER)
		return 0;
	*err = extraction->stop;
	return err_where(err, "%s", shown(str_from(path)).text);
}

int guide_extract(const char *path, const struct limits *limits, struct guide_lists *ret, struct err *err)
{
	struct extraction extraction = { .limits = limits, .stop_at = NEVER };
	int status;

	extraction.first.text = ARENA_INIT(ARENA_UNLIMITED);
	pthread_mutex_init(&extraction.lock, NULL);
	status = open_file(&extraction, path, err);
	if (!status)
		status = extract_lists(&extraction, path, ret, err);
	if (extraction.fd >= 0)
		close(extraction.fd);
	pthread_mutex_destroy(&extraction.lock);
	arena_clear(&extraction.first.text);
	map_clear(&extraction.first.by_pair);
	free(extraction.first.pairs.items);
	return status;
}
