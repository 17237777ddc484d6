#pragma once
/* The inside of the import of a release of torch_npu: its two lists (npu_lists.c) and what becomes of them (npu.c). */
#include "import/import.h"
#include "import/native.h"
#include "import/plugin_version.h"
#include "import/release_text.h"

struct section;

/* One of the two lists. */
struct list {
	struct input input;
	struct node *root;
	const struct section *sections;
	const char *origin;
	const char *source;
	struct native symint; /* operators whose kernels take symbolic sizes */
};

struct npu_import {
	const struct import_options *options;
	struct arena arena; /* of the input files */
	struct list framework, plugin;
	struct native native;
	struct plugin_versions versions;
	bool combined; /* the dialect for many versions */
	bool any_sparse;
	struct str torch;
	struct str version;        /* "v2.7" */
	struct str key, custom_ns; /* "PrivateUse1", "npu" */
	struct release_text text;
	struct err *err;
};

/* The sections that either list may have. */
extern const struct section *const npu_framework_sections, *const npu_plugin_sections;

/* Whether a version is that one or a newer one. */
bool npu_at_least(struct str version, const char *oldest);

/* Puts what a list says into the text of the release. ERR_IMPORT with file and line. */
int npu_add_list(struct npu_import *import, struct list *list);

/* An operator under the key that prefix and backend make. */
struct npu_row_name {
	struct str op;
	const char *ns, *prefix;
};

/* The row of this name: a new one without marks, from that line of the list and section (0: from no line; it is where a
   second one would be refused), or the one that is there, NULL if none is. */
struct listed *npu_add_row(struct npu_import *import, const struct list *list, size_t line,
	const struct npu_row_name *name, const char *section);
struct listed *npu_find_row(struct npu_import *import, const struct npu_row_name *name);
