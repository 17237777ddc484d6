"""Calls that op-plugin's own code refuses by an argument: plugin_checks.tsv into npu/plugin_arguments.tsv, by release of torch_npu. What
CANN's kernels and the documents say of the same argument comes first."""
import os

from fact_text import given
from fact_text.tables import COLUMNS, LIST, Malformed, Spans, covered

FILE = 'plugin_checks.tsv'
NAME = 'npu/plugin_arguments.tsv'
SOURCES = {'op-plugin': 'npu-checks', 'CANN-8.1.RC1': 'cann-8.1'}


def put(cann, text, split_source, there):
    """Nothing where the table was not made: its facts stay as they are."""
    path = os.path.join(cann.folder, FILE)
    if not os.path.exists(path):
        return
    order, table = text.table('npu/releases.tsv').names(), Spans(COLUMNS[NAME])
    for place, row in given.read(path, 'op test chips en zh source releases'):
        library, ref, path = split_source(row['source'], place)
        if library not in SOURCES:
            raise Malformed(place, 'no source is called "%s"' % library)
        releases = covered(row['releases'], order, place, LIST)
        if (row['op'], row['test']) not in there:
            table.add([row['op'], row['test'], row['chips'], row['en'], row['zh'], path, ref, SOURCES[library]], releases)
    text.put(NAME, table.text(order, 3))
