#pragma once
/* Internal to opdb: facts of overlays. */
#include "base/memory/map.h"
#include "base/memory/mem.h"
#include "opdb/model/chip.h"
#include "opdb/model/status.h"

struct overlay;

struct overlay_fact {
	size_t overlay; /* its number */
	size_t line;
	struct str ns, base, overload; /* overload without a pointer: the name as a whole */
	enum target_kind target;
	const unsigned char *places; /* by place of the release: 1 where the fact holds */
	const struct chip *chip;     /* NULL: any */
	struct str dtypes;           /* joined by blanks; "": any */
	unsigned types;              /* the same as enum dtype */
	bool has_status;
	enum op_status status;
	unsigned flags;
	struct str reason, evidence, date;
	struct str label; /* "site.tsv:7 (0123456789ab)" */
};

struct overlays {
	MEM_LIST(struct overlay) files;
	struct overlay_fact *items;
	size_t count, capacity;
	struct map map; /* by namespace and base */
};
