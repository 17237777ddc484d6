#include "opdb/db/note.h"

#include <string.h>

#include "base/memory/mem.h"
#include "base/view/ascii.h"
#include "opdb/db/row.h"
#include "opdb/model/dtype.h"
#include "opdb/model/fact.h"
#include "opdb/model/name_list.h"

static const struct str kind_names[NOTE_KIND_COUNT] = { [NOTE_RUNS] = STR("runs"),
	[NOTE_CPU] = STR("cpu"),
	[NOTE_FAILS] = STR("fails"),
	[NOTE_WRONG] = STR("wrong result"),
	[NOTE_DTYPES] = STR("dtypes"),
	[NOTE_LAYOUT] = STR("layout"),
	[NOTE_SHAPES] = STR("shapes"),
	[NOTE_AICPU] = STR("aicpu"),
	[NOTE_CHIP] = STR("chip"),
	[NOTE_SLOW] = STR("slow"),
	[NOTE_AUTOCAST] = STR("autocast"),
	[NOTE_TESTED] = STR("tested"),
	[NOTE_COMPOSED] = STR("composed"),
	[NOTE_CRASHES] = STR("crashes") };

struct str note_kind_name(enum note_kind kind)
{
	return kind_names[kind];
}

/* --- loading */

static bool is_part_of_chip(char c)
{
	return is_word(c) || c == '-';
}

unsigned chips_named(enum target_kind target, struct str text)
{
	unsigned chips = 0;

	for (size_t from = 0, to; from < text.len; from = to + 1) {
		struct str usual;
		const struct chip *chip;

		for (to = from; to < text.len && is_part_of_chip(text.ptr[to]); to++)
			;
		if (to - from < 3) /* "A2" and the like mean too much else */
			continue;
		chip = chip_find(target, str_sub(text, from, to), &usual);
		for (unsigned i = 0; chip && chip_at(target, i); i++)
			chips |= chip_at(target, i) == chip ? 1u << i : 0;
	}
	return chips;
}

unsigned chips_listed(enum target_kind target, struct str list)
{
	unsigned chips = 0;

	for (size_t from = 0, to; from < list.len; from = to + 1) {
		const struct chip *chip;
		struct str usual;

		for (to = from; to < list.len && !memchr(",/ ", list.ptr[to], 3); to++)
			;
		chip = chip_find(target, str_sub(list, from, to), &usual);
		for (unsigned i = 0; chip && chip_at(target, i); i++)
			chips |= chip_at(target, i) == chip ? 1u << i : 0;
	}
	return chips;
}

static struct note *add_note(struct note **notes, struct row *row)
{
	struct note *note = row_alloc(row, sizeof(*note));

	if (!note)
		return NULL;
	*note = (struct note){ .overload = STR(""), .text = STR(""), .date = STR(""), .ref = STR(""), .path = STR("") };
	while (*notes)
		notes = &(*notes)->next;
	*notes = note;
	return note;
}

/* The kind of a report, from the observation and the beginning of its detail. */
static enum note_kind reported_kind(unsigned observed, struct str detail)
{
	static const enum note_kind kinds[OBSERVED_COUNT] = { NOTE_RUNS, NOTE_CPU, NOTE_FAILS, NOTE_DTYPES, NOTE_SHAPES,
		NOTE_AICPU, NOTE_CRASHES, NOTE_WRONG };

	static const struct str wrong[] = { STR("wrong"), STR("incorrect"), STR("inaccurate"), STR("undercount"),
		STR("garbage") };

	if (str_starts(detail, STR("aicpu:")))
		return NOTE_AICPU;
	for (size_t i = 0; kinds[observed] == NOTE_RUNS && i < ARRAY_SIZE(wrong); i++) {
		if (str_has(detail, wrong[i]))
			return NOTE_WRONG;
	}
	if (str_starts(detail, STR("layout:")))
		return NOTE_LAYOUT;
	return kinds[observed];
}

static bool tells_failure(enum note_kind kind)
{
	return kind == NOTE_FAILS || kind == NOTE_CRASHES || kind == NOTE_WRONG;
}

