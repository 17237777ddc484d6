#!/usr/bin/env python3
"""Writes the tables of kernel limits, tested types, collectives and package operators from checkouts of the plugins.

Usage: python3 opdb/extract/musa.py SOURCES OUT_DIR [TABLE ...]

SOURCES holds checkouts by the names in README.md beside this script; a table whose checkout is missing is left out and named.
TABLE: musa_kernel_limits, musa_tested_types, musa_collectives, hccl_collectives, package_ops; all unless given."""
import sys

import program
from plugin_facts import collectives, kernels, packages, tested
from reader.sources import Checkout

def releases_of(target):
    return program.releases(target, 'release ref torch')


def mccl(sources):
    return collectives.collectives(Checkout(sources, 'torch_musa'), releases_of('musa'), 'torch_musa/csrc/distributed', 'MCCL')


def hccl(sources):
    return collectives.collectives(Checkout(sources, 'torch_npu'), releases_of('npu'), 'torch_npu/csrc/distributed', 'HCCL')


def tested_types(sources):
    return tested.tested_types(Checkout(sources, 'torch_musa'), releases_of('musa'))


def kernel_limits(sources):
    return kernels.kernel_limits(Checkout(sources, 'torch_musa'), releases_of('musa'), sources)


def package_ops(sources):
    rows, missing = packages.package_ops(sources)
    for message in missing:
        print('package_ops: %s' % message, file=sys.stderr)
    return rows


TABLES = {
    'musa_kernel_limits': (kernels.HEADER, kernel_limits),
    'musa_tested_types': (tested.HEADER, tested_types),
    'musa_collectives': (collectives.HEADER, mccl),
    'hccl_collectives': (collectives.HEADER, hccl),
    'package_ops': (packages.HEADER, package_ops),
}


if __name__ == '__main__':
    sys.exit(program.run(__doc__, TABLES, sys.argv[1:]))
