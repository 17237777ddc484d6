#include "diagnose/diagnosis.h"

#include <stdlib.h>

#include "base/memory/hash.h"
#include "base/memory/mem.h"
#include "base/value/utf8.h"
#include "base/view/ascii.h"
#include "diagnose/codes.h"
#include "diagnose/machine.h"
#include "dump/common/line.h"
#include "io/text.h"

enum { SHOWN_BYTES = 400, NAME_BYTES = 160 };

int diagnosis_open(const struct limits *limits, struct diagnosis *ret, struct err *err)
{
	int status;

	*ret = (struct diagnosis){ .arena = ARENA_INIT(ARENA_UNLIMITED), .most = limits->scan_findings };
	status = fault_book_open(&ret->book, err);
	if (!status)
		ret->faults = mem_zalloc((ret->book.faults.count + 1) * sizeof(ret->faults[0]));
	return status;
}

void diagnosis_clear(struct diagnosis *diagnosis)
{
	fault_book_clear(&diagnosis->book);
	free(diagnosis->faults);
	free(diagnosis->subjects.items);
	free(diagnosis->unknown.items);
	doctor_clear(&diagnosis->versions);
	map_clear(&diagnosis->by_form);
	arena_clear(&diagnosis->arena);
}

static struct str shown_copy(struct diagnosis *diagnosis, struct str text)
{
	struct str head = str_trim(text);

	if (head.len > SHOWN_BYTES)
		head.len = SHOWN_BYTES;
	while (head.len && head.len < text.len && (head.ptr[head.len] & 0xc0) == 0x80)
		head.len--;
	return utf8_keep_printable(&diagnosis->arena, head);
}

/* --- what a fault is about */

/* 'aten::isin.Tensor_Tensor_out' in quotes. */
static struct str quoted_operator(struct str line)
{
	struct str part = { 0 };

	str_cut(&line, '\'', &part);
	while (line.len && str_cut(&line, '\'', &part)) {
		if (str_has(part, STR("::")) && part.len < NAME_BYTES && !str_has(part, STR(" ")))
			return part;
	}
	return STR("");
}

/* The word that begins with a head: "aclnnExpm1". */
static struct str word_at(struct str line, struct str head)
{
	size_t at = str_find(line, head), len = 0;

	if (at == STR_NONE)
		return STR("");
	line = str_skip(line, at);
	while (len < line.len && len < NAME_BYTES && is_word(line.ptr[len]))
		len++;
	return (struct str){ line.ptr, len };
}

static void note_subject(struct diagnosis *diagnosis, const struct fault_subject *subject)
{
	for (size_t i = 0; i < diagnosis->subjects.count; i++) {
		struct fault_subject *known = &diagnosis->subjects.items[i];

		if (known->fault == subject->fault && str_eq(known->name, subject->name) &&
			str_eq(known->dtype, subject->dtype)) {
			known->count++;
			return;
		}
	}
	if (diagnosis->subjects.count < 1000)
		MEM_PUSH(&diagnosis->subjects, ((struct fault_subject){ .fault = subject->fault,
						       .name = shown_copy(diagnosis, subject->name),
						       .dtype = shown_copy(diagnosis, subject->dtype),
						       .path = subject->path,
						       .line = subject->line,
						       .count = 1 }));
	else
		diagnosis->left_out++;
}

static void note_subjects(struct diagnosis *diagnosis, size_t fault, struct str path, const struct line *line)
{
	struct str kind = diagnosis->book.faults.items[fault].kind, name = quoted_operator(line->text);
	struct fault_subject subject = {
		.fault = fault, .name = name, .dtype = STR(""), .path = path, .line = line->number
	};
	struct str dtype = word_at(line->text, STR("DT_"));

	if (name.len && (str_eq(kind, STR("fallback")) || str_eq(kind, STR("unsupported")))) {
		note_subject(diagnosis, &subject);
	} else if (str_eq(kind, STR("dtype")) && dtype.len && diagnosis->kernel.len) {
		subject.name = diagnosis->kernel;
		subject.dtype = dtype;
		note_subject(diagnosis, &subject);
	}
}

/* --- lines */