void note_load_report(struct note **notes, struct row *row)
{
	struct note *note = add_note(notes, row);
	struct versions_named told;
	struct dtypes_named types;
	unsigned observed, chips, named;
	bool loose;

	if (!note)
		return;
	note->target = row_word(row, target_names, TARGET_COUNT);
	note->overload = overload_of(row_text(row));
	told = (struct versions_named){ .target = note->target, .torch = row_text(row), .plugin = row_text(row) };
	observed = row_word(row, observed_words.items, OBSERVED_COUNT);
	note->text = row_text(row);
	note->ref = row_text(row);
	note->date = told.date = row_text(row);
	chips = chips_listed(note->target, row_text(row));
	row->damaged |= !dtypes_from(row_text(row), &named);
	loose = str_eq(row_text(row), STR("loose"));
	note->condition = row_text(row);
	note->kind = reported_kind(observed, note->text);
	note->evidence = EVIDENCE_REPORT;
	note->releases = releases_meant(row->db, &told, &note->release_named);
	note->mild = (loose || str_has(note->text, STR("inferred]"))) && !note->release_named;
	note->chips = chips ? chips : chips_named(note->target, note->text);
	if (note->kind == NOTE_CRASHES || note->kind == NOTE_WRONG)
		note->mild |= !note->release_named && !note->chips; /* by chip and version alone */
	note->mild |= tells_failure(note->kind) && !str_starts(note->ref, STR("https://"));
	note->about = named;
	types = dtypes_named(note->text);
	if (named)
		types = (struct dtypes_named){ .refused = named };
	note->slow = note->kind == NOTE_AICPU ? (types.refused ? types.refused : DTYPE_ALL) : 0;
	note->refused = note->kind == NOTE_DTYPES ? types.refused : 0;
	note->accepted = note->kind == NOTE_RUNS ? types.refused | types.accepted : types.accepted;
}

/* The chips of the series that documents name. */
static unsigned chips_of_series(struct str hardware, bool *ret_all)
{
	static const struct {
		struct str word, chip;
	} names[] = {
		{ STR("A2"), STR("910B") },
		{ STR("A3"), STR("910C") },
		{ STR("950DT"), STR("950DT") },
		{ STR("Atlas-train"), STR("910A") },
	};
	struct str word = { 0 };
	unsigned chips = 0;

	*ret_all = str_eq(hardware, STR("all")) || str_eq(hardware, STR("950DT A2 A3")); /* every series */
	while (!*ret_all && hardware.len && str_cut(&hardware, ' ', &word)) {
		for (size_t i = 0; i < ARRAY_SIZE(names); i++)
			chips |= str_eq(names[i].word, word) ? chips_named(TARGET_NPU, names[i].chip) : 0;
	}
	return chips;
}

struct api_row {
	struct str api, supported, dtypes, excluded, remarks, ref, path;
	unsigned chips, first, last, source;
	bool all;
};

static struct note *add_document_note(
	struct note **notes, struct row *row, const struct api_row *api, enum note_kind kind, struct str text)
{
	struct note *note = add_note(notes, row);

	if (!note)
		return NULL;
	note->target = TARGET_NPU;
	note->kind = kind;
	note->text = text;
	note->document = true;
	note->documents.first = api->first;
	note->documents.last = api->last;
	note->chips = api->chips;
	note->evidence = EVIDENCE_VENDOR_DOC;
	return note;
}

void note_load_api(struct note **notes, struct row *row)
{
	size_t documents = row->db->documents.count;
	struct api_row api = { .api = row_text(row) };
	unsigned dtypes = 0, excluded = 0;
	struct note *note;

	api.chips = chips_of_series(row_text(row), &api.all);
	api.first = row_number(row, documents);
	api.last = row_number(row, documents);
	api.supported = row_text(row);
	row->damaged |= !dtypes_from(row_text(row), &dtypes);
	row->damaged |= !dtypes_from(row_text(row), &excluded);
	api.remarks = row_text(row);
	if (dtypes | excluded) {
		note = add_document_note(notes, row, &api, NOTE_DTYPES, api.api);
		if (note) {
			note->taken = str_eq(api.supported, STR("yes")) ? api.chips ? api.chips : ~0u : 0;
			note->accepted = dtypes & ~excluded;
			note->refused = excluded | (dtypes ? DTYPE_ALL & ~dtypes : 0);
			note->barred = excluded;
		}
	}
	if (str_has(api.remarks, STR("cpu")))
		add_document_note(notes, row, &api, NOTE_CPU, api.api);
	if (str_eq(api.supported, STR("no")) && !api.all)
		add_document_note(notes, row, &api, NOTE_CHIP, api.api);
}

void note_load_types(struct note **notes, struct row *row)
{
	static const struct str words[] = { STR("takes"), STR("aicpu") };
	struct note *note = add_note(notes, row);
	unsigned types;

	if (!note)
		return;
	note->target = TARGET_NPU;
	note->kind = row_word(row, words, ARRAY_SIZE(words)) ? NOTE_AICPU : NOTE_DTYPES;
	if (!dtypes_from(row_text(row), &types))
		row->damaged = true;
	note->text = row_text(row);
	note->source = row_id(row, row->db->sources.count);
	note->evidence = EVIDENCE_VENDOR_DOC;
	memset(&note->releases, 0xff, sizeof(note->releases));
	if (note->kind == NOTE_AICPU) {
		note->slow = types ? types : DTYPE_ALL;
	} else {
		note->accepted = types;
		note->refused = DTYPE_ALL & ~types;
	}
}

