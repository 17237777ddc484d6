#include "check/input/redact.h"

#include <ctype.h>
#include <stdlib.h>

#include "base/memory/mem.h"
#include "op/name.h"

/* A piece is a line of text, or one string of JSON; longer ones are redacted in parts. */
enum { PIECE_BYTES = 1 << 20, KEY_BYTES = 64 };

enum mode { MODE_UNKNOWN, MODE_TEXT, MODE_JSON };

struct redaction {
	enum mode mode;
	struct buf piece;
	unsigned rules; /* text: of the table so far */
	/* of JSON */
	bool in_string, escaped;
	size_t lists;         /* open since the key */
	char key[KEY_BYTES];  /* the last key, "" when none waits for its value */
	char last[KEY_BYTES]; /* the last string; a key if a colon follows */
	char cat[KEY_BYTES];  /* category of the event, "" when it is not known yet */
};

struct redaction *redaction_new(void)
{
	struct redaction *redaction = mem_zalloc(sizeof(*redaction));

	redaction->piece = BUF_INIT(2 * PIECE_BYTES);
	return redaction;
}

void redaction_free(struct redaction *redaction)
{
	if (!redaction)
		return;
	buf_clear(&redaction->piece);
	free(redaction);
}

/* --- masking */

/* Bytes of the character that begins here, by its first byte. */
static size_t char_bytes(unsigned char first)
{
	return first < 0xc0 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
}

/* Characters outside of ASCII become one of as many bytes and columns. */
static void mask(char *text, size_t len)
{
	static const char *const others[] = {
		[1] = "x", [2] = "\xc3\x97", [3] = "\xe5\xad\x97", [4] = "\xf0\x9f\x94\xb3"
	};

	for (size_t i = 0, bytes; i < len; i += bytes) {
		bytes = char_bytes((unsigned char)text[i]);
		bytes = bytes <= len - i ? bytes : 1;
		if (text[i] == '\\' && len - i >= 6 && text[i + 1] == 'u')
			memcpy(text + i, "\\u0078", bytes = 6);
		else if (text[i] == '\\' && i + 1 < len) /* an escape of JSON stays one */
			bytes = 2;
		else if (isalnum((unsigned char)text[i]) || (unsigned char)text[i] >= 0x80)
			memcpy(text + i, others[bytes], bytes);
	}
}

static bool ends_word(char c)
{
	return isspace((unsigned char)c) || strchr("\"'<>,;=()[]{}|", c);
}

static bool is_address(struct str word)
{
	size_t dots = 0, digits = 0;

	for (size_t i = 0; i < word.len; i++) {
		dots += word.ptr[i] == '.';
		digits += isdigit((unsigned char)word.ptr[i]) != 0;
		if (word.ptr[i] != '.' && word.ptr[i] != ':' && !isdigit((unsigned char)word.ptr[i]))
			return false;
	}
	return dots == 3 && digits >= 4;
}

/* fe80::1ff:fe23:4567:890a, 00:1a:2b:3c:4d:5e; "aten::add" and "10:00:01" have fewer colons. */
static bool is_long_address(struct str word)
{
	size_t colons = 0, digits = 0;

	for (size_t i = 0; i < word.len; i++) {
		colons += word.ptr[i] == ':';
		digits += isdigit((unsigned char)word.ptr[i]) != 0;
		if (word.ptr[i] != ':' && !isxdigit((unsigned char)word.ptr[i]))
			return false;
	}
	return colons > 3 && digits;
}

/* A path, the address of a machine or of a person; names of operators have no slash. */
static bool is_private(struct str word)
{
	bool drive = word.len > 2 && isalpha((unsigned char)word.ptr[0]) && word.ptr[1] == ':' &&
		     (word.ptr[2] == '\\' || word.ptr[2] == '/');

	if (is_long_address(word))
		return true;
	if (str_has(word, STR("::")))
		return str_starts(word, STR("/"));
	return drive || str_starts(word, STR("/")) || str_starts(word, STR("\\/")) || str_starts(word, STR("~/")) ||
	       str_starts(word, STR("./")) || str_starts(word, STR("../")) || str_has(word, STR("://")) ||
	       str_has(word, STR(".py")) || (str_has(word, STR("@")) && str_has(word, STR("."))) || is_address(word);
}

