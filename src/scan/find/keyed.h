#pragma once
/*
 * Settings in YAML, TOML and INI: of a program, of its packages (pyproject.toml, environment.yml, setup.cfg) and of
 * what starts it (accelerate, DeepSpeed, compose files, jobs of a cluster). JSON is read as the YAML that it is.
 *
 * They are read as the keys and values of scan/source/setting.h. A value counts by its key: a device, a backend, a
 * package, an image, commands for a shell.
 */
#include "scan/find/check.h"

static inline bool is_keyed(enum script_kind kind)
{
	return kind == SCRIPT_YAML || kind == SCRIPT_TOML || kind == SCRIPT_INI;
}

/* Takes the place of syntax_parse and script_bind. ERR_UNREAD for a text that is neither. */
int keyed_read(struct str text, enum script_kind kind, struct syntax *ret, struct err *err);

void keyed_check(struct check *check, struct script *script);
