#pragma once
/*
 * Rules for cells of the fact text, used by struct fact_table.
 *
 * Each checks the cell of a column and binds the values derived from it. ERR_FACT.
 */
#include "opdb/build/store.h"

#define CELL_RULE(name) int name(struct build *build, const struct tsv *tsv, const char *column, struct err *err)

CELL_RULE(cell_any);        /* any text */
CELL_RULE(cell_op);         /* "add.out": binds :base */
CELL_RULE(cell_full_op);    /* "aten::add.out": binds :ns, :op and :base */
CELL_RULE(cell_call_name);  /* "mmcv::nms", or a function of a package's own: binds :ns, :op and :base */
CELL_RULE(cell_unit);       /* a word of enum unit */
CELL_RULE(cell_source);     /* a name of sources.tsv or "": binds its id to the column's own parameter */
CELL_RULE(cell_https);      /* an address */
CELL_RULE(cell_signature);  /* "(Tensor self) -> Tensor" */
CELL_RULE(cell_has);        /* words of enum has_bit */
CELL_RULE(cell_needs);      /* words of enum implied_need */
CELL_RULE(cell_dtypes);     /* data types joined by blanks */
CELL_RULE(cell_dtype_bits); /* the same: binds them as bits to the column's own parameter */
CELL_RULE(cell_chip_bits);  /* families of NPUs joined by blanks: the same */
CELL_RULE(cell_date);       /* YYYY-MM-DD or "" */
CELL_RULE(cell_built);      /* the date of a release, of which the newest is kept */
CELL_RULE(cell_torch);      /* a version of PyTorch or "": binds :torch */
CELL_RULE(cell_release);    /* a release of npu or "": binds :release */
CELL_RULE(cell_until);      /* a release of the row's target or "": binds :until */
CELL_RULE(cell_rule);       /* a rule about backends: binds :rule */
CELL_RULE(cell_fallback);   /* a name of fallbacks.tsv: binds :boxed, :fallback and :fallback_source */
CELL_RULE(cell_published);  /* remarks on a published version: binds :known and :beta */
CELL_RULE(cell_equivalent); /* names that run instead: no star unless the rule is manual */