static bool is_cause(const struct diagnosis *diagnosis, size_t fault)
{
	return diagnosis->book.faults.items[fault].level == FAULT_CAUSE;
}

/* Counts a fault once a line. */
static void note_fault(struct diagnosis *diagnosis, size_t fault, struct str path, const struct line *line)
{
	struct log_place *place = &diagnosis->faults[fault];
	uint64_t now = diagnosis->lines;

	if (place->last == now)
		return;
	if (!place->count++)
		*place = (struct log_place){ .path = path,
			.text = shown_copy(diagnosis, line->text),
			.line = line->number,
			.count = 1,
			.first = now };
	place->last = now;
	note_subjects(diagnosis, fault, path, line);
}

static bool is_error(struct str line)
{
	static const struct str signs[] = { STR("Error: "), STR("Exception: "), STR("[ERROR]"), STR("ERROR:"),
		STR("Segmentation fault"), STR("core dumped"), STR("FATAL") };

	return ANY(i, ARRAY_SIZE(signs), str_has(line, signs[i])) || str_starts(line, STR("ERROR "));
}

/* The same for lines that differ in numbers alone. */
static uint64_t form_of(struct str line)
{
	uint64_t hash = hash_seed();

	for (size_t i = 0; i < line.len; i++) {
		bool digit = is_digit(line.ptr[i]);

		if (digit && i && is_digit(line.ptr[i - 1]))
			continue;
		hash = hash_mix(hash ^ (digit ? '#' : (unsigned char)line.ptr[i]), UINT64_C(0x9e3779b97f4a7c15));
	}
	return hash;
}

static void note_unknown(struct diagnosis *diagnosis, struct str path, const struct line *line, struct str code)
{
	uint64_t form = form_of(line->text);
	struct map_cursor at;

	for (size_t i = 0; i < code.len; i++)
		form = hash_mix(form ^ (unsigned char)code.ptr[i], UINT64_C(0x9e3779b97f4a7c15));
	at = map_start(&diagnosis->by_form, form);
	if (map_next(&diagnosis->by_form, &at)) {
		diagnosis->unknown.items[at.index].count++;
	} else if (diagnosis->unknown.count >= diagnosis->most) {
		diagnosis->left_out++;
	} else {
		map_add(&diagnosis->by_form, form, (uint32_t)diagnosis->unknown.count);
		MEM_PUSH(&diagnosis->unknown, ((struct log_place){ .path = path,
						      .text = shown_copy(diagnosis, line->text),
						      .code = arena_keep(&diagnosis->arena, code),
						      .line = line->number,
						      .count = 1 }));
	}
}

/* Notes the codes of a line. A code of the tables says less than a cause known by its text. True if there was one. */
static bool note_codes(struct diagnosis *diagnosis, struct str path, const struct line *line, bool has_cause)
{
	struct code code;
	bool known = false;

	for (size_t at = 0; code_next(line->text, &at, &code);) {
		size_t fault = fault_of_id(&diagnosis->book, str_from(code.id));

		if (fault != STR_NONE && (!has_cause || fault < diagnosis->book.by_text))
			note_fault(diagnosis, fault, path, line);
		else if (fault == STR_NONE && code.certain)
			note_unknown(diagnosis, path, line, code.text);
		known = known || fault != STR_NONE || code.certain;
	}
	return known;
}

enum { VERSION_BYTES = 40, BETWEEN_BYTES = 12 };

/* Ways in which logs, lists of packages and paths name what is installed; the longest first. */
static const struct {
	struct str name;
	enum machine_part part;
} version_names[] = {
	{ STR("torch_npu"), PART_TORCH_NPU },
	{ STR("torch-npu"), PART_TORCH_NPU },
	{ STR("torch_musa"), PART_TORCH_MUSA },
	{ STR("torch-musa"), PART_TORCH_MUSA },
	{ STR("torch"), PART_TORCH },
	{ STR("PyTorch"), PART_TORCH },
	{ STR("ascend-toolkit"), PART_CANN },
	{ STR("CANN"), PART_CANN },
};