/* The chips that a condition in a kernel sets apart: those below the chip at its boundary, or 950 itself. */
static unsigned chips_apart(struct str condition)
{
	if (str_has(condition, STR("910B1")))
		return chips_named(TARGET_NPU, STR("910A 310P 310B"));
	return str_has(condition, STR("950")) ? chips_named(TARGET_NPU, STR("950DT")) : 0;
}

static void read_releases(struct note *note, struct row *row)
{
	unsigned first = row_number(row, RELEASE_WORDS * 64), last = row_number(row, RELEASE_WORDS * 64);

	note->release_named = true;
	for (unsigned place = first; place <= last; place++)
		note->releases.words[place / 64] |= (uint64_t)1 << place % 64;
}

void note_load_autocast(struct note **notes, struct row *row)
{
	struct note *note = add_note(notes, row);

	if (!note)
		return;
	note->kind = NOTE_AUTOCAST;
	note->overload = overload_of(row_text(row));
	note->target = row_word(row, target_names, TARGET_COUNT);
	note->text = row_text(row);
	read_releases(note, row);
	note->path = row_text(row);
	note->source = row_id(row, row->db->sources.count);
	note->evidence = EVIDENCE_SOURCE;
}

void note_load_chip(struct note **notes, struct row *row)
{
	struct str path = row_text(row), condition = row_text(row), action;
	struct note range = { .release_named = true };
	struct note *note;

	read_releases(&range, row);
	action = row_text(row);
	if (str_eq(action, STR("acl_op path")))
		return; /* the acl_op kernel, whose chips are known */
	note = add_note(notes, row);
	if (!note)
		return;
	note->target = TARGET_NPU;
	note->kind = !action.len || str_has(action, STR("error")) ? NOTE_CHIP
		     : str_has(action, STR("host"))               ? NOTE_CPU
								  : NOTE_SLOW;
	note->mild = !action.len; /* a branch whose behaviour is unknown */
	note->text = condition;
	note->path = path;
	note->chips = note->mild ? 0 : chips_apart(condition); /* of an unknown branch either side may be meant */
	note->release_named = true;
	note->releases = range.releases;
	note->evidence = EVIDENCE_SOURCE;
	note->source = row_id(row, row->db->sources.count);
}

/* Returns whether the type of an argument is that of the data; others choose, mask or weigh. "": of all of them. */
static bool is_data_argument(struct str name)
{
	return !name.len || name_is_listed(NAMES_DATA, name);
}

/* Returns whether the limit applies only to non-dense or shape-specific paths. */
static bool is_aside_limit(struct str other)
{
	return str_has(other, STR("key ")) || str_has(other, STR("in some cases")) || str_has(other, STR("own path"));
}

void note_load_limit(struct note **notes, struct row *row)
{
	struct str overload = overload_of(row_text(row)), argument = row_text(row), takes = row_text(row);
	unsigned taken = 0, refused = 0;
	struct str refuses = row_text(row), other = row_text(row), host = row_text(row);
	struct note range = { .release_named = true }, *note;
	bool composed, where = str_starts(other, STR("where "));

	row->damaged |= !str_eq(takes, STR("*")) && !dtypes_from(takes, &taken);
	row->damaged |= !dtypes_from(refuses, &refused);
	read_releases(&range, row);
	refused |= taken ? DTYPE_ALL & ~taken : str_has(other, STR("always throws")) ? DTYPE_ALL : 0;
	composed = str_starts(other, STR("composed: ")) && !refused && !host.len;
	if (is_aside_limit(other) || (!host.len && !composed && (!refused || !is_data_argument(argument))))
		return;
	note = add_note(notes, row);
	if (!note)
		return;
	note->target = TARGET_MUSA;
	note->kind = host.len ? NOTE_CPU : composed ? NOTE_COMPOSED : NOTE_DTYPES;
	note->mild = host.len && !str_eq(host, STR("1")); /* on a condition that no dump tells */
	note->overload = overload;
	note->releases = range.releases;
	note->release_named = true;
	note->refused = host.len ? 0 : refused;
	note->barred = where ? 0 : note->refused; /* no dump tells whether it is so */
	note->text = host.len ? host : composed ? str_skip(other, strlen("composed: ")) : where ? other : argument;
	note->path = row_text(row);
	note->source = row_id(row, row->db->sources.count);
	note->evidence = EVIDENCE_SOURCE;
}

void note_load_tested(struct note **notes, struct row *row)
{
	struct note range = { .release_named = true }, *note = add_note(notes, row);

	if (!note)
		return;
	row->damaged |= !dtypes_from(row_text(row), &note->tested);
	read_releases(&range, row);
	note->target = TARGET_MUSA;
	note->kind = NOTE_TESTED;
	note->releases = range.releases;
	note->release_named = true;
	note->path = row_text(row);
	note->text = note->path;
	note->source = row_id(row, row->db->sources.count);
	note->evidence = EVIDENCE_SOURCE;
}
