#pragma once
/* The parts of `opcheck db`: one function each, in one table in cmd_db.c. */
#include "cli/command.h"
#include "cli/common.h"

struct db_options {
	struct str output, db, to, format, without;
	bool replace, quiet;
};

/* Operands stand in arguments->items from 1 on; their number was checked. Returns what struct command's run does. */
int db_run_verify(const struct db_options *options, const struct arguments *arguments, struct err *err);
int db_run_diff(const struct db_options *options, const struct arguments *arguments, struct err *err);
int db_run_check_overlay(const struct db_options *options, const struct arguments *arguments, struct err *err);
int db_run_score(const struct db_options *options, const struct arguments *arguments, struct err *err);
int db_run_export(const struct db_options *options, const struct arguments *arguments, struct err *err);
int db_run_install(const struct db_options *options, const struct arguments *arguments, struct err *err);
int db_run_rollback(const struct db_options *options, const struct arguments *arguments, struct err *err);