/* Skip the text between a name and its version: "==", " version: ", "-", "/", blanks. */
static size_t gap_at(struct str text)
{
	static const struct str words[] = { STR("version"), STR("Version") };
	size_t at = 0;

	while (at < text.len && at < BETWEEN_BYTES && memchr(" =:-/@v\t", text.ptr[at], 8)) {
		for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
			if (str_starts(str_skip(text, at + 1), words[i]))
				at += words[i].len;
		}
		at++;
	}
	return at;
}

/* "2.7.1.post2" at the start; "" for anything but a version. */
static struct str version_at(struct str text)
{
	size_t len = 0, dots = 0;

	while (len < text.len && len < VERSION_BYTES && (is_word(text.ptr[len]) || memchr(".+", text.ptr[len], 2)))
		dots += text.ptr[len++] == '.';
	while (len && text.ptr[len - 1] == '.')
		len--, dots--;
	return dots >= 2 && is_digit(text.ptr[0]) ? str_sub(text, 0, len) : STR("");
}

/* The version behind the first place where the name is a word of its own. */
static struct str version_of(struct str line, struct str name)
{
	for (size_t at; (at = str_find(line, name)) != STR_NONE; line = str_skip(line, at + name.len)) {
		struct str rest = str_skip(line, at + name.len);
		size_t gap = gap_at(rest);
		struct str version = gap ? version_at(str_skip(rest, gap)) : STR("");

		if (version.len && (!at || !(is_word(line.ptr[at - 1]) || line.ptr[at - 1] == '-')))
			return version;
	}
	return STR("");
}

/* Those that a line names, the first one of each: "torch_npu==2.1.0.post3", "ascend-toolkit/8.0.RC2". Texts, and the
   place where it is, are copied into the arena. */
static void note_installed(struct machine *machine, struct arena *arena, struct str place, struct str line)
{
	for (size_t i = 0; i < ARRAY_SIZE(version_names); i++) {
		enum machine_part part = version_names[i].part;
		struct str version = machine->parts[part].version.len ? STR("")
								      : version_of(line, version_names[i].name);

		if (!version.len)
			continue;
		machine->parts[part].version = arena_keep(arena, version);
		machine->parts[part].path = arena_keep(arena, place);
	}
}

static void note_versions(struct diagnosis *diagnosis, struct str path, const struct line *line)
{
	CLEANUP(buf_clear) struct buf place = BUF_UNLIMITED;

	buf_printf(&place, "%.*s:%llu", STR_ARG(path), (unsigned long long)line->number);
	note_installed(&diagnosis->versions.machine, &diagnosis->arena, buf_str(&place), line->text);
}

static void read_line(struct diagnosis *diagnosis, struct str path, const struct line *line)
{
	struct str kernel = word_at(line->text, STR("aclnn"));
	bool known = false, has_cause = false;

	diagnosis->lines++;
	if (str_has(line->text, STR("orch")) || str_has(line->text, STR("CANN")) || str_has(line->text, STR("ascend")))
		note_versions(diagnosis, path, line);
	if (kernel.len > 5)
		diagnosis->kernel = str_eq(kernel, diagnosis->kernel) ? diagnosis->kernel
								      : arena_keep(&diagnosis->arena, kernel);
	for (size_t i = 0; i < diagnosis->book.by_text; i++) {
		if (fault_shows(&diagnosis->book.faults.items[i], line->text)) {
			note_fault(diagnosis, i, path, line);
			known = true;
			has_cause = has_cause || is_cause(diagnosis, i);
		}
	}
	if (note_codes(diagnosis, path, line, has_cause))
		known = true;
	if (!known && is_error(line->text))
		note_unknown(diagnosis, path, line, STR(""));
}

int diagnosis_read(struct diagnosis *diagnosis, const char *path, const struct limits *limits, struct err *err)
{
	struct str name = shown_copy(diagnosis, str_from(path)), chunk;
	struct source *source = NULL;
	struct line_splitter *splitter;
	struct text *reader;
	struct line line;
	int status = source_open(path, limits, &source, err);

	if (status)
		return err_file(err, shown(str_from(path)).text);
	source_skip_digest(source);
	reader = text_new(source);
	splitter = line_splitter_new(limits);
	diagnosis->kernel = STR("");
	while ((status = text_next(reader, &chunk, err)) > 0) {
		line_feed(splitter, chunk);
		while (line_next(splitter, &line))
			read_line(diagnosis, name, &line);
	}
	line_end(splitter);
	while (line_next(splitter, &line))
		read_line(diagnosis, name, &line);
	line_splitter_free(splitter);
	text_free(reader);
	source_close(source);
	return status ? err_file(err, shown(str_from(path)).text) : 0;
}

