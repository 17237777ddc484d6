#pragma once
/*
 * Facts on an operator apart from its registration: reports, limits of data types and chips, remarks of documents.
 *
 * A note never changes the status, which follows from registrations and rules alone. It adds flags to the answer; a
 * report on the very release also lowers what is certain of it. Of two contradictory notes the more specific one wins
 * (chip, release, overload), then the kind of evidence, then the date; the other stays, marked as superseded.
 */
#include "opdb/db/meant.h"
#include "opdb/model/chip.h"
#include "opdb/model/status.h"

struct row;

enum note_kind {
	NOTE_RUNS,     /* was seen to run on the device */
	NOTE_CPU,      /* runs on the CPU, always or in some cases */
	NOTE_FAILS,    /* raises or crashes */
	NOTE_WRONG,    /* runs and computes something wrong */
	NOTE_DTYPES,   /* takes some data types and not others */
	NOTE_LAYOUT,   /* only tensors of a sparse or quantized layout are concerned */
	NOTE_SHAPES,   /* compiles for new shapes */
	NOTE_AICPU,    /* runs on the scalar cores of the device */
	NOTE_CHIP,     /* differs between chips */
	NOTE_SLOW,     /* takes a list of tensors one by one there */
	NOTE_AUTOCAST, /* autocast changes the types of its inputs */
	NOTE_TESTED,   /* the vendor's own tests run these types */
	NOTE_COMPOSED, /* the kernel runs other operators, which the dump of the device has */
	NOTE_CRASHES,  /* brought the process or the device down: a warning, and no status */
	NOTE_KIND_COUNT,
};

struct note {
	struct note *next;
	enum target_kind target;
	enum note_kind kind;
	struct str overload;            /* "" for every one */
	struct release_set releases;    /* of a report and a branch on the chip */
	struct document_span documents; /* of a document's row, whose releases follow from these */
	bool document;
	bool release_named; /* the versions are known */
	bool mild; /* too vague for a flag: the operator or what happens is a guess, and the release is not known; or a
		      report of a failure without a public link */
	unsigned refused, accepted, slow; /* enum dtype; slow: on the AI CPU */
	unsigned tested;                  /* by the vendor */
	unsigned switched;                /* that the code of a kernel lists, whatever a rule infers of its library */
	unsigned about;                   /* types that a report names; 0: none */
	unsigned barred;                  /* those of refused that are named as such, not merely left out of a list */
	unsigned chips;                   /* bit i: chip_at(target, i); 0: any */
	unsigned taken;                   /* of a document: the chips on which it says that the API is supported */
	enum evidence_kind evidence;
	struct str text, date;
	struct str condition; /* of a report: its calls, as a condition of call_test; "": all */
	struct str ref,
		path;    /* an address, or what the source was called; of a document, its place in the repository */
	unsigned source; /* id, of a document or a branch */
};

/* Types that a chip, or kernels of a kind, refuse whatever the operator, up to a release. */
struct dtype_rule {
	struct note note;
	bool written; /* only kernels written for the plugin, not PyTorch's own made for the device */
	unsigned until;
};

/* "runs", "cpu" ... Static text. */
struct str note_kind_name(enum note_kind kind);

/* The chips that a text names, as bits; those of a list such as "A2/A3, 910C", without boards and servers. */
unsigned chips_named(enum target_kind target, struct str text);
unsigned chips_listed(enum target_kind target, struct str list);

/* Append what a row (fact_rows.h) of the tables of reports, documents and chips says to a list. */
void note_take_report(struct note **notes, struct row *row, const void *item);
void note_take_api(struct note **notes, struct row *row, const void *item);
void note_take_types(struct note **notes, struct row *row, const void *item);
void note_take_autocast(struct note **notes, struct row *row, const void *item);
void note_take_chip(struct note **notes, struct row *row, const void *item);
void note_take_limit(struct note **notes, struct row *row, const void *item);
void note_take_tested(struct note **notes, struct row *row, const void *item);
