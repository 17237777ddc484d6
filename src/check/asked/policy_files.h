#pragma once
/* Files that a policy is made of: waivers, and an earlier report as baseline. */
#include "assess/gate/policy.h"
#include "base/setup/limits.h"

/* A whole file, decompressed where it is packed, appended to *ret; its digest, unless NULL. "-" is standard input. The
   errors of source_open and source_next, and ERR_LIMIT over the maximum of *ret, all with the name of the file. */
int file_read_text(const char *path, const struct limits *limits, struct buf *ret, char *ret_sha256, struct err *err);

/* Adds a file of waivers. Besides those errors ERR_WAIVER with the line. */
int policy_read_waivers(struct policy *policy, const char *path, const struct limits *limits, struct err *err);

/* Takes the findings of a JSON report as known, whose text and name are given. ERR_REPORT. */
int policy_take_baseline(struct policy *policy, struct str report, struct str name, struct err *err);

/* Takes the findings of a JSON report as known. Besides those errors ERR_REPORT. */
int policy_read_baseline(struct policy *policy, const char *path, const struct limits *limits, struct err *err);
