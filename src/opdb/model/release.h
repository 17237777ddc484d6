#pragma once
/* Targets, and a release of the plugin of one. */
#include "base/view/str.h"

enum target_kind { TARGET_NPU, TARGET_MUSA, TARGET_COUNT };

enum release_kind { RELEASE_FINAL, RELEASE_CANDIDATE, RELEASE_DEVELOPMENT };

/* All text lives in the database handle. */
struct release {
	struct str id; /* "npu@v2.7.1-26.0.0"; every alias resolves to it */
	enum target_kind target;
	enum release_kind kind; /* final ones are stable: no development head, release candidate or master */
	unsigned place; /* in the order of the target: by torch, then plugin, a development head after its torch line */
	struct str name;   /* "2.7.1-26.0.0", a development head "2.7.1-dev" */
	struct str ref;    /* branch or tag of the plugin */
	struct str torch;  /* version of PyTorch it is for */
	struct str plugin; /* the plugin's own version */
	struct str cann; /* versions of CANN it is published for, joined by ", "; "" on musa and where none is known */
	struct str pip;  /* versions of the pip package, joined by ", "; "" as above */
	struct str date; /* of the commit that was read, YYYY-MM-DD */
	struct str commit;
	struct str fallback; /* fate of an operator without a kernel, one sentence */
	bool boxed;          /* it runs on the CPU through a boxed fallback */
	/* for the resolver and its evidence */
	bool xla;             /* dense tensors have the dispatch key XLA, not PrivateUse1 */
	unsigned torch_place; /* in the order of PyTorch versions */
	struct str op_plugin, op_plugin_yaml, codegen;
	unsigned list_source, fallback_source; /* ids; 0: none */
	unsigned document; /* place of the tables of Python APIs that speak of it, or of the nearest release */
	bool has_document, own_document;
	unsigned cann_place;      /* of npu: the version of CANN whose kernels are used for it */
	bool has_units, own_cann; /* own: the very version that it is made for */
};

/* "npu", "musa", in the order of enum target_kind. Static. */
extern const struct str target_names[TARGET_COUNT];
extern const struct words target_words;

/* The same; "torch_npu", "torch_musa". Static text. */
struct str target_kind_name(enum target_kind target);
struct str target_plugin_name(enum target_kind target);

/* False when text is neither target's name. */
bool target_kind_from(struct str text, enum target_kind *ret);
