#pragma once
/*
 * Settings as a list of keys and values, whatever their form: a node has field SYN_AS_KEY or SYN_AS_VALUE, and its
 * parent is the key that it is under, 0 at the top.
 */
#include "scan/source/syntax.h"

/* Add a node; returns its index. */
uint32_t setting_push(struct syntax *syntax, uint32_t from, uint32_t to, uint32_t parent, enum syntax_field field);
