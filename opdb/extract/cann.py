#!/usr/bin/env python3
"""Writes the tables of types on the AI Core and the AI CPU from checkouts of op-plugin and of CANN's operator libraries.

Usage: python3 opdb/extract/cann.py SOURCES OUT_DIR [TABLE ...]

SOURCES holds checkouts by the names in README.md beside this script; a table whose checkout is missing is left out and named.
TABLE: aten_aclnn, casts, plugin_checks, l0_dtypes, aicpu_kernels, aclnn_l0, aclnn_units, aclnn_dtypes, aclnn_aicpu, aten_aicpu,
custom_limits; all unless given. All but the first three and the last interpret the libraries, which takes an hour of processor; an aclnn that seems to reject everything is named as not decided."""
import functools
import sys

import program
from cann_facts import acl_op, casts, custom, declarations, documents, op_plugin, plugin_checks, runs, tables, verdicts
from cann_facts.names import VERSIONS
from reader.sources import Checkout


@functools.cache
def aten_aclnn(sources):
    return [*op_plugin.aten_aclnn(Checkout(sources, 'op-plugin')), *program.by_hand('aten_aclnn', op_plugin.HEADER)]


@functools.cache
def declared(sources):
    return declarations.all_declarations(sources)


@functools.cache
def used(sources):
    return frozenset(row[1] for row in aten_aclnn(sources))


@functools.cache
def interpreted(sources):
    """{kind: {version: what was read}}"""
    found = {version: runs.read_version(sources, version, used(sources)) for version in VERSIONS}
    return {kind: {version: read[kind] for version, read in found.items()} for kind in ('interfaces', 'l0')}


@functools.cache
def interfaces(sources):
    by_people = [{row[0] for row in program.by_hand(name, header)} for name, header in (
        ('aclnn_units', tables.UNITS_HEADER), ('aclnn_dtypes', tables.DTYPES_HEADER), ('aclnn_l0', tables.CALLS_HEADER))]
    known = {version: documents.documents(sources, version) for version in VERSIONS if version != '8.3'}
    read = tables.Interfaces(interpreted(sources)['interfaces'], tables.Launches(interpreted(sources)['l0']), declared(sources), known, by_people)
    for name, version, chip in read.failed():
        print('not decided: %s at %s on %s' % (name, version, chip), file=sys.stderr)
    return read


@functools.cache
def l0_dtypes(sources):
    rows = [*tables.l0_rows(interpreted(sources)['l0']), *declarations.declaration_rows(declared(sources))]
    return tables.cleaned([*rows, *program.by_hand('l0_dtypes', tables.L0_HEADER)])


@functools.cache
def aicpu_kernels(sources):
    rows = [*declarations.installed_cpu_rows(sources, declared(sources)), *declarations.open_cpu_rows(sources, declared(sources))]
    return tables.cleaned([*rows, *tables.Launches(interpreted(sources)['l0']).cpu_rows()])


@functools.cache
def aclnn_l0(sources):
    return tables.cleaned(interfaces(sources).call_rows())


@functools.cache
def aclnn_units(sources):
    rows = tables.cleaned([*interfaces(sources).unit_rows(), *program.by_hand('aclnn_units', tables.UNITS_HEADER)])
    return rows | tables.cleaned(tables.generated_rows(aclnn_l0(sources), rows, declared(sources), used(sources)))


@functools.cache
def aclnn_dtypes(sources):
    read = interfaces(sources)
    return tables.cleaned([*tables.with_places(read.dtype_rows(), 'code'), *tables.with_places(documents.document_rows(read.documents), 'docs')])


@functools.cache
def judged(sources):
    return verdicts.verdicts(aclnn_units(sources), l0_dtypes(sources))


def aclnn_aicpu(sources):
    return verdicts.aclnn_rows(judged(sources))


def aten_aicpu(sources):
    with_aclnn = {(row[0], row[4]) for row in aten_aclnn(sources)}
    return [*verdicts.aten_rows(judged(sources), aten_aclnn(sources), aclnn_dtypes(sources)),
            *acl_op.aclop_rows(Checkout(sources, 'op-plugin'), declared(sources), aicpu_kernels(sources), with_aclnn)]


def cast_rows(sources):
    return casts.cast_rows(Checkout(sources, 'op-plugin'))


def checks(sources):
    return plugin_checks.rows(Checkout(sources, 'op-plugin'), program.releases('npu', 'release torch op_plugin op_plugin_yaml'))


TABLES = {
    'aten_aclnn': (op_plugin.HEADER, aten_aclnn),
    'l0_dtypes': (tables.L0_HEADER, l0_dtypes),
    'aicpu_kernels': (tables.CPU_HEADER, aicpu_kernels),
    'aclnn_l0': (tables.CALLS_HEADER, aclnn_l0),
    'aclnn_units': (tables.UNITS_HEADER, aclnn_units),
    'aclnn_dtypes': (tables.DTYPES_HEADER, aclnn_dtypes),
    'aclnn_aicpu': (verdicts.ACLNN_HEADER, aclnn_aicpu),
    'aten_aicpu': (verdicts.ATEN_HEADER, aten_aicpu),
    'casts': (casts.HEADER, cast_rows),
    'plugin_checks': (plugin_checks.HEADER, checks),
    'custom_limits': (custom.HEADER, custom.rows),
}


if __name__ == '__main__':
    sys.exit(program.run(__doc__, TABLES, sys.argv[1:]))
