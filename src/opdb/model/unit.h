#pragma once
/*
 * The unit on which a kernel of CANN runs a call, by the type of its first tensor.
 *
 * Names are words of the fact text's column "unit" (opdb/README.md, npu/units.tsv).
 */
#include "base/value/words.h"

enum unit {
	UNIT_UNKNOWN, /* nothing was read */
	UNIT_AICORE,
	UNIT_HELPER,     /* on the AI Core, with a copy or cast on the AI CPU */
	UNIT_UNDECLARED, /* sent to the AI Core, whose kernel does not declare the type */
	UNIT_VARIES,     /* the interfaces that the operator chooses from differ: some reject it */
	UNIT_MIXED,      /* on either unit: shapes, strides, attributes or values decide */
	UNIT_AICPU,
	UNIT_REJECTED,
	UNIT_COUNT,
};

extern const struct words unit_words;

/* "aicore". Static text. */
struct str unit_name(enum unit unit);

/* False if text is not a unit. */
bool unit_from(struct str text, enum unit *ret);

/* Types that one unit runs, or rejects. */
struct unit_answer {
	enum unit unit;
	unsigned dtypes;             /* enum dtype */
	struct str kernels, note;    /* those that run on the AI CPU, as in npu/units.tsv */
	struct str when_en, when_zh; /* resolve_unit_texts: of UNIT_MIXED and UNIT_HELPER, when it runs on the AI CPU */
};

/* A cast that op-plugin makes before it calls a kernel. */
struct npu_cast {
	struct npu_cast *next;
	bool acl_op; /* the kernel is an ACL operator, not a call of CANN's API */
	struct str argument;
	unsigned dtypes;    /* enum dtype, of the argument; 0: any other */
	struct str becomes; /* a type, "dtype" for one that is given, or the argument whose type it takes */
	struct str path, plugin;
	unsigned source;
	unsigned first, last; /* places of CANN, for which op-plugin was read */
};

struct evidence;

/* Facts of an NPU's kernels on an operator; all empty if none were read. */
struct unit_report {
	unsigned types, refused; /* enum dtype: those that they tell, and of these the rejected */
	const struct unit_answer *lines;
	size_t count;
	const struct evidence *evidence; /* resolve_unit_texts: addresses of the calls and their code */
	size_t evidence_count;
	const unsigned
		*slow_casts; /* of an operator that converts: the types that each type is cast to on the AI CPU */
	const struct npu_cast *casts; /* resolve_unit_texts: those of either kernel that the release has */
	bool calls_cann, compiles;    /* resolve_unit_texts: it has a call into CANN; an ACL operator */
	struct str cann;              /* the version whose kernels these are */
	bool nearest;                 /* the release is for another one, whose kernels were not read */
};
