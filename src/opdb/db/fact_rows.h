#pragma once
/* Rows of the queries for a name, as records read them: facts, and the texts and numbers that they are made from. */
#include "opdb/db/facts.h"

struct torch_row {
	struct torch_fact fact;
	struct str op, has;
};
struct signature_row {
	struct signature signature;
	struct str op;
};
struct kernel_row {
	struct kernel kernel;
	struct str op, key, acl_op, op_api, acl_launch;
};
struct cast_row {
	struct npu_cast cast;
	struct str kernel;
};

struct name_row {
	struct str ns, base;
};

/* Rows that become notes. */
struct report_row {
	struct str op, torch, plugin, detail, source, date, chip, confidence, condition;
	unsigned target, observed, dtypes;
};
struct api_row {
	struct str api, hardware, supported, remarks;
	unsigned first, last, dtypes, excluded;
};
struct types_row {
	struct str detail;
	unsigned says, dtypes, source;
};
struct autocast_row {
	struct str op, list, path;
	unsigned target, first, last, source;
};
struct chip_row {
	struct str path, condition, action;
	unsigned first, last, source;
};
struct limit_row {
	struct str op, argument, takes, other, host, path;
	unsigned refuses, first, last, source;
};
struct tested_row {
	struct str path;
	unsigned dtypes, first, last, source;
};

/* Room for any of them. */
union any_row {
	struct torch_row torch;
	struct signature_row signature;
	struct kernel_row kernel;
	struct cast_row cast;
	struct report_row report;
	struct api_row api;
	struct limit_row limit;
	struct package_kernel package;
	struct package_fact package_fact;
	struct collective_fact collective;
	struct argument_limit argument;
	struct unit_fact unit;
	struct cann_call call;
};
