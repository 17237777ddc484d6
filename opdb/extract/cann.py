#!/usr/bin/env python3
"""Writes the tables of types on the AI Core and the AI CPU from checkouts of op-plugin and of CANN's operator libraries.

Usage: python3 opdb/extract/cann.py SOURCES OUT_DIR [TABLE ...]

SOURCES holds checkouts by the names in README.md beside this script; a table whose checkout is missing is left out and named."""
import sys

import program
from cann_facts import op_plugin
from reader.sources import Checkout


def aten_aclnn(sources):
    return op_plugin.aten_aclnn(Checkout(sources, 'op-plugin'))


TABLES = {
    'aten_aclnn': (op_plugin.HEADER, aten_aclnn),
}


if __name__ == '__main__':
    sys.exit(program.run(__doc__, TABLES, sys.argv[1:]))
