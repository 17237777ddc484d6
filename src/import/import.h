#pragma once
/*
 * New facts from files that the vendors, a PyTorch build or a user's machine have written, into the fact text.
 *
 * Every import reads the text in opdb_dir, works the new facts out, and only then writes the tables that changed, all
 * at once: after an error the text is as it was. Errors in a file name it and the line (ERR_IMPORT), those in the fact
 * text too (ERR_FACT); what is there already is ERR_EXISTS unless force.
 */
#include "base/buf.h"
#include "base/err.h"
#include "base/str.h"

struct import_options {
	const char *opdb_dir;
	bool force;
	struct str release; /* "v2.7.1-26.0.0"; the tag for musa; empty for torch */
	struct str torch;   /* version of PyTorch */
	struct str source;  /* row of sources.tsv to cite instead of the vendor's list; empty: the list's own */
	struct str date, commit, plugin_commit; /* of a new release; empty: today, none, the plugin's branch */
	struct str as;                          /* registrations: "npu" or "musa" for a machine that has neither */
	/* paths, NULL where not given */
	const char *native_functions, *framework, *op_plugin; /* npu */
	const char *functions, *patch;                        /* musa */
	const char *tags, *generated;                         /* torch */
	const char *derivatives;                              /* npu: op-plugin's; torch */
};

/* Appends to report what was done, a few lines of English. */
int import_npu(const struct import_options *options, struct buf *report, struct err *err);
int import_musa(const struct import_options *options, struct buf *report, struct err *err);
int import_torch(const struct import_options *options, struct buf *report, struct err *err);

/* The file that `opcheck snippet --registrations` makes the machine write. */
int import_registrations(const struct import_options *options, const char *path, struct buf *report, struct err *err);

/* Reports of users and vendors, as CSV with the columns of reported.tsv. */
int import_reported(const struct import_options *options, const char *path, struct buf *report, struct err *err);

/* Where CANN and the kernels of torch_musa run operators: the folder of tables that opdb/extract writes. */
int import_cann(const struct import_options *options, const char *path, struct buf *report, struct err *err);
int import_musa_kernels(const struct import_options *options, const char *path, struct buf *report, struct err *err);