/* Masks the private words of a text; after a frame of Python ("x.py(12): f") its function as well. */
static void mask_private(char *text, size_t len)
{
	for (size_t from = 0, to; from < len; from = to + 1) {
		struct str word;

		for (to = from; to < len && !ends_word(text[to]); to++)
			;
		word = (struct str){ text + from, to - from };
		if (word.len < 2 || !is_private(word))
			continue;
		if (str_ends(word, STR(".py")) && to < len && text[to] == '(') {
			while (to < len && text[to] != ',' && text[to] != ';' && text[to] != '|' && text[to] != '"')
				to++;
		}
		mask(text + from, to - from);
	}
}

/* Returns the length of a long piece that can be redacted by itself, without cutting a word. */
static size_t part_of(struct str piece)
{
	size_t end = piece.len;

	while (end && !ends_word(piece.ptr[end - 1]))
		end--;
	return end ? end : piece.len;
}

/* Writes what is redacted; the rest of the piece stays. */
static void put_part(struct redaction *redaction, size_t len, struct buf *out)
{
	struct buf *piece = &redaction->piece;

	buf_add(out, (struct str){ piece->ptr, len });
	memmove(piece->ptr, piece->ptr + len, piece->len - len);
	piece->len -= len;
}

/* --- names */

/* Returns whether a recorded name is the user's own, unlike names of a trace's metadata or of attributes of an
   execution trace. */
static bool is_own_name(struct str text)
{
	static const struct str metadata[] = { STR("process_name"), STR("process_labels"), STR("process_sort_index"),
		STR("thread_name"), STR("thread_sort_index"), STR("rf_id"), STR("fw_parent"), STR("seq_id"),
		STR("scope"), STR("tid"), STR("fw_tid"), STR("op_schema"), STR("kernel_backend"), STR("kernel_file") };
	struct name name = name_classify(text, (struct name_style){ .known = NAME_OPERATOR });

	return !STR_IS_AMONG(metadata, ARRAY_SIZE(metadata), text) &&
	       (name.name_class == NAME_LABEL || name.name_class == NAME_PYTHON_FRAME);
}

/* Masks a label of the user after its mark: "nn.Module" of "nn.Module: Encoder_0" and "enumerate(DataLoader)#" stay. */
static void mask_name(char *text, size_t len)
{
	struct str whole = { text, len }, loader = STR("enumerate(DataLoader)#");
	size_t colon = str_find(whole, STR(": ")), kept = 0;

	if (colon != STR_NONE && str_starts(whole, STR("nn.Module")))
		kept = colon;
	else if (str_starts(whole, loader))
		kept = loader.len;
	mask(text + kept, len - kept);
}

/* --- text */

/* "-----  ------": a rule of a table. */
static bool is_rule(struct str line)
{
	size_t dashes = 0;

	for (size_t i = 0; i < line.len; i++) {
		if (line.ptr[i] != '-' && !isspace((unsigned char)line.ptr[i]))
			return false;
		dashes += line.ptr[i] == '-';
	}
	return dashes >= 8;
}

/* The name is the first cell; two blanks end it. */
static void mask_row(char *text, size_t len)
{
	size_t from = 0, end;

	while (from < len && text[from] == ' ')
		from++;
	for (end = from; end < len && !isspace((unsigned char)text[end]);) {
		end++;
		end += end + 1 < len && text[end] == ' ' && !isspace((unsigned char)text[end + 1]);
	}
	if (end > from && is_own_name((struct str){ text + from, end - from }))
		mask_name(text + from, end - from);
}

/* A table is a rule, its heading, a rule, its rows, and a rule. */
static void take_line(struct redaction *redaction, char *text, size_t len)
{
	if (is_rule((struct str){ text, len }))
		redaction->rules = (redaction->rules + 1) % 3;
	else if (redaction->rules == 2)
		mask_row(text, len);
	mask_private(text, len);
}

/* --- JSON */

/* Keys whose values are private as a whole. */
static const struct str private_keys[] = { STR("Call stack"), STR("call_stack"), STR("callstack"), STR("stack"),
	STR("Stack"), STR("traceName"), STR("hostname"), STR("host_name"), STR("host"), STR("worker_name"), STR("user"),
	STR("username"), STR("cmdline"), STR("command"), STR("cwd"), STR("Source Location"), STR("Module Hierarchy"),
	STR("Python module") };

/* Categories of events whose names are of PyTorch, of a runtime or of kernels. */
static bool keeps_names(struct str cat)
{
	static const struct str kept[] = { STR("cpu_op"), STR("kernel"), STR("Kernel"), STR("gpu_memcpy"),
		STR("gpu_memset"), STR("cuda_runtime"), STR("cuda_driver"), STR("privateuse1_runtime"),
		STR("privateuse1_driver"), STR("overhead"), STR("fwdbwd"), STR("ac2g"), STR("async_npu") };

	return STR_IS_AMONG(kept, ARRAY_SIZE(kept), cat);
}

