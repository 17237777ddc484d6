#pragma once
/* Edits for one finding in a script. */
#include "opdb/model/release.h"
#include "scan/find/program.h"

struct port_edit {
	uint32_t from, to; /* bytes of the script's text */
	struct str text;   /* in their place */
	const char *rule;
	bool covered; /* transfer_to_npu does the same while the program runs */

	/* the same in the file, as that has it: */
	const struct script *script;
	size_t at, end;
	struct str bytes;
};

struct edits {
	MEM_LIST(struct port_edit) list;
	struct arena *arena;
	const struct script *script;
	enum target_kind target;
};

/* Offsets of the edits in the file, after its byte order mark: the text of a notebook is that of its cells, its
   bytes are JSON. */
void edits_locate(struct edits *edits, size_t mark_bytes);

/* Returns the import statement around a node, or 0. */
uint32_t import_around(const struct syntax *syntax, uint32_t node);

/* Adds the edits of a place outside of imports. False when only a person can do it. */
bool edit_place(struct edits *edits, const struct source_place *place);

/* The same for an import statement with all its places. */
bool edit_import(struct edits *edits, uint32_t statement, const struct source_place *places, size_t count);

/* Adds the import of the plugin where names of it are used before: below the import of PyTorch, else below docstring
   and __future__. False when no line is fit for it. */
bool edit_plugin(struct edits *edits);
