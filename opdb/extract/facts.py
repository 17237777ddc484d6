#!/usr/bin/env python3
"""Writes tables of the fact text from what a vendor has written: all of them or, after an error, none.

npu, musa: a release of torch_npu or torch_musa from its lists. torch: a version of PyTorch from its lists. cann, musa-kernels: the
tables that cann.py and musa.py beside this script made. README.md has an example of each. Errors name file and line; the exit status
is 2 for wrong options and for a release that the text has already, 3 for a malformed list, 4 for the fact text, 6 when it cannot be written."""
import argparse
import os
import sys

from fact_text import kernels, musa, npu, units, universe
from fact_text.tables import Refused

OPDB = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def parser():
    main = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False)
    what = main.add_subparsers(metavar='npu | musa | torch | cann | musa-kernels', required=True)

    def add(name, run, **options):
        command = what.add_parser(name, allow_abbrev=False)
        command.set_defaults(run=run)
        command.add_argument('--opdb', metavar='DIR', default=OPDB, help='the fact text to change (%(default)s)')
        for option, text in options.items():
            command.add_argument('--' + option.replace('_', '-'), required=text.startswith('*'), default='', help=text.lstrip('*'))
        return command

    lists = {'torch': '*the version of PyTorch', 'native_functions': "*PyTorch's native_functions.yaml",
             'source': "row of sources.tsv to cite in place of the list's own"}
    release = {'release': '*its branch (npu) or tag (musa)', **lists, 'date': 'of the commit (today)', 'commit': 'of the plugin'}
    for command in (
            add('npu', npu.run, **release, framework='*npu_native_functions.yaml', op_plugin='*op_plugin_functions.yaml',
                derivatives="op-plugin's derivatives.yaml", plugin_commit='of op-plugin'),
            add('musa', musa.run, **release, functions='*musa_functions.yaml', patch="the patch to PyTorch's list"),
            add('torch', universe.run, **lists, tags='tags.yaml', generated='signatures of generated overloads, one a line',
                derivatives="PyTorch's derivatives.yaml")):
        command.add_argument('--force', action='store_true', help='replace a release or version that is there')
    for name, run in (('cann', units.run), ('musa-kernels', kernels.run)):
        add(name, run).add_argument('tables', help='the folder of the tables')
    return main


def main(arguments):
    options = parser().parse_args(arguments)
    try:
        options.run(options)
    except Refused as error:
        print('facts.py: %s' % error, file=sys.stderr)
        return error.status
    return 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
