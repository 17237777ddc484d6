#include "opdb/db/note.h"

#include <string.h>

#include "base/memory/mem.h"
#include "base/view/ascii.h"
#include "opdb/db/fact_rows.h"
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

unsigned chips_named(enum target_kind target, struct str text)
{
	unsigned chips = 0;

	for (size_t from = 0, to; from < text.len; from = to + 1) {
		struct str usual;
		const struct chip *chip;

		for (to = from; to < text.len && (is_word(text.ptr[to]) || text.ptr[to] == '-'); to++)
			;
		if (to - from < 3) /* "A2" and the like mean too much else */
			continue;
		chip = chip_find(target, str_sub(text, from, to), &usual);
		chips |= chip ? chip_bit(chip) : 0;
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
		chips |= chip ? chip_bit(chip) : 0;
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

void note_take_report(struct note **notes, struct row *row, const void *item)
{
	const struct report_row *read = item;
	struct note *note = add_note(notes, row);
	struct versions_named versions = { read->target, read->torch, read->plugin, read->date };
	struct dtypes_named types = dtypes_named(read->detail);
	unsigned chips = chips_listed(read->target, read->chip);

	if (!note)
		return;
	note->target = read->target;
	note->overload = overload_of(read->op);
	note->text = read->detail;
	note->ref = read->source;
	note->date = read->date;
	note->condition = read->condition;
	note->kind = reported_kind(read->observed, note->text);
	note->evidence = EVIDENCE_REPORT;
	note->releases = releases_meant(row->db, &versions, &note->release_named);
	note->mild = (str_eq(read->confidence, STR("loose")) || str_has(note->text, STR("inferred]"))) &&
		     !note->release_named;
	note->chips = chips ? chips : chips_named(note->target, note->text);
	if (note->kind == NOTE_CRASHES || note->kind == NOTE_WRONG)
		note->mild |= !note->release_named && !note->chips; /* by chip and version alone */
	if (note->kind == NOTE_FAILS || note->kind == NOTE_CRASHES || note->kind == NOTE_WRONG)
		note->mild |= !str_starts(note->ref, STR("https://"));
	note->about = read->dtypes;
	if (read->dtypes)
		types = (struct dtypes_named){ .refused = read->dtypes };
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

static struct note *add_document_note(
	struct note **notes, struct row *row, const struct api_row *api, enum note_kind kind, unsigned chips)
{
	struct note *note = add_note(notes, row);

	if (!note)
		return NULL;
	note->target = TARGET_NPU;
	note->kind = kind;
	note->text = api->api;
	note->document = true;
	note->documents.first = api->first;
	note->documents.last = api->last;
	note->chips = chips;
	note->evidence = EVIDENCE_VENDOR_DOC;
	return note;
}

void note_take_api(struct note **notes, struct row *row, const void *item)
{
	const struct api_row *read = item;
	unsigned dtypes = read->dtypes, excluded = read->excluded;
	bool all;
	unsigned chips = chips_of_series(read->hardware, &all);

	if (dtypes | excluded) {
		struct note *note = add_document_note(notes, row, read, NOTE_DTYPES, chips);

		if (note) {
			note->taken = str_eq(read->supported, STR("yes")) ? chips ? chips : ~0u : 0;
			note->accepted = dtypes & ~excluded;
			note->refused = excluded | (dtypes ? DTYPE_ALL & ~dtypes : 0);
			note->barred = excluded;
		}
	}
	if (str_has(read->remarks, STR("cpu")))
		add_document_note(notes, row, read, NOTE_CPU, chips);
	if (str_eq(read->supported, STR("no")) && !all)
		add_document_note(notes, row, read, NOTE_CHIP, chips);
}

void note_take_types(struct note **notes, struct row *row, const void *item)
{
	const struct types_row *read = item;
	struct note *note = add_note(notes, row);

	if (!note)
		return;
	note->target = TARGET_NPU;
	note->kind = read->says ? NOTE_AICPU : NOTE_DTYPES;
	note->text = read->detail;
	note->source = read->source;
	note->evidence = EVIDENCE_VENDOR_DOC;
	memset(&note->releases, 0xff, sizeof(note->releases));
	if (note->kind == NOTE_AICPU) {
		note->slow = read->dtypes ? read->dtypes : DTYPE_ALL;
	} else {
		note->accepted = read->dtypes;
		note->refused = DTYPE_ALL & ~read->dtypes;
	}
}

/* The chips that a condition in a kernel sets apart: those below the chip at its boundary, or 950 itself. */
static unsigned chips_apart(struct str condition)
{
	if (str_has(condition, STR("910B1")))
		return chips_named(TARGET_NPU, STR("910A 310P 310B"));
	return str_has(condition, STR("950")) ? chips_named(TARGET_NPU, STR("950DT")) : 0;
}

/* A note that a source makes about releases from one place to another. */
static struct note *add_source_note(
	struct note **notes, struct row *row, unsigned first, unsigned last, unsigned source)
{
	struct note *note = add_note(notes, row);

	if (!note)
		return NULL;
	note->release_named = true;
	for (unsigned place = first; place <= last; place++)
		note->releases.words[place / 64] |= (uint64_t)1 << place % 64;
	note->evidence = EVIDENCE_SOURCE;
	note->source = source;
	return note;
}

void note_take_autocast(struct note **notes, struct row *row, const void *item)
{
	const struct autocast_row *read = item;
	struct note *note = add_source_note(notes, row, read->first, read->last, read->source);

	if (!note)
		return;
	note->kind = NOTE_AUTOCAST;
	note->overload = overload_of(read->op);
	note->target = read->target;
	note->text = read->list;
	note->path = read->path;
}

void note_take_chip(struct note **notes, struct row *row, const void *item)
{
	const struct chip_row *read = item;
	struct note *note;

	if (str_eq(read->action, STR("acl_op path")))
		return; /* the acl_op kernel, whose chips are known */
	note = add_source_note(notes, row, read->first, read->last, read->source);
	if (!note)
		return;
	note->target = TARGET_NPU;
	note->kind = !read->action.len || str_has(read->action, STR("error")) ? NOTE_CHIP
		     : str_has(read->action, STR("host"))                     ? NOTE_CPU
									      : NOTE_SLOW;
	note->mild = !read->action.len; /* a branch whose behaviour is unknown */
	note->text = read->condition;
	note->path = read->path;
	note->chips = note->mild ? 0 : chips_apart(read->condition); /* of an unknown branch either side may be meant */
}

void note_take_limit(struct note **notes, struct row *row, const void *item)
{
	const struct limit_row *read = item;
	struct str other = read->other, host = read->host;
	unsigned taken = 0, refused = read->refuses;
	bool composed, where = str_starts(other, STR("where "));
	/* a limit of paths that are not dense or have certain shapes alone */
	bool aside = str_has(other, STR("key ")) || str_has(other, STR("in some cases")) ||
		     str_has(other, STR("own path"));
	/* another argument than the data chooses, masks or weighs: its type limits nothing; "": of all of them */
	bool of_data = !read->argument.len || name_is_listed(NAMES_DATA, read->argument);
	struct note *note;

	row->damaged |= !str_eq(read->takes, STR("*")) && !dtypes_from(read->takes, &taken);
	refused |= taken ? DTYPE_ALL & ~taken : str_has(other, STR("always throws")) ? DTYPE_ALL : 0;
	composed = str_starts(other, STR("composed: ")) && !refused && !host.len;
	if (aside || (!host.len && !composed && (!refused || !of_data)))
		return;
	note = add_source_note(notes, row, read->first, read->last, read->source);
	if (!note)
		return;
	note->target = TARGET_MUSA;
	note->kind = host.len ? NOTE_CPU : composed ? NOTE_COMPOSED : NOTE_DTYPES;
	note->mild = host.len && !str_eq(host, STR("1")); /* on a condition that no dump tells */
	note->overload = overload_of(read->op);
	note->refused = host.len ? 0 : refused;
	note->switched = of_data ? taken : 0;
	note->barred = where ? 0 : note->refused; /* no dump tells whether it is so */
	note->text = host.len   ? host
		     : composed ? str_skip(other, strlen("composed: "))
		     : where    ? other
				: read->argument;
	note->path = read->path;
}

void note_take_tested(struct note **notes, struct row *row, const void *item)
{
	const struct tested_row *read = item;
	struct note *note = add_source_note(notes, row, read->first, read->last, read->source);

	if (!note)
		return;
	note->tested = read->dtypes;
	note->target = TARGET_MUSA;
	note->kind = NOTE_TESTED;
	note->text = note->path = read->path;
}
