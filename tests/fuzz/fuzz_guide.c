/* The lists of the porting guide against the script restated line by line; the first byte decides between file and pipe. */
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <unistr.h>

#include "base/memory/mem.h"
#include "base/value/utf8.h"
#include "dump/guide/guide.h"
#include "dump/guide/python.h"
#include "tests/fuzz/fuzz.h"

enum { MOST = 4000 };

/* Names with the shapes that step 1 had, in order of appearance. */
struct script {
	struct {
		struct str name, shapes;
	} first[MOST];
	struct str all[MOST], later[MOST], dynamic[MOST];
	size_t first_count, all_count, later_count, dynamic_count;
	unsigned step;
};

static bool is_space(ucs4_t point)
{
	return (point >= 9 && point <= 13) || (point >= 0x1c && point <= 0x20) || point == 0x85 || point == 0xa0 ||
	       point == 0x1680 || (point >= 0x2000 && point <= 0x200a) || point == 0x2028 || point == 0x2029 ||
	       point == 0x202f || point == 0x205f || point == 0x3000;
}

/* str.strip() */
static struct str strip(struct str text)
{
	size_t from = text.len, to = 0;

	for (size_t at = 0; at < text.len;) {
		ucs4_t point;
		size_t len = (size_t)u8_mbtouc(&point, (const uint8_t *)text.ptr + at, text.len - at);

		if (!is_space(point)) {
			from = at < from ? at : from;
			to = at + len;
		}
		at += len;
	}
	return from < to ? str_sub(text, from, to) : str_sub(text, 0, 0);
}

static bool add(struct str *list, size_t *count, struct str name)
{
	for (size_t i = 0; i < *count; i++) {
		if (str_eq(list[i], name))
			return false;
	}
	if (*count == MOST)
		abort(); /* more lines than the input has bytes for */
	list[(*count)++] = name;
	return true;
}

static bool first_has(const struct script *script, struct str name, struct str shapes)
{
	for (size_t i = 0; i < script->first_count; i++) {
		if (str_eq(script->first[i].name, name) && str_eq(script->first[i].shapes, shapes))
			return true;
	}
	return false;
}

/* [piece.strip() for piece in text.split("  ") if piece != ""]: the first and the last. */
static void cells(struct str text, struct str *ret_first, struct str *ret_last)
{
	bool any = false;

	for (;;) {
		size_t pair = str_find(text, STR("  "));
		struct str piece = pair == STR_NONE ? text : str_sub(text, 0, pair);

		if (piece.len) {
			*ret_last = strip(piece);
			if (!any)
				*ret_first = *ret_last;
			any = true;
		}
		if (pair == STR_NONE)
			return;
		text = str_skip(text, pair + 2);
	}
}

static void take_line(struct script *script, struct str line)
{
	struct str text = strip(line), name = text, shapes = text;

	if (str_starts(text, STR("Name")) && str_ends(str_skip(text, 4), STR("Input Shapes"))) {
		script->step++;
		return;
	}
	if (!script->step || !(str_has(line, STR("[[")) || str_has(line, STR("[]"))))
		return;
	cells(text, &name, &shapes);
	add(script->all, &script->all_count, name);
	if (script->step == 1) {
		script->first[script->first_count].name = name;
		script->first[script->first_count++].shapes = shapes;
		return;
	}
	add(script->later, &script->later_count, name);
	if (!first_has(script, name, shapes))
		add(script->dynamic, &script->dynamic_count, name);
}

/* Dynamic names stand in the order of their first row after step 1, not of the row that made them dynamic. */
static void order_dynamic(struct script *script)
{
	size_t count = 0;

	for (size_t i = 0; i < script->later_count; i++) {
		size_t at = 0;

		while (at < script->dynamic_count && !str_eq(script->dynamic[at], script->later[i]))
			at++;
		if (at < script->dynamic_count)
			script->later[count++] = script->later[i];
	}
	HOLD(count == script->dynamic_count);
}

static void run_script(struct script *script, struct str text)
{
	size_t start = 0;

	for (size_t at = 0; at <= text.len; at++) {
		bool end = at == text.len || text.ptr[at] == '\n' || text.ptr[at] == '\r';

		if (!end)
			continue;
		take_line(script, str_sub(text, start, at));
		start = at + 1;
	}
	order_dynamic(script);
}

static void hold_list(const struct str *got, size_t got_count, const struct str *want, size_t want_count)
{
	HOLD(got_count == want_count);
	for (size_t i = 0; i < got_count; i++)
		HOLD(str_eq(got[i], want[i]));
}

/* The text as a file without a name, read from its beginning. */
static int open_file(struct str text)
{
	int fd = memfd_create("guide", MFD_CLOEXEC);

	HOLD(fd >= 0 && (!text.len || write(fd, text.ptr, text.len) == (ssize_t)text.len) &&
		lseek(fd, 0, SEEK_SET) == 0);
	return fd;
}

/* The same as a pipe in the place of standard input; short texts fit into it. */
static int extract_pipe(struct str text, const struct limits *limits, struct guide_lists *ret, struct err *err)
{
	int ends[2], saved = dup(STDIN_FILENO), status;

	HOLD(pipe(ends) == 0 && (!text.len || write(ends[1], text.ptr, text.len) == (ssize_t)text.len));
	close(ends[1]);
	dup2(ends[0], STDIN_FILENO);
	status = guide_extract("-", limits, ret, err);
	if (saved >= 0)
		dup2(saved, STDIN_FILENO);
	close(saved);
	close(ends[0]);
	return status;
}

static int extract_file(struct str text, const struct limits *limits, struct guide_lists *ret, struct err *err)
{
	char path[64];
	int fd = open_file(text), status;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	status = guide_extract(path, limits, ret, err);
	close(fd);
	return status;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct script script;
	struct str text = fuzz_text(data, size);
	bool piped = fuzz_byte(&text) & 1;
	struct limits limits = limits_default();
	struct guide_lists lists = { .all_count = 0 };
	CLEANUP(buf_clear) struct buf printed = BUF_INIT(1 << 24);
	struct err err = { 0 };
	size_t bad_at;
	int status;

	if (text.len > MOST)
		return 0;
	status = piped ? extract_pipe(text, &limits, &lists, &err) : extract_file(text, &limits, &lists, &err);
	if (!utf8_valid(text, &bad_at)) {
		HOLD(status == -ERR_ENCODING);
		return 0;
	}
	HOLD(status == 0);
	script = (struct script){ .step = 0 };
	run_script(&script, text);
	hold_list(lists.all_ops, lists.all_count, script.all, script.all_count);
	hold_list(lists.dynamic_ops, lists.dynamic_count, script.later, script.dynamic_count);
	python_put_list(&printed, lists.all_ops, lists.all_count);
	HOLD(utf8_valid(buf_str(&printed), &bad_at));
	guide_lists_clear(&lists);
	return 0;
}
