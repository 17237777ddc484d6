#pragma once
/* The support of an operator on a release, with derivation and evidence. */
#include "opdb/model/library.h"
#include "opdb/model/status.h"
#include "opdb/model/unit.h"

struct evidence {
	enum evidence_kind kind;
	struct str ref;  /* address that a person can open, or "" */
	struct str text; /* without an address: a description of the source, or a site's observation */
	struct str date; /* of the commit that was read, or of the observation; "" where it is not known */
};

struct note;
struct argument_limit;

/* A note (opdb/db/note.h) that holds for the release asked about. */
struct note_answer {
	const struct note *note;
	enum evidence_kind evidence; /* inferred where a document of another release is all there is */
	bool release_named;          /* it names this very release */
	bool for_chip;               /* the question names a chip, and it is one of the note's */
	bool lost;                   /* a better one says otherwise */
};

/* A fact of an overlay on some data types, or on a chip that the question leaves open: it may apply. */
struct site_limit {
	struct str text; /* "bf16 on 310P: cpu-fallback (overlay site.tsv:7 (0123456789ab): reason)" */
	unsigned dtypes; /* enum dtype; 0: any */
	bool has_status;
	enum op_status status;
	unsigned flags;
};

enum layout { LAYOUT_SPARSE = 1 << 0, LAYOUT_SPARSE_CSR = 1 << 1 }; /* other than dense ones */

struct overload_answer {
	struct str name;      /* "add.out" */
	struct str signature; /* "(Tensor self) -> Tensor", "" where PyTorch's list has none */
	enum op_status status;
	unsigned flags;
	struct str via; /* derivation: "structured -> add.out: registered" */
	bool aside;     /* an out variant, a generated or a named-tensor overload: not what a program calls */
	bool wraps;     /* its composite body calls the unnamed overload */
};

struct answer {
	enum op_status status;
	unsigned flags;
	struct str via, detail;
	const struct overload_answer *overloads; /* those that are not aside first */
	size_t overload_count;
	struct str equivalents;         /* operators that run instead, or could be called instead; joined by ';' */
	enum op_status explicit_status; /* when the program names it on the device */
	struct str package;             /* to install, for needs-package */
	struct library_report library;
	unsigned layouts, leaf_layouts; /* enum layout: kernels that only PyTorch has; those of dense_leaf */
	const struct evidence *evidence;
	size_t evidence_count;
	enum op_status certain, best;     /* the status, or what reports on this very release make of it */
	unsigned refused, accepted, slow; /* enum dtype; slow: on the AI CPU */
	unsigned barred, reported;        /* those of refused that are certain; that a user reported */
	unsigned maybe_slow;              /* on the AI CPU where shapes, strides, attributes or values ask for it */
	unsigned strided;                 /* on the AI CPU where the tensor that is written to is not contiguous */
	unsigned confirmed, switched;     /* seen to run on this very release; listed by the code of its kernels */
	unsigned tested;                  /* types that the vendor's own tests run; 0: not known */
	struct unit_report units;         /* of an NPU: facts of its kernels */
	bool moves_memory;                /* its kernels rename, allocate or copy, whatever the type */
	struct str leaves, dense_leaf; /* calls of a composite: "norm.out: cpu-fallback"; one without sparse kernels */
	enum op_status leaf;           /* the worst status among them; resolve_leaves sets it */
	const struct argument_limit *const *arguments; /* calls that are refused by an argument */
	size_t argument_count;
	const struct str *argument_refs; /* resolve_argument_texts: where each was read */
	const struct note_answer *notes; /* the best first */
	size_t note_count;
	struct str known_in;                  /* versions of PyTorch that have the name: "1.8.1..2.12.0" */
	unsigned site_flags;                  /* that overlays set for certain */
	const struct site_limit *site_limits; /* facts of overlays that may apply */
	size_t site_limit_count;
};
