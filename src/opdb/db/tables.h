#pragma once
/* Rows of the small tables as a handle keeps them. Text lives in the handle. */
#include "opdb/model/release.h"

struct opdb_info {
	struct str build;    /* short name of the fact text, from its digest */
	struct str built_at; /* RFC 3339: SOURCE_DATE_EPOCH of the build, else the date of the newest release */
	struct str sha256;   /* of the fact text, in hexadecimal */
	struct str digest;   /* of all that answers depend on: sha256, and with overlays one over it and theirs */
	size_t releases, torch_versions, names, facts;
};

enum source_kind { SOURCE_CODE, SOURCE_VENDOR_DOC, SOURCE_INFERRED };

struct source {
	struct str name, repository, ref, path;
	enum source_kind kind;
	bool npu, musa; /* whose releases it is evidence for */
	bool row_bound; /* ref or path name a column of the fact itself */
};

struct torch_version {
	struct str version, wheel;
	unsigned source;
};

struct package_version {
	struct str torch, pip, cann, release;
	const struct release *known; /* NULL: no facts about that release */
};

enum rule_mode { RULE_AUTO, RULE_MANUAL, RULE_NONE, RULE_HOST };

/* Operators of one backend of PyTorch, and what another device runs instead. */
struct backend_rule {
	struct str name, specific_to, reason;
	struct str equivalents[TARGET_COUNT]; /* joined by ';' */
	struct str reached_from;              /* joined by ';' */
	enum rule_mode mode;
	unsigned sources[4]; /* ids, 0: none */
};

/* Why no column of the universe tells what an operator's body does. */
enum body { BODY_PLAIN, BODY_STUB, BODY_BOUND };

/* A base name in aten for which a rule, a body or another name is known. */
struct special {
	struct str base;
	const struct backend_rule *rule; /* or NULL */
	enum body body;
	unsigned body_source;
	struct str instead, instead_reason; /* what other versions of PyTorch run in its place; "" */
	unsigned instead_source;
};

/* One edition of the vendor's tables of Python APIs. */
struct document {
	struct str name, url;
	const struct release *release; /* NULL: nothing else is known of it */
	unsigned source;
};

enum namespace_kind {
	NAMESPACE_PLUGIN,
	NAMESPACE_COLLECTIVE,
	NAMESPACE_COMPOSITE,
	NAMESPACE_INTERNAL,
	NAMESPACE_QUANTIZED,
	NAMESPACE_PACKAGE,
	NAMESPACE_TORCH,     /* PyTorch's own operators, whose kernels each device registers */
	NAMESPACE_EXTENSION, /* a name that many extensions use; one library's if others of its operators are called */
	NAMESPACE_FOREIGN,   /* operators of another vendor's devices */
};

struct namespace_rule {
	struct str ns, remark;
	struct str package[TARGET_COUNT];
	enum namespace_kind kind;
	unsigned source;
};

/* What else has to hold for an implied operator. */
enum implied_need { NEED_BACKWARD = 1 << 0, NEED_OPTIMIZER = 1 << 1, NEED_FP16 = 1 << 2 };

/* An operator that a program calls on the device though the profile of another device does not show it. */
struct implied_rule {
	struct str name; /* which of the reasons it is: "dropout" */
	struct str seen; /* base names of aten that the profile shows, joined by blanks: all of them */
	unsigned needs;  /* enum implied_need */
	enum target_kind target;
	unsigned torch_from; /* place of the first version of PyTorch that does so; 0: every one */
	struct str calls;    /* base name in aten */
	unsigned source;
};
