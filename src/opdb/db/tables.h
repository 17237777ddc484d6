#pragma once
/* Rows of the small tables as a handle keeps them. Text lives in the handle. */

struct opdb_info {
	struct str build;    /* short name of the fact text, from its digest */
	struct str built_at; /* RFC 3339: SOURCE_DATE_EPOCH of the build, else the date of the newest release */
	struct str sha256;   /* of the fact text, in hexadecimal */
	struct str digest;   /* of all that answers depend on: sha256, and with overlays one over it and theirs */
	size_t releases, torch_versions, names, facts;
	struct str pack_sha256; /* of the database in the pack that it comes from; "" where it comes from none */
	bool pack_is_signed;
};

enum source_kind { SOURCE_CODE, SOURCE_VENDOR_DOC, SOURCE_INFERRED };

struct source {
	struct str name, repository, ref, path;
	enum source_kind kind;
	bool npu, musa; /* targets whose releases it is evidence for */
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

/* One edition of the vendor's tables of Python APIs. */
struct document {
	struct str name, url;
	unsigned plugin;               /* place of the first document of the same plugin, for whichever PyTorch */
	const struct release *release; /* NULL: nothing else is known of it */
	unsigned source;
};