/* --- order */

struct met_fault {
	enum fault_level level;
	uint64_t first;
	size_t fault;
};

static int met_order(const void *a, const void *b)
{
	const struct met_fault *one = a, *other = b;

	if (one->level != other->level)
		return one->level < other->level ? -1 : 1;
	if (one->first != other->first)
		return one->first < other->first ? -1 : 1;
	return one->fault < other->fault ? -1 : one->fault > other->fault;
}

size_t *diagnosis_in_order(const struct diagnosis *diagnosis, size_t *ret_count)
{
	MEM_LIST(struct met_fault) met = { 0 };
	size_t *faults;

	for (size_t i = 0; i < diagnosis->book.faults.count; i++) {
		if (diagnosis->faults[i].count)
			MEM_PUSH(&met, ((struct met_fault){
					       diagnosis->book.faults.items[i].level, diagnosis->faults[i].first, i }));
	}
	MEM_SORT(&met, met_order);
	*ret_count = met.count;
	faults = mem_zalloc((met.count + 1) * sizeof(faults[0]));
	for (size_t i = 0; i < met.count; i++)
		faults[i] = met.items[i].fault;
	free(met.items);
	return faults;
}

/* --- versions */

void diagnosis_compare(struct diagnosis *diagnosis, const struct opdb *db)
{
	struct doctor *versions = &diagnosis->versions;
	bool asked = ANY(i, diagnosis->book.faults.count,
		diagnosis->faults[i].count && str_eq(diagnosis->book.faults.items[i].kind, STR("versions")));

	doctor_compare(versions, db);
	if (!asked && versions->verdict != VERDICT_DOES_NOT_FIT)
		versions->rows.count = 0;
}

/* --- overlays */

int diagnosis_name_kernels(struct diagnosis *diagnosis, const struct opdb *db, struct err *err)
{
	int status = 0;

	for (size_t i = 0; i < diagnosis->subjects.count && !status; i++) {
		struct fault_subject *subject = &diagnosis->subjects.items[i];
		struct name_list names = { 0 };

		if (!subject->dtype.len)
			continue;
		status = opdb_names_of_call(db, subject->name, &diagnosis->arena, &names, err);
		if (!status && names.count == 1)
			subject->op = arena_printf(&diagnosis->arena, "aten::%.*s", STR_ARG(names.items[0]));
	}
	return status;
}

/* "float64" of "DT_DOUBLE" */
static struct str dtype_word(struct str name, char space[32])
{
	size_t len = 0;

	if (str_eq(name, STR("DT_DOUBLE")))
		return STR("float64");
	if (str_eq(name, STR("DT_FLOAT")))
		return STR("float32");
	for (size_t i = 3; i < name.len && len < 31; i++, len++)
		space[len] = name.ptr[i] >= 'A' && name.ptr[i] <= 'Z' ? (char)(name.ptr[i] - 'A' + 'a') : name.ptr[i];
	return (struct str){ space, len };
}

void diagnosis_put_overlay(const struct diagnosis *diagnosis, const struct fault_subject *subject, struct buf *out)
{
	const struct fault *fault = &diagnosis->book.faults.items[subject->fault];
	bool falls_back = str_eq(fault->kind, STR("fallback"));
	struct str op = subject->dtype.len ? subject->op : str_head(subject->name, '.');
	char space[32];
	struct str dtype = subject->dtype.len ? dtype_word(subject->dtype, space) : STR(".");

	if (!op.len)
		return;
	buf_printf(out, "%.*s\t%.*s\t*\t.\t%.*s\t%s\t.\t%s\t%.*s:%llu\t.", STR_ARG(op), STR_ARG(fault->target),
		STR_ARG(dtype), falls_back ? "cpu-fallback" : "unsupported",
		falls_back ? "the log has a warning" : "the log has an error", STR_ARG(subject->path),
		(unsigned long long)subject->line);
}
