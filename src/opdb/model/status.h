#pragma once
/* The words of an answer: status, flags and evidence. */
#include "base/value/words.h"

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

/* Meaning of a status for a port: the operator runs on the device, on the CPU, does not run, is unknown. */
enum status_class { CLASS_DEVICE, CLASS_CPU, CLASS_BLOCKED, CLASS_UNKNOWN };

/* Flags beside the status, which follows from registrations and rules alone. An overload's flags are those of its
   registration; an answer has those of documents and reports, too. */
enum op_flag {
	FLAG_HOST_PATH = 1 << 0, /* the kernel may copy to the CPU inside */
	FLAG_AICPU = 1 << 1,
	FLAG_JIT_COMPILE = 1 << 2, /* compiles per shape */
	FLAG_DTYPE_LIMITED = 1 << 3,
	FLAG_SOC_LIMITED = 1 << 4,
	FLAG_MIXED_OVERLOADS = 1 << 5, /* overloads of the name differ */
	FLAG_REPORTED_BROKEN = 1 << 6,
	FLAG_IMPLIED = 1 << 7,
	FLAG_INFERRED = 1 << 8, /* follows from a rule that was not seen at work */
	FLAG_OVERLAY = 1 << 9,
	FLAG_UNTESTED = 1 << 10, /* the calls have a type that the plugin's own tests do not run */
};

enum { OP_FLAG_COUNT = 11 };

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
	EVIDENCE_KINDS
};

/* An observation of an operator on a device. */
enum observed {
	OBSERVED_NATIVE,
	OBSERVED_CPU_FALLBACK,
	OBSERVED_NOT_IMPLEMENTED,
	OBSERVED_DTYPE_LIMITED,
	OBSERVED_DYNAMIC_SHAPE,
	OBSERVED_AICPU,        /* ran on the scalar cores of the device */
	OBSERVED_CRASH,        /* the process or the device failed */
	OBSERVED_WRONG_RESULT, /* ran and computed something wrong */
	OBSERVED_COUNT,
};

/* Names are static text: "cpu-fallback"; "host-path" for the flag with this number; "vendor-doc". */
struct str op_status_name(enum op_status status);
enum status_class op_status_class(enum op_status status);
struct str op_flag_name(unsigned number);
struct str evidence_kind_name(enum evidence_kind kind);
extern const struct words op_status_words, evidence_kind_words, observed_words;

/* False if text is not a status. */
bool op_status_from(struct str text, enum op_status *ret);
