#pragma once
/*
 * Settings in YAML, TOML and INI: of a program, of its packages (pyproject.toml, environment.yml, setup.cfg) and of
 * what starts it (accelerate, DeepSpeed, compose files, jobs of a cluster). JSON is read as the YAML that it is.
 *
 * They are read as a list of keys and values, whatever their form: a node has field SYN_AS_KEY or SYN_AS_VALUE, and
 * its parent is the key that it is under, 0 at the top. A value counts by its key: a device, a backend, a package, an
 * image, commands for a shell.
 */
#include "scan/check.h"

static inline bool is_keyed(enum script_kind kind)
{
	return kind == SCRIPT_YAML || kind == SCRIPT_TOML || kind == SCRIPT_INI;
}

/* Takes the place of syntax_parse and script_bind. ERR_UNREAD for a text that is neither. */
int keyed_read(struct str text, enum script_kind kind, struct syntax *ret, struct err *err);

/* One of each; the syntax is there with its module. */
int yaml_read(struct syntax *ret, struct err *err);
int toml_read(struct syntax *ret, struct err *err);

/* Adds a node; for a key returns its place. */
uint32_t keyed_push(struct syntax *syntax, uint32_t from, uint32_t to, uint32_t parent, enum syntax_field field);

void keyed_check(struct check *check, struct script *script);