static void keep_text(char to[KEY_BYTES], struct str text)
{
	size_t len = text.len < KEY_BYTES ? text.len : KEY_BYTES - 1;

	memcpy(to, text.ptr, len);
	to[len] = '\0';
}

static void take_string(struct redaction *redaction, char *text, size_t len)
{
	struct str key = str_from(redaction->key), value = { text, len };

	keep_text(redaction->last, value);
	if (str_eq(key, STR("cat")))
		keep_text(redaction->cat, value);
	if (STR_IS_AMONG(private_keys, ARRAY_SIZE(private_keys), key))
		mask(text, len);
	else if (str_eq(key, STR("name")) && !keeps_names(str_from(redaction->cat)) && is_own_name(value))
		mask_name(text, len);
	else
		mask_private(text, len);
	if (!redaction->lists)
		redaction->key[0] = '\0';
}

/* Bytes between strings: the borders of keys, lists and events. */
static void take_mark(struct redaction *redaction, char byte)
{
	if (byte == ':') {
		keep_text(redaction->key, str_from(redaction->last));
		redaction->lists = 0;
	} else if (byte == '[') {
		redaction->lists += redaction->key[0] != '\0';
	} else if (byte == ']' && redaction->lists) {
		redaction->lists--;
	} else if (byte == '{' || byte == '}' || (byte == ',' && !redaction->lists)) {
		redaction->key[0] = '\0';
		redaction->lists = 0;
	}
	if (byte == '{')
		redaction->cat[0] = '\0';
}

static void flush_string(struct redaction *redaction, struct buf *out)
{
	if (!redaction->piece.len)
		return;
	take_string(redaction, redaction->piece.ptr, redaction->piece.len);
	put_part(redaction, redaction->piece.len, out);
}

/* The beginning of a long string; its key is that of the rest, too. */
static void flush_string_part(struct redaction *redaction, struct buf *out)
{
	size_t len = part_of(buf_str(&redaction->piece));
	char key[KEY_BYTES];

	memcpy(key, redaction->key, sizeof(key));
	take_string(redaction, redaction->piece.ptr, len);
	memcpy(redaction->key, key, sizeof(key));
	put_part(redaction, len, out);
}

static void take_json_byte(struct redaction *redaction, char byte, struct buf *out)
{
	if (redaction->in_string && (redaction->escaped || byte != '"')) {
		redaction->escaped = !redaction->escaped && byte == '\\';
		buf_byte(&redaction->piece, byte);
		if (redaction->piece.len >= PIECE_BYTES && !redaction->escaped)
			flush_string_part(redaction, out);
		return;
	}
	if (redaction->in_string && !redaction->piece.len)
		redaction->last[0] = '\0';
	flush_string(redaction, out);
	if (byte == '"')
		redaction->in_string = !redaction->in_string;
	else
		take_mark(redaction, byte);
	buf_byte(out, byte);
}

/* --- the whole */

static void flush_line(struct redaction *redaction, struct buf *out)
{
	size_t len = redaction->piece.len < PIECE_BYTES ? redaction->piece.len : part_of(buf_str(&redaction->piece));

	if (!len)
		return;
	take_line(redaction, redaction->piece.ptr, len);
	put_part(redaction, len, out);
}

static void take_text_byte(struct redaction *redaction, char byte, struct buf *out)
{
	buf_byte(&redaction->piece, byte);
	if (byte == '\n' || redaction->piece.len == PIECE_BYTES)
		flush_line(redaction, out);
}

void redaction_add(struct redaction *redaction, struct str bytes, struct buf *out)
{
	for (size_t i = 0; i < bytes.len; i++) {
		char byte = bytes.ptr[i];

		if (redaction->mode == MODE_UNKNOWN && !isspace((unsigned char)byte))
			redaction->mode = byte == '{' || byte == '[' ? MODE_JSON : MODE_TEXT;
		if (redaction->mode == MODE_JSON)
			take_json_byte(redaction, byte, out);
		else
			take_text_byte(redaction, byte, out);
	}
}

void redaction_end(struct redaction *redaction, struct buf *out)
{
	if (redaction->mode == MODE_JSON)
		flush_string(redaction, out); /* one that does not end */
	else
		flush_line(redaction, out);
}
