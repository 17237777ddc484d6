#pragma once
/* The small tables that a handle keeps in memory. */
#include "opdb/db/rules.h"
#include "opdb/db/tables.h"

struct opdb;

const struct opdb_info *opdb_info(const struct opdb *db);

/* All releases; those of one target stand together. */
const struct release *opdb_releases(const struct opdb *db, size_t *ret_count);

/* The releases of one target, by place. */
const struct release *opdb_target_releases(const struct opdb *db, enum target_kind target, size_t *ret_count);

/* The newest stable release for a version of PyTorch ("": for any): highest plugin version, then highest torch. Of a
   torch line with release candidates alone, the last of them. NULL if no release fits. */
const struct release *opdb_newest(const struct opdb *db, enum target_kind target, struct str torch);

/* All sources, in the order of the fact text. */
const struct source *opdb_sources(const struct opdb *db, size_t *ret_count);

/* Operators that a program calls on the device though the profile of another device does not show them. */
const struct implied_rule *opdb_implied(const struct opdb *db, size_t *ret_count);

/* The rule for a name of aten or a namespace, or NULL. A rule about a part of a namespace comes before that about
   the whole; base "": the whole. */
const struct special *special_find(const struct opdb *db, struct str base);
const struct namespace_rule *namespace_find(const struct opdb *db, struct str ns, struct str base);
