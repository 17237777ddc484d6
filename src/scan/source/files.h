#pragma once
/*
 * The scripts under some paths, in the natural order of their names: files that end in .py or .ipynb, and those around
 * a program that are called as shell scripts, jobs of Slurm, Makefiles, Dockerfiles, lists of requirements and settings
 * in YAML or TOML are, setup.cfg, settings in JSON (ds_*, deepspeed*, zero*, config*, *config), kernels in CUDA (.cu).
 *
 * Names that begin with a dot and links are passed over, and so are folders that hold no sources of the program:
 * __pycache__, node_modules, site-packages, venv.
 *
 * A folder that may not be read is listed as if it were a script: opening it says why.
 *
 * A part is a script, or an archive of scripts, in some bytes of a file: its name is shown and says which module it is,
 * but is never opened.
 */
#include "base/memory/arena.h"
#include "base/memory/mem.h"
#include "base/setup/err.h"
#include "base/setup/limits.h"
#include "io/source.h"

enum script_kind {
	SCRIPT_PYTHON,
	SCRIPT_SHELL,
	SCRIPT_DOCKERFILE,
	SCRIPT_REQUIREMENTS,
	SCRIPT_YAML,
	SCRIPT_TOML,
	SCRIPT_INI,
	SCRIPT_CUDA
};

struct source_file {
	const char *path;  /* to open unless there is a text; also what is shown */
	struct str text;   /* of a part; ptr NULL: none */
	struct str module; /* "utils.device", by the way from the path that was given */
	struct str root;   /* name of the folder that was given; "" for a file */
	bool is_package;
};

struct source_part {
	struct str name;
	const char *path;
	const struct file_span *span;
};

/* Files of a folder that are not read, by how their names end. */
struct skipped_kind {
	struct str name; /* ".cpp", "other files", "links", "hidden files" */
	uint64_t count;
};

struct source_files {
	MEM_LIST(struct source_file) list;
	MEM_LIST(struct skipped_kind) skipped;
	struct arena text;
	uint64_t part_bytes; /* of all parts so far */
};

/* By its name: "run.sh", "Dockerfile.dev", "requirements-gpu.txt", "conf.yaml"; else SCRIPT_PYTHON. */
enum script_kind source_file_kind(struct str name);

/* Returns whether a file of that name is read from a folder. */
bool source_is_script(struct str name);

/* Adds the scripts under a path; a file is taken whatever its name. ERR_OPEN, ERR_LIMIT over limits.scan_files. */
int source_files_add(struct source_files *files, const char *path, const struct limits *limits, struct err *err);

/* Adds a script whatever its name, or what an archive has of a folder. The errors of source_open and members_next;
   ERR_LIMIT over limits.scan_files, script_bytes or scan_bytes. */
int source_files_add_part(
	struct source_files *files, const struct source_part *part, const struct limits *limits, struct err *err);

/* Puts them in order, each path once. */
void source_files_sort(struct source_files *files);
void source_files_clear(struct source_files *files);
