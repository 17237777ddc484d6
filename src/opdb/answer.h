#pragma once
/* What becomes of an operator on a release, how that follows, and where it can be read. */
#include "base/str.h"

/* From best to worst. */
enum op_status {
	OP_NATIVE,
	OP_NATIVE_JIT,
	OP_COMPOSITE,
	OP_EQUIVALENT,
	OP_CPU_FALLBACK,
	OP_UNSUPPORTED,
	OP_NEEDS_PACKAGE,
	OP_UNKNOWN,
	OP_STATUS_COUNT,
};

/* Beside the status, which follows from registrations and rules alone: what else is known of the operator. An overload's
   flags are those of its registration; an answer has those of documents and reports, too. */
enum op_flag {
	FLAG_HOST_PATH = 1 << 0, /* the kernel may copy to the CPU inside */
	FLAG_AICPU = 1 << 1,
	FLAG_JIT_COMPILE = 1 << 2, /* compiles per shape */
	FLAG_DTYPE_LIMITED = 1 << 3,
	FLAG_SOC_LIMITED = 1 << 4,
	FLAG_MIXED_OVERLOADS = 1 << 5, /* overloads of the name differ */
	FLAG_REPORTED_BROKEN = 1 << 6,
	FLAG_IMPLIED = 1 << 7,
	FLAG_INFERRED = 1 << 8, /* a rule that was not seen at work */
	FLAG_OVERLAY = 1 << 9,
};

enum { OP_FLAG_COUNT = 10 };

/* "cpu-fallback"; "host-path" for the flag with this number. Static text. */
struct str op_status_name(enum op_status status);
struct str op_flag_name(unsigned number);

/* Two ways to read a name that belongs to another backend of PyTorch.
   Reached: a composite may have chosen the operator by device, so that another one runs on the target. Explicit: the
   program names the operator on the device. */
enum reading { READING_REACHED, READING_EXPLICIT };

enum evidence_kind {
	EVIDENCE_SOURCE,
	EVIDENCE_VENDOR_DOC,
	EVIDENCE_INFERRED,
	EVIDENCE_REPORT,
	EVIDENCE_MEASURED,
	EVIDENCE_OVERLAY,
};

struct evidence {
	enum evidence_kind kind;
	struct str ref;  /* address that a person can open, or "" */
	struct str text; /* without an address: what is known of the source, or what a site observed */
	struct str date; /* of the commit that was read, or of the observation; "" where nobody told */
};

/* "source", "vendor-doc", "inferred", "report", "measured", "overlay". Static text. */
struct str evidence_kind_name(enum evidence_kind kind);

struct note;
struct site_limit;
/* A note (opdb/note.h) that holds for the release asked about. */
struct note_answer {
	const struct note *note;
	enum evidence_kind evidence; /* inferred where a document of another release is all there is */
	bool told;                   /* it is about this very release */
	bool for_chip;               /* the question names a chip, and it is one of the note's */
	bool lost;                   /* a better one says otherwise */
};

enum layout { LAYOUT_SPARSE = 1 << 0, LAYOUT_SPARSE_CSR = 1 << 1 }; /* other than dense ones */

struct overload_answer {
	struct str name;      /* "add.out" */
	struct str signature; /* "(Tensor self) -> Tensor", "" where PyTorch's list has none */
	enum op_status status;
	unsigned flags;
	struct str via; /* how it follows: "structured -> add.out: registered" */
	bool aside;     /* an out variant, a generated or a named-tensor overload: not what a program calls */
};

struct answer {
	enum op_status status;
	unsigned flags;
	struct str via, detail;
	const struct overload_answer *overloads; /* those that are not aside first */
	size_t overload_count;
	struct str equivalents;         /* what runs instead, or could be called instead; joined by ';' */
	enum op_status explicit_status; /* when the program names it on the device */
	struct str package;             /* to install, for needs-package */
	bool package_has_it;            /* a kernel of the package was seen */
	unsigned layouts;               /* enum layout: PyTorch has kernels for these, the release has none */
	const struct evidence *evidence;
	size_t evidence_count;
	enum op_status certain, best;     /* the status, or what reports on this very release make of it */
	unsigned refused, accepted, slow; /* enum dtype: what is known of data types; slow: on the AI CPU */
	unsigned barred, reported;        /* those of refused that are so beyond doubt; that somebody met */
	bool moves_memory;                /* its kernels rename, allocate or copy, whatever the type */
	struct str leaves; /* what a composite always calls that is limited or does not run: "norm.out: cpu-fallback" */
	enum op_status leaf;             /* the worst status among them; resolve_leaves sets it */
	const struct note_answer *notes; /* the best first */
	size_t note_count;
	struct str known_in;                  /* versions of PyTorch that have the name: "1.8.1..2.12.0" */
	unsigned site_flags;                  /* that overlays set for certain */
	const struct site_limit *site_limits; /* opdb/overlay.h */
	size_t site_limit_count;
};
