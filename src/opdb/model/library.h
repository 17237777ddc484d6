#pragma once
/* Facts on libraries other than the plugins: backends of torch.distributed, and packages with operators of their
   own. */
#include "opdb/model/chip.h"

/* Types that a backend takes for one collective under one reduce operation. */
struct collective_fact {
	struct collective_fact *next;
	enum target_kind target;
	struct str name;      /* of the backend's function: "allreduce" */
	struct str reduce_op; /* "" for a collective that reduces nothing, or that it refuses as a whole */
	unsigned dtypes;      /* enum dtype; 0: any */
	unsigned newest_chip; /* those that Ascend 950 takes beside them */
	bool supported;
	struct str note, path;
	unsigned source;
	unsigned first, last; /* places of its releases */
};

/* Registrations and bindings of a package for a device, by argument where it checks types. */
struct package_fact {
	struct package_fact *next;
	enum target_kind target;
	struct str package, argument;
	struct str since, last;  /* the versions that were read and have it */
	unsigned takes, refuses; /* enum dtype; 0: not known */
	unsigned skips;          /* types that the package's own tests leave out */
	struct str how, note, path;
	struct str installs; /* the package to install */
	bool removed;        /* a later version lacks it */
	unsigned source;
};

/* A kernel that a package beside the plugins brings. */
struct package_kernel {
	struct package_kernel *next;
	enum target_kind target;
	struct str package, path;
	struct str refs; /* those of the package's that have it, joined by ' ' */
	unsigned source;
};

/* Their part in an answer. */
struct library_report {
	struct str since, until; /* the versions of the package that have it; "": not known, and every later one */
	struct str version;      /* the newest that has it and is for the release's PyTorch; "": any of them is */
	const struct package_fact *const *packages; /* of the target */
	size_t package_count;
	const struct collective_fact *const *collectives; /* of the release, by reduce operation */
	size_t collective_count;
};

/* Returns whether the device has a kernel, or the operator is composed of others; false if it raises or is missing. */
bool package_has_kernel(const struct package_fact *fact);

/* Returns whether a backend's fact is one of the release. */
bool collective_holds(const struct collective_fact *fact, const struct release *release);

/* enum dtype: types that a backend takes by such a fact, on a chip; NULL: on any. */
unsigned collective_types(const struct collective_fact *fact, const struct chip *chip);

/* "hccl", "mccl". Static text. */
struct str collective_backend(enum target_kind target);
