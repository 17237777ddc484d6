#pragma once
/*
 * Words in the files around a program that mean something to a port: variables, packages, addresses, images, devices.
 * Each that a rule knows becomes a place, and a node of the script's syntax.
 */
#include "scan/find/check.h"

/* Context for looking at words, which are given as bytes of the text. */
struct word_source {
	struct check *check;
	struct script *script;
	struct str text;
};

/* Notes a word of that rule; nothing without one. */
void word_push(const struct word_source *words, uint32_t from, uint32_t to, const struct source_rule *rule);

/* The row of that group whose pattern the text fits, or NULL. */
const struct source_rule *word_rule(const struct word_source *words, enum text_group group, struct str text);

/* The row of "name=value" or "around.name=value", or NULL. True and TRUE are true. */
const struct source_rule *word_setting(
	const struct word_source *words, struct str around, struct str name, struct str value);

/* The end of the letters, digits and "_" that begin there. */
uint32_t word_end(struct str text, uint32_t from, uint32_t to);

/* A variable of the environment. */
void word_variable(const struct word_source *words, uint32_t from, uint32_t to);

/* "flash-attn>=2", "torch==2.1.0+cu118", "nvidia::cuda-toolkit", "git+https://github.com/NVIDIA/apex": a package, and
   its build. */
void word_package(const struct word_source *words, uint32_t from, uint32_t to);

/* The row of the package in a requirement, with the bytes of its name; NULL: none. The script is not needed. */
const struct source_rule *word_requirement(
	const struct word_source *words, uint32_t from, uint32_t to, uint32_t *ret_from, uint32_t *ret_to);

/* The row of "+cu118" anywhere in it, with its bytes; NULL: none. The script is not needed. */
const struct source_rule *word_build_rule(
	const struct word_source *words, uint32_t from, uint32_t to, uint32_t *ret_from, uint32_t *ret_to);
void word_build(const struct word_source *words, uint32_t from, uint32_t to);

/* The address that packages come from. */
void word_index(const struct word_source *words, uint32_t from, uint32_t to);

void word_image(const struct word_source *words, uint32_t from, uint32_t to);

/* Kind of the value of an option or a key of that name: a device, a backend. */
void word_value(const struct word_source *words, struct str name, uint32_t from, uint32_t to);
