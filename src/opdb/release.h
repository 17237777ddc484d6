#pragma once
/* The releases that the database knows: all of npu, then all of musa, each in the order of its target. */
#include "base/str.h"

struct opdb;

enum target_kind { TARGET_NPU, TARGET_MUSA, TARGET_COUNT };

enum release_kind { RELEASE_FINAL, RELEASE_CANDIDATE, RELEASE_DEVELOPMENT };

/* All text lives in the database handle. */
struct release {
	struct str id; /* "npu@v2.7.1-26.0.0": what every alias resolves to */
	enum target_kind target;
	enum release_kind kind; /* final ones are stable: no development head, release candidate or master */
	unsigned place; /* in the order of the target: by torch, then plugin, a development head after its torch line */
	struct str name;   /* "2.7.1-26.0.0", a development head "2.7.1-dev" */
	struct str ref;    /* branch or tag of the plugin */
	struct str torch;  /* version of PyTorch it is for */
	struct str plugin; /* the plugin's own version */
	struct str
		cann;   /* versions of CANN it is published for, joined by ", "; "" on musa and where nothing says it */
	struct str pip; /* versions of the pip package, joined by ", "; "" as above */
	struct str date; /* of the commit that was read, YYYY-MM-DD */
	struct str commit;
	struct str fallback; /* what happens to an operator without a kernel, one sentence */
	bool boxed;          /* it runs on the CPU through a boxed fallback */
	/* for the resolver and its evidence */
	bool xla;             /* dense tensors have the dispatch key XLA, not PrivateUse1 */
	unsigned torch_place; /* in the order of PyTorch versions */
	struct str op_plugin, op_plugin_yaml, codegen;
	unsigned list_source, fallback_source; /* ids; 0: none */
	unsigned document; /* place of the tables of Python APIs that speak of it, or of the nearest release */
	bool has_document, own_document;
};

/* "npu", "musa". Static text. */
struct str target_kind_name(enum target_kind target);

/* "torch_npu", "torch_musa". Static text. */
struct str target_plugin_name(enum target_kind target);

/* False when text is neither target's name. */
bool target_kind_from(struct str text, enum target_kind *ret);

/* All releases; those of one target stand together. */
const struct release *opdb_releases(const struct opdb *db, size_t *ret_count);

/* The releases of one target, by place. */
const struct release *opdb_target_releases(const struct opdb *db, enum target_kind target, size_t *ret_count);

/* The newest stable release for a version of PyTorch ("": for any): highest plugin version, then highest torch. Where a
   torch line has only release candidates, the last of them. NULL when there is none. */
const struct release *opdb_newest(const struct opdb *db, enum target_kind target, struct str torch);
